// Pushes of a search over a grid.
//
// A row's word decreases by an atomic minimum. A plain load reads the word before the atomic
// operation. This value may be outdated, but it is not older than this kernel, so a sum that is not
// less than the distance of an earlier round never changes a word. So the parent of a row changes
// only if its distance decreases in this round, and the parent is then a column from which this
// round makes the distance.
#include "algo/sssp/distance.hpp"
#include "gpu/graph/block_list.cuh"
#include "gpu/graph/list_tiles.cuh"
#include "gpu/runtime/bits.cuh"
#include "gpu/sssp/grid/launch_blocks.cuh"
#include "gpu/sssp/grid/list_progress.hpp"
#include "gpu/sssp/grid/row_words.hpp"

namespace wayfront::gpu::sssp {

namespace {

using algo::PushExtent;

__device__ void note_overflow(RoundHeader* header, bool overflow)
{
    if (overflow) header->overflow = 1;
}

/// Finds the entries of the column's list in the window, from entry `first` on. Returns whether the
/// list has an entry beyond the window.
template <typename D, typename W>
__device__ bool enter_window(const WeightedBlockView<W>& block, const SsspStateView<D>& state, std::uint32_t column,
                             std::uint32_t first, D bound)
{
    const std::uint64_t begin = block.out_edges.begin(column);
    const auto length = static_cast<std::uint32_t>(block.out_edges.end(column) - begin);
    const ListProgress<D> progress = advance(block.out_weights + begin, first, length, state.columns[column], bound);
    state.places[column] = {first, progress.pushed};
    state.nexts[column] = progress.next;
    note_overflow(state.header, progress.overflow);
    return progress.pushed < length;
}

template <typename D, typename W>
__global__ __launch_bounds__(kBlockThreads) void start_windows(WeightedBlockView<W> block, SsspStateView<D> state,
                                                               D bound, std::uint64_t count)
{
    __shared__ BlockListStore active_store;
    __shared__ BlockListStore open_store;
    BlockList<> active(active_store, state.active, &state.header->active);
    BlockList<> open(open_store, state.open, &state.header->open);
    active.clear();
    open.clear();
    __syncthreads();
    std::uint64_t ends = 0;  // number of entries beyond the window whose weights were read
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kBlockThreads; first < count; first += index_stride()) {
        const std::uint64_t i = first + threadIdx.x;
        std::uint32_t column = 0;
        bool pushes = false;
        bool opens = false;
        if (i < count) {
            column = state.changed[i];
            ends += enter_window(block, state, column, 0, bound) ? 1 : 0;
            pushes = state.places[column].last > 0;
            opens = state.nexts[column] != algo::unreached<D>() && state.is_open[column] == 0;
            if (opens) state.is_open[column] = 1;
        }
        active.append(pushes, column);
        open.append(opens, column);
    }
    BlockList<>::flush(active, open);
    add_block_sum(&state.header->arcs, ends);
}

template <typename D, typename W>
__global__ __launch_bounds__(kBlockThreads) void resume_windows(WeightedBlockView<W> block, SsspStateView<D> state,
                                                                D bound)
{
    __shared__ BlockListStore active_store;
    __shared__ BlockListStore open_store;
    BlockList<> active(active_store, state.active, &state.header->active);
    BlockList<> still_open(open_store, state.still_open, &state.header->still_open);
    active.clear();
    still_open.clear();
    __syncthreads();
    const std::uint64_t count = state.header->open;
    std::uint64_t ends = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kBlockThreads; first < count; first += index_stride()) {
        const std::uint64_t i = first + threadIdx.x;
        std::uint32_t column = 0;
        bool pushes = false;
        bool stays = false;
        if (i < count) {
            column = state.open[i];
            pushes = state.nexts[column] < bound;
            if (pushes) ends += enter_window(block, state, column, state.places[column].last, bound) ? 1 : 0;
            stays = state.nexts[column] != algo::unreached<D>();
            if (stays)
                least = min(least, std::uint64_t{to_ordered(state.nexts[column])});
            else
                state.is_open[column] = 0;
        }
        active.append(pushes, column);
        still_open.append(stays, column);
    }
    for (int offset = 16; offset > 0; offset /= 2) least = min(least, __shfl_xor_sync(kAllLanes, least, offset));
    // The first read may return an outdated value, which is too large.
    if (lane_id() == 0 && least < state.header->next)
        atomicMin(reinterpret_cast<unsigned long long*>(&state.header->next), static_cast<unsigned long long>(least));
    BlockList<>::flush(active, still_open);
    add_block_sum(&state.header->arcs, ends);
}

/// The lists whose edges a push relaxes.
template <typename D, typename W>
struct PushedLists
{
    const WeightedBlockView<W>& block;
    const SsspStateView<D>& state;
    PushExtent extent;
    std::uint64_t changed;  // number of changed columns

