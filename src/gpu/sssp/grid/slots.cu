// Kernels over own slots: their distances for other blocks of the matrix, the distances that other
// blocks found for them, and the sets of slots that rounds expand.
#include "algo/sssp/settled_bins.hpp"
#include "gpu/graph/block_list.cuh"
#include "gpu/graph/block_sums.cuh"
#include "gpu/runtime/bits.cuh"
#include "gpu/runtime/block_loop.cuh"
#include "gpu/sssp/grid/launch_blocks.cuh"
#include "gpu/sssp/grid/row_words.hpp"
#include "graph/distances.hpp"

namespace wayfront::gpu::sssp {

namespace {

template <typename D>
__device__ D distance_of(const BlockSides& sides, const SsspStateView<D>& state, std::uint32_t slot)
{
    return RowWord<D>::distance(state.words[sides.first_own_row() + slot]);
}

template <typename D>
__device__ std::uint32_t parent_of(const SsspStateView<D>& state, std::uint32_t row)
{
    if constexpr (RowWord<D>::kHasParent)
        return RowWord<D>::parent(state.words[row]);
    else
        return state.parents[row];
}

/// Sets a slot's bit. Returns whether this call has set it.
__device__ bool mark(std::uint32_t* bits, std::uint32_t slot)
{
    return !is_set(bits[slot / 32], slot) && !is_set(atomicOr(&bits[slot / 32], 1U << (slot % 32)), slot);
}

/// Lowers an ordered word to the minimum of `value` over the lanes of a warp. All lanes call.
__device__ void lower_to_minimum(std::uint64_t* word, std::uint64_t value)
{
    for (int offset = 16; offset > 0; offset /= 2) value = min(value, __shfl_xor_sync(kAllLanes, value, offset));
    // The first read may return an outdated value, which is too large.
    if (lane_id() == 0 && value < *word)
        atomicMin(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
}

template <typename D>
__global__ void begin_counts(SsspStateView<D> state, SlotSetsView sets, FoundPieces<D> pieces, ListSizes sizes)
{
    for (std::uint32_t r = threadIdx.x; r < pieces.ranks && pieces.sent != nullptr; r += blockDim.x)
        *pieces.count(pieces.sent, r) = 0;
    if (threadIdx.x != 0) return;
    RoundHeader round{};
    round.next = to_ordered(unreached<D>());
    round.open = sizes.open;
    *state.header = round;
    SlotCounts counts{};
    counts.least = ~std::uint64_t{0};
    counts.least_left = ~std::uint64_t{0};
    counts.changed = sizes.changed;
    counts.waiting = sizes.waiting;
    counts.settled = sizes.settled;
    *sets.counts = counts;
}

template <typename D>
__global__ void start_search(BlockSides sides, SsspStateView<D> state, SlotSetsView sets, std::uint32_t count)
{
    if (first_index() == 0) sets.counts->changed = count;
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t slot = sets.changed[i];
        state.words[sides.first_own_row() + slot] = RowWord<D>::make(D{0}, sides.cols);
        if (!RowWord<D>::kHasParent) state.parents[sides.first_own_row() + slot] = sides.cols;
        if (sets.parents != nullptr) sets.parents[slot] = -1;
    }
}

template <typename D>
__global__ void pack_own_distances(BlockSides sides, SsspStateView<D> state, const std::uint32_t* slots,
                                   std::uint64_t count, SentDistance<D>* packed)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        packed[i] = {slots[i], distance_of(sides, state, slots[i])};
}

template <typename D>
__global__ void store_received_distances(SsspStateView<D> state, const SentDistance<D>* received, std::uint64_t count,
                                         std::uint32_t first_column, std::uint64_t before)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t column = first_column + received[i].slot;
        state.columns[column] = received[i].distance;
        state.changed[before + i] = column;
    }
}

template <typename D>
__global__ void copy_own_distances(BlockSides sides, SsspStateView<D> state, D* distances)
{
    for (std::uint64_t slot = first_index(); slot < sides.slots; slot += index_stride())
        distances[slot] = distance_of(sides, state, static_cast<std::uint32_t>(slot));
}

