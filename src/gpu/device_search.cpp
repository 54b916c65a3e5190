#include "gpu/device_search.hpp"

#include "gpu/device_results.hpp"
#include "gpu/resident/search.hpp"
#include "gpu/resident/view.hpp"
#include "gpu/stepped/search.hpp"

namespace wayfront::gpu {

DirectionRule direction_rule(const DeviceSearchOptions& options, const DeviceGraph& graph)
{
    DirectionRule rule;
    rule.forced = options.forced_direction;
    rule.bottom_up_from_edges = options.bottom_up_from_edges;
    rule.top_down_below_vertices = options.top_down_below_vertices;
    rule.bottom_up_from_vertices = options.bottom_up_from_vertices;
    rule.many_edges = options.many_edges;
    rule.large_items_from = options.large_items_from;
    rule.most_split_edges = options.most_split_edges;
    rule.most_tail_edges = options.most_tail_edges;
    rule.connected = static_cast<std::uint64_t>(graph.connected_vertices);
    return rule;
}

const std::int32_t* DeviceSearch::device_parents() const
{
    return results().parents.data();
}

void DeviceSearch::copy_parents(std::span<std::int32_t> parents) const
{
    copy_async(results().parents.span(), parents, results().stream);
    results().stream.synchronize();
}

void DeviceSearch::copy_levels(std::span<std::int32_t> levels) const
{
    copy_async(results().levels.span(), levels, results().stream);
    results().stream.synchronize();
}

std::size_t search_state_bytes(SearchKind kind, std::uint32_t slots, int ranks, std::size_t local_count, std::uint64_t edges, bool levels)
{
    if (kind == SearchKind::stepped) return SteppedSearch::state_bytes_for(slots, ranks, local_count, edges, levels);
    return ResidentSearch::state_bytes_for(slots, ranks, local_count, edges, levels);
}

}  // namespace wayfront::gpu
