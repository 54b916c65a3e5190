// The search keys of a Graph500 run: where its 64 searches start.
//
// The benchmark names a sequence of candidates, a function of the number of vertices N and the two seeds of the graph. Candidate i comes from the
// generator's stream 2 * 2^128 + 4 i steps ahead of the seeded state, as floor((d0 + d1) N) mod N of two numbers d0, d1 in [0, 1); there are N of
// them. A candidate is passed over when it has been chosen already, or when it has no edge but self-loops. All ranks choose the same keys.
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Sampling of search keys"; the sequence is that of its reference
// implementation. The reference goes on with unchecked candidates when the N are used up; this one then stops with fewer keys.
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

    /// The next candidate; nothing after vertex_count of them.
    [[nodiscard]] std::optional<Vertex> next();

private:
    Vertex vertex_count_;
    Vertex remaining_;
    MrgState state_;
};

/// Says of each vertex of a batch whether an edge other than a self-loop touches it. May be collective: all ranks ask the same batches in the same
/// order. A batch may name a vertex twice.
using HasEdges = std::function<std::vector<bool>(std::span<const Vertex>)>;

/// The first `count` candidates with edges, each once; fewer where the candidates run out.
std::vector<Vertex> choose_search_keys(Vertex vertex_count, std::uint64_t seed1, std::uint64_t seed2, std::size_t count, const HasEdges& has_edges);

}  // namespace wayfront::graph500
