// Plans how pairs of vertices are counted at each number of edges (hop_counter.hpp): by searches,
// by sets, or by both in turn.
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
    double arcs = 0;                   // number of arcs of the graph
    std::vector<double> found;         // number of vertices at distance 1, 2, ...
    std::vector<double> arcs_visited;  // number of arcs visited to find the vertices at distance 1, 2, ...
};

/// The methods that the GPU and its memory allow.
struct HopMeans
{
    // Whether searches are possible: a bitmap of all targets fits a block's shared memory, and the
    // queues fit the device memory.
    bool searches = false;
    bool matrix = false;          // whether there is memory for the sets of all batches
    bool symmetric = false;       // whether the graph is symmetric and the sets make use of this
    double searches_at_once = 1;  // number of concurrent searches on a multiprocessor
    // Number of ranks that search from the same vertices to make their first sets.
    double searches_repeated = 1;
};

struct HopPlan
{
    /// Whether searches find all pairs.
    bool searches_only = false;
    /// Whether the sets of all batches are in memory. The first sets are then the results of
    /// searches.
    bool matrix = false;
    /// Depth of the searches that make the first sets.
    std::uint32_t first_depth = 0;
    /// Depth of the last sets, which leave the other targets as missing pairs; 0: sets find all
    /// pairs.
    std::uint32_t last_depth = 0;
};

struct HopOptions
{
    // Additional device memory that the counter may use to be faster, if it is free.
    std::size_t spare_bytes = std::numeric_limits<std::size_t>::max();
    // Replaces the fastest plan if spare_bytes suffice.
    std::optional<HopPlan> plan;
    // The ranks that count together, each on its GPU. The communicator outlives the counts. Null:
    // no other ranks.
    const comm::Communicator* ranks = nullptr;
};

/// A list of missing pairs has room for one pair in kPairsOfMissing of all pairs.
inline constexpr std::uint64_t kPairsOfMissing = 128;

/// The plan with the shortest estimated time.
[[nodiscard]] HopPlan plan_hops(const HopSample& sample, const HopMeans& means);

}  // namespace wayfront::gpu::apsp
