#include <algorithm>
#include <cstdint>
#include <span>

#include <cub/block/block_scan.cuh>

#include "gpu/graph/block_list.cuh"
#include "gpu/runtime/block_loop.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/stepped/kernels.hpp"
#include "gpu/sssp/stepped/memory.hpp"

namespace wayfront::gpu::sssp {

namespace {

constexpr int kThreads = 256;

/// Whether all other blocks of the kernel have arrived here, so that this one sees all that they have
/// written. All threads of a block call, once. `finished` is 0 before and after the kernel.
__device__ bool is_last_block(std::uint32_t* finished)
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

/// Takes the next place of the list number `list` for each lane that wants one. All lanes of a warp call.
__device__ std::uint32_t take_place(bool wanted, std::uint32_t list, std::uint32_t* sizes)
{
    const std::uint32_t wanting = __ballot_sync(kAllLanes, wanted);
    if (!wanted) return 0;
    const std::uint32_t lanes = __match_any_sync(wanting, list);
    const int leader = __ffs(static_cast<int>(lanes)) - 1;
    std::uint32_t first = 0;
    if (static_cast<int>(lane_id()) == leader) first = atomicAdd(sizes + list, __popc(lanes));
    return __shfl_sync(lanes, first, leader) + lanes_below(lanes);
}

/// Takes the path that this GPU has found to the vertex at a column from its memory.
__device__ OfferedPath take_offer(const SsspView& view, std::uint32_t column)
{
    const std::uint64_t path = view.messages.offers[column];
    view.messages.offers[column] = PushState::kNothing;
    return {view.graph.columns.slot_of(column), PushState::distance_of(path), PushState::parent_of(path)};
}

/// The counts of this rank's step, which are empty afterwards. One thread calls.
__device__ SsspCounts take_totals(const SsspView& view)
{
    const SsspCounts counts = view.messages.totals->counts();
    *view.messages.totals = CountWords<SsspCounts>::none();
    return counts;
}

__global__ __launch_bounds__(kThreads) void pack_offers_kernel(const __grid_constant__ SsspView view, SlotList list,
                                                               SlotList unsent, Pieces<OfferedPath> sent,
                                                               PackState state)
{
    const ColumnNumbers& columns = view.graph.columns;
    const std::uint32_t size = list.size != nullptr ? *list.size : 0;
    for_each_together(size, [&](std::uint64_t i, bool there) {
        const std::uint32_t column = there ? list.slots[i] : 0;
        const std::uint32_t owner = columns.owner_of(column);
        const std::uint32_t place = take_place(there, owner, state.items);
        const bool has_room = there && place < sent.room;
        const std::uint32_t unsent_place = take_place(there && !has_room, 0, unsent.size);
        if (has_room)
            sent.items(owner)[place] = take_offer(view, column);
        else if (there)
            unsent.slots[unsent_place] = column;
    });
    if (!is_last_block(state.finished) || threadIdx.x != 0) return;
    if (list.size != nullptr) *list.size = 0;
    const SsspCounts totals = take_totals(view);
    std::uint32_t most = 0;
    for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) most = state.items[rank] > most ? state.items[rank] : most;
    for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
        sent.header(rank) = {state.items[rank], most, 0, totals};
        state.items[rank] = 0;
    }
}

/// Reduces the headers of all ranks. The first warp of the grid calls.
template <typename Item>
__device__ void reduce_headers(const Pieces<Item>& pieces, StepResult* result)
{
    using Words = CountWords<SsspCounts>;
    Words all = Words::none();
    std::uint64_t most = 0;
    std::uint64_t most_distances = 0;
    for (std::uint32_t rank = lane_id(); rank < pieces.ranks; rank += 32) {
        const PieceHeader& header = pieces.header(rank);
        const Words words = Words::of(header.counts);
        for (int i = 0; i < kCountWords<SsspCounts>; ++i)
            all.words[i] = Words::reduced(i, all.words[i], words.words[i]);
        most = header.most_items > most ? header.most_items : most;
        most_distances = header.distances > most_distances ? header.distances : most_distances;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        for (int i = 0; i < kCountWords<SsspCounts>; ++i)
            all.words[i] = Words::reduced(i, all.words[i], __shfl_down_sync(kAllLanes, all.words[i], offset));
        const std::uint64_t other = __shfl_down_sync(kAllLanes, most, offset);
        most = other > most ? other : most;
        const std::uint64_t distances = __shfl_down_sync(kAllLanes, most_distances, offset);
        most_distances = distances > most_distances ? distances : most_distances;
    }
    if (lane_id() == 0) *result = {all.counts(), most, most_distances};
}

