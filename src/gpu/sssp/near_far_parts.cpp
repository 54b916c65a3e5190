#include "gpu/sssp/near_far_parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace wayfront::gpu::sssp {

namespace {

/// Smallest number of vertices of a part.
constexpr std::uint32_t kVerticesOfPart = 1024;
/// Largest share of arcs between parts with which near-far suits a graph. With a larger share, a
/// search of all blocks together is faster.
constexpr double kMostCutArcs = 0.2;
/// The share for a forest. Each vertex of a forest is reached on one path only, so that no part
/// searches in vain.
constexpr double kMostCutArcsOfForest = 0.6;

/// Whether the arcs are those of an undirected graph without cycles. Each edge is two arcs; in a
/// forest, when edges are added one after the other, each edge joins two trees.
bool is_forest(std::span<const ListPlace> lists, std::span<const Arc> arcs)
{
    std::vector<std::uint32_t> root(lists.size());
    std::iota(root.begin(), root.end(), 0U);
    const auto find = [&root](std::uint32_t slot) {
        for (; root[slot] != slot; slot = root[slot]) root[slot] = root[root[slot]];
        return slot;
    };
    std::uint64_t all = 0;
    std::uint64_t joined = 0;
    for (std::uint32_t slot = 0; slot < lists.size(); ++slot)
        for (std::uint64_t i = lists[slot].begin(); i < lists[slot].begin() + lists[slot].degree(); ++i, ++all) {
            const std::uint32_t from = find(slot);
            const std::uint32_t to = find(arcs[i].end);
            joined += from != to ? 1 : 0;
            root[from] = to;
        }
    return all == 2 * joined;
}

/// The largest number of arcs between parts with which near-far suits the graph.
std::uint64_t most_cut_arcs(const ArcListsView& graph, std::span<const ListPlace> lists, std::span<const Arc> arcs)
{
    const bool may_be_forest = graph.arcs < 2 * std::uint64_t{graph.slots};
    const double share = may_be_forest && is_forest(lists, arcs) ? kMostCutArcsOfForest : kMostCutArcs;
    return static_cast<std::uint64_t>(share * static_cast<double>(graph.arcs));
}

}  // namespace

std::unique_ptr<NearFarParts> make_near_far_parts(const ArcListsView& graph, const NearFarPartsOptions& options,
                                                  const Stream& stream)
{
    const NearFarDevice device = prepare_near_far(options.type);
    if (graph.slots == 0 || graph.slots > kMostSlotsOfParts) return nullptr;
    const std::uint32_t count = std::clamp(graph.slots / kVerticesOfPart, 1U, device.parts);
    const std::uint32_t vertices = (graph.slots + count - 1) / count;
    const bool may_fit =
        NearFarLayout({vertices, vertices, 0, 0}, SharedPart::distances).bytes() <= device.shared_bytes;
    if (!may_fit && !options.large) return nullptr;
    std::vector<ListPlace> lists(graph.slots);
    copy_async(std::span(graph.lists, graph.slots), std::span(lists), stream);
    stream.synchronize();
    std::uint64_t end = 0;
    for (const ListPlace list : lists) end = std::max(end, list.begin() + list.degree());
    if (end > std::numeric_limits<std::uint32_t>::max()) return nullptr;  // arcs are numbered with 32 bits
    std::vector<Arc> arcs(end);
    copy_async(std::span(graph.list_arcs, end), std::span(arcs), stream);
    stream.synchronize();
    const std::uint64_t most_cut = options.always ? graph.arcs : most_cut_arcs(graph, lists, arcs);
    const std::optional<HostGraphParts> host = divide_graph(lists, arcs, count, most_cut);
    if (!host) return nullptr;
    for (const SharedPart shared : {SharedPart::heads_and_distances, SharedPart::distances, SharedPart::nothing}) {
        const NearFarLayout layout(host->largest, shared);
        if (options.in_device_memory && layout.shares_distances()) continue;
        if (layout.numbers_fit() && layout.bytes() <= device.shared_bytes)
            return std::make_unique<NearFarParts>(*host, layout, stream);
    }
    return nullptr;
}

}  // namespace wayfront::gpu::sssp
