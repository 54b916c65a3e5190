// Shortest paths between pairs of vertices, on the cores of one rank. A search ends when the
// distances of its pairs are known.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algo/pairs.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "base/progress_listener.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

class PairSearches
{
public:
    virtual ~PairSearches() = default;

    /// The answers to `pairs`, in their order. The threads share the searches. The units of the
    /// listener, which may be null, are pairs.
    [[nodiscard]] virtual std::vector<algo::PairAnswer> answer(std::span<const algo::VertexPair> pairs, bool with_paths,
                                                               ProgressListener* listener = nullptr) = 0;
    /// How pairs are searched, in words.
    [[nodiscard]] virtual std::string description() const = 0;
};

struct PairSearchOptions
{
    /// How many pairs will be asked for.
    std::size_t pairs = 1;
    /// Seconds of a core that Dijkstra's algorithm takes for the whole graph.
    double search_seconds = 0;
    /// The memory that elimination may take.
    double elimination_bytes = 1e300;
    /// Longer paths are not looked for.
    algo::Cutoff cutoff = {};
};

/// If weights are whole numbers, a pair is searched from both ends (bidirectional.hpp). Several pairs
/// with the same source, in an undirected graph also those with the same target or with one pair's
/// source as another one's target, are searched in this way until these searches have looked at a
/// quarter of all arcs; then one search by Dijkstra's algorithm finds the others. If weights are floats,
/// all pairs are searched from their sources, so that sums are added in the order of the path.
/// If there are many pairs in a graph with whole weights and few arcs per vertex, such as a road
/// network, its vertices are eliminated first (elimination_pairs.hpp), unless that takes longer.
/// Edges of an unweighted graph have length 1. Keeps copies of all arcs, in both directions, and two
/// labels per vertex and thread. The graph outlives the result only during this call. Returns null if
/// a weight is negative, or if distances might not fit 64 bits. Pre: the graph is on one rank.
[[nodiscard]] std::unique_ptr<PairSearches> make_pair_searches(const DistributedGraph& graph,
                                                               const PairSearchOptions& options = {});

/// An estimate of the bytes that the searches take.
[[nodiscard]] double pair_searches_bytes(double vertices, double arcs, int threads);

}  // namespace wayfront::cpu