/// Takes a path to an own vertex. Returns whether the vertex is to be listed. A path that is as long as the
/// vertex's own is not taken: with weights of 0, it may lead through the vertex itself.
__device__ bool take_path(const SsspView& view, const OfferedPath& offered)
{
    auto* const best = reinterpret_cast<unsigned long long*>(&view.own.pushed[offered.slot].best);
    if (offered.distance >= PushState::distance_of(__ldcg(best))) return false;
    const std::uint64_t path = PushState::path(offered.distance, offered.parent);
    const std::uint64_t before = atomicMin(best, static_cast<unsigned long long>(path));
    return path < before && !PushState::is_queued(before);
}

__global__ __launch_bounds__(kThreads) void take_pieces_kernel(const __grid_constant__ SsspView view,
                                                               Pieces<OfferedPath> received, SlotList taken,
                                                               StepResult* result)
{
    __shared__ BlockListStore store;
    if (first_index() < 32) reduce_headers(received, result);
    if (taken.slots == nullptr) return;
    BlockList<> list(store, taken.slots, taken.size);
    list.clear();
    __syncthreads();
    for (std::uint32_t rank = 0; rank < received.ranks; ++rank) {
        const std::uint64_t items = received.header(rank).items;
        for_each_together(items < received.room ? items : received.room, [&](std::uint64_t i, bool there) {
            OfferedPath offered{};
            if (there) offered = received.items(rank)[i];
            list.append(there && take_path(view, offered), offered.slot);
        });
    }
    BlockList<>::flush(list);
}

// Marks that a thread reads at once.
constexpr std::uint32_t kMarks = SteppedSsspPlan::kMarkedTogether;
static_assert(kMarks == sizeof(uint4) && kMarks == 8 * sizeof(std::uint16_t));

/// The marks of four slots, in one word.
struct FourMarks
{
    std::uint32_t word;

    static constexpr std::uint32_t kLowest = 0x01010101;  // the lowest bit of each mark

    [[nodiscard]] __device__ std::uint32_t of(std::uint32_t slot) const { return word >> slot * 8 & 0xFF; }
    [[nodiscard]] __device__ std::uint32_t all() const { return __popc((word | word >> 1) & kLowest); }
    [[nodiscard]] __device__ std::uint32_t distances() const { return __popc(word >> 1 & kLowest); }
    /// Four bits.
    [[nodiscard]] __device__ std::uint32_t closed() const { return (word & kLowest) * 0x01020408 >> 24; }
    static_assert(ChangeMark::kClosed == 1 && ChangeMark::kDistance == 2);
};

/// The numbers of vertices whose bounds have changed, and of those with smaller distances, as one word, so that a
/// block takes places for both at once.
struct ChangeCount
{
    std::uint32_t distances;
    std::uint32_t all;

    [[nodiscard]] static __device__ ChangeCount of(unsigned long long word)
    {
        return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
    }
    [[nodiscard]] __device__ unsigned long long word() const { return std::uint64_t{all} << 32 | distances; }
};

constexpr int kChangeThreads = 1024;

/// Lists what the marks of four slots, of which `first` is the first, say of them, from `at` on.
__device__ void list_changes(const SsspView& view, const FourMarks& marks, std::uint32_t first, const ChangeCount& at,
                             const ChangesView& changes, BoundsUpdate* piece, std::uint32_t room)
{
    std::uint32_t distances[4];
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) {
        // Most bounds that have only become equal are sent as bits.
        const bool is_wanted = (marks.of(k) & ChangeMark::kDistance) != 0 || (marks.of(k) != 0 && at.all < room);
        distances[k] = is_wanted ? view.own.bounds[view.graph.columns.own_column(first + k)].upper : 0;
    }
    ChangeCount place = at;
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t mark = marks.of(k);
        if (mark == 0) continue;
        const auto item = BoundsUpdate::of(first + k, (mark & ChangeMark::kClosed) != 0, distances[k]);
        if (place.all < room) piece[place.all] = item;
        ++place.all;
        if ((mark & ChangeMark::kDistance) == 0) continue;
        if (place.distances < changes.room) changes.distances[place.distances] = item;
        ++place.distances;
    }
}

