// Counts of numbers of edges between all pairs of vertices on a GPU, for summaries.
//
// Searches from each vertex find the vertices within a few edges, in shared memory (hop_spheres.cuh); from
// there on, sets of targets at each vertex are joined with its neighbours' (hop_counts.cuh), until few
// pairs are left, which are found one by one (missing_pairs.cuh). Samples of searches say when to go from
// one to the next (hop_plan.hpp): on graphs of great depth, only searches are left. Without memory for the
// sets of all batches of targets, there are only searches, or only sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/apsp/hop_plan.hpp"
#include "gpu/apsp/source_facts.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

/// Device memory of another search, which counts use meanwhile.
struct HopMemory
{
    std::uint32_t* sets[2];  // 128 bytes of each slot, at multiples of 16
    std::uint8_t* grown[2];  // of each slot
    unsigned long long* levels;
    std::uint32_t most_levels;
    std::uint32_t* deepest;
};

class HopCounter
{
public:
    HopCounter() = default;
    virtual ~HopCounter() = default;
    HopCounter(const HopCounter&) = delete;
    HopCounter& operator=(const HopCounter&) = delete;

    /// Starts to count from `count` sources, which are vertices in device memory: finds the facts of each
    /// source, the pairs at each distance, and the largest distance.
    virtual void start(const std::uint32_t* sources, std::uint32_t count, SourceFacts* facts, const Stream& stream) = 0;
    /// Whether the counts are complete; otherwise they have to be started once more. Pre: the stream's work is done.
    [[nodiscard]] virtual bool complete() = 0;
    [[nodiscard]] virtual const HopPlan& plan() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;  // of device memory, without HopMemory
};

/// Waits for the stream. Throws ResourceError. Pre: the graph is on one rank and has edges.
[[nodiscard]] std::unique_ptr<HopCounter> make_hop_counter(const DistributedGraph& graph, const HopMemory& memory, const HopOptions& options,
                                                           const Stream& stream);

/// The bytes of device memory that a counter takes at most if HopOptions::spare_bytes is 0.
[[nodiscard]] std::size_t hop_counter_bytes(std::size_t vertices, std::size_t arcs);

}  // namespace wayfront::gpu
