#include "session/kron_memory.hpp"

#include "gpu/kron/construction_memory.hpp"

namespace wayfront::session {

std::optional<double> kron_construction_bytes(int scale, EdgeCount tuples, bool weighted, int ranks,
                                              double memory_bytes)
{
    if (scale > gpu::kron::kMostKronScale) return std::nullopt;
    const gpu::kron::ConstructionMemory bound = weighted ? gpu::kron::weighted_construction_memory(scale, tuples, ranks)
                                                         : gpu::kron::construction_memory(scale, tuples, ranks);
    constexpr int most_batches = 16;  // with which the least bytes are bounded
    // Measured shares of the bounds (bench/results/gpu-scale*.json); the share is smaller with several batches.
    const auto expected = [](int batches) { return batches == 1 ? 0.94 : 0.85; };
    const auto least = static_cast<double>(bound.least_bytes);
    const double one = static_cast<double>(bound.one_batch_bytes);
    for (int batches = 1; batches <= most_batches; ++batches) {
        const double share = (static_cast<double>(most_batches) / batches - 1) / (most_batches - 1);
        const double bytes = expected(batches) * (least + (one - least) * share);
        if (bytes <= memory_bytes) return bytes;
    }
    return expected(most_batches) * least;
}

}  // namespace wayfront::session