template <typename D>
__global__ void commit_improved_rows(SsspStateView<D> state, SlotSetsView sets)
{
    const std::uint32_t count = state.header->improved;
    if (first_index() == 0) sets.counts->changed = count;
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t row = state.improved[i];
        sets.changed[i] = row;
        state.improved_bits[row / 32] = 0;  // all rows of this word are in the list
    }
}

/// Calls f(chunk, row) for the improved rows of other ranks.
template <typename D, typename F>
__device__ void for_each_found(const BlockSides& sides, const SsspStateView<D>& state, F&& f)
{
    const std::uint32_t count = state.header->improved;
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t row = state.improved[i];
        const std::uint32_t chunk = row / sides.slots;
        if (chunk != sides.own_row_chunk) f(chunk, row);
    }
}

/// Adds one to the sum of a chunk for each calling lane of a warp, and returns the lane's place.
__device__ std::uint64_t next_place(std::uint64_t* sum, std::uint32_t chunk)
{
    const std::uint32_t lanes = __match_any_sync(__activemask(), chunk);
    const int leader = __ffs(static_cast<int>(lanes)) - 1;
    std::uint64_t before = 0;
    if (lane_id() == static_cast<std::uint32_t>(leader))
        before = add_to(sum, static_cast<std::uint64_t>(__popc(lanes)));
    return __shfl_sync(lanes, before, leader) + lanes_below(lanes);
}

template <typename D>
__device__ FoundDistance<D> found_at(const BlockSides& sides, const SsspStateView<D>& state, std::uint32_t row)
{
    return {sides.vertices[parent_of(state, row)], RowWord<D>::distance(state.words[row]), row % sides.slots};
}

template <typename D>
__global__ void fill_found_pieces(BlockSides sides, SsspStateView<D> state, FoundPieces<D> pieces)
{
    for_each_found(sides, state, [&](std::uint32_t chunk, std::uint32_t row) {
        const std::uint64_t i = next_place(pieces.count(pieces.sent, chunk), chunk);
        if (i < pieces.room) pieces.distances(pieces.sent, chunk)[i] = found_at(sides, state, row);
    });
}

/// Writes the largest count of all pieces into each piece. One warp runs.
template <typename D>
__global__ void seal_found_pieces(FoundPieces<D> pieces)
{
    std::uint64_t most = 0;
    for (std::uint32_t r = lane_id(); r < pieces.ranks; r += 32) most = max(most, *pieces.count(pieces.sent, r));
    for (int offset = 16; offset > 0; offset /= 2) most = max(most, __shfl_xor_sync(kAllLanes, most, offset));
    for (std::uint32_t r = lane_id(); r < pieces.ranks; r += 32) *pieces.most(pieces.sent, r) = most;
}

template <typename D>
__global__ void pack_found_rows(BlockSides sides, SsspStateView<D> state, const std::uint64_t* resend_counts,
                                std::uint64_t* next, FoundDistance<D>* sent)
{
    for_each_found(sides, state, [&](std::uint32_t chunk, std::uint32_t row) {
        if (resend_counts[chunk] != 0) sent[next_place(&next[chunk], chunk)] = found_at(sides, state, row);
    });
}

template <typename D>
__global__ __launch_bounds__(kBlockThreads) void commit_own_rows(BlockSides sides, SsspStateView<D> state,
                                                                 SlotSetsView sets, FoundPieces<D> pieces,
                                                                 std::uint64_t* resend_counts)
{
    for (std::uint64_t i = first_index(); i < 2 * std::uint64_t{pieces.ranks}; i += index_stride()) {
        std::byte* const pieces_memory = i < pieces.ranks ? pieces.sent : pieces.received;
        const auto rank = static_cast<std::uint32_t>(i % pieces.ranks);
        const std::uint64_t count = *pieces.count(pieces_memory, rank);
        resend_counts[i] = count > pieces.room ? count : 0;
        if (*pieces.most(pieces_memory, rank) > pieces.room) sets.counts->overflows = 1;
    }
    __shared__ BlockListStore store;
    BlockList<> changed(store, sets.changed, &sets.counts->changed);
    changed.clear();
    __syncthreads();
    for_each_together(state.header->improved, [&](std::uint64_t i, bool in_range) {
        const std::uint32_t row = in_range ? state.improved[i] : 0;
        const bool is_own = in_range && row / sides.slots == sides.own_row_chunk;
        const std::uint32_t slot = row % sides.slots;
        if (is_own) {
            sets.parents[slot] = sides.vertices[parent_of(state, row)];
            mark(sets.changed_bits, slot);
        }
        if (in_range) state.improved_bits[row / 32] = 0;
        changed.append(is_own, slot);
    });
    BlockList<>::flush(changed);
}

