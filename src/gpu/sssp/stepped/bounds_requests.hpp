// Requests for the bounds of other GPUs' vertices that a GPU needs after the first pass of pulls.
//
// After the first pass, few vertices are open, and few arcs may improve each of them. A GPU
// requests the bounds of the vertices to which these arcs lead, and of the neighbours of its
// leaves, unless it knows that these bounds are final. A request is a bitmap of the slots of each
// owner. The owners answer with the bounds, in the order of the bits. After each later pass, the
// owners send only changes of the requested vertices: one bit, in the same order, for each vertex
// whose bounds have become equal, and a list of the vertices with smaller distances. If few
// vertices change, the list contains all changes, and there are no bits.
//
// A GPU has no bounds, or outdated bounds, of vertices that it has not requested. These bounds are
// so wide that they never improve a vertex and never keep a vertex open.
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
    /// `slots`: number of slots of each rank.
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

    static constexpr std::size_t kWordSlots = 32;  // number of slots in a word of a bitmap

    /// Bytes of the bits in a piece with `bits` bits. Kernels read the bits by words.
    [[nodiscard]] static constexpr std::size_t bit_bytes(std::size_t bits)
    {
        return Pieces<BoundsUpdate>::whole_headers(bits / 8 + sizeof(std::uint32_t));
    }
    /// Smallest room for the messages from a rank to another rank, in bytes.
    [[nodiscard]] static constexpr std::size_t least_room(std::size_t slots)
    {
        constexpr std::size_t changes = 64;
        return 2 * Pieces<BoundsUpdate>::bytes_for(changes, bit_bytes(slots));
    }

    PlannedArray<std::uint32_t> leaf_ends;
    PlannedArray<std::byte> requested, owed;
    PlannedArray<std::uint32_t> requested_places, owed_places;
};

/// The room for the messages of requests.
struct MessageRoom
{
    std::span<std::byte> memory;   // its content may change between calls
    std::uint32_t most_items = 0;  // largest number of items in the first message of a step to a rank
};

/// The requests of the searches with one view. The vertices that pull have the first `first_leaf`
/// slots of each rank.
class BoundsRequests
{
public:
    /// The references outlive the object.
    BoundsRequests(const SsspView& view, DeviceExchange& exchange, const Stream& stream, StepResults& results,
                   const MessageRoom& room);

    /// Begins the requests of a search with the ends of leaves' arcs. Returns the bitmap of each
    /// rank's slots; a kernel then adds the ends of other arcs.
    [[nodiscard]] Pieces<std::uint32_t> begin();
    /// Sends the requests and receives the answers. Returns the counts of the step. Collective.
    [[nodiscard]] SsspCounts exchange();
    /// Sends the changes of the requested vertices to the ranks that have requested them, and
    /// clears all marks of changes. Returns the result of the step. If a list for a rank is longer
    /// than have_room() allows, no complete list is sent. Pre: exchange() was called. Collective.
    [[nodiscard]] StepResult send_changes(const PackState& state);
    [[nodiscard]] bool have_room(std::uint64_t changes) const { return changes <= most_listed(); }

    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

private:
    static constexpr std::uint32_t kLeastChanges = 512;
    // The second message of a step may be kMoreItems times as large as the first one.
    static constexpr std::uint32_t kMoreItems = 64;

    /// Size of a piece in one direction, in bytes.
    [[nodiscard]] std::size_t half_of_room() const { return room_.size() / 2 / view_.graph.columns.ranks; }
    /// The bytes of the bits in a piece of changes.
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
    /// The next message, in `room_` unless the exchange has a better place.
    template <typename Item>
    [[nodiscard]] Message<Item> message(std::uint32_t room, std::uint32_t bit_bytes) const;
    /// `most`: largest number of answers to one rank.
    void send_answers(std::uint32_t most);
    /// `bit_bytes`: 0 if the lists contain all changes.
    [[nodiscard]] StepResult exchange_changes(std::uint32_t room, std::uint32_t bit_bytes, const PackState& state);

    const SsspView& view_;
    DeviceExchange& exchange_;
    const Stream& stream_;
    StepResults& results_;
    std::span<std::byte> room_;
    std::uint32_t most_items_;
    // Largest number of bounds that a rank has requested from another rank in this search.
    std::uint32_t most_requested_ = 0;
    // Expected numbers for the next step: vertices that a rank lists for another rank, and changes
    // by lists and bits.
    std::uint64_t expected_listed_ = 0, expected_changes_ = 0;
    BoundsRequestsPlan plan_;
    DeviceArrays memory_;
    DeviceBuffer<std::byte> scratch_;  // memory of prefix sums
};

}  // namespace wayfront::gpu::sssp