    [[nodiscard]] __device__ std::uint64_t count() const
    {
        return extent == PushExtent::window ? state.header->active : changed;
    }
    [[nodiscard]] __device__ ListEdges edges_at(std::uint64_t i) const
    {
        return edges_of(extent == PushExtent::window ? state.active[i] : state.changed[i]);
    }
    [[nodiscard]] __device__ ListEdges edges_of(std::uint32_t column) const
    {
        const std::uint64_t begin = block.out_edges.begin(column);
        if (extent == PushExtent::whole_lists) return {column, begin, block.out_edges.end(column) - begin};
        const PushedEntries place = state.places[column];
        return {column, begin + place.first, place.last - place.first};
    }
    [[nodiscard]] __device__ PieceQueue queue() const { return {state.pieces, &state.header->pieces}; }
};

/// The rows and the sums of the edges that a thread has in flight.
template <typename D, typename W>
struct Relaxed
{
    std::uint32_t rows[kLaneEdges];
    D sums[kLaneEdges];
    bool below[kLaneEdges];  // whether the edge exists and its sum is below the bound
    bool overflow = false;

    __device__ Relaxed(const WeightedBlockView<W>& block, const SsspStateView<D>& state, D bound,
                       const std::uint64_t (&edges)[kLaneEdges], const std::uint32_t (&columns)[kLaneEdges])
    {
        W weights[kLaneEdges];
#pragma unroll
        for (int k = 0; k < kLaneEdges; ++k) {
            below[k] = edges[k] != kNoEdge;
            rows[k] = below[k] ? block.out_edges.neighbours[edges[k]] : 0;
            weights[k] = below[k] ? block.out_weights[edges[k]] : W{0};
        }
#pragma unroll
        for (int k = 0; k < kLaneEdges; ++k)
            if (below[k])
                below[k] = algo::sum_is_below(state.columns[columns[k]], weights[k], bound, sums[k], overflow);
    }
};

/// The relaxation of a thread's edges in a push.
template <typename D, typename W>
class Relaxation
{
public:
    __device__ Relaxation(const WeightedBlockView<W>& block, const SsspStateView<D>& state, D bound,
                          BlockListStore& store)
        : block_(block), state_(state), bound_(bound), improved_(store, state.improved, &state.header->improved)
    {
        improved_.clear();
        __syncthreads();
    }

    /// Relaxes kLaneEdges edges of each lane. All lanes of a warp call.
    __device__ void operator()(const std::uint64_t (&edges)[kLaneEdges], const std::uint32_t (&columns)[kLaneEdges])
    {
        const Relaxed<D, W> relaxed(block_, state_, bound_, edges, columns);
        overflow_ = overflow_ || relaxed.overflow;
        bool improves[kLaneEdges];
#pragma unroll
        for (int k = 0; k < kLaneEdges; ++k) {
            arcs_ += edges[k] != kNoEdge ? 1 : 0;
            improves[k] = relaxed.below[k] && relaxed.sums[k] < RowWord<D>::distance(state_.words[relaxed.rows[k]]);
        }
#pragma unroll
        for (int k = 0; k < kLaneEdges; ++k) {
            if (!improves[k]) continue;
            const auto word = static_cast<unsigned long long>(RowWord<D>::make(relaxed.sums[k], columns[k]));
            improves[k] = word < atomicMin(reinterpret_cast<unsigned long long*>(&state_.words[relaxed.rows[k]]), word);
        }
#pragma unroll
        for (int k = 0; k < kLaneEdges; ++k) {
            if (!improves[k]) continue;
            const std::uint32_t row = relaxed.rows[k];
            std::uint32_t* const bits = &state_.improved_bits[row / 32];
            improves[k] = !is_set(*bits, row) && !is_set(atomicOr(bits, 1U << (row % 32)), row);
        }
#pragma unroll
        for (int k = 0; k < kLaneEdges; ++k) improved_.append(improves[k], relaxed.rows[k]);
    }

    /// Appends the block's improved rows to their list, and adds its counts to the header. All
    /// threads of the block call, once, after the last push.
    __device__ void finish()
    {
        BlockList<>::flush(improved_);
        add_block_sum(&state_.header->arcs, arcs_);
        note_overflow(state_.header, overflow_);
    }

private:
    const WeightedBlockView<W>& block_;
    const SsspStateView<D>& state_;
    D bound_;
    BlockList<> improved_;
    std::uint64_t arcs_ = 0;
    bool overflow_ = false;
};