/// Stores each of `count` found distances of a rank that is smaller than the distance of its slot.
/// All threads of the block call.
template <typename D>
__device__ void commit_distances(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                                 const FoundDistance<D>* found, std::uint64_t count)
{
    __shared__ BlockListStore store;
    BlockList<> changed(store, sets.changed, &sets.counts->changed);
    changed.clear();
    __syncthreads();
    for_each_together(count, [&](std::uint64_t i, bool in_range) {
        bool is_new = false;
        std::uint32_t slot = 0;
        if (in_range) {
            const FoundDistance<D> found_distance = found[i];
            slot = found_distance.slot;
            if (found_distance.distance < distance_of(sides, state, slot)) {
                // A rank finds each slot once, so that no other thread writes this word.
                state.words[sides.first_own_row() + slot] = RowWord<D>::make(found_distance.distance, sides.cols);
                sets.parents[slot] = found_distance.parent;
                is_new = mark(sets.changed_bits, slot);
            }
        }
        changed.append(is_new, slot);
    });
    BlockList<>::flush(changed);
}

template <typename D>
__global__ __launch_bounds__(kBlockThreads) void commit_found_list(BlockSides sides, SsspStateView<D> state,
                                                                   SlotSetsView sets, const FoundDistance<D>* found,
                                                                   std::uint64_t count)
{
    commit_distances(sides, state, sets, found, count);
}

template <typename D>
__global__ __launch_bounds__(kBlockThreads) void commit_found_piece(BlockSides sides, SsspStateView<D> state,
                                                                    SlotSetsView sets, FoundPieces<D> pieces,
                                                                    std::uint32_t rank)
{
    const std::uint64_t count = *pieces.count(pieces.received, rank);
    commit_distances(sides, state, sets, pieces.distances(pieces.received, rank),
                     count < pieces.room ? count : pieces.room);
}

template <typename D>
__global__ __launch_bounds__(kBlockThreads) void sum_changed_slots(BlockSides sides, SsspStateView<D> state,
                                                                   SlotSetsView sets)
{
    if (sets.counts->overflows != 0) return;
    __shared__ BlockListStore store;
    BlockList<> settled(store, sets.settled, &sets.counts->settled);
    settled.clear();
    __syncthreads();
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t edges = 0;
    std::uint64_t settled_edges = 0;
    for_each_together(sets.counts->changed, [&](std::uint64_t i, bool in_range) {
        const std::uint32_t slot = in_range ? sets.changed[i] : 0;
        bool settles = false;
        if (in_range) {
            least = min(least, std::uint64_t{to_ordered(distance_of(sides, state, slot))});
            edges += sets.out_degrees[slot];
            if (sets.changed_bits != nullptr) sets.changed_bits[slot / 32] = 0;
            settles = sets.settled != nullptr && mark(sets.settled_bits, slot);
            if (settles) settled_edges += sets.out_degrees[slot];
        }
        settled.append(settles, slot);
    });
    lower_to_minimum(&sets.counts->least, least);
    add_block_sum(&sets.counts->changed_edges, edges);
    __syncthreads();  // both sums use the same shared memory
    add_block_sum(&sets.counts->settled_edges, settled_edges);
    BlockList<>::flush(settled);
}

__global__ __launch_bounds__(kBlockThreads) void add_waiting_slots(SlotSetsView sets)
{
    __shared__ BlockListStore store;
    BlockList<> waiting(store, sets.waiting, &sets.counts->waiting);
    waiting.clear();
    __syncthreads();
    for_each_together(sets.counts->changed, [&](std::uint64_t i, bool in_range) {
        const std::uint32_t slot = in_range ? sets.changed[i] : 0;
        waiting.append(in_range && mark(sets.waiting_bits, slot), slot);
    });
    BlockList<>::flush(waiting);
}

