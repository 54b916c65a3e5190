// Predicts the device memory that construction will need, before any rank starts. Free of CUDA's
// headers, so that the driver can include it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"

namespace wayfront::gpu::kron {

// Vertices and columns are 32 bits wide on the device.
inline constexpr int kMostKronScale = 31;

/// The device memory of the rank that needs the most, and the number of its slots.
struct ConstructionMemory
{
    std::size_t slots = 0;
    std::size_t graph_bytes = 0;  // the finished graph
    std::size_t least_bytes = 0;  // the peak if edges are sorted in small batches
    // The peak if all edges are sorted at once. Construction is fastest with this amount of memory.
    std::size_t one_batch_bytes = 0;
};

/// The expected number of vertices with edges in a Kronecker graph. Within 0.01% of the true number
/// at scale 20 and above.
[[nodiscard]] double expected_connected_vertices(int scale, EdgeCount tuples);

/// The memory for a Kronecker graph over `ranks` ranks with a GPU each. Pre: 1 <= scale <=
/// kMostKronScale.
[[nodiscard]] ConstructionMemory construction_memory(int scale, EdgeCount tuples, int ranks);

/// The memory for a Kronecker graph with weights, in one list for each vertex (ArcLists).
[[nodiscard]] ConstructionMemory weighted_construction_memory(int scale, EdgeCount tuples, int ranks);

/// Throws ResourceError if construction does not fit `free_bytes`, the free GPU memory of a rank
/// (if k ranks share a GPU, each has one k-th of it). The message says how much memory is needed,
/// how much is free, and what would suffice.
void require_construction_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);
/// The same for construction with weights.
void require_weighted_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);

}  // namespace wayfront::gpu::kron
