// Estimates the device memory for a graph that the host will construct, before its construction.
// Free of CUDA's headers, so that the driver can include it.
#pragma once

#include <cstddef>

#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "gpu/bfs/device_search.hpp"

namespace wayfront::gpu::bfs {

/// The size of a graph, as its input states it.
struct UploadedSize
{
    Vertex vertices = 0;
    EdgeCount edges = 0;  // including duplicates
    bool directed = false;
    bool nearest = false;  // whether searches start from several keys, on one rank
};

/// The bytes that each rank needs for a graph over this grid: the maximum of the memory of the upload
/// and that of searches with levels. `kind`: of searches over a P x 1 grid; grids of several columns
/// have a search of their own (grid/search.hpp). The estimate assumes that vertices and edges are
/// distributed evenly.
[[nodiscard]] std::size_t upload_memory(SearchKind kind, const UploadedSize& size, comm::GridShape grid);

/// Throws ResourceError if upload_memory() is more than `free_bytes`, the free GPU memory of a rank
/// (if k ranks share a GPU, each has one k-th of it). The message says how much memory is needed,
/// how much is free, and how to run the graph nevertheless.
void require_upload_memory(SearchKind kind, const UploadedSize& size, comm::GridShape grid, std::size_t free_bytes);

}  // namespace wayfront::gpu::bfs
