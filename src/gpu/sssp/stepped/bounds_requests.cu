#include <algorithm>
#include <cstdint>
#include <span>

#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/runtime/block_loop.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"
#include "gpu/runtime/warp_prefix.cuh"
#include "gpu/sssp/stepped/bounds_requests.hpp"
#include "gpu/sssp/stepped/pieces.cuh"

namespace wayfront::gpu::sssp {

namespace {

/// Calls f(slot) for each bit of the word number `word` of a bitmap.
template <typename F>
__device__ void for_bits(std::uint32_t bits, std::uint32_t word, F&& f)
{
    for (; bits != 0; bits &= bits - 1) f(32 * word + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits))) - 1);
}

__global__ void collect_leaf_ends(const __grid_constant__ SsspView view, std::uint32_t* leaf_ends, std::uint32_t words)
{
    const ColumnNumbers& columns = view.graph.columns;
    for (std::uint64_t slot = view.first_leaf + first_index(); slot < view.graph.slots; slot += index_stride()) {
        const std::uint32_t end = view.leaves[slot - view.first_leaf].arc.end;
        if (end >= view.first_leaf_column) continue;
        const std::uint32_t owner = columns.owner_of(end);
        const std::uint32_t end_slot = columns.slot_of(end);
        if (owner != columns.rank) atomicOr(leaf_ends + owner * words + end_slot / 32, 1U << end_slot % 32);
    }
}

/// Requests the ends of leaves' arcs whose final distances are not known.
__global__ void request_leaf_ends(const __grid_constant__ SsspView view, const std::uint32_t* leaf_ends,
                                  Pieces<std::uint32_t> requested)
{
    for (std::uint32_t rank = 0; rank < requested.ranks; ++rank)
        for (auto word = static_cast<std::uint32_t>(first_index()); word < requested.room; word += index_stride()) {
            std::uint32_t owed = 0;
            for_bits(leaf_ends[rank * requested.room + word], word, [&](std::uint32_t slot) {
                if (!is_known(view, view.graph.columns.column(rank, slot))) owed |= 1U << slot % 32;
            });
            requested.items(rank)[word] = owed;
        }
}

__global__ void count_bits(Pieces<std::uint32_t> bits, std::uint32_t* counts)
{
    const std::uint64_t all = std::uint64_t{bits.ranks} * bits.room;
    for (std::uint64_t i = first_index(); i <= all; i += index_stride())
        counts[i] = i < all ? __popc(bits.items(static_cast<std::uint32_t>(i / bits.room))[i % bits.room]) : 0;
}

/// Writes the headers of the requests. The number of items of a request is its number of bits. One
/// thread runs.
__global__ void write_request_headers(const __grid_constant__ SsspView view, Pieces<std::uint32_t> requested,
                                      const std::uint32_t* places)
{
    const SsspCounts totals = read_and_reset_totals(view);
    std::uint32_t most = 0;
    for (std::uint64_t rank = 0; rank < requested.ranks; ++rank) {
        const std::uint32_t items = places[(rank + 1) * requested.room] - places[rank * requested.room];
        most = items > most ? items : most;
    }
    for (std::uint32_t rank = 0; rank < requested.ranks; ++rank) requested.header(rank) = {0, most, totals, most, 0};
}

__global__ void read_request_headers(Pieces<std::uint32_t> owed, StepResult* result)
{
    reduce_headers(owed, result);
}

/// Bitmaps of the slots of each rank, and the place of each set bit among the bits of its rank. A
/// thread takes one word of a bitmap, since few bits of a word are set.
struct PlacedBits
{
    Pieces<std::uint32_t> bits;
    // Place of each word's first bit, counted over all ranks; the last entry is the number of all
    // bits.
    const std::uint32_t* places;

    [[nodiscard]] __device__ std::uint32_t place(std::uint32_t rank, std::uint32_t word) const
    {
        const std::uint32_t* const of_rank = places + std::uint64_t{rank} * bits.room;
        return of_rank[word] - of_rank[0];
    }