/// Blocks take places for all their threads at once: a counter that each warp adds to would take longer than all
/// else.
__global__ __launch_bounds__(kChangeThreads) void pack_changes_kernel(const __grid_constant__ SsspView view,
                                                                      ChangesView changes, Pieces<BoundsUpdate> pieces,
                                                                      PackState state)
{
    using Scan = cub::BlockScan<unsigned long long, kChangeThreads>;
    __shared__ typename Scan::TempStorage scan;
    __shared__ unsigned long long first_of_block;
    const std::uint32_t rank = view.graph.columns.rank;
    auto* const changed = reinterpret_cast<uint4*>(view.messages.changed);
    for_each_together(view.first_leaf / kMarks, [&](std::uint64_t i, bool there) {
        const uint4 found = there ? changed[i] : uint4{};
        const FourMarks marks[] = {{found.x}, {found.y}, {found.z}, {found.w}};
        ChangeCount own{};
        std::uint32_t closed = 0;
#pragma unroll
        for (std::uint32_t k = 0; k < 4; ++k) {
            own.all += marks[k].all();
            own.distances += marks[k].distances();
            closed |= marks[k].closed() << 4 * k;
        }
        if (there) changes.closed[i] = static_cast<std::uint16_t>(closed);
        if (__syncthreads_or(own.all > 0) == 0) return;
        unsigned long long before = 0;
        unsigned long long of_block = 0;
        Scan(scan).ExclusiveSum(own.word(), before, of_block);
        if (threadIdx.x == 0) first_of_block = atomicAdd(state.changes, of_block);
        __syncthreads();
        ChangeCount at = ChangeCount::of(first_of_block + before);
        if (own.all == 0) return;
        changed[i] = {};
#pragma unroll
        for (std::uint32_t k = 0; k < 4; ++k) {
            const auto first = static_cast<std::uint32_t>(i * kMarks + 4 * k);
            if (marks[k].word != 0) list_changes(view, marks[k], first, at, changes, pieces.items(rank), pieces.room);
            at.all += marks[k].all();
            at.distances += marks[k].distances();
        }
    });
    if (!is_last_block(state.finished) || threadIdx.x != 0) return;
    const ChangeCount count = ChangeCount::of(*state.changes);
    pieces.header(rank) = {count.all, count.all, count.distances, take_totals(view)};
    *state.changes = 0;
}

/// Takes the distance of another rank's vertex. A vertex that stays open keeps its lower bound.
__device__ void take_distance(const SsspView& view, std::uint32_t column, const BoundsUpdate& update)
{
    const StoredBounds before = view.own.bounds[column];
    if (update.is_closed())
        view.own.bounds[column] = {update.distance, StoredBounds::kParentElsewhere};
    else
        view.own.bounds[column] =
            StoredBounds::open(update.distance, before.upper == view.messages.unknown ? 0 : before.second);
}

/// The bounds of the vertices of another rank become equal whose slots have a bit. The lanes of a warp take the bits of
/// a word, so that they write neighbouring places.
__device__ void take_closed(const SsspView& view, std::uint32_t rank, std::span<const std::uint32_t> closed)
{
    for (std::uint64_t first = first_index() - lane_id(); first < closed.size(); first += index_stride()) {
        const std::uint64_t own = first + lane_id();
        const std::uint32_t word = own < closed.size() ? closed.data()[own] : 0;
        for (std::uint32_t words = __ballot_sync(kAllLanes, word != 0); words != 0; words &= words - 1) {
            const int k = __ffs(static_cast<int>(words)) - 1;
            const std::uint32_t bits = __shfl_sync(kAllLanes, word, k);
            const auto slot = static_cast<std::uint32_t>(32 * (first + static_cast<std::uint32_t>(k))) + lane_id();
            if ((bits >> lane_id() & 1) != 0)
                view.own.bounds[view.graph.columns.column(rank, slot)].second = StoredBounds::kParentElsewhere;
        }
    }
}

__global__ __launch_bounds__(kThreads) void take_changes_kernel(const __grid_constant__ SsspView view,
                                                                Pieces<BoundsUpdate> pieces, StepResult* result)
{
    const ColumnNumbers& columns = view.graph.columns;
    if (first_index() < 32) reduce_headers(pieces, result);
    for (std::uint32_t rank = 0; rank < columns.ranks; ++rank) {
        if (rank == columns.rank) continue;
        // With bits, only distances are listed.
        const PieceHeader& header = pieces.header(rank);
        const std::uint64_t items = pieces.bit_bytes > 0 ? header.distances : header.items;
        const std::uint64_t count = items < pieces.room ? items : pieces.room;
        for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
            const BoundsUpdate update = pieces.items(rank)[i];
            take_distance(view, columns.column(rank, update.slot()), update);
        }
        const auto* const closed = reinterpret_cast<const std::uint32_t*>(pieces.bits(rank));
        take_closed(view, rank, {closed, pieces.bit_bytes > 0 ? view.first_leaf / 32 : 0});
    }
}

