// The steps of a search for shortest paths over a grid (algo/sssp/sssp_steps.hpp), with distances
// and sets of vertices in the memory of the ranks' GPUs.
//
// The steps support grids of any shape, directed graphs, all types of distances, and negative
// weights. (gpu/sssp/search.hpp has the searches of GPUs that search on their own.) The block of
// the matrix is in device memory in the host's numbering. GPUs send changed distances to each
// other: to the blocks of the grid column as (slot, distance), and along the grid row to owners as
// (slot, distance, parent). The host reads the counts of each round, and the results of a search
// when they are requested.
//
// A push reads the columns' distances of previous rounds, so that a round makes no path longer by
// more than one edge, and each parent has a distance of an earlier round. So parents form a tree
// even if weights are 0 (algo/sssp/sssp_state.hpp). In a grid of one column, a pull writes the own
// columns at once; a row then takes a distance from a parent that already has its own distance.
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

/// Graph and exchange outlive the steps. `most_bytes`: limit of the device memory. Sends no
/// messages. Throws ResourceError before it allocates memory if the free device memory or this
/// limit does not suffice.
[[nodiscard]] algo::AnySsspSteps make_grid_steps(const DistributedGraph& graph, GridExchange exchange,
                                                 algo::SsspMethod method, bool narrow,
                                                 std::size_t most_bytes = ~std::size_t{0});

/// The bytes of device memory that make_grid_steps() allocates.
[[nodiscard]] DeviceBytes grid_steps_bytes(const DistributedGraph& graph, algo::SsspMethod method, bool narrow);

}  // namespace wayfront::gpu::sssp
