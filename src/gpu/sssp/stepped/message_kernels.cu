#include <algorithm>
#include <cstdint>
#include <span>

#include <cub/block/block_scan.cuh>

#include "gpu/graph/block_list.cuh"
#include "gpu/runtime/block_loop.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/stepped/kernels.hpp"
#include "gpu/sssp/stepped/memory.hpp"
#include "gpu/sssp/stepped/pieces.cuh"

namespace wayfront::gpu::sssp {

namespace {

constexpr int kThreads = 256;

/// Returns the path that this GPU has found to the vertex at a column, and resets its offer.
__device__ OfferedPath read_and_reset_offer(const SsspView& view, std::uint32_t column)
{
    const std::uint64_t path = view.messages.offers[column];
    view.messages.offers[column] = PushState::kNothing;
    return {view.graph.columns.slot_of(column), PushState::distance_of(path), PushState::parent_of(path)};
}

__global__ __launch_bounds__(kThreads) void pack_offers_kernel(const __grid_constant__ SsspView view, SlotList list,
                                                               SlotList unsent, Pieces<OfferedPath> sent,
                                                               PackState state)
{
    const ColumnNumbers& columns = view.graph.columns;
    const std::uint32_t size = list.size != nullptr ? *list.size : 0;
    for_each_together(size, [&](std::uint64_t i, bool in_range) {
        const std::uint32_t column = in_range ? list.slots[i] : 0;
        const std::uint32_t owner = columns.owner_of(column);
        const std::uint32_t place = reserve_place(in_range, owner, state.items);
        const bool has_room = in_range && place < sent.room;
        const std::uint32_t unsent_place = reserve_place(in_range && !has_room, 0, unsent.size);
        if (has_room)
            sent.items(owner)[place] = read_and_reset_offer(view, column);
        else if (in_range)
            unsent.slots[unsent_place] = column;
    });
    if (!is_last_block(state.finished) || threadIdx.x != 0) return;
    if (list.size != nullptr) *list.size = 0;
    write_headers(view, sent, state);
}

/// Takes a path to a vertex of this rank. Returns whether the vertex has to be listed. A path that
/// is not shorter than the vertex's path is not taken: with weights of 0, it may lead through the
/// vertex itself.
__device__ bool store_path(const SsspView& view, const OfferedPath& offered)
{
    auto* const best = reinterpret_cast<unsigned long long*>(&view.own.pushed[offered.slot].best);
    if (offered.distance >= PushState::distance_of(__ldcg(best))) return false;
    const std::uint64_t path = PushState::path(offered.distance, offered.parent);
    const std::uint64_t before = atomicMin(best, static_cast<unsigned long long>(path));
    return path < before && !PushState::is_queued(before);
}

__global__ __launch_bounds__(kThreads) void store_paths_kernel(const __grid_constant__ SsspView view,
                                                               Pieces<OfferedPath> received, SlotList improved,
                                                               StepResult* result)
{
    __shared__ BlockListStore store;
    if (first_index() < 32) reduce_headers(received, result);
    if (improved.slots == nullptr) return;
    BlockList<> list(store, improved.slots, improved.size);
    list.clear();
    __syncthreads();
    for (std::uint32_t rank = 0; rank < received.ranks; ++rank) {
        const std::uint64_t items = received.header(rank).items;
        for_each_together(items < received.room ? items : received.room, [&](std::uint64_t i, bool in_range) {
            OfferedPath offered{};
            if (in_range) offered = received.items(rank)[i];
            list.append(in_range && store_path(view, offered), offered.slot);
        });
    }
    BlockList<>::flush(list);
}

constexpr int kChangeThreads = 1024;
constexpr std::uint32_t kMarksPerWord = 4;         // number of marks in a word
constexpr std::uint32_t kLowestBits = 0x01010101;  // the lowest bit of each mark
static_assert(ChangeMark::kClosed == 1 && ChangeMark::kDistance == 2);

/// Packs the marked changes. A block reserves places for all its threads at once: a counter to
/// which each warp adds would take longer than all other work. A thread reads the marks of four
/// slots.
__global__ __launch_bounds__(kChangeThreads) void pack_changes_kernel(const __grid_constant__ SsspView view,
                                                                      ChangesView changes, Pieces<BoundsUpdate> pieces,
                                                                      PackState state)
{
    using Scan = cub::BlockScan<std::uint32_t, kChangeThreads>;
    __shared__ typename Scan::TempStorage scan;
    __shared__ std::uint32_t first_of_block;
    const ColumnNumbers& columns = view.graph.columns;
    BoundsUpdate* const piece = pieces.items(columns.rank);
    std::uint32_t* const size = state.items + columns.rank;
    auto* const changed = reinterpret_cast<std::uint32_t*>(view.messages.changed);
    for_each_together(view.first_leaf / kMarksPerWord, [&](std::uint64_t i, bool in_range) {
        const std::uint32_t marks = in_range ? changed[i] : 0;
        const auto marked = static_cast<std::uint32_t>(__popc((marks | marks >> 1) & kLowestBits));
        if (__syncthreads_or(marked > 0) == 0) return;
        std::uint32_t before = 0;
        std::uint32_t of_block = 0;
        Scan(scan).ExclusiveSum(marked, before, of_block);
        if (threadIdx.x == 0) first_of_block = atomicAdd(size, of_block);
        __syncthreads();
        if (marked == 0) return;
        changed[i] = 0;
        std::uint32_t place = first_of_block + before;
#pragma unroll
        for (std::uint32_t k = 0; k < kMarksPerWord; ++k) {
            if ((marks >> k * 8 & 0xFF) == 0) continue;
            const auto slot = static_cast<std::uint32_t>(kMarksPerWord * i + k);
            const StoredBounds bounds = view.own.bounds[columns.own_column(slot)];
            const auto item = BoundsUpdate::of(slot, bounds.is_final(), bounds.upper);
            if (place < pieces.room) piece[place] = item;
            if (place < changes.room) changes.items[place] = item;
            ++place;
        }
    });
    if (!is_last_block(state.finished) || threadIdx.x != 0) return;
    pieces.header(columns.rank) = {*size, *size, read_and_reset_totals(view), *size, 0};
    *size = 0;
}

__global__ __launch_bounds__(kThreads) void store_changes_kernel(const __grid_constant__ SsspView view,
                                                                 Pieces<BoundsUpdate> pieces, StepResult* result)
{
    if (first_index() < 32) reduce_headers(pieces, result);
    for (std::uint32_t rank = 0; rank < pieces.ranks; ++rank)
        if (rank != view.graph.columns.rank) store_listed(view, pieces, rank);
}

/// Calls f(rank, slot) for these slots of all other ranks.
template <typename F>
__device__ void for_slots_of_others(const ColumnNumbers& columns, const SlotRange& slots, F&& f)
{
    for (std::uint32_t rank = 0; rank < columns.ranks; ++rank) {
        if (rank == columns.rank) continue;
        for (std::uint64_t slot = slots.first + first_index(); slot < slots.end; slot += index_stride())
            f(rank, static_cast<std::uint32_t>(slot));
    }
}

__global__ __launch_bounds__(kThreads) void pack_lightest_kernel(const __grid_constant__ SsspView view,
                                                                 Pieces<std::uint32_t> pieces)
{
    const ColumnNumbers& columns = view.graph.columns;
    for (std::uint64_t slot = first_index(); slot < pieces.room; slot += index_stride())
        pieces.items(columns.rank)[slot] = view.own.lightest[columns.own_column(static_cast<std::uint32_t>(slot))];
}

__global__ __launch_bounds__(kThreads) void unpack_lightest_kernel(const __grid_constant__ SsspView view,
                                                                   Pieces<std::uint32_t> pieces)
{
    for_slots_of_others(view.graph.columns, {0, pieces.room}, [&](std::uint32_t rank, std::uint32_t slot) {
        view.own.lightest[view.graph.columns.column(rank, slot)] = pieces.items(rank)[slot];
    });
}

__global__ __launch_bounds__(kThreads) void pack_bounds_kernel(const __grid_constant__ SsspView view, SlotRange slots,
                                                               Pieces<PackedBounds> pieces)
{
    const ColumnNumbers& columns = view.graph.columns;
    for (std::uint64_t item = first_index(); item < pieces.room; item += index_stride()) {
        PackedBounds packed{};
        for (std::uint32_t k = 0; k < PackedBounds::kCount; ++k) {
            const std::uint64_t slot = slots.first + PackedBounds::kCount * item + k;
            if (slot < slots.end) packed.set(k, view.own.bounds[columns.own_column(static_cast<std::uint32_t>(slot))]);
        }
        pieces.items(columns.rank)[item] = packed;
    }
    if (first_index() == 0) pieces.header(columns.rank) = {0, 0, read_and_reset_totals(view), 0, 0};
}

__global__ __launch_bounds__(kThreads) void unpack_bounds_kernel(const __grid_constant__ SsspView view, SlotRange slots,
                                                                 Pieces<PackedBounds> pieces, StepResult* result)
{
    if (first_index() < 32) reduce_headers(pieces, result);
    for_slots_of_others(view.graph.columns, slots, [&](std::uint32_t rank, std::uint32_t slot) {
        const std::uint32_t i = slot - slots.first;
        store_bounds(view, view.graph.columns.column(rank, slot),
                     pieces.items(rank)[i / PackedBounds::kCount].bounds(i % PackedBounds::kCount));
    });
}

template <typename Kernel, typename... Arguments>
void launch_blocks(Kernel kernel, std::uint64_t count, const Stream& stream, const Arguments&... arguments)
{
    const unsigned blocks = std::max(blocks_for(count, kThreads), 1U);
    kernel<<<blocks, kThreads, 0, stream.get()>>>(arguments...);
    check_launch();
}

/// Number of items that a launch assumes for a list whose length only the device knows.
constexpr std::uint64_t kUsualItems = std::uint64_t{1} << 17;

}  // namespace

void pack_offers(const SsspView& view, const OfferedColumns& columns, const Pieces<OfferedPath>& sent,
                 const PackState& state, const Stream& stream)
{
    // Few blocks are launched if few paths are expected.
    const std::uint64_t usual = std::uint64_t{sent.ranks} * sent.room;
    launch_blocks(pack_offers_kernel, std::min(usual, kUsualItems), stream, view, columns.listed, columns.unsent, sent,
                  state);
}

void store_paths(const SsspView& view, const Pieces<OfferedPath>& received, const SlotList& improved,
                 StepResult* result, const Stream& stream)
{
    launch_blocks(store_paths_kernel, received.room, stream, view, received, improved, result);
}

void pack_changes(const SsspView& view, const ChangesView& changes, const Pieces<BoundsUpdate>& pieces,
                  const PackState& state, const Stream& stream)
{
    constexpr unsigned at_once = 2 * kMultiprocessors;  // few blocks, since each block adds to the same counters
    const unsigned blocks = std::clamp(blocks_for(view.first_leaf / kMarksPerWord, kChangeThreads), 1U, at_once);
    pack_changes_kernel<<<blocks, kChangeThreads, 0, stream.get()>>>(view, changes, pieces, state);
    check_launch();
}

void store_changes(const SsspView& view, const Pieces<BoundsUpdate>& pieces, StepResult* result, const Stream& stream)
{
    launch_blocks(store_changes_kernel, pieces.room, stream, view, pieces, result);
}

void pack_lightest(const SsspView& view, const Pieces<std::uint32_t>& pieces, const Stream& stream)
{
    launch_blocks(pack_lightest_kernel, pieces.room, stream, view, pieces);
}

void unpack_lightest(const SsspView& view, const Pieces<std::uint32_t>& pieces, const Stream& stream)
{
    launch_blocks(unpack_lightest_kernel, pieces.room, stream, view, pieces);
}

void pack_bounds(const SsspView& view, const SlotRange& slots, const Pieces<PackedBounds>& pieces, const Stream& stream)
{
    launch_blocks(pack_bounds_kernel, pieces.room, stream, view, slots, pieces);
}

void unpack_bounds(const SsspView& view, const SlotRange& slots, const Pieces<PackedBounds>& pieces, StepResult* result,
                   const Stream& stream)
{
    launch_blocks(unpack_bounds_kernel, slots.end - slots.first, stream, view, slots, pieces, result);
}

}  // namespace wayfront::gpu::sssp
