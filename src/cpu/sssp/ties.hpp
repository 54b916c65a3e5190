// The labels that a search offers to vertices, and those that were as good as the ones that the
// vertices had.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_buffer.hpp"

namespace wayfront::cpu {

/// A label that a vertex may get.
template <typename D>
struct Candidate
{
    D distance;
    std::uint32_t vertex;
    std::uint32_t parent;
};

/// Candidates whose distances were those of their vertices already: *ties*. All arcs of shortest
/// paths to vertices that are not leaves are arcs of the tree or ties. A search settles its ties or
/// keeps them.
template <typename D>
struct Ties
{
    // Whether all were settled for the smaller source, which ends if there are very many; if so, the nearest source of
    // each vertex that is not a leaf, to which parents lead, and kNoLocal if a vertex is not reached.
    bool settled = false;
    std::size_t most_settled = 0;  // that may still be
    HostBuffer<std::uint32_t> sources;

    std::vector<Candidate<D>> kept;
    bool complete = false;  // whether all were kept
};

}  // namespace wayfront::cpu
