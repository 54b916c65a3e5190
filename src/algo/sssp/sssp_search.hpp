// Shortest paths from one source, or from the nearest of several, over all ranks of a grid.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "algo/sssp/sssp_result.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// Searches of one graph, one after the other. Each is collective over the grid's world.
class SsspSearch
{
public:
    SsspSearch() = default;
    SsspSearch(const SsspSearch&) = delete;
    SsspSearch& operator=(const SsspSearch&) = delete;
    virtual ~SsspSearch() = default;

    /// Searches from `source`, a vertex of the graph. Throws ResourceError if a distance does not
    /// fit 64 bits. Collective.
    virtual void run(Vertex source) = 0;
    /// Searches from all of `sources` at once, which are distinct vertices of the graph in ascending
    /// order: the result has for each vertex its nearest source. Throws as run() does, and
    /// std::logic_error if the search starts from one source only. Collective.
    virtual void run_nearest(std::span<const Vertex> /*sources*/)
    {
        throw std::logic_error("a search that starts from one source is run from several");
    }
    /// Whether run_nearest() is possible.
    [[nodiscard]] virtual bool starts_from_several() const { return true; }
    /// Allocates the device memory that run_nearest() needs, and returns its bytes; 0 if there is none, or if it is
    /// allocated already. Throws ResourceError.
    virtual std::size_t prepare_nearest() { return 0; }
    /// The result of the last search. Collective the first time after a search.
    [[nodiscard]] virtual const SsspResult& result() const = 0;
    /// The method that searches use, and why, in words.
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Throws a ResourceError that says that a distance does not fit the widest type for such weights.
/// All ranks call this together.
[[noreturn]] void throw_distance_does_not_fit(WeightType weights);

}  // namespace wayfront::algo
