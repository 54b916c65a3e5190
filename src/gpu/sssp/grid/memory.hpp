// The device memory of a search over a grid, and the views of it that kernels read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/staging.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/grid/kernels.hpp"
#include "gpu/sssp/grid/plan.hpp"
#include "gpu/sssp/grid/view.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

/// The arrays of a plan on the current device, with the rank's block of the graph. Rounds swap lists of the views, and
/// set the room of the pieces.
template <typename D, typename W>
class GridMemory
{
public:
    static constexpr std::size_t kMostBins = 1024;  // of settled edges

    /// Allocates the arrays, and copies the block to them. The copies have ended when the stream has.
    GridMemory(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan, Staging& staging, const Stream& stream);

    WeightedBlockView<W> block;
    BlockSides sides;
    SsspStateView<D> state;
    SlotSetsView sets;
    LocalResults<D> results;
    FoundPieces<D> pieces;
    std::span<SentDistance<D>> gathered;
    std::span<FoundDistance<D>> sent;
    std::span<FoundDistance<D>> received;
    DeviceBuffer<GridCounts> counts;
    // The distances that are sent again to each rank of the grid row, and received again; then the
    // places in `sent`.
    DeviceBuffer<std::uint64_t> resend_counts;
    DeviceBuffer<std::uint64_t> bins;
    DeviceBuffer<std::uint64_t> reached;

private:
    void make_views(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan, const Stream& stream);
    void upload(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan, Staging& staging, const Stream& stream);

    DeviceCsr out_edges_;
    DeviceCsr in_edges_;  // only for pulls, and if they differ from out_edges_
    DeviceArrays weights_;
    DeviceArrays arrays_;
};

}  // namespace wayfront::gpu::sssp
