// How much device memory construction will need, before any rank starts. Free of CUDA's headers, so that the driver can ask.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"

namespace wayfront::gpu {

inline constexpr int kMostKronScale = 31;                                   // vertices and columns are 32 bits wide on the device
inline constexpr std::uint64_t kMostBatches = 64;                           // each goes through all tuples again
inline constexpr std::size_t kBatchBytesPerEdge = 17;                       // two keys, and the counts of tiles
inline constexpr std::size_t kDeviceReserveBytes = std::size_t{512} << 20;  // scratch, fragments, what the driver takes

/// Bytes of the rank that needs most.
struct ConstructionMemory
{
    std::size_t graph_bytes = 0;      // what stays
    std::size_t least_bytes = 0;      // the peak with edges sorted in small batches
    std::size_t one_batch_bytes = 0;  // the peak with all edges sorted at once: with so much, construction is fastest
};

/// The expected number of vertices with edges in a Kronecker graph. Within 0.01% of the true number at scale 20 and above.
[[nodiscard]] double expected_connected_vertices(int scale, EdgeCount tuples);

/// For a Kronecker graph over ranks with a GPU each. Pre: 1 <= scale <= kMostKronScale.
[[nodiscard]] ConstructionMemory construction_memory(int scale, EdgeCount tuples, int ranks);

/// Throws ResourceError, saying what is needed, what is free and what would do, where construction cannot fit `free_bytes` a rank (of a GPU that k
/// ranks share, each has a k-th).
void require_construction_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);

}  // namespace wayfront::gpu