/// Chooses the candidates for which is_chosen(distance) is true.
template <typename D, typename F>
__device__ void choose_slots(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                             const Candidates& candidates, F&& is_chosen)
{
    __shared__ BlockListStore chosen_store;
    __shared__ BlockListStore remaining_store;
    BlockList<> chosen(chosen_store, sets.chosen, &sets.counts->chosen);
    BlockList<> others(remaining_store, candidates.remaining, &sets.counts->still_waiting);
    chosen.clear();
    others.clear();
    __syncthreads();
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t least_left = ~std::uint64_t{0};
    for_each_together(candidates.count, [&](std::uint64_t i, bool in_range) {
        const std::uint32_t slot = in_range ? candidates.slots[i] : 0;
        bool matches = false;
        if (in_range) {
            const D distance = distance_of(sides, state, slot);
            matches = is_chosen(distance);
            std::uint64_t& smallest = matches ? least : least_left;
            smallest = min(smallest, std::uint64_t{to_ordered(distance)});
            if (matches && sets.waiting_bits != nullptr) atomicAnd(&sets.waiting_bits[slot / 32], ~(1U << (slot % 32)));
        }
        chosen.append(matches, slot);
        others.append(in_range && !matches && candidates.remaining != nullptr, slot);
    });
    lower_to_minimum(&sets.counts->least, least);
    lower_to_minimum(&sets.counts->least_left, least_left);
    BlockList<>::flush(chosen, others);
}

template <typename D>
__global__ __launch_bounds__(kBlockThreads) void choose_slots_below(BlockSides sides, SsspStateView<D> state,
                                                                    SlotSetsView sets, D window)
{
    const Candidates waiting{.slots = sets.waiting, .count = sets.counts->waiting, .remaining = sets.still_waiting};
    choose_slots(sides, state, sets, waiting, [window](D distance) { return distance < window; });
}

template <typename D>
__global__ void add_edges_to_bins(BlockSides sides, SsspStateView<D> state, SlotSetsView sets, DistanceBins<D> division,
                                  std::uint64_t* bins)
{
    extern __shared__ unsigned long long of_block[];
    for (std::uint32_t b = threadIdx.x; b < division.count; b += blockDim.x) of_block[b] = 0;
    __syncthreads();
    const algo::SettledBins<D> by_distance(division.window, division.count);
    for (std::uint64_t i = first_index(); i < sets.counts->settled; i += index_stride()) {
        const std::uint32_t slot = sets.settled[i];
        atomicAdd(&of_block[by_distance.bin_of(distance_of(sides, state, slot))],
                  static_cast<unsigned long long>(sets.out_degrees[slot]));
    }
    __syncthreads();
    for (std::uint32_t b = threadIdx.x; b < division.count; b += blockDim.x)
        if (of_block[b] != 0) add_to(&bins[b], of_block[b]);
}

template <typename D>
__global__ __launch_bounds__(kBlockThreads) void choose_nearest_slots(BlockSides sides, SsspStateView<D> state,
                                                                      SlotSetsView sets, DistanceBins<D> division,
                                                                      std::uint32_t bins)
{
    const algo::SettledBins<D> by_distance(division.window, division.count);
    choose_slots(sides, state, sets, {.slots = sets.settled, .count = sets.counts->settled, .remaining = nullptr},
                 [&](D distance) { return by_distance.is_chosen(distance, bins); });
}

template <typename D>
__global__ __launch_bounds__(kBlockThreads) void write_local_results(BlockSides sides, SsspStateView<D> state,
                                                                     SlotSetsView sets, D bound,
                                                                     LocalResults<D> results)
{
    std::uint64_t reached = 0;
    for (std::uint64_t i = first_index(); i < results.count; i += index_stride()) {
        const std::uint32_t slot = results.slot_of_local[i];
        const D distance = slot < sides.slots ? distance_of(sides, state, slot) : unreached<D>();
        const bool is_reached = distance < bound;
        std::int64_t parent = -1;
        if (is_reached)
            parent = sets.parents != nullptr ? sets.parents[slot]
                                             : sides.vertices[parent_of(state, sides.first_own_row() + slot)];
        results.distances[i] = is_reached ? distance : unreached<D>();
        results.parents[i] = parent;
        reached += is_reached ? 1 : 0;
    }
    add_block_sum(results.reached, reached);
}

}  // namespace

