// The messages between the GPUs of a stepped search for shortest paths. Needs no nvcc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/runtime/leading_zeros.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The shortest path that a GPU found to another GPU's vertex, as it is sent to the owner.
struct OfferedPath
{
    std::uint32_t slot;
    std::uint32_t distance;
    std::uint32_t parent;  // column of the parent
};

/// A change of a vertex, as its owner sends it to the other GPUs.
struct BoundsUpdate
{
    std::uint32_t slot_and_closed;  // 2 slot + 1 if the distance is final
    std::uint32_t distance;

    [[nodiscard]] static WAYFRONT_HD constexpr BoundsUpdate of(std::uint32_t slot, bool closed, std::uint32_t distance)
    {
        return {slot << 1 | (closed ? 1U : 0U), distance};
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t slot() const { return slot_and_closed >> 1; }
    [[nodiscard]] WAYFRONT_HD constexpr bool is_closed() const { return (slot_and_closed & 1) != 0; }
};

/// The bounds of four vertices, in a message. The lower bounds are rounded down.
struct PackedBounds
{
    static constexpr std::uint32_t kCount = 4;
    static constexpr std::uint8_t kFinal = 0xFF;

    std::uint32_t upper[kCount];
    std::uint8_t gap[kCount];  // kFinal, or the number of bits of upper bound - lower bound

    WAYFRONT_HD constexpr void set(std::uint32_t i, const StoredBounds& bounds)
    {
        upper[i] = bounds.upper;
        gap[i] =
            bounds.is_final() ? kFinal : static_cast<std::uint8_t>(32 - leading_zeros(bounds.upper - bounds.second));
    }
    [[nodiscard]] WAYFRONT_HD constexpr StoredBounds bounds(std::uint32_t i) const
    {
        if (gap[i] == kFinal) return {upper[i], StoredBounds::kParentElsewhere};
        const std::uint32_t most = gap[i] < 32 ? (1U << gap[i]) - 1 : ~0U;
        return StoredBounds::open(upper[i], upper[i] > most ? upper[i] - most : 0);
    }
};

/// The header of a piece. In each step, every rank sends a piece to all other ranks, so that all
/// ranks have the counts of all ranks.
struct alignas(64) PieceHeader
{
    std::uint64_t items;         // number of items for the receiver, including items without room in the piece
    std::uint64_t most_items;    // largest `items` over the sender's pieces
    SsspCounts counts;           // counts of the sender's threads
    std::uint64_t most_changes;  // largest number of changes over the sender's pieces, including those sent as bits
    std::uint64_t bit_bytes;     // bytes of the bits in the piece
};

/// Pieces of equal size, one for each rank. A piece has a header, bits, and items.
template <typename Item>
struct Pieces
{
    std::byte* begin = nullptr;
    std::uint32_t ranks = 1;
    std::uint32_t room = 0;       // capacity of a piece, in items
    std::uint32_t bit_bytes = 0;  // bytes of the bits in a piece, a multiple of sizeof(PieceHeader)

    [[nodiscard]] WAYFRONT_HD static constexpr std::size_t bytes_for(std::size_t room, std::size_t bit_bytes = 0)
    {
        return whole_headers(sizeof(PieceHeader) + bit_bytes + room * sizeof(Item));
    }
    [[nodiscard]] WAYFRONT_HD static constexpr std::size_t whole_headers(std::size_t bytes)
    {
        return (bytes + sizeof(PieceHeader) - 1) / sizeof(PieceHeader) * sizeof(PieceHeader);
    }
    /// The capacity in items of a piece of at most `bytes` bytes without bits.
    [[nodiscard]] static constexpr std::size_t most_items(std::size_t bytes)
    {
        const std::size_t whole = bytes / sizeof(PieceHeader) * sizeof(PieceHeader);
        return whole > sizeof(PieceHeader) ? (whole - sizeof(PieceHeader)) / sizeof(Item) : 0;
    }
    [[nodiscard]] WAYFRONT_HD std::size_t piece_bytes() const { return bytes_for(room, bit_bytes); }
    /// The number of bytes of a piece that are in use; a UsedBytes function.
    [[nodiscard]] static std::size_t used_bytes(const std::byte* piece, std::size_t piece_bytes)
    {
        const auto& header = *reinterpret_cast<const PieceHeader*>(piece);
        return std::min(piece_bytes, bytes_for(header.items, header.bit_bytes));
    }
    [[nodiscard]] WAYFRONT_HD PieceHeader& header(std::uint32_t rank) const
    {
        return *reinterpret_cast<PieceHeader*>(begin + rank * piece_bytes());
    }
    [[nodiscard]] WAYFRONT_HD std::byte* bits(std::uint32_t rank) const
    {
        return begin + rank * piece_bytes() + sizeof(PieceHeader);
    }
    [[nodiscard]] WAYFRONT_HD Item* items(std::uint32_t rank) const
    {
        return reinterpret_cast<Item*>(bits(rank) + bit_bytes);
    }
};

/// The list of the vertices whose bounds have changed, which a rank sends to all other ranks.
struct ChangesView
{
    BoundsUpdate* items = nullptr;
    std::uint32_t room = 0;  // capacity; further vertices are left out
};

/// A list of slots or columns in device memory. If the pointers are null, the list is empty.
struct SlotList
{
    std::uint32_t* slots = nullptr;
    std::uint32_t* size = nullptr;
};

/// The columns of other ranks' vertices to which this rank offers paths.
struct OfferedColumns
{
    SlotList listed;
    SlotList unsent;  // columns whose paths find no room in a message
};

/// The result of a step for the host.
struct StepResult
{
    SsspCounts counts;         // sum over all ranks
    std::uint64_t most_items;  // largest number of items in a piece, over all ranks
    std::uint64_t most_changes;
};

/// Counters of the kernels that fill pieces. All are 0 between launches.
struct PackState
{
    std::uint32_t* items = nullptr;     // by rank: number of items
    std::uint32_t* closed = nullptr;    // by rank: number of vertices that the bits report as closed
    std::uint32_t* finished = nullptr;  // number of blocks that have finished
    std::uint32_t* unsent = nullptr;    // number of columns whose paths found no room
};

}  // namespace wayfront::gpu::sssp
