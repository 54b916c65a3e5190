// How much device memory a graph will need that was constructed on the host, before it is. Free of CUDA's headers, so that the driver can ask.
#pragma once

#include <cstddef>

#include "base/types.hpp"
#include "gpu/bfs/device_search.hpp"

namespace wayfront::gpu {

/// Bytes a rank for an undirected graph over a P x 1 grid: the most of what the upload takes and what searches with levels take. Counts duplicates as
/// edges, and vertices and edges as dealt evenly.
[[nodiscard]] std::size_t upload_memory(SearchKind kind, Vertex vertices, EdgeCount edges, int ranks);

/// Throws ResourceError, saying what is needed, what is free and what would do, where that passes `free_bytes` a rank (of a GPU that k ranks share,
/// each has a k-th).
void require_upload_memory(SearchKind kind, Vertex vertices, EdgeCount edges, int ranks, std::size_t free_bytes);

}  // namespace wayfront::gpu
