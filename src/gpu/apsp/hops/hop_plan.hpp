// Plans how numbers of edges between all pairs are counted (hop_counter.hpp): by searches, by sets,
// or by both in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace wayfront::comm {
class Communicator;
}

namespace wayfront::gpu::apsp {

/// Means over a sample of searches from some vertices.
struct HopSample
{
    std::uint32_t places = 0;
    double arcs = 0;                   // of the graph
    std::vector<double> found;         // vertices at distance 1, 2, ...
    std::vector<double> arcs_visited;  // arcs visited to find these vertices
};

/// The methods that the GPU and its memory allow.
struct HopMeans
{
    // Whether searches are possible: a bitmap of all targets fits a block's shared memory, and
    // there are queues.
    bool searches = false;
    bool matrix = false;          // whether there is memory for the sets of all batches
    bool symmetric = false;       // the graph, and the sets use this
    double searches_at_once = 1;  // searches at once on a multiprocessor
    // The number of ranks that search from the same vertices to make their first sets.
    double searches_repeated = 1;
};

struct HopPlan
{
    /// Whether searches go on until nothing is found.
    bool searches_only = false;
    /// Whether the sets of all batches are in memory. They begin with the results of searches.
    bool matrix = false;
    /// The depth of these searches.
    std::uint32_t first_depth = 0;
    /// The depth after which the sets leave the other targets as pairs; 0: sets go on to the end.
    std::uint32_t last_depth = 0;
};

struct HopOptions
{
    // Additional device memory that counts may use to be faster, if it is free.
    std::size_t spare_bytes = std::numeric_limits<std::size_t>::max();
    // This plan replaces the fastest one if spare_bytes suffice for it.
    std::optional<HopPlan> plan;
    // The ranks that count together, each on its GPU; they outlive the counts. Null: none.
    const comm::Communicator* ranks = nullptr;
};

/// A list of missing pairs has room for one of kPairsOfMissing pairs.
inline constexpr std::uint64_t kPairsOfMissing = 128;

/// The plan that takes the least time by estimates.
[[nodiscard]] HopPlan plan_hops(const HopSample& sample, const HopMeans& means);

}  // namespace wayfront::gpu::apsp
