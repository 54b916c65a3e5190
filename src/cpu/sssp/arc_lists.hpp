// The arcs of a graph in the form that shortest-path searches on one rank read.
//
// Vertices have the input's numbers, so that results need no translation and neighbours in the
// input, such as crossroads of one town, remain neighbours in memory. An arc's weight is next to
// its target, so that a list of a few arcs is read from one cache line.
//
// A *leaf* is a vertex that no shortest path passes through: it has no out-arcs, or its only
// out-neighbour is also its only in-neighbour. Searches never visit leaves. Arcs to leaves are
// therefore kept apart, by leaf, and the distance of a leaf is computed when all others are known.
// A sixth of the vertices of the New York road network are leaves.
#pragma once

#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::cpu {

/// The weights of an unweighted graph are 1.
template <typename W>
struct Arc
{
    std::uint32_t vertex;  // the other end
    W weight;
};

/// Lists of arcs, one after the other.
template <typename W>
struct ArcArray
{
    HostBuffer<std::uint64_t> begins;  // of each list, and the end of the last
    HostBuffer<Arc<W>> arcs;

    [[nodiscard]] std::span<const Arc<W>> list(std::size_t i) const
    {
        return {arcs.data() + begins[i], begins[i + 1] - begins[i]};
    }
};

/// W is uint32, int64, float or double.
template <typename W>
struct ArcLists
{
    ArcArray<W> out;                   // by vertex: the out-arcs that do not lead to leaves
    HostBuffer<std::uint32_t> leaves;  // ascending; none if their arcs are among the others
    ArcArray<W> to_leaves;             // by position in `leaves`: the in-arcs
    W min_weight = 0;                  // 0 if there are no arcs
    W max_weight = 0;
    double mean_weight = 0;
    /// The mean number of out-arcs of the vertices that arcs lead to; at least 1. In a graph with
    /// hubs it is far greater than the mean over all vertices.
    double degree_at_arcs = 1;

    [[nodiscard]] std::uint32_t vertices() const { return static_cast<std::uint32_t>(out.begins.size() - 1); }
    [[nodiscard]] std::uint64_t arcs() const { return out.arcs.size() + to_leaves.arcs.size(); }
};

/// The lists of a graph with weights of type W, or with none (W is uint32 then). Pre: the graph is
/// on one rank.
template <typename W>
[[nodiscard]] ArcLists<W> make_arc_lists(const DistributedGraph& graph);

/// The vertices that own the lists: the sources of the arcs, or their targets.
enum class ListOwner { sources, targets };

/// Lists without leaves, for searches that end early: `out` has all arcs from each vertex or, turned around, all arcs
/// to it. Pre: the graph is on one rank.
template <typename W>
[[nodiscard]] ArcLists<W> make_whole_lists(const DistributedGraph& graph, ListOwner owner);

/// Lists without leaves of edges that are not constructed: those of a feed, in its order, without self-loops. Parallel
/// arcs stay. For a single search, since the lists of a constructed graph are faster to search, but take far longer to
/// make. Pre: the feed has all edges, fewer than 2^32 - 1 vertices, and weights of type W, or none (W is uint32 then).
template <typename W>
[[nodiscard]] ArcLists<W> make_lists_of_feed(const EdgeFeed& feed);

extern template ArcLists<std::uint32_t> make_arc_lists(const DistributedGraph&);
extern template ArcLists<std::int64_t> make_arc_lists(const DistributedGraph&);
extern template ArcLists<float> make_arc_lists(const DistributedGraph&);
extern template ArcLists<double> make_arc_lists(const DistributedGraph&);

}  // namespace wayfront::cpu
