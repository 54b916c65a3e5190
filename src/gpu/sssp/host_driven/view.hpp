// The arguments of the engine's kernels: plain pointers into device memory.
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
    // This rank's slots among the rows and the columns.
    std::uint32_t slots = 0;
    std::uint32_t first_own_row = 0;
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

/// The counts of a round. Improved rows follow them in memory, so that one copy transfers both.
struct RoundHeader
{
    std::uint64_t arcs;           // whose weight was read
    std::uint64_t pieces;         // of wide lists
    std::uint64_t next;           // as in algo::RoundOutcome, as an ordered word
    std::uint64_t improved_rows;  // by a pull
    std::uint32_t improved;       // rows in the list
    std::uint32_t active;         // columns with entries in the window
    std::uint32_t open;           // columns or rows in the list that the round begins with
    std::uint32_t still_open;     // those in the list that the next round begins with
    std::uint32_t overflow;
    std::uint32_t unused[3];  // pads the header to a multiple of 32 bytes
};
static_assert(sizeof(RoundHeader) % 32 == 0);

/// An improved row, as it is copied to the host.
template <typename D>
struct ImprovedRow
{
    std::uint32_t row;
    std::uint32_t parent;
    D distance;
};

template <typename D>
struct SsspStateView
{
    std::uint64_t* words = nullptr;    // of rows: RowWord<D>
    std::uint32_t* parents = nullptr;  // of rows, if they are not in the words
    D* columns = nullptr;              // distances
    // The changed columns of this round, and their distances.
    std::uint32_t* changed = nullptr;
    D* changed_distances = nullptr;

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
    std::uint32_t* improved_bits = nullptr;  // rows, bitmap; empty between rounds
    RoundHeader* header = nullptr;
    ImprovedRow<D>* improved_rows = nullptr;
    WidePiece* pieces = nullptr;  // room for the wide lists of all columns
};

}  // namespace wayfront::gpu::sssp
