// Device functions for the kernels that fill and read pieces.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/stepped/messages.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// Whether all other blocks of the kernel have reached this call. If so, this block sees all their
/// writes. All threads of a block call, once. `finished` is 0 before and after the kernel.
[[nodiscard]] __device__ inline bool is_last_block(std::uint32_t* finished)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(finished, 1U) == gridDim.x - 1;
        if (last) *finished = 0;
    }
    __syncthreads();
    __threadfence();
    return last;
}

/// Reserves the next place in list number `list` for each lane with `wanted` set. All lanes of a
/// warp call.
[[nodiscard]] __device__ inline std::uint32_t reserve_place(bool wanted, std::uint32_t list, std::uint32_t* sizes)
{
    const std::uint32_t wanting = __ballot_sync(kAllLanes, wanted);
    if (!wanted) return 0;
    const std::uint32_t lanes = __match_any_sync(wanting, list);
    const int leader = __ffs(static_cast<int>(lanes)) - 1;
    std::uint32_t first = 0;
    if (static_cast<int>(lane_id()) == leader) first = atomicAdd(sizes + list, __popc(lanes));
    return __shfl_sync(lanes, first, leader) + lanes_below(lanes);
}

/// Returns the counts of this rank's step and resets them. One thread calls.
[[nodiscard]] __device__ inline SsspCounts read_and_reset_totals(const SsspView& view)
{
    const SsspCounts counts = view.messages.totals->counts();
    *view.messages.totals = CountWords<SsspCounts>::none();
    return counts;
}

/// Writes the headers of pieces with the counted numbers of items, and resets the counters. One
/// thread calls.
template <typename Item>
__device__ inline void write_headers(const SsspView& view, const Pieces<Item>& sent, const PackState& state)
{
    const SsspCounts totals = read_and_reset_totals(view);
    std::uint32_t most = 0;
    std::uint32_t most_changes = 0;
    for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
        const std::uint32_t changes = state.items[rank] + state.closed[rank];
        most = state.items[rank] > most ? state.items[rank] : most;
        most_changes = changes > most_changes ? changes : most_changes;
    }
    for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
        sent.header(rank) = {state.items[rank], most, totals, most_changes, sent.bit_bytes};
        state.items[rank] = 0;
        state.closed[rank] = 0;
    }
}

/// Reduces the headers of all ranks to `result`, unless it is null. The first warp of the grid
/// calls.
template <typename Item>
__device__ inline void reduce_headers(const Pieces<Item>& pieces, StepResult* result)
{
    if (result == nullptr) return;
    using Words = CountWords<SsspCounts>;
    Words all = Words::none();
    std::uint64_t most = 0;
    std::uint64_t most_changes = 0;
    for (std::uint32_t rank = lane_id(); rank < pieces.ranks; rank += 32) {
        const PieceHeader& header = pieces.header(rank);
        const Words words = Words::of(header.counts);
        for (int i = 0; i < kCountWords<SsspCounts>; ++i)
            all.words[i] = Words::reduced(i, all.words[i], words.words[i]);
        most = header.most_items > most ? header.most_items : most;
        most_changes = header.most_changes > most_changes ? header.most_changes : most_changes;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        for (int i = 0; i < kCountWords<SsspCounts>; ++i)
            all.words[i] = Words::reduced(i, all.words[i], __shfl_down_sync(kAllLanes, all.words[i], offset));
        const std::uint64_t other = __shfl_down_sync(kAllLanes, most, offset);
        most = other > most ? other : most;
        const std::uint64_t other_changes = __shfl_down_sync(kAllLanes, most_changes, offset);
        most_changes = other_changes > most_changes ? other_changes : most_changes;
    }
    if (lane_id() == 0) *result = {all.counts(), most, most_changes};
}

/// Whether the distance at a column is known and final. If nothing is known of the vertex, the
/// second word of its bounds is a LightestArcs, whose lowest bit has no meaning here.
[[nodiscard]] __device__ inline bool is_known(const SsspView& view, std::uint32_t column)
{
    const StoredBounds bounds = view.own.bounds[column];
    return bounds.upper != view.messages.unknown && bounds.is_final();
}

/// Stores the bounds of another rank's vertex, unless its owner knows no distance.
__device__ inline void store_bounds(const SsspView& view, std::uint32_t column, const StoredBounds& bounds)
{
    if (bounds.upper != view.messages.unknown) view.own.bounds[column] = bounds;
}

/// Stores the distance of another rank's vertex. A vertex that stays open keeps its lower bound.
__device__ inline void store_distance(const SsspView& view, std::uint32_t column, const BoundsUpdate& update)
{
    const StoredBounds before = view.own.bounds[column];
    if (update.is_closed())
        view.own.bounds[column] = {update.distance, StoredBounds::kParentElsewhere};
    else
        view.own.bounds[column] =
            StoredBounds::open(update.distance, before.upper == view.messages.unknown ? 0 : before.second);
}

/// Stores the changes that a rank lists in its piece. All threads of the grid call.
__device__ inline void store_listed(const SsspView& view, const Pieces<BoundsUpdate>& pieces, std::uint32_t rank)
{
    const std::uint64_t items = pieces.header(rank).items;
    const std::uint64_t count = items < pieces.room ? items : pieces.room;
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const BoundsUpdate update = pieces.items(rank)[i];
        store_distance(view, view.graph.columns.column(rank, update.slot()), update);
    }
}

}  // namespace wayfront::gpu::sssp
