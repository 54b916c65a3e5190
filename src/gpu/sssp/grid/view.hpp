// The arguments of the kernels of a search over a grid: plain pointers into device memory.
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
    // The position of this rank's slots among the columns.
    std::uint32_t slots = 0;
    std::uint32_t first_own_column = 0;

    /// Whether the rows are the own columns. If so, no other rank improves the rows.
    [[nodiscard]] WAYFRONT_HD bool owns_rows() const { return rows == slots; }
};

/// The entries of a column's list that are pushed in this window.
struct PushedEntries
{
    std::uint32_t first;  // earlier rounds have pushed the entries before this one
    std::uint32_t last;   // end of these entries
};

/// The counts of a round.
struct RoundHeader
{
    std::uint64_t arcs;           // number of arcs whose weight was read
    std::uint64_t pieces;         // number of pieces of wide lists
    std::uint64_t next;           // algo::RoundWork::next, as an ordered word
    std::uint64_t improved_rows;  // number of rows that a pull improved
    std::uint32_t improved;       // number of rows in the list of improved rows
    std::uint32_t active;         // number of columns with entries in the window
    std::uint32_t open;           // number of columns or rows in the list `open`
    std::uint32_t still_open;     // number of columns or rows in the list `still_open`
    std::uint32_t overflow;
};

template <typename D>
struct SsspStateView
{
    std::uint64_t* words = nullptr;    // by row: RowWord<D>
    std::uint32_t* parents = nullptr;  // by row; null if `words` contains the parents
    D* columns = nullptr;              // distances of columns
    std::uint32_t* changed = nullptr;  // columns of the last expansion

    // Arrays of windows, which exist only if the lists are sorted by weight:
    std::uint32_t* active = nullptr;  // columns with entries in the window
    PushedEntries* places = nullptr;  // for columns that were pushed
    D* nexts = nullptr;               // by column: sum of the next entry; unreached<D>() if there is none
    std::uint8_t* is_open = nullptr;  // whether a column is in `open`
    // Window: the columns whose lists continue, each once. Pull: the rows that may still improve.
    std::uint32_t* open = nullptr;
    std::uint32_t* still_open = nullptr;  // `open` of the next round

    std::uint32_t* improved = nullptr;       // list of improved rows
    std::uint32_t* improved_bits = nullptr;  // bitmap of improved rows; empty after the commit of a round
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

/// A changed distance, as it is sent to the blocks of the grid column.
template <typename D>
struct SentDistance
{
    std::uint32_t slot;
    D distance;
};

/// A distance that a block found, as it is sent along the grid row to its owner.
template <typename D>
struct FoundDistance
{
    std::int64_t parent;  // the input's number of the parent
    D distance;
    std::uint32_t slot;
};

/// The counts of own slots.
struct SlotCounts
{
    std::uint64_t least;          // the smallest distance of the changed or the chosen slots, as an ordered word
    std::uint64_t least_left;     // smallest distance of the slots that were not chosen, as an ordered word
    std::uint64_t changed_edges;  // out-edges of the changed slots
    std::uint64_t settled_edges;  // out-edges of the slots that the last round settled
    // Sizes of the lists of slots:
    std::uint32_t changed;
    std::uint32_t chosen;
    std::uint32_t waiting;
    std::uint32_t still_waiting;
    std::uint32_t settled;
    std::uint32_t overflows;  // 1 if a piece of found distances was too small (FoundPieces)
};

/// The counts of a round and of own slots. One copy transfers both to the host.
struct GridCounts
{
    RoundHeader round;
    SlotCounts slots;
};

/// Found distances in pieces of one size, one for each rank of the grid row. A piece contains its
/// number of distances, the largest such number of the sender's pieces, and the distances that fit its capacity. The
/// pieces are sent before any rank knows these numbers. If a number of any rank exceeds the room, all ranks send the
/// remaining distances when the hosts have read the numbers.
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

/// The slots from which some are chosen for an expansion.
struct Candidates
{
    const std::uint32_t* slots;
    std::uint64_t count;
    std::uint32_t* remaining;  // list to which the other slots are appended, or null
};

/// Bins of equal width for the distances up to the end of a window.
template <typename D>
struct DistanceBins
{
    D window;  // end of the window
    std::uint32_t count;
};

/// Sets of own slots, as lists. A bitmap prevents that a slot is listed twice.
struct SlotSetsView
{
    std::uint32_t* changed = nullptr;
    std::uint32_t* changed_bits = nullptr;  // empty after the commit of a round; null if rows are own slots
    std::uint32_t* chosen = nullptr;
    // Arrays of delta-stepping:
    std::uint32_t* waiting = nullptr;
    std::uint32_t* still_waiting = nullptr;
    std::uint32_t* waiting_bits = nullptr;
    // Arrays of push-pull:
    std::uint32_t* settled = nullptr;
    std::uint32_t* settled_bits = nullptr;

    const std::uint32_t* out_degrees = nullptr;  // by slot: out-degree in the whole graph
    std::int64_t* parents = nullptr;             // by slot: the input's numbers of parents; null if rows are own slots
    SlotCounts* counts = nullptr;
};

}  // namespace wayfront::gpu::sssp
