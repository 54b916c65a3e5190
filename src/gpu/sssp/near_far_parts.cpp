#include "gpu/sssp/near_far_parts.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace wayfront::gpu::sssp {

namespace {

/// The fewest vertices for which a part of its own pays.
constexpr std::uint32_t kVerticesOfPart = 1024;
/// If a larger share of the arcs leads from part to part, a search of all blocks together is
/// faster.
constexpr double kMostCutArcs = 0.2;

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
    if (end > std::numeric_limits<std::uint32_t>::max()) return nullptr;  // arcs are numbered by 32 bits
    std::vector<Arc> arcs(end);
    copy_async(std::span(graph.list_arcs, end), std::span(arcs), stream);
    stream.synchronize();
    const auto most_cut_arcs =
        options.always ? graph.arcs : static_cast<std::uint64_t>(kMostCutArcs * static_cast<double>(graph.arcs));
    const std::optional<HostGraphParts> host = divide_graph(lists, arcs, count, most_cut_arcs);
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
