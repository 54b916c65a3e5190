#include "cpu/apsp/distance_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "cpu/sssp/quaternary_heap.hpp"

namespace wayfront::cpu {

namespace {

constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();

/// One direction of a graph's edges, by slot.
template <typename W>
struct Side
{
    CsrView lists;
    const W* weights;  // null: all are 1

    [[nodiscard]] W weight(std::uint64_t entry) const { return weights == nullptr ? W{1} : weights[entry]; }
};

template <typename W>
Side<W> side(const Csr& csr, const BlockWeights& weights)
{
    const auto* buffer = std::get_if<HostBuffer<W>>(&weights);
    return {csr.view(), buffer == nullptr ? nullptr : buffer->data()};
}

template <typename W>
double sum_of_largest_in_weights(const Side<W>& in, std::uint32_t slots)
{
    double sum = 0;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        double largest = 0;
        for (std::uint64_t entry = in.lists.begin(slot); entry < in.lists.end(slot); ++entry)
            largest = std::max(largest, std::abs(static_cast<double>(in.weight(entry))));
        sum += largest;
    }
    return sum;
}

struct Reached
{
    std::uint64_t vertices = 0;
    std::uint64_t farthest = 0;
};

/// Dijkstra's algorithm from `source`; sets the distances of the reached vertices. Sums beyond
/// kFar - 1, which no type of distances holds, become kFar - 1.
template <typename W>
Reached reach(const Side<W>& side, std::uint32_t source, std::vector<std::uint64_t>& distances)
{
    struct Entry
    {
        std::uint64_t distance;
        std::uint32_t slot;
        bool operator<(const Entry& other) const { return distance < other.distance; }
    };
    QuaternaryHeap<Entry> queue;
    Reached reached;
    distances[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        const Entry nearest = queue.pop();
        if (nearest.distance != distances[nearest.slot]) continue;
        ++reached.vertices;
        reached.farthest = nearest.distance;
        for (std::uint64_t entry = side.lists.begin(nearest.slot); entry < side.lists.end(nearest.slot); ++entry) {
            const std::uint32_t other = side.lists.neighbours[entry];
            const auto weight = static_cast<std::uint64_t>(side.weight(entry));
            const std::uint64_t distance = nearest.distance + std::min(weight, kFar - 1 - nearest.distance);
            if (distance >= distances[other]) continue;
            distances[other] = distance;
            queue.push({distance, other});
        }
    }
    return reached;
}

/// The second upper bound, infinity if there is no such vertex r, and the lower bound. Pre: no weight
/// is negative.
template <typename W>
DistanceBound bound_through_one_vertex(const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    const auto out = side<W>(block.out_edges(), block.out_weights());
    const auto in = side<W>(block.in_edges, block.in_weights);
    const std::uint32_t slots = block.slot_stride;
    const auto connected = static_cast<std::uint64_t>(graph.connected_vertices);
    std::vector<std::uint64_t> distances(slots, kFar);
    if (!graph.directed) {
        std::uint64_t farthest = 0;
        for (std::uint32_t slot = 0; slot < slots; ++slot)
            if (distances[slot] == kFar && out.lists.degree(slot) > 0)
                farthest = std::max(farthest, reach(out, slot, distances).farthest);
        return {2 * static_cast<double>(farthest), static_cast<double>(farthest)};
    }
    if (connected == 0) return {};
    const Reached from = reach(out, 0, distances);
    std::ranges::fill(distances, kFar);
    const Reached to = reach(in, 0, distances);
    const auto most = [](const Reached& reached) { return static_cast<double>(reached.farthest); };
    const bool all = from.vertices == connected && to.vertices == connected;
    return {all ? most(from) + most(to) : std::numeric_limits<double>::infinity(), std::max(most(from), most(to))};
}

}  // namespace

DistanceBound bound_distances(const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    const auto bound_for = [&]<typename W>(W) {
        const double sum = sum_of_largest_in_weights(side<W>(block.in_edges, block.in_weights), block.slot_stride);
        if (const auto* weights = std::get_if<HostBuffer<std::int64_t>>(&block.in_weights);
            weights != nullptr && std::ranges::any_of(*weights, [](std::int64_t weight) { return weight < 0; }))
            return DistanceBound{sum, 0};
        DistanceBound bound = bound_through_one_vertex<W>(graph);
        bound.at_most = std::min(bound.at_most, sum);
        return bound;
    };
    return std::holds_alternative<HostBuffer<std::int64_t>>(block.in_weights) ? bound_for(std::int64_t{})
                                                                              : bound_for(std::uint32_t{});
}

}  // namespace wayfront::cpu