    /// Calls f(slot, place) for the set bits of a rank.
    template <typename F>
    __device__ void for_slots(std::uint32_t rank, F&& f) const
    {
        for (auto word = static_cast<std::uint32_t>(first_index()); word < bits.room; word += index_stride()) {
            const std::uint32_t all = bits.items(rank)[word];
            if (all == 0) continue;
            std::uint32_t at = place(rank, word);
            for_bits(all, word, [&](std::uint32_t slot) { f(slot, at++); });
        }
    }
};

/// Writes the answers from place `first` on, a multiple of PackedBounds::kCount, as many as have
/// room in a piece.
__global__ void answer(const __grid_constant__ SsspView view, PlacedBits owed, std::uint32_t first,
                       Pieces<PackedBounds> answers)
{
    for (std::uint32_t rank = 0; rank < answers.ranks; ++rank)
        owed.for_slots(rank, [&](std::uint32_t slot, std::uint32_t place) {
            const std::uint32_t item = (place - first) / PackedBounds::kCount;
            if (place >= first && item < answers.room)
                answers.items(rank)[item].set(place % PackedBounds::kCount,
                                              view.own.bounds[view.graph.columns.own_column(slot)]);
        });
}

__global__ void store_answers(const __grid_constant__ SsspView view, PlacedBits requested, std::uint32_t first,
                              Pieces<PackedBounds> answers)
{
    for (std::uint32_t rank = 0; rank < answers.ranks; ++rank)
        requested.for_slots(rank, [&](std::uint32_t slot, std::uint32_t place) {
            const std::uint32_t item = (place - first) / PackedBounds::kCount;
            if (place >= first && item < answers.room)
                store_bounds(view, view.graph.columns.column(rank, slot),
                             answers.items(rank)[item].bounds(place % PackedBounds::kCount));
        });
}

/// The changed vertices of one word: bits by place, counted from the word's first place, and bits
/// by slot.
struct WordChanges
{
    std::uint32_t closed = 0;
    std::uint32_t listed = 0;
};

/// Lists the vertices with smaller distances. If `with_bits`, bits say which vertices are closed;
/// otherwise closed vertices are listed, too.
[[nodiscard]] __device__ WordChanges changes_of(const SsspView& view, std::uint32_t bits, std::uint32_t word,
                                                bool with_bits)
{
    const std::uint32_t lists = with_bits ? ChangeMark::kDistance : ChangeMark::kDistance | ChangeMark::kClosed;
    WordChanges changes;
    std::uint32_t place = 1;  // the bit of the current place
    for_bits(bits, word, [&](std::uint32_t slot) {
        const std::uint32_t mark = view.messages.changed[slot];
        if (with_bits && (mark & ChangeMark::kClosed) != 0) changes.closed |= place;
        if ((mark & lists) != 0) changes.listed |= 1U << slot % 32;
        place <<= 1;
    });
    return changes;
}

/// Writes the changes for each rank to its piece. Pre: the bits of the pieces are 0.
__global__ void pack_owed_changes(const __grid_constant__ SsspView view, PlacedBits owed, Pieces<BoundsUpdate> sent,
                                  PackState state)
{
    for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
        auto* const closed = reinterpret_cast<std::uint32_t*>(sent.bits(rank));
        for_each_together(owed.bits.room, [&](std::uint64_t i, bool in_range) {
            const auto word = static_cast<std::uint32_t>(i);
            const std::uint32_t bits = in_range ? owed.bits.items(rank)[word] : 0;
            const WordChanges changes = changes_of(view, bits, word, sent.bit_bytes != 0);
            if (changes.closed != 0) {
                const std::uint32_t first = owed.place(rank, word);
                atomicOr(closed + first / 32, changes.closed << first % 32);
                const std::uint32_t rest = first % 32 == 0 ? 0 : changes.closed >> (32 - first % 32);
                if (rest != 0) atomicOr(closed + first / 32 + 1, rest);
            }
            // A warp adds to each counter only once.
            std::uint32_t closed_of_warp = 0;
            static_cast<void>(warp_prefix(static_cast<std::uint32_t>(__popc(changes.closed)), closed_of_warp));
            if (lane_id() == 0 && closed_of_warp > 0) atomicAdd(state.closed + rank, closed_of_warp);
            std::uint32_t of_warp = 0;
            std::uint32_t place = warp_prefix(static_cast<std::uint32_t>(__popc(changes.listed)), of_warp);
            if (of_warp == 0) return;
            std::uint32_t before = 0;
            if (lane_id() == 0) before = atomicAdd(state.items + rank, of_warp);
            place += __shfl_sync(kAllLanes, before, 0);
            for_bits(changes.listed, word, [&](std::uint32_t slot) {
                const StoredBounds bounds = view.own.bounds[view.graph.columns.own_column(slot)];
                if (place < sent.room)
                    sent.items(rank)[place] = BoundsUpdate::of(slot, bounds.is_final(), bounds.upper);
                ++place;
            });
        });
    }
    if (is_last_block(state.finished) && threadIdx.x == 0) write_headers(view, sent, state);
}