template <typename D>
void SlotKernels<D>::begin(const ListSizes& sizes) const
{
    begin_counts<D><<<1, kBlockThreads, 0, place.stream.get()>>>(state, sets, pieces, sizes);
    check_launch();
}

template <typename D>
void SlotKernels<D>::start(std::uint32_t count) const
{
    launch_blocks(start_search<D>, count, place, sides, state, sets, count);
}

template <typename D>
void SlotKernels<D>::pack_distances(const std::uint32_t* slots, std::uint64_t count, SentDistance<D>* packed) const
{
    launch_blocks(pack_own_distances<D>, count, place, sides, state, slots, count, packed);
}

template <typename D>
void SlotKernels<D>::store_received(const ReceivedDistances<D>& piece, std::uint64_t before) const
{
    launch_blocks(store_received_distances<D>, piece.count, place, state, piece.distances, piece.count,
                  piece.first_column, before);
}

template <typename D>
void SlotKernels<D>::copy_distances(D* distances) const
{
    launch_blocks(copy_own_distances<D>, sides.slots, place, sides, state, distances);
}

template <typename D>
void SlotKernels<D>::commit_improved() const
{
    launch_blocks(commit_improved_rows<D>, kAllThreads, place, state, sets);
}

template <typename D>
void SlotKernels<D>::fill_pieces() const
{
    launch_blocks(fill_found_pieces<D>, sides.rows(), place, sides, state, pieces);
    seal_found_pieces<D><<<1, 32, 0, place.stream.get()>>>(pieces);
    check_launch();
}

template <typename D>
void SlotKernels<D>::commit_own_chunk(std::uint64_t* resend_counts) const
{
    // If there are no rows, one block still reads the pieces.
    launch_blocks(commit_own_rows<D>, std::max(sides.rows(), 1U), place, sides, state, sets, pieces, resend_counts);
}

template <typename D>
void SlotKernels<D>::commit_piece(std::uint32_t rank) const
{
    launch_blocks(commit_found_piece<D>, pieces.room, place, sides, state, sets, pieces, rank);
}

template <typename D>
void SlotKernels<D>::pack_found(const std::uint64_t* resend_counts, std::uint64_t* next, FoundDistance<D>* sent) const
{
    launch_blocks(pack_found_rows<D>, sides.rows(), place, sides, state, resend_counts, next, sent);
}

template <typename D>
void SlotKernels<D>::commit_found(const FoundDistance<D>* found, std::uint64_t count) const
{
    launch_blocks(commit_found_list<D>, count, place, sides, state, sets, found, count);
}

template <typename D>
void SlotKernels<D>::sum_changed() const
{
    launch_blocks(sum_changed_slots<D>, sides.slots, place, sides, state, sets);
}

template <typename D>
void SlotKernels<D>::add_waiting() const
{
    launch_blocks(add_waiting_slots, sides.slots, place, sets);
}

template <typename D>
void SlotKernels<D>::choose_below(D window) const
{
    launch_blocks(choose_slots_below<D>, sides.slots, place, sides, state, sets, window);
}

template <typename D>
void SlotKernels<D>::add_settled_edges(D window, std::uint64_t* bins, std::uint32_t bin_count) const
{
    if (sides.slots == 0) return;
    add_edges_to_bins<D>
        <<<blocks_for(sides.slots, kBlockThreads), kBlockThreads, bin_count * sizeof(unsigned long long),
           place.stream.get()>>>(sides, state, sets, {.window = window, .count = bin_count}, bins);
    check_launch();
}

template <typename D>
void SlotKernels<D>::choose_nearest(D window, std::uint32_t bins, std::uint32_t bin_count) const
{
    launch_blocks(choose_nearest_slots<D>, sides.slots, place, sides, state, sets,
                  {.window = window, .count = bin_count}, bins);
}

template <typename D>
void SlotKernels<D>::write_results(D bound, const LocalResults<D>& results) const
{
    launch_blocks(write_local_results<D>, results.count, place, sides, state, sets, bound, results);
}

template struct SlotKernels<std::uint32_t>;
template struct SlotKernels<std::int64_t>;
template struct SlotKernels<float>;
template struct SlotKernels<double>;

}  // namespace wayfront::gpu::sssp
