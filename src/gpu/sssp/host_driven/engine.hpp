// The engine on a GPU, for the rounds of shortest paths over a grid (algo/sssp/sssp_loop.hpp).
//
// It is for grids of any shape, directed graphs, all types of distances, and negative weights.
// (GPUs that search on their own, one or several of a host: gpu/sssp/search.hpp.) The block is
// copied to device memory in the host's numbering, and the device has its own copy of the
// distances. Changed columns and their distances are copied to the device, and improved rows with
// distance and parent to the host, in chunks of pinned memory (gpu/runtime/staging.hpp). Other
// ranks may have improved a row meanwhile, of which the device learns when the row's column
// changes, or before the next pull. So the host takes a row only if the distance is smaller than
// its own.
//
// A push relaxes against the columns' distances of the previous rounds, so that no path grows by
// more than one edge, and all parents of a round have distances of earlier ones: parents form a
// tree even if weights are zero (algo/sssp/sssp_state.hpp). A pull writes the own columns of a grid
// of one column at once. A row then takes a distance that its parent already has.
//
// This header is free of CUDA's headers. All calls use the device that is current when the engine
// is made (runtime/device.hpp).
#pragma once

#include <cstddef>

#include "algo/sssp/sssp_engine.hpp"
#include "base/device_bytes.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

struct SsspEngineTuning
{
    // Improved rows that are copied together with their number, before it is known. Tests make it
    // small.
    std::size_t eager_rows = 1024;
    // The engine throws if it needs more bytes of device memory.
    std::size_t most_bytes = ~std::size_t{0};
};

/// Returns an engine for the block's weights. The caller may destroy the block afterwards. Throws
/// ResourceError, before it allocates anything, if the free device memory, or the part of it that
/// the engine may take, does not suffice.
[[nodiscard]] algo::AnySsspEngine make_sssp_engine(const CsrBlock& block, bool narrow, SsspEngineTuning tuning = {});

/// The bytes of device memory that this engine takes.
[[nodiscard]] DeviceBytes sssp_engine_bytes(const CsrBlock& block, bool narrow);

}  // namespace wayfront::gpu::sssp
