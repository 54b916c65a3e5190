// Finds cycles of negative length before a search by a method that would not end.
#pragma once

#include <string>
#include <vector>

#include "graph/edge_list.hpp"
#include "session/input/graph_input.hpp"

namespace wayfront::session {

/// The vertices of a cycle of negative length, in the order of its edges; empty if there is none.
/// `list` has all edges of the graph. By Bellman-Ford from a source that is joined to all vertices;
/// floats are added in double precision.
[[nodiscard]] std::vector<Vertex> find_negative_cycle(const EdgeList& list);

struct CycleLength
{
    std::string in_words;
    // Whether the length may be negative only because weights were rounded to 32 bits.
    bool may_be_rounding = false;
};

/// The sum of the weights of the lightest edges of a cycle. `list` has all edges of the graph.
[[nodiscard]] CycleLength length_of_cycle(const EdgeList& list, const std::vector<Vertex>& cycle);

/// "3 -> 5 -> 3": the vertices of a cycle of `input.list` in the input's numbers, in the order of
/// the input's edges.
[[nodiscard]] std::string cycle_in_words(const LoadedGraph& input, std::vector<Vertex> cycle);

}  // namespace wayfront::session
