// The bounds of other GPUs' vertices that a GPU needs after the first pass of pulls.
//
// The first pass leaves few vertices open, and each of these with few arcs that may improve it. So a GPU
// asks the others for the bounds of the vertices to which these arcs lead, and of those to which its leaves
// are connected, unless it knows that they are final: a bit for each slot of each owner. The owners answer with
// the bounds, in the order of the bits. From then on they tell of changes of these vertices alone: a bit, in the same
// order, for each whose bounds have become equal, and a list of those with smaller distances. When few vertices
// change, all are listed, without bits.
//
// Of the vertices that a GPU does not ask for it goes on to know too little: nothing, or old bounds, which are wide
// enough never to improve a vertex, and never to keep one open.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/exchange/device_exchange.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/stepped/message.hpp"
#include "gpu/sssp/stepped/messages.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

struct BoundsRequestsPlan : MemoryPlan
{
    /// `slots`: of each rank.
    BoundsRequestsPlan(std::size_t slots, std::size_t ranks)
        : leaf_ends(array<std::uint32_t>("ends of leaves' arcs", ranks, slots / kWordSlots)),
          requested(
              array<std::byte>("requested vertices", ranks, Pieces<std::uint32_t>::bytes_for(slots / kWordSlots))),
          owed(array<std::byte>("vertices that others have requested", ranks,
                                Pieces<std::uint32_t>::bytes_for(slots / kWordSlots))),
          requested_places(array<std::uint32_t>("places of requested bounds", ranks * (slots / kWordSlots) + 1)),
          owed_places(array<std::uint32_t>("places of owed bounds", ranks * (slots / kWordSlots) + 1))
    {
    }

    static constexpr std::size_t kWordSlots = 32;  // of a word of bits

    /// Of a piece with so many bits, which kernels read by words.
    [[nodiscard]] static constexpr std::size_t bit_bytes(std::size_t bits)
    {
        return Pieces<BoundsUpdate>::whole_headers(bits / 8 + sizeof(std::uint32_t));
    }
    /// The least room for the messages of a rank to another one, in bytes.
    [[nodiscard]] static constexpr std::size_t least_room(std::size_t slots)
    {
        constexpr std::size_t changes = 64;
        return 2 * Pieces<BoundsUpdate>::bytes_for(changes, bit_bytes(slots));
    }

    PlannedArray<std::uint32_t> leaf_ends;
    PlannedArray<std::byte> requested, owed;
    PlannedArray<std::uint32_t> requested_places, owed_places;
};

/// Belongs to the searches of one view: its first_leaf slots of each rank are those that pull.
class BoundsRequests
{
public:
    /// The references outlive the object. `room`: for the messages, of any content between calls.
    /// `most_items`: of the first message of a step to a rank, at most.
    BoundsRequests(const SsspView& view, DeviceExchange& exchange, const Stream& stream, StepResults& results,
                   std::span<std::byte> room, std::uint32_t most_items);

    /// Begins a search's requests, with the ends of leaves. Returns the bits of each rank's slots, to which a kernel
    /// adds those of the ends of arcs.
    [[nodiscard]] Pieces<std::uint32_t> begin();
    /// Sends the requests, and takes the answers. Returns the counts of the step. Collective.
    [[nodiscard]] SsspCounts exchange();
    /// Tells each rank what has changed of the vertices that it has requested, and forgets all marks of changes.
    /// Returns the result of the step. If a rank has to list more vertices for another one than have_room(), none are
    /// told. Collective; after exchange().
    [[nodiscard]] StepResult tell_changes(const PackState& state);
    [[nodiscard]] bool have_room(std::uint64_t changes) const { return changes <= most_listed(); }

    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

private:
    static constexpr std::uint32_t kLeastChanges = 512;
    // The second message of a step may be so many times as large as the first one.
    static constexpr std::uint32_t kMoreItems = 64;

    /// Of a piece in one direction, in bytes.
    [[nodiscard]] std::size_t half_of_room() const { return room_.size() / 2 / view_.graph.columns.ranks; }
    /// The bytes of bits in the order of those of requests.
    [[nodiscard]] std::uint32_t bit_bytes() const
    {
        return static_cast<std::uint32_t>(BoundsRequestsPlan::bit_bytes(most_requested_));
    }
    [[nodiscard]] std::size_t most_listed() const
    {
        return std::min<std::size_t>(Pieces<BoundsUpdate>::most_items(half_of_room() - bit_bytes()),
                                     std::uint64_t{kMoreItems} * most_items_);
    }

    [[nodiscard]] Pieces<std::uint32_t> pieces(const PlannedArray<std::byte>& memory);
    /// The next message, in the room unless there is a better place.
    template <typename Item>
    [[nodiscard]] Message<Item> message(std::uint32_t room, std::uint32_t bit_bytes) const;
    /// `most`: answers to one rank.
    void send_answers(std::uint32_t most);
    /// `bit_bytes`: 0 if all changes are listed.
    [[nodiscard]] StepResult exchange_changes(std::uint32_t room, std::uint32_t bit_bytes, const PackState& state);

    const SsspView& view_;
    DeviceExchange& exchange_;
    const Stream& stream_;
    StepResults& results_;
    std::span<std::byte> room_;
    std::uint32_t most_items_;
    std::uint32_t most_requested_ = 0;  // by a rank from another one, in this search
    // What a rank probably lists for another one in the next step, and what it tells it with lists and bits.
    std::uint64_t expected_listed_ = 0, expected_changes_ = 0;
    BoundsRequestsPlan plan_;
    DeviceArrays memory_;
    DeviceBuffer<std::byte> scratch_;  // of sums
};

}  // namespace wayfront::gpu::sssp
