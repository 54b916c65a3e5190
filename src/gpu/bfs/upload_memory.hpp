// Estimates of the device memory for a graph before the host constructs it. Free of CUDA's headers.
#pragma once

#include <cstddef>

#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "gpu/bfs/device_search.hpp"

namespace wayfront::gpu::bfs {

/// The size of a graph as stated by its input.
struct UploadedSize
{
    Vertex vertices = 0;
    EdgeCount edges = 0;  // number of edges, with duplicates
    bool directed = false;
    bool nearest = false;  // whether searches start from several keys, on one rank
};

/// The bytes that each rank needs for a graph over this grid: the maximum of the memory of the
/// upload and that of searches with levels. `kind`: kind of the searches over a P x 1 grid; grids
/// of several columns have their own search (grid/search.hpp). The estimate assumes that vertices
/// and edges are distributed evenly.
[[nodiscard]] std::size_t upload_memory(SearchKind kind, const UploadedSize& size, comm::GridShape grid);

/// Throws ResourceError if upload_memory() exceeds `free_bytes`, the free GPU memory of a rank (if
/// k ranks share a GPU, each rank has 1 / k of it). The message contains the needed and the free
/// memory, and a way to run the graph nevertheless.
void require_upload_memory(SearchKind kind, const UploadedSize& size, comm::GridShape grid, std::size_t free_bytes);

}  // namespace wayfront::gpu::bfs
