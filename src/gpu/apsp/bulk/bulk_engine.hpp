// All pairs of many graphs on a GPU (algo/apsp/bulk.hpp): matrices of nearly equal size are closed
// by Floyd-Warshall in one launch. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/bulk.hpp"

namespace wayfront::gpu::apsp {

/// Largest number of vertices of a graph that is computed together with others. A larger graph
/// fills a GPU alone.
inline constexpr Vertex kMostVerticesOfMany = 2048;

/// An engine that closes the matrices of several tasks together, if BulkTask::matrix is set and the
/// graph has at most kMostVerticesOfMany vertices. It computes all other tasks one by one. It
/// allocates at most `device_bytes` of device memory for matrices, or the memory of one graph if
/// that is more. Threads of the CPU deliver the rows. Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::BulkEngine> make_bulk_engine(std::size_t device_bytes);

}  // namespace wayfront::gpu::apsp