template <typename T>
__global__ __launch_bounds__(kThreads) void pack_columns_kernel(const __grid_constant__ SsspView view,
                                                                std::uint32_t first, const T* by_column,
                                                                Pieces<T> pieces)
{
    const ColumnNumbers& columns = view.graph.columns;
    T* const piece = pieces.items(columns.rank);
    for (std::uint64_t slot = first_index(); slot < pieces.room; slot += index_stride())
        piece[slot] = by_column[columns.own_column(first + static_cast<std::uint32_t>(slot))];
    if (first_index() == 0) pieces.header(columns.rank) = {0, 0, 0, take_totals(view)};
}

template <typename T>
__global__ __launch_bounds__(kThreads) void unpack_columns_kernel(const __grid_constant__ SsspView view,
                                                                  std::uint32_t first, Pieces<T> pieces, T* by_column,
                                                                  StepResult* result)
{
    const ColumnNumbers& columns = view.graph.columns;
    if (first_index() < 32) reduce_headers(pieces, result);
    for (std::uint32_t rank = 0; rank < columns.ranks; ++rank) {
        if (rank == columns.rank) continue;
        const T* const piece = pieces.items(rank);
        for (std::uint64_t slot = first_index(); slot < pieces.room; slot += index_stride())
            by_column[columns.column(rank, first + static_cast<std::uint32_t>(slot))] = piece[slot];
    }
}

template <typename Kernel, typename... Arguments>
void launch_blocks(Kernel kernel, std::uint64_t count, const Stream& stream, const Arguments&... arguments)
{
    const unsigned blocks = std::max(blocks_for(count, kThreads), 1U);
    kernel<<<blocks, kThreads, 0, stream.get()>>>(arguments...);
    check_launch();
}

/// The items of a list whose length only the device knows.
constexpr std::uint64_t kUsualItems = std::uint64_t{1} << 17;

}  // namespace

void pack_offers(const SsspView& view, const SlotList& list, const SlotList& unsent, const Pieces<OfferedPath>& sent,
                 const PackState& state, const Stream& stream)
{
    // Few paths are packed by few blocks.
    const std::uint64_t usual = std::uint64_t{sent.ranks} * sent.room;
    launch_blocks(pack_offers_kernel, std::min(usual, kUsualItems), stream, view, list, unsent, sent, state);
}

void take_pieces(const SsspView& view, const Pieces<OfferedPath>& received, const SlotList& taken, StepResult* result,
                 const Stream& stream)
{
    launch_blocks(take_pieces_kernel, received.room, stream, view, received, taken, result);
}

void pack_changes(const SsspView& view, const ChangesView& changes, const Pieces<BoundsUpdate>& pieces,
                  const PackState& state, const Stream& stream)
{
    constexpr unsigned at_once = 2 * kMultiprocessors;  // each block adds to the same counters
    const unsigned blocks = std::clamp(blocks_for(view.first_leaf / kMarks, kChangeThreads), 1U, at_once);
    pack_changes_kernel<<<blocks, kChangeThreads, 0, stream.get()>>>(view, changes, pieces, state);
    check_launch();
}

void take_changes(const SsspView& view, const Pieces<BoundsUpdate>& pieces, StepResult* result, const Stream& stream)
{
    const std::uint64_t words = pieces.bit_bytes / sizeof(std::uint32_t);
    launch_blocks(take_changes_kernel, std::max<std::uint64_t>(pieces.room, words), stream, view, pieces, result);
}

template <typename T>
void pack_columns(const SsspView& view, std::uint32_t first, const T* by_column, const Pieces<T>& pieces,
                  const Stream& stream)
{
    launch_blocks(pack_columns_kernel<T>, pieces.room, stream, view, first, by_column, pieces);
}

template <typename T>
void unpack_columns(const SsspView& view, std::uint32_t first, const Pieces<T>& pieces, T* by_column,
                    StepResult* result, const Stream& stream)
{
    launch_blocks(unpack_columns_kernel<T>, pieces.room, stream, view, first, pieces, by_column, result);
}

template void pack_columns(const SsspView&, std::uint32_t, const StoredBounds*, const Pieces<StoredBounds>&,
                           const Stream&);
template void unpack_columns(const SsspView&, std::uint32_t, const Pieces<StoredBounds>&, StoredBounds*, StepResult*,
                             const Stream&);
template void pack_columns(const SsspView&, std::uint32_t, const std::uint32_t*, const Pieces<std::uint32_t>&,
                           const Stream&);
template void unpack_columns(const SsspView&, std::uint32_t, const Pieces<std::uint32_t>&, std::uint32_t*, StepResult*,
                             const Stream&);

}  // namespace wayfront::gpu::sssp
