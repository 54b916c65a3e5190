// Counts of the pairs of vertices at each number of edges, on a GPU, for summaries.
//
// Three methods follow each other. Searches from each vertex find the vertices within a few edges,
// in shared memory (hop_spheres.cuh). Then the set of targets at each vertex is joined with its
// neighbours' sets (hop_counts.cuh), until few pairs are missing. The missing pairs are found one
// by one (missing_pairs.cuh). A plan, which is made from a sample of searches, determines the
// depths at which one method follows another (hop_plan.hpp). For graphs of great depth, the plan
// has only searches. If the memory does not suffice for the sets of all batches of targets, the
// plan has only searches or only sets.
//
// Several ranks, each with the whole graph on a GPU, divide the work by batches of targets
// (hop_share.hpp). A rank counts the targets of its batches for all sources, by the sets of these
// batches and by their missing pairs. Of the pairs that searches find, it counts those whose source
// is in its batches. In a symmetric graph, it searches from its own targets only, and transposes
// the results (transposed_spheres.cuh); otherwise it searches from all vertices. If the plan has
// only searches, each rank searches from the vertices of its batches. The sums of the ranks'
// numbers of pairs are those of a single rank, and so is the maximum of their eccentricities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/apsp/hops/hop_plan.hpp"
#include "gpu/apsp/rows/source_facts.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

/// Device memory of another search, which the counter uses while that search does not run.
struct HopMemory
{
    std::uint32_t* sets[2];  // 128 bytes for each slot, aligned to 16 bytes
    std::uint8_t* grown[2];  // one byte for each slot
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

    /// Starts to count from `count` sources. `sources` are vertices in device memory. The results
    /// are the facts of each source, the pairs at each distance, and the largest distance; on each
    /// rank, the part that this rank counts.
    virtual void start(const std::uint32_t* sources, std::uint32_t count, SourceFacts* facts, const Stream& stream) = 0;
    /// Whether the counts are complete. If not, start() must be called once more. Pre: the stream's
    /// work is done.
    [[nodiscard]] virtual bool complete() = 0;
    [[nodiscard]] virtual const HopPlan& plan() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;  // device memory, without HopMemory
};

/// Makes a counter. Waits for the stream. Throws ResourceError. Collective over the ranks in the
/// options; the other functions are local to a rank. Pre: the graph is on one rank and has edges;
/// all ranks of the options have the same graph.
[[nodiscard]] std::unique_ptr<HopCounter> make_hop_counter(const DistributedGraph& graph, const HopMemory& memory,
                                                           const HopOptions& options, const Stream& stream);

/// An upper bound of a counter's device memory in bytes if HopOptions::spare_bytes is 0.
[[nodiscard]] std::size_t hop_counter_bytes(std::size_t vertices, std::size_t arcs);

}  // namespace wayfront::gpu::apsp
