// Kernels over the distances of all rows and columns of a block of the matrix.
#include "gpu/runtime/bits.cuh"
#include "gpu/sssp/grid/launch_blocks.cuh"
#include "gpu/sssp/grid/row_words.hpp"
#include "graph/distances.hpp"

namespace wayfront::gpu::sssp {

namespace {

template <typename D, typename W>
__global__ void reset_distances(WeightedBlockView<W> block, SsspStateView<D> state)
{
    for (std::uint64_t row = first_index(); row < block.rows; row += index_stride()) {
        // block.cols is the number of no column. The host may read it, too.
        state.words[row] = RowWord<D>::make(unreached<D>(), block.cols);
        if (!RowWord<D>::kHasParent) state.parents[row] = block.cols;
    }
    for (std::uint64_t column = first_index(); column < block.cols; column += index_stride())
        state.columns[column] = unreached<D>();
}

template <typename D, typename W>
__global__ void lower_words(WeightedBlockView<W> block, SsspStateView<D> state, const D* distances)
{
    for (std::uint64_t row = first_index(); row < block.rows; row += index_stride()) {
        const std::uint64_t before = state.words[row];
        const std::uint64_t word = RowWord<D>::make(distances[row], block.cols);
        if (word < before) state.words[row] = word;
    }
}

/// Sets header->pieces if an edge leads from a reached column to an unreached row. A warp takes one
/// column at a time.
template <typename D, typename W>
__global__ void find_left_out_rows(WeightedBlockView<W> block, SsspStateView<D> state)
{
    bool found = false;
    for (std::uint64_t i = first_index() / 32; i < block.cols; i += index_stride() / 32) {
        const auto column = static_cast<std::uint32_t>(i);
        if (state.columns[column] == unreached<D>()) continue;
        const std::uint64_t end = block.out_edges.end(column);
        for (std::uint64_t e = block.out_edges.begin(column) + lane_id(); e < end; e += 32)
            found = found || RowWord<D>::distance(state.words[block.out_edges.neighbours[e]]) == unreached<D>();
    }
    if (found) state.header->pieces = 1;
}

}  // namespace

template <typename D, typename W>
void RowKernels<D, W>::reset() const
{
    launch_blocks(reset_distances<D, W>, std::max(views.block.rows, views.block.cols), views.place, views.block,
                  views.state);
}

template <typename D, typename W>
void RowKernels<D, W>::lower_rows(const D* distances) const
{
    launch_blocks(lower_words<D, W>, views.block.rows, views.place, views.block, views.state, distances);
}

template <typename D, typename W>
void RowKernels<D, W>::find_left_out() const
{
    launch_blocks(find_left_out_rows<D, W>, std::uint64_t{views.block.cols} * 32, views.place, views.block,
                  views.state);
}

template <typename D, typename W>
void RowKernels<D, W>::load()
{
    load_kernel(reset_distances<D, W>);
    load_kernel(lower_words<D, W>);
    load_kernel(find_left_out_rows<D, W>);
}

template struct RowKernels<std::uint32_t, std::uint32_t>;
template struct RowKernels<std::int64_t, std::uint32_t>;
template struct RowKernels<std::int64_t, std::int64_t>;
template struct RowKernels<float, float>;
template struct RowKernels<double, double>;

}  // namespace wayfront::gpu::sssp
