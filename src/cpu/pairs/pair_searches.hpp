// Shortest paths between pairs of vertices, on the cores of one rank: no search goes on when the
// distances of its pairs are known.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algo/pairs.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

class PairSearches
{
public:
    virtual ~PairSearches() = default;

    /// The answers to `pairs`, in their order. The threads share the searches.
    [[nodiscard]] virtual std::vector<algo::PairAnswer> answer(std::span<const algo::VertexPair> pairs,
                                                               bool with_paths) = 0;
    /// How pairs are searched, in words.
    [[nodiscard]] virtual std::string description() const = 0;
};

/// If weights are whole numbers, a pair is searched from both ends (bidirectional.hpp). Several pairs
/// with the same source are searched together, by Dijkstra's algorithm; in an undirected graph also
/// those with the same target, or with one pair's source as another one's target. If weights are
/// floats, all pairs are searched from their sources, so that sums are added in the order of the path.
/// Edges of an unweighted graph have length 1. Keeps copies of all arcs, in both directions, and two
/// labels per vertex and thread. The graph outlives the result only during this call. Returns null if
/// a weight is negative, or if distances might not fit 64 bits. Pre: the graph is on one rank.
[[nodiscard]] std::unique_ptr<PairSearches> make_pair_searches(const DistributedGraph& graph);

/// An estimate of the bytes that the searches take.
[[nodiscard]] double pair_searches_bytes(double vertices, double arcs, int threads);

}  // namespace wayfront::cpu
