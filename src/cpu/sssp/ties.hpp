// The labels that a search offers to vertices, and the ties: labels that were equal to the labels of their vertices.
#pragma once

#include <cstdint>
#include <vector>

namespace wayfront::cpu {

/// A label that a vertex may get.
template <typename D>
struct Candidate
{
    D distance;
    std::uint32_t vertex;
    std::uint32_t mark;  // the parent, and the source if labels have sources
};

/// Candidates whose distances were those of their vertices already: *ties*. All arcs of shortest
/// paths to vertices that are not leaves are arcs of the tree or ties. A search whose labels have
/// sources settles its ties for the smaller source, and others keep them.
template <typename D>
struct Ties
{
    bool settled = false;  // whether all were, which ends if there are very many
    std::vector<Candidate<D>> kept;
    bool complete = false;  // whether all were kept
};

}  // namespace wayfront::cpu
