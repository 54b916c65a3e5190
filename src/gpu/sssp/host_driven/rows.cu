// Distances of rows and columns on their way between the host and the device.
#include "gpu/runtime/bits.cuh"
#include "gpu/sssp/host_driven/launch_blocks.cuh"
#include "gpu/sssp/host_driven/row_words.hpp"
#include "graph/distances.hpp"

namespace wayfront::gpu::sssp {

namespace {

template <typename D, typename W>
__global__ void reset_distances(WeightedBlockView<W> block, SsspStateView<D> state)
{
    for (std::uint64_t row = first_index(); row < block.rows; row += index_stride()) {
        // A parent that is no column, which the host may read, too.
        state.words[row] = RowWord<D>::make(unreached<D>(), block.cols);
        if (!RowWord<D>::kHasParent) state.parents[row] = block.cols;
    }
    for (std::uint64_t column = first_index(); column < block.cols; column += index_stride())
        state.columns[column] = unreached<D>();
}

template <typename D, typename W>
__global__ void bring_columns(WeightedBlockView<W> block, SsspStateView<D> state, std::uint64_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t column = state.changed[i];
        const D distance = state.changed_distances[i];
        state.columns[column] = distance;
        const std::uint32_t slot = column - block.first_own_column;  // wraps if the column is before
        if (slot < block.slots) {
            std::uint64_t& word = state.words[block.first_own_row + slot];
            word = min(word, RowWord<D>::make(distance, block.cols));  // keeps a parent if distances are equal
        }
    }
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

template <typename D, typename W>
__global__ void gather_rows(SsspStateView<D> state)
{
    const std::uint32_t count = state.header->improved;
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t row = state.improved[i];
        const std::uint64_t word = state.words[row];
        std::uint32_t parent = 0;
        if constexpr (RowWord<D>::kHasParent)
            parent = RowWord<D>::parent(word);
        else
            parent = state.parents[row];
        state.improved_rows[i] = {row, parent, RowWord<D>::distance(word)};
        state.improved_bits[row / 32] = 0;  // all rows of this word of bits are in the list
    }
}

}  // namespace

template <typename D, typename W>
void RowKernels<D, W>::reset(const WeightedBlockView<W>& block, const SsspStateView<D>& state, LaunchPlace place)
{
    launch_blocks(reset_distances<D, W>, std::max(block.rows, block.cols), place, block, state);
}

template <typename D, typename W>
void RowKernels<D, W>::bring(const WeightedBlockView<W>& block, const SsspStateView<D>& state, std::uint64_t count,
                             LaunchPlace place)
{
    launch_blocks(bring_columns<D, W>, count, place, block, state, count);
}

template <typename D, typename W>
void RowKernels<D, W>::lower_rows(const WeightedBlockView<W>& block, const SsspStateView<D>& state, const D* distances,
                                  LaunchPlace place)
{
    launch_blocks(lower_words<D, W>, block.rows, place, block, state, distances);
}

template <typename D, typename W>
void RowKernels<D, W>::gather_improved(const WeightedBlockView<W>& block, const SsspStateView<D>& state,
                                       LaunchPlace place)
{
    launch_blocks(gather_rows<D, W>, block.rows, place, state);
}

template <typename D, typename W>
void RowKernels<D, W>::load()
{
    load_kernel(reset_distances<D, W>);
    load_kernel(bring_columns<D, W>);
    load_kernel(lower_words<D, W>);
    load_kernel(gather_rows<D, W>);
}

template struct RowKernels<std::uint32_t, std::uint32_t>;
template struct RowKernels<std::int64_t, std::uint32_t>;
template struct RowKernels<std::int64_t, std::int64_t>;
template struct RowKernels<float, float>;
template struct RowKernels<double, double>;

}  // namespace wayfront::gpu::sssp