template <typename D, typename W>
__global__ __launch_bounds__(kBlockThreads) void relax_narrow(WeightedBlockView<W> block, SsspStateView<D> state,
                                                              PushExtent extent, D bound, std::uint64_t changed)
{
    __shared__ TileMemory tile;
    __shared__ BlockListStore store;
    const PushedLists<D, W> lists{block, state, extent, changed};
    Relaxation<D, W> relax(block, state, bound, store);
    expand_narrow_lists<WideLists::queued>(
        tile, lists.count(), lists.queue(), [&](std::uint64_t i) { return lists.edges_at(i); }, relax);
    relax.finish();
}

template <typename D, typename W>
__global__ __launch_bounds__(kBlockThreads) void relax_wide(WeightedBlockView<W> block, SsspStateView<D> state,
                                                            PushExtent extent, D bound)
{
    __shared__ BlockListStore store;
    const PushedLists<D, W> lists{block, state, extent, 0};
    Relaxation<D, W> relax(block, state, bound, store);
    expand_wide_lists(
        lists.queue(), [&](std::uint32_t column) { return lists.edges_of(column); }, relax);
    relax.finish();
}

/// Writes the column of an edge as the parent of an improved row if the edge's sum is the row's
/// distance. If several columns give this distance, one of them becomes the parent.
template <typename D, typename W>
__device__ void write_parents(const WeightedBlockView<W>& block, const SsspStateView<D>& state, D bound,
                              const std::uint64_t (&edges)[kLaneEdges], const std::uint32_t (&columns)[kLaneEdges])
{
    const Relaxed<D, W> relaxed(block, state, bound, edges, columns);
#pragma unroll
    for (int k = 0; k < kLaneEdges; ++k) {
        if (!relaxed.below[k]) continue;
        const std::uint32_t row = relaxed.rows[k];
        if (is_set(state.improved_bits[row / 32], row) && state.words[row] == RowWord<D>::make(relaxed.sums[k], 0))
            state.parents[row] = columns[k];
    }
}

template <typename D, typename W>
__global__ __launch_bounds__(kBlockThreads) void find_parents_narrow(WeightedBlockView<W> block, SsspStateView<D> state,
                                                                     PushExtent extent, D bound, std::uint64_t changed)
{
    __shared__ TileMemory tile;
    const PushedLists<D, W> lists{block, state, extent, changed};
    expand_narrow_lists<WideLists::known>(
        tile, lists.count(), lists.queue(), [&](std::uint64_t i) { return lists.edges_at(i); },
        [&](const auto& edges, const auto& columns) { write_parents(block, state, bound, edges, columns); });
}

template <typename D, typename W>
__global__ __launch_bounds__(kBlockThreads) void find_parents_wide(WeightedBlockView<W> block, SsspStateView<D> state,
                                                                   PushExtent extent, D bound)
{
    const PushedLists<D, W> lists{block, state, extent, 0};
    expand_wide_lists(
        lists.queue(), [&](std::uint32_t column) { return lists.edges_of(column); },
        [&](const auto& edges, const auto& columns) { write_parents(block, state, bound, edges, columns); });
}

}  // namespace

template <typename D, typename W>
void PushKernels<D, W>::start_lists(D bound, std::uint64_t count) const
{
    launch_blocks(start_windows<D, W>, count, views.place, views.block, views.state, bound, count);
}

template <typename D, typename W>
void PushKernels<D, W>::resume_lists(D bound, std::uint64_t most) const
{
    launch_blocks(resume_windows<D, W>, most, views.place, views.block, views.state, bound);
}

template <typename D, typename W>
void PushKernels<D, W>::relax(PushExtent extent, D bound, std::uint64_t count) const
{
    launch_blocks(relax_narrow<D, W>, count, views.place, views.block, views.state, extent, bound, count);
    launch_blocks(relax_wide<D, W>, kAllThreads, views.place, views.block, views.state, extent, bound);
}

template <typename D, typename W>
void PushKernels<D, W>::find_parents(PushExtent extent, D bound, std::uint64_t count) const
{
    if constexpr (!RowWord<D>::kHasParent) {
        launch_blocks(find_parents_narrow<D, W>, count, views.place, views.block, views.state, extent, bound, count);
        launch_blocks(find_parents_wide<D, W>, kAllThreads, views.place, views.block, views.state, extent, bound);
    }
}

template <typename D, typename W>
void PushKernels<D, W>::load()
{
    load_kernel(start_windows<D, W>);
    load_kernel(resume_windows<D, W>);
    load_kernel(relax_narrow<D, W>);
    load_kernel(relax_wide<D, W>);
    if constexpr (!RowWord<D>::kHasParent) {
        load_kernel(find_parents_narrow<D, W>);
        load_kernel(find_parents_wide<D, W>);
    }
}

template struct PushKernels<std::uint32_t, std::uint32_t>;
template struct PushKernels<std::int64_t, std::uint32_t>;
template struct PushKernels<std::int64_t, std::int64_t>;
template struct PushKernels<float, float>;
template struct PushKernels<double, double>;

}  // namespace wayfront::gpu::sssp