__global__ void store_requested_changes(const __grid_constant__ SsspView view, PlacedBits requested,
                                        Pieces<BoundsUpdate> received, StepResult* result)
{
    const ColumnNumbers& columns = view.graph.columns;
    if (first_index() < 32) reduce_headers(received, result);
    for (std::uint32_t rank = 0; rank < received.ranks; ++rank) {
        store_listed(view, received, rank);
        if (received.bit_bytes == 0) continue;
        const auto* const closed = reinterpret_cast<const std::uint32_t*>(received.bits(rank));
        requested.for_slots(rank, [&](std::uint32_t slot, std::uint32_t place) {
            if ((closed[place / 32] >> place % 32 & 1) != 0)
                view.own.bounds[columns.column(rank, slot)].second = StoredBounds::kParentElsewhere;
        });
    }
}

}  // namespace

BoundsRequests::BoundsRequests(const SsspView& view, DeviceExchange& exchange, const Stream& stream,
                               StepResults& results, const MessageRoom& room)
    : view_(view),
      exchange_(exchange),
      stream_(stream),
      results_(results),
      room_(room.memory),
      most_items_(room.most_items),
      plan_(view.first_leaf, view.graph.columns.ranks),
      memory_(plan_)
{
    const std::span<std::uint32_t> ends = memory_[plan_.leaf_ends];
    fill_bytes_async(ends, 0, stream_);
    launch(collect_leaf_ends, view_.graph.slots - view_.first_leaf, stream_, view_, ends.data(),
           pieces(plan_.requested).room);
}

Pieces<std::uint32_t> BoundsRequests::pieces(const PlannedArray<std::byte>& memory)
{
    return {memory_[memory].data(), view_.graph.columns.ranks,
            static_cast<std::uint32_t>(view_.first_leaf / BoundsRequestsPlan::kWordSlots)};
}

Pieces<std::uint32_t> BoundsRequests::begin()
{
    const Pieces<std::uint32_t> requested = pieces(plan_.requested);
    launch(request_leaf_ends, requested.room, stream_, view_, memory_[plan_.leaf_ends].data(), requested);
    return requested;
}

SsspCounts BoundsRequests::exchange()
{
    const Pieces<std::uint32_t> requested = pieces(plan_.requested);
    const Pieces<std::uint32_t> owed = pieces(plan_.owed);
    // Later passes also read both bitmaps, so these are in memory that the search keeps, not in the
    // room for messages.
    const Message<std::uint32_t> message{requested, owed, {}};
    const auto find_places = [this](const Pieces<std::uint32_t>& bits, std::span<std::uint32_t> places) {
        launch(count_bits, places.size(), stream_, bits, places.data());
        exclusive_sum(places, scratch_, stream_);
    };
    find_places(requested, memory_[plan_.requested_places]);
    write_request_headers<<<1, 1, 0, stream_.get()>>>(view_, requested, memory_[plan_.requested_places].data());
    check_launch();
    exchange_.all_to_all(requested.begin, owed.begin, requested.piece_bytes(), stream_);
    read_request_headers<<<1, 32, 0, stream_.get()>>>(owed, results_.from_kernel(message));
    check_launch();
    find_places(owed, memory_[plan_.owed_places]);
    const StepResult of_all = results_.of(message);
    most_requested_ = static_cast<std::uint32_t>(of_all.most_items);
    expected_listed_ = kLeastChanges;
    expected_changes_ = most_requested_;
    send_answers(most_requested_);
    return of_all.counts;
}

