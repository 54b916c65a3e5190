#include "algo/bfs/smallest_parents.hpp"

#include <vector>

#include "algo/smallest_parents.hpp"
#include "graph/distances.hpp"

namespace wayfront::algo {

HostBuffer<std::uint32_t> levels_by_slot(const DistributedGraph& graph, std::span<const std::int32_t> levels)
{
    static_assert(unreached<std::uint32_t>() == static_cast<std::uint32_t>(kUnreached));
    const std::span<const std::uint32_t> distances(reinterpret_cast<const std::uint32_t*>(levels.data()),
                                                   levels.size());
    return by_slot(graph, distances, unreached<std::uint32_t>());
}

VertexArray smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                             std::span<const std::int32_t> levels, PhaseLog* log)
{
    std::vector<Vertex> keys;  // of this rank
    for (std::uint32_t i = 0; i < graph.local_count(); ++i)
        if (levels[i] == 0) keys.push_back(graph.partition.vertex(graph.rank, i));
    const HostBuffer<std::uint32_t> distances = levels_by_slot(graph, levels);
    const HostBuffer<Vertex> of_slots =
        smallest_parents(grid, graph, distances.span(), {.sources = keys, .lengths = EdgeLengths::ones}, log);
    VertexArray parents(levels.size(), graph.partition.vertex_count());
    for (std::uint32_t i = 0; i < graph.local_count(); ++i) {
        if (levels[i] > 0)
            parents.set(i, of_slots[graph.slot_of_local[i]]);
        else
            parents.set(i, levels[i] == 0 ? graph.partition.vertex(graph.rank, i) : kUnreached);
    }
    return parents;
}

}  // namespace wayfront::algo
