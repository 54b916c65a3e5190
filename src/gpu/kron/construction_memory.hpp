// Predicts the device memory of construction before any rank starts. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"

namespace wayfront::gpu::kron {

// Vertices and columns are 32 bits wide on the device.
inline constexpr int kMostKronScale = 31;

/// The device memory of the rank that needs the most, and its number of slots.
struct ConstructionMemory
{
    std::size_t slots = 0;
    std::size_t graph_bytes = 0;  // memory of the finished graph
    std::size_t least_bytes = 0;  // peak memory if edges are sorted in small batches
    // Peak memory if all edges are sorted at once, which is fastest.
    std::size_t one_batch_bytes = 0;
};

/// The expected number of vertices with edges in a Kronecker graph. From scale 20 on, it is
/// accurate to 0.01%.
[[nodiscard]] double expected_connected_vertices(int scale, EdgeCount tuples);

/// The memory for a Kronecker graph over `ranks` ranks, each with a GPU. Pre: 1 <= scale <=
/// kMostKronScale.
[[nodiscard]] ConstructionMemory construction_memory(int scale, EdgeCount tuples, int ranks);

/// The memory for a Kronecker graph with weights, in one list for each vertex (ArcLists).
[[nodiscard]] ConstructionMemory weighted_construction_memory(int scale, EdgeCount tuples, int ranks);

/// Throws ResourceError if construction does not fit `free_bytes`, the free GPU memory of a rank
/// (if k ranks share a GPU, each rank has 1 / k of it). The message contains the needed memory, the
/// free memory, and sizes that would fit.
void require_construction_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);
/// Throws ResourceError as require_construction_memory() does, for construction with weights.
void require_weighted_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);

}  // namespace wayfront::gpu::kron
