// The search keys of a Graph500 run: the vertices from which its 64 searches start.
//
// The benchmark defines a sequence of candidates, a function of the number of vertices N and the
// two seeds of the graph. Candidate i is floor((d0 + d1) N) mod N, where the numbers d0, d1 in [0,
// 1) come from the generator's stream 2 * 2^128 + 4 i steps after the seeded state. There are N
// candidates. A candidate is skipped if it has been chosen already, or if it has no edge except
// self-loops. All ranks choose the same keys.
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Sampling of search keys".
// The sequence is that of its reference implementation. Some vertices are drawn twice and others
// never, so a small graph may use up its N candidates before there are enough keys. The reference
// then takes unchecked candidates; this implementation takes, in order, the vertices with edges
// that have not been chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "graph/generators/mrg.hpp"

namespace wayfront::graph500 {

/// The candidates in order.
class SearchKeyStream
{
public:
    /// Pre: vertex_count >= 1.
    SearchKeyStream(Vertex vertex_count, std::uint64_t seed1, std::uint64_t seed2);

    /// The next candidate; nothing after vertex_count candidates.
    [[nodiscard]] std::optional<Vertex> next();

private:
    Vertex vertex_count_;
    Vertex remaining_;
    MrgState state_;
};

/// Returns for each vertex of a batch whether it has an edge other than a self-loop. May be
/// collective: all ranks pass the same batches in the same order. A batch may contain a vertex
/// twice.
using HasEdges = std::function<std::vector<bool>(std::span<const Vertex>)>;

/// The first `count` candidates with edges, without repetition, and after the last candidate the
/// other vertices with edges; fewer only if the graph has fewer vertices with edges.
std::vector<Vertex> choose_search_keys(Vertex vertex_count, std::uint64_t seed1, std::uint64_t seed2, std::size_t count,
                                       const HasEdges& has_edges);

}  // namespace wayfront::graph500
