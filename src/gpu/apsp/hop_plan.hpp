// How to count numbers of edges between all pairs (hop_counter.hpp): by searches, by sets, or by both in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace wayfront::gpu {

/// What searches from some vertices found: means.
struct HopSample
{
    std::uint32_t places = 0;
    double arcs = 0;                   // of the graph
    std::vector<double> found;         // vertices at distance 1, 2, ...
    std::vector<double> arcs_visited;  // to find them
};

/// What the GPU and its memory allow.
struct HopMeans
{
    bool searches = false;        // a bitmap of all targets fits a block's shared memory, and there are queues
    bool matrix = false;          // there is memory for the sets of all batches
    bool symmetric = false;       // the graph
    double searches_at_once = 1;  // of a multiprocessor
};

struct HopPlan
{
    bool searches_only = false;     // until nothing is found
    bool matrix = false;            // sets of all batches begin with what searches have found, ...
    std::uint32_t first_depth = 0;  // ... to this depth, ...
    std::uint32_t last_depth = 0;   // ... and leave the others as pairs after this depth, if it is not 0
};

struct HopOptions
{
    std::size_t spare_bytes = std::numeric_limits<std::size_t>::max();  // of device memory that counts may take to be faster, if so much is free
    std::optional<HopPlan> plan;                                        // instead of the fastest, if spare_bytes suffice for it
};

/// A list of missing pairs has room for so many of all pairs: 1 of kPairsOfMissing.
inline constexpr std::uint64_t kPairsOfMissing = 128;

/// The plan that takes the least time by estimates.
[[nodiscard]] HopPlan plan_hops(const HopSample& sample, const HopMeans& means);

}  // namespace wayfront::gpu