void BoundsRequests::send_answers(std::uint32_t most)
{
    const PlacedBits owed{pieces(plan_.owed), memory_[plan_.owed_places].data()};
    const PlacedBits requested{pieces(plan_.requested), memory_[plan_.requested_places].data()};
    const std::size_t most_room = Pieces<PackedBounds>::most_items(half_of_room());
    const std::size_t wanted = std::min(most, most_items_) / PackedBounds::kCount + 1;
    const auto room = static_cast<std::uint32_t>(std::min(wanted, most_room));
    for (std::uint32_t first = 0; first < most; first += PackedBounds::kCount * room) {
        const Message<PackedBounds> answers = message<PackedBounds>(room, 0);
        launch(answer, owed.bits.room, stream_, view_, owed, first, answers.sent);
        exchange_.all_to_all(answers.sent.begin, answers.received.begin, answers.sent.piece_bytes(), stream_);
        launch(store_answers, requested.bits.room, stream_, view_, requested, first, answers.received);
    }
}

StepResult BoundsRequests::send_changes(const PackState& state)
{
    const bool lists_all = expected_changes_ * sizeof(BoundsUpdate) < bit_bytes();
    const std::uint32_t bits = lists_all ? 0 : bit_bytes();
    const std::uint64_t expected =
        std::max<std::uint64_t>(lists_all ? expected_changes_ : expected_listed_, kLeastChanges);
    const auto room = static_cast<std::uint32_t>(std::min<std::uint64_t>({expected, most_items_, most_listed()}));
    const StepResult first = exchange_changes(room, bits, state);
    const std::uint64_t most = first.most_items;
    // Changes that found no room in the message are still marked.
    if (most > room && have_room(most))
        static_cast<void>(exchange_changes(static_cast<std::uint32_t>(most), bits, state));
    fill_bytes_async(std::span(view_.messages.changed, view_.first_leaf), 0, stream_);
    // The next pass is expected to improve half as many vertices.
    expected_listed_ = most / 2;
    expected_changes_ = first.most_changes;
    return first;
}

StepResult BoundsRequests::exchange_changes(std::uint32_t room, std::uint32_t bit_bytes, const PackState& state)
{
    const PlacedBits owed{pieces(plan_.owed), memory_[plan_.owed_places].data()};
    const PlacedBits requested{pieces(plan_.requested), memory_[plan_.requested_places].data()};
    const Message<BoundsUpdate> changes = message<BoundsUpdate>(room, bit_bytes);
    const Pieces<BoundsUpdate>& sent = changes.sent;
    if (bit_bytes > 0) fill_bytes_async(std::span(sent.begin, sent.ranks * sent.piece_bytes()), 0, stream_);
    launch(pack_owed_changes, owed.bits.room, stream_, view_, owed, sent, state);
    exchange_.all_to_all(sent.begin, changes.received.begin, sent.piece_bytes(), stream_,
                         Pieces<BoundsUpdate>::used_bytes);
    constexpr std::uint32_t warp = 32;  // one warp reduces the headers
    const std::uint32_t words = bit_bytes > 0 ? requested.bits.room : warp;
    launch(store_requested_changes, std::max(words, room), stream_, view_, requested, changes.received,
           results_.from_kernel(changes));
    return results_.of(changes);
}

template <typename Item>
Message<Item> BoundsRequests::message(std::uint32_t room, std::uint32_t bit_bytes) const
{
    const Pieces<Item> sent{room_.data(), view_.graph.columns.ranks, room, bit_bytes};
    return next_message(exchange_, sent, {sent.begin + sent.ranks * sent.piece_bytes(), sent.ranks, room, bit_bytes});
}

}  // namespace wayfront::gpu::sssp
