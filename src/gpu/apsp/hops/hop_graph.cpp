#include "gpu/apsp/hops/hop_graph.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// The places in the order in which vertices are distributed to batches: the first place of each batch,
/// then the second place of each batch, and so on.
std::vector<std::uint32_t> places_in_turn(std::uint32_t places)
{
    std::vector<std::uint32_t> order;
    order.reserve(places);
    for (std::uint32_t i = 0; i < kHopTargets; ++i)
        for (std::uint32_t place = i; place < places; place += kHopTargets) order.push_back(place);
    return order;
}

}  // namespace

template <typename Index>
HopGraph<Index> make_hop_graph(const CsrView& out, std::uint32_t slots)
{
    HopGraph<Index> graph;
    std::vector<std::uint32_t> slot_of_place(slots);
    graph.place_of_slot.resize(slots);
    {
        std::vector<std::uint32_t> by_degree(slots);
        std::iota(by_degree.begin(), by_degree.end(), 0U);
        std::ranges::stable_sort(by_degree,
                                 [&](std::uint32_t a, std::uint32_t b) { return out.degree(a) > out.degree(b); });
        const std::vector<std::uint32_t> order = places_in_turn(slots);
        for (std::uint32_t i = 0; i < slots; ++i) {
            slot_of_place[order[i]] = by_degree[i];
            graph.place_of_slot[by_degree[i]] = order[i];
            if (out.degree(by_degree[i]) > kHopEntries) graph.long_places = order[i] % kHopTargets + 1;
        }
    }

    const auto rest_of = [&](std::uint32_t place) {
        const std::uint64_t degree = place < slots ? out.degree(slot_of_place[place]) : 0;
        return degree > kHopEntries ? (degree - 1) / kHopEntries : 0;
    };
    const std::uint32_t batches = graph.view().batches();
    graph.rests.reserve(std::size_t{batches} * graph.long_places + 1);
    std::uint64_t chunks = 0;
    for (std::uint32_t batch = 0; batch < batches; ++batch)
        for (std::uint32_t i = 0; i < graph.long_places; ++i) {
            graph.rests.push_back(static_cast<std::uint32_t>(chunks));
            chunks += rest_of(batch * kHopTargets + i);
        }
    graph.rests.push_back(static_cast<std::uint32_t>(chunks));
    if (chunks > 0xFFFFFFFF) throw ResourceError("counts of numbers of edges: the graph has too many edges");

    graph.heads.resize(std::size_t{slots} * kHopEntries);
    graph.chunks.resize(chunks * kHopEntries);
    constexpr std::size_t places_at_once = 64;
    parallel_items(
        slots,
        [&](std::size_t item) {
            const auto place = static_cast<std::uint32_t>(item);
            const std::uint32_t slot = slot_of_place[place];
            const std::uint64_t degree = out.degree(slot);
            const auto entry = [&](std::uint64_t i) {
                return static_cast<Index>(i < degree ? graph.place_of_slot[out.neighbours[out.begin(slot) + i]]
                                                     : place);
            };
            for (std::uint32_t i = 0; i < kHopEntries; ++i)
                graph.heads[std::size_t{place} * kHopEntries + i] = entry(i);
            const std::uint64_t rest = rest_of(place) * kHopEntries;
            if (rest == 0) return;
            const std::uint64_t first = std::uint64_t{*graph.view().rest(place)} * kHopEntries;
            for (std::uint64_t i = 0; i < rest; ++i) graph.chunks[first + i] = entry(kHopEntries + i);
        },
        places_at_once);
    return graph;
}

template HopGraph<std::uint16_t> make_hop_graph<std::uint16_t>(const CsrView& out, std::uint32_t slots);
template HopGraph<std::uint32_t> make_hop_graph<std::uint32_t>(const CsrView& out, std::uint32_t slots);

}  // namespace wayfront::gpu::apsp
