// The steps of a search for shortest paths over a grid (algo/sssp/sssp_steps.hpp), with distances and
// sets of vertices in the memory of the ranks' GPUs.
//
// They are for grids of any shape, directed graphs, all types of distances, and negative weights.
// (GPUs that search on their own, one or several of a host: gpu/sssp/search.hpp.) The block is in
// device memory in the host's numbering. Changed distances go from GPU to GPU: to the blocks of the
// grid column as (slot, distance), to owners along the grid row as (slot, distance, parent). The host
// reads the counts of each round, and the results of a search when they are requested.
//
// A push relaxes against the columns' distances of the previous rounds, so that no path grows by
// more than one edge, and all parents of a round have distances of earlier ones: parents form a
// tree even if weights are zero (algo/sssp/sssp_state.hpp). A pull writes the own columns of a grid
// of one column at once. A row then takes a distance that its parent already has.
//
// This header is free of CUDA's headers. All calls use the device that is current when the steps
// are made (runtime/device.hpp).
#pragma once

#include <cstddef>

#include "algo/sssp/sssp_steps.hpp"
#include "base/device_bytes.hpp"
#include "gpu/exchange/grid_exchange.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

/// Graph and exchange outlive the steps. `most_bytes`: of device memory. Sends no messages.
/// Throws ResourceError, before it allocates anything, if the free device memory, or the part of it
/// that the steps may take, does not suffice.
[[nodiscard]] algo::AnySsspSteps make_grid_steps(const DistributedGraph& graph, GridExchange exchange,
                                                 algo::SsspMethod method, bool narrow,
                                                 std::size_t most_bytes = ~std::size_t{0});

/// The bytes of device memory that these steps take.
[[nodiscard]] DeviceBytes grid_steps_bytes(const DistributedGraph& graph, algo::SsspMethod method, bool narrow);

}  // namespace wayfront::gpu::sssp
