// The options and the report of constructions on GPUs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/phase.hpp"

namespace wayfront::gpu::construction {

struct ConstructionOptions
{
    // The device memory that this rank may take, for ranks that share a GPU; 0: all free memory.
    std::size_t memory_bytes = 0;
    // The most edges of a batch, approximately; 0: limited only by memory.
    std::uint64_t batch_edges = 0;
    PhaseLog* log = nullptr;  // gets a span for each step
};

struct ConstructionReport
{
    std::size_t peak_bytes = 0;  // of device memory, including CUB's scratch memory
    int batches = 0;             // of the lists that took the most

    void note(std::size_t live_bytes) { peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes; }
    void note_batches(std::size_t count)
    {
        batches = static_cast<int>(count) > batches ? static_cast<int>(count) : batches;
    }
};

}  // namespace wayfront::gpu::construction
