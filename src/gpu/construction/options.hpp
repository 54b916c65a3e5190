// The options and the report of constructions on GPUs. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/phase.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::construction {

struct ConstructionOptions
{
    // Limit of this rank's device memory, for ranks that share a GPU; 0: all free memory.
    std::size_t memory_bytes = 0;
    // Approximate limit of the edges in a batch; 0: limited only by memory.
    std::uint64_t batch_edges = 0;
    PhaseLog* log = nullptr;  // log that receives a span for each step
};

struct ConstructionReport
{
    std::size_t peak_bytes = 0;  // largest device memory, including CUB's scratch memory
    int batches = 0;             // largest number of batches of any set of lists

    void note(std::size_t live_bytes) { peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes; }
    void note_batches(std::size_t count)
    {
        batches = static_cast<int>(count) > batches ? static_cast<int>(count) : batches;
    }
};

/// A construction: the stream in which its steps work, its options, and the report that its steps
/// fill.
struct ConstructionRun
{
    const Stream& stream;
    ConstructionOptions options{};
    ConstructionReport report{};
};

}  // namespace wayfront::gpu::construction
