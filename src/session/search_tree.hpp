// The tree of parents that a search returns.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::session {

/// A path of the tree.
struct Path
{
    Vertex target = 0;
    std::vector<Vertex> vertices;  // in a TreeOrder; empty if the target was not reached
};

/// The order of the vertices of a path: from the root of the tree on, or to it.
enum class TreeOrder { from_root, to_root };

/// The order in which a path follows the edges of the input, whose edges may have been reversed.
[[nodiscard]] constexpr TreeOrder tree_order(bool reversed)
{
    return reversed ? TreeOrder::to_root : TreeOrder::from_root;
}

/// Returns the tree's path between its root and `target`. `parents` are those of the rank's
/// vertices, by local number. Throws std::logic_error, on all ranks, if a cycle of parents leads to
/// the target. Collective.
[[nodiscard]] Path path_to(const comm::Communicator& world, const Partition& partition, const VertexArray& parents,
                           Vertex target, TreeOrder order);

/// Counts the edges of the vertices for which reached(local number) is true: undirected edges count
/// once, directed edges count if they start at a reached vertex. Collective.
template <typename F>
[[nodiscard]] std::uint64_t edges_of_reached(const comm::Communicator& world, const DistributedGraph& graph,
                                             F&& reached)
{
    constexpr std::uint32_t serial_below = std::uint32_t{1} << 14;
    const std::uint32_t vertices = graph.local_count();
    std::uint64_t out_edges = 0;
#pragma omp parallel for reduction(+ : out_edges) if (vertices >= serial_below)
    for (std::uint32_t local = 0; local < vertices; ++local) {
        const std::uint32_t slot = graph.slot_of_local[local];
        if (slot != graph.block.slot_stride && reached(local)) out_edges += graph.block.out_degrees[slot];
    }
    return world.all_reduce(out_edges, comm::Reduction::sum) / (graph.directed ? 1 : 2);
}

}  // namespace wayfront::session
