// All pairs of many graphs on a GPU (algo/apsp/bulk.hpp): matrices of nearly equal size are closed
// by Floyd-Warshall in one launch. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/bulk.hpp"

namespace wayfront::gpu::apsp {

/// Graphs of more vertices fill a GPU by themselves.
inline constexpr Vertex kMostVerticesOfMany = 2048;

/// An engine that closes together the matrices of tasks with BulkTask::matrix and at most
/// kMostVerticesOfMany vertices, and computes all other tasks one by one. It takes at most
/// `device_bytes` of device memory for matrices, or the memory of one graph if that is more.
/// Threads of the CPU hand out the rows. Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::BulkEngine> make_bulk_engine(std::size_t device_bytes);

}  // namespace wayfront::gpu::apsp
