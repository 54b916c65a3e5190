// The arguments of the kernels: plain pointers into device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/graph/list_tiles.hpp"
#include "graph/csr.hpp"

namespace wayfront::gpu::sssp {

/// A block of the adjacency matrix in device memory, in the host's numbering.
template <typename W>
struct WeightedBlockView
{
    CsrView out_edges;  // by column
    const W* out_weights = nullptr;
    CsrView in_edges;  // by row; only if the lists are sorted by weight
    const W* in_weights = nullptr;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    // This rank's slots among the columns.
    std::uint32_t slots = 0;
    std::uint32_t first_own_column = 0;

    /// Whether the rows are the own columns, so that no other rank improves them.
    [[nodiscard]] WAYFRONT_HD bool owns_rows() const { return rows == slots; }
};

/// The entries of a column's list, from its beginning, that are pushed in this window.
struct PushedEntries
{
    std::uint32_t first;  // those before were pushed in earlier rounds
    std::uint32_t last;   // one past the end
};

/// The counts of a round.
struct RoundHeader
{
    std::uint64_t arcs;           // whose weight was read
    std::uint64_t pieces;         // of wide lists
    std::uint64_t next;           // as in algo::RoundWork, as an ordered word
    std::uint64_t improved_rows;  // by a pull
    std::uint32_t improved;       // rows in the list
    std::uint32_t active;         // columns with entries in the window
    std::uint32_t open;           // columns or rows in the list that the round begins with
    std::uint32_t still_open;     // those in the list that the next round begins with
    std::uint32_t overflow;
};

template <typename D>
struct SsspStateView
{
    std::uint64_t* words = nullptr;    // of rows: RowWord<D>
    std::uint32_t* parents = nullptr;  // of rows, if they are not in the words
    D* columns = nullptr;              // distances
    std::uint32_t* changed = nullptr;  // the columns that were expanded last

    // Only if the lists are sorted by weight. Of windows:
    std::uint32_t* active = nullptr;  // columns
    PushedEntries* places = nullptr;  // of columns that were pushed
    D* nexts = nullptr;               // the sum of each column's next entry; unreached<D>(): none
    std::uint8_t* is_open = nullptr;  // whether a column is in `open`
    // In windows the columns whose lists go on, each once; in pulls the rows that may still
    // improve.
    std::uint32_t* open = nullptr;
    std::uint32_t* still_open = nullptr;  // the same for the next round

    std::uint32_t* improved = nullptr;       // rows
    std::uint32_t* improved_bits = nullptr;  // rows, bitmap; empty once a round is committed
    RoundHeader* header = nullptr;
    WidePiece* pieces = nullptr;  // room for the wide lists of all columns
};

/// The input's numbers of columns, of 32 bits or of 64.
struct ColumnVertices
{
    const std::int32_t* narrow = nullptr;
    const std::int64_t* wide = nullptr;

    [[nodiscard]] WAYFRONT_HD std::int64_t operator[](std::uint32_t column) const
    {
        return narrow != nullptr ? narrow[column] : wide[column];
    }
};

/// A changed distance on its way to the blocks of the grid column.
template <typename D>
struct ToldDistance
{
    std::uint32_t slot;
    D distance;
};

/// A distance that a block found, on its way to its owner along the grid row.
template <typename D>
struct FoundDistance
{
    std::int64_t parent;  // the input's number
    D distance;
    std::uint32_t slot;
};

/// The counts of own slots.
struct SlotCounts
{
    std::uint64_t least;          // the smallest distance of the changed or the chosen slots, as an ordered word
    std::uint64_t least_left;     // that of the slots that were not chosen
    std::uint64_t changed_edges;  // out-edges of the changed slots
    std::uint64_t settled_edges;  // out-edges of those that were settled with the last round
    // The numbers of the slots in the lists.
    std::uint32_t changed;
    std::uint32_t chosen;
    std::uint32_t waiting;
    std::uint32_t still_waiting;
    std::uint32_t settled;
    std::uint32_t overflows;  // 1: a piece of found distances had no room for all (FoundPieces)
};

/// The counts of a round and those of own slots, which are copied to the host together.
struct GridCounts
{
    RoundHeader round;
    SlotCounts slots;
};

/// Found distances in pieces of one size, one for each rank of the grid row, which travel before
/// anybody knows how many there are: their number, the largest number of the sender's pieces, and as
/// many distances as there is room for. If a number of any rank is larger than the room, all ranks
/// send again what had no room, once the hosts have read the numbers.
template <typename D>
struct FoundPieces
{
    std::byte* sent = nullptr;
    std::byte* received = nullptr;
    std::uint32_t ranks = 1;
    std::uint32_t own = 0;
    std::uint32_t room = 0;

    static constexpr std::size_t kHeaderBytes = 16;

    [[nodiscard]] WAYFRONT_HD static constexpr std::size_t piece_bytes(std::uint32_t room)
    {
        return kHeaderBytes + room * sizeof(FoundDistance<D>);
    }
    [[nodiscard]] WAYFRONT_HD std::uint64_t* count(std::byte* pieces, std::uint32_t rank) const
    {
        return reinterpret_cast<std::uint64_t*>(pieces + rank * piece_bytes(room));
    }
    [[nodiscard]] WAYFRONT_HD std::uint64_t* most(std::byte* pieces, std::uint32_t rank) const
    {
        return count(pieces, rank) + 1;
    }
    [[nodiscard]] WAYFRONT_HD FoundDistance<D>* distances(std::byte* pieces, std::uint32_t rank) const
    {
        return reinterpret_cast<FoundDistance<D>*>(pieces + rank * piece_bytes(room) + kHeaderBytes);
    }
};

/// Sets of own slots, as lists, with bitmaps where a slot must not be listed twice.
struct SlotSetsView
{
    std::uint32_t* changed = nullptr;
    std::uint32_t* changed_bits = nullptr;  // empty once a round is committed; null if rows are own slots
    std::uint32_t* chosen = nullptr;
    // Only in delta-stepping:
    std::uint32_t* waiting = nullptr;
    std::uint32_t* still_waiting = nullptr;
    std::uint32_t* waiting_bits = nullptr;
    // Only in push-pull:
    std::uint32_t* settled = nullptr;
    std::uint32_t* settled_bits = nullptr;

    const std::uint32_t* out_degrees = nullptr;  // in the whole graph
    std::int64_t* parents = nullptr;             // the input's numbers; null if rows are own slots
    SlotCounts* counts = nullptr;
};

}  // namespace wayfront::gpu::sssp
