// Shortest paths on a graph that one rank holds: Dijkstra's algorithm and delta-stepping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "algo/sssp/sssp_result.hpp"
#include "algo/sssp/sssp_search.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::cpu {

/// Returns whether the search below can use the method.
[[nodiscard]] constexpr bool is_one_rank_method(algo::SsspMethod method)
{
    return method == algo::SsspMethod::automatic || method == algo::SsspMethod::dijkstra ||
           method == algo::SsspMethod::delta_stepping;
}

/// Bounds that were the fastest on small graphs, measured on two threads. Two threads take 1.1 to 1.5 times as long as
/// one in graphs of fewer than half a million arcs, as long in those of a million, and less in larger ones.
struct OneRankTuning
{
    /// Graphs with fewer arcs are searched by Dijkstra's algorithm.
    std::uint64_t delta_stepping_from_arcs = 256;
    /// Delta-stepping uses one thread in graphs of fewer arcs, and fewer threads than there are in those with fewer
    /// arcs per thread.
    std::uint64_t parallel_from_arcs = 1 << 19;
    std::uint64_t arcs_per_thread = 1 << 16;
    /// If only one thread has vertices to search, it continues alone while they have at most about this number of
    /// arcs.
    std::size_t alone_arcs = 1024;
};

/// Searches with Dijkstra's algorithm or delta-stepping; `automatic` chooses between these two.
/// Edges of an unweighted graph have weight 1. Keeps a copy of the graph's arcs (arc_lists.hpp),
/// and memory for one search. The graph outlives the search. Throws InputError if a weight is
/// negative. Pre: the graph is on one rank, and is_one_rank_method(options.method).
[[nodiscard]] std::unique_ptr<algo::SsspSearch> make_one_rank_search(const DistributedGraph& graph,
                                                                     const algo::SsspOptions& options,
                                                                     const OneRankTuning& tuning = {});

/// The same for a single search of a graph that is not constructed (make_lists_of_feed()). The feed need not outlive
/// the search.
[[nodiscard]] std::unique_ptr<algo::SsspSearch> make_one_rank_search(const EdgeFeed& feed,
                                                                     const algo::SsspOptions& options,
                                                                     const OneRankTuning& tuning = {});

}  // namespace wayfront::cpu
