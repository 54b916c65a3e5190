// The launches of the kernels of a search over a grid. Each function puts its kernels into the
// stream and returns; no function allocates or waits.
//
// Each operation of a round is a sequence of calls, which begins with `begin`:
//
// expansion: pack_distances, store_received.
// push in a window: start_lists, resume_lists (if the bound has grown), relax. Push of whole lists:
// relax. If words have no parents, find_parents follows.
// pull: lower_rows (if other ranks improve rows), pull.
// commit if rows are own slots: commit_improved, sum_changed. Otherwise: fill_pieces; after the
// pieces are sent, commit_own_chunk, commit_piece for each other rank of the grid row, sum_changed.
// If a piece had no room: pack_found, commit_found, sum_changed once more.
#pragma once

#include <cstdint>

#include "algo/sssp/sssp_engine.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/grid/view.hpp"

namespace wayfront::gpu::sssp {

/// The stream in which kernels run, and the size of the device.
struct LaunchPlace
{
    const Stream& stream;
    int multiprocessors;
};

/// The views that the kernels of a search's rows and arcs read. The caller owns them, and may change them between
/// launches.
template <typename D, typename W>
struct SearchViews
{
    const WeightedBlockView<W>& block;
    const SsspStateView<D>& state;
    LaunchPlace place;
};

template <typename D, typename W>
struct RowKernels
{
    SearchViews<D, W> views;

    /// No row and no column is reached.
    void reset() const;
    /// Lowers rows to the given distances.
    void lower_rows(const D* distances) const;
    /// Sets state.header's `pieces` to 1 if an edge leads from a reached column to a row that is not
    /// reached. Pre: it is 0.
    void find_left_out() const;
    /// Loads the kernels, which the driver would otherwise do at their first launch.
    static void load();
};

template <typename D, typename W>
struct PushKernels
{
    SearchViews<D, W> views;

    /// Finds the entries of `count` changed columns that are in the window.
    void start_lists(D bound, std::uint64_t count) const;
    /// The same for the columns whose lists go on, of which there are at most `most`.
    void resume_lists(D bound, std::uint64_t most) const;
    /// Relaxes the edges of all lists of `count` changed columns, or of the active columns, of
    /// which there are at most `count`.
    void relax(algo::PushExtent extent, D bound, std::uint64_t count) const;
    /// Writes the parents of the rows that relax() improved. Its arguments are those of relax().
    void find_parents(algo::PushExtent extent, D bound, std::uint64_t count) const;
    static void load();
};

template <typename D, typename W>
struct PullKernels
{
    SearchViews<D, W> views;

    /// Pulls for all rows, or for the `count` open rows.
    void pull(const algo::Pull<D>& pull, std::uint64_t count) const;
    static void load();
};

/// The position of a rank's slots in the rows and columns of its block of the matrix.
struct BlockSides
{
    std::uint32_t slots = 0;
    std::uint32_t row_chunks = 1;
    std::uint32_t own_row_chunk = 0;
    std::uint32_t first_own_column = 0;
    std::uint32_t cols = 0;
    ColumnVertices vertices;

    [[nodiscard]] WAYFRONT_HD std::uint32_t first_own_row() const { return own_row_chunk * slots; }
    [[nodiscard]] WAYFRONT_HD std::uint32_t rows() const { return row_chunks * slots; }
};

/// The results of this rank's vertices, by local number.
template <typename D>
struct LocalResults
{
    const std::uint32_t* slot_of_local = nullptr;  // BlockSides::slots for a vertex without edges
    D* distances = nullptr;
    std::int64_t* parents = nullptr;
    std::uint64_t* reached = nullptr;  // counter to which the number of reached vertices is added
    std::uint32_t count = 0;
};

/// The sizes of the lists at the beginning of a round.
struct ListSizes
{
    std::uint32_t open = 0;
    std::uint32_t changed = 0;
    std::uint32_t waiting = 0;
    std::uint32_t settled = 0;
};

/// Distances that one rank of the grid column has sent.
template <typename D>
struct ReceivedDistances
{
    const SentDistance<D>* distances = nullptr;
    std::uint64_t count = 0;
    std::uint32_t first_column = 0;  // of the rank's chunk
};

/// The launches over a rank's slots. The caller owns the views, and may change them between launches.
template <typename D>
struct SlotKernels
{
    const BlockSides& sides;
    const SsspStateView<D>& state;
    const SlotSetsView& sets;
    const FoundPieces<D>& pieces;
    LaunchPlace place;

    /// Sets the counts to those of a round in which nothing has happened, and empties the pieces.
    void begin(const ListSizes& sizes) const;
    /// Makes `count` slots, which are in sets.changed, sources.
    void start(std::uint32_t count) const;

    /// Writes the distances of `count` own slots to `packed`.
    void pack_distances(const std::uint32_t* slots, std::uint64_t count, SentDistance<D>* packed) const;
    /// Writes the columns of a piece, and appends them to state.changed from `before` on.
    void store_received(const ReceivedDistances<D>& piece, std::uint64_t before) const;
    /// Writes the distances of all own slots.
    void copy_distances(D* distances) const;

    /// Makes the improved rows, which are own slots, the changed ones.
    void commit_improved() const;
    /// Copies the improved rows of other chunks to the pieces, as far as there is room.
    void fill_pieces() const;
    /// Makes the improved rows of the own chunk changed slots, and clears the marks of all rows. Writes
    /// the numbers of distances that are sent again to each rank, and received again from it, to
    /// `resend_counts`: 2 C numbers.
    void commit_own_chunk(std::uint64_t* resend_counts) const;
    /// Takes those distances of a rank's piece that are smaller than the own ones.
    void commit_piece(std::uint32_t rank) const;
    /// Copies the improved rows of those chunks c for which again[c] is not 0 to `sent`: from next[c]
    /// on, which is advanced to their end.
    void pack_found(const std::uint64_t* resend_counts, std::uint64_t* next, FoundDistance<D>* sent) const;
    /// Takes those distances of one rank that are smaller than the own ones.
    void commit_found(const FoundDistance<D>* found, std::uint64_t count) const;
    /// Counts the changed slots' out-edges and finds their smallest distance; settles them if there
    /// is a set of settled slots. Clears the marks of changed slots. Does nothing if counts->overflows.
    void sum_changed() const;

    /// Adds the changed slots to the waiting ones.
    void add_waiting() const;
    /// Chooses the waiting slots below `window`; sets.still_waiting gets the others.
    void choose_below(D window) const;
    /// As algo::SsspSteps::add_settled_edges().
    void add_settled_edges(D window, std::uint64_t* bins, std::uint32_t bin_count) const;
    void choose_nearest(D window, std::uint32_t bins, std::uint32_t bin_count) const;

    /// Writes the results of distances below `bound`. A source is its own parent only on the host.
    void write_results(D bound, const LocalResults<D>& results) const;
};

}  // namespace wayfront::gpu::sssp
