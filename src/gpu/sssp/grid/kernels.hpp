// The launches of the steps' kernels. Each call puts its kernels into the stream and returns; no call
// allocates or waits.
//
// An expansion is tell and take_told. A push in a window is start_lists, resume_lists (if the bound
// has moved), relax; a push of whole lists is relax. If words have no parents, find_parents follows. A
// pull is lower_rows (if other ranks improve rows), pull. `begin` comes before them. A commit is
// take_improved if rows are own slots; otherwise it is fill_pieces and, when they have been sent,
// take_own and take_piece for each other rank of the grid row. sum_changed ends it, unless a piece had
// no room: then place_found, take_found and sum_changed follow.
#pragma once

#include <cstdint>

#include "algo/sssp/sssp_engine.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/grid/view.hpp"

namespace wayfront::gpu::sssp {

/// Where kernels run.
struct LaunchPlace
{
    const Stream& stream;
    int multiprocessors;
};

template <typename D, typename W>
struct RowKernels
{
    /// No row and no column is reached.
    static void reset(const WeightedBlockView<W>& block, const SsspStateView<D>& state, LaunchPlace place);
    /// Lowers rows to the given distances.
    static void lower_rows(const WeightedBlockView<W>& block, const SsspStateView<D>& state, const D* distances,
                           LaunchPlace place);
    /// Sets state.header's `pieces` to 1 if an edge leads from a reached column to a row that is not
    /// reached. Pre: it is 0.
    static void find_left_out(const WeightedBlockView<W>& block, const SsspStateView<D>& state, LaunchPlace place);
    /// Loads the kernels, which the driver would otherwise do at their first launch.
    static void load();
};

template <typename D, typename W>
struct PushKernels
{
    /// Finds the entries of `count` changed columns that are in the window.
    static void start_lists(const WeightedBlockView<W>& block, const SsspStateView<D>& state, D bound,
                            std::uint64_t count, LaunchPlace place);
    /// The same for the columns whose lists go on, of which there are at most `most`.
    static void resume_lists(const WeightedBlockView<W>& block, const SsspStateView<D>& state, D bound,
                             std::uint64_t most, LaunchPlace place);
    /// Relaxes the edges of all lists of `count` changed columns, or of the active columns, of
    /// which there are at most `count`.
    static void relax(const WeightedBlockView<W>& block, const SsspStateView<D>& state, algo::PushExtent extent,
                      D bound, std::uint64_t count, LaunchPlace place);
    /// Writes the parents of the rows that relax() improved. Its arguments are those of relax().
    static void find_parents(const WeightedBlockView<W>& block, const SsspStateView<D>& state, algo::PushExtent extent,
                             D bound, std::uint64_t count, LaunchPlace place);
    static void load();
};

template <typename D, typename W>
struct PullKernels
{
    /// Pulls for all rows, or for the `count` open rows.
    static void pull(const WeightedBlockView<W>& block, const SsspStateView<D>& state, const algo::Pull<D>& pull,
                     std::uint64_t count, LaunchPlace place);
    static void load();
};

/// A rank's slots among the rows and columns of its block.
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
    const std::uint32_t* slot_of_local = nullptr;  // BlockSides::slots: no edges
    D* distances = nullptr;
    std::int64_t* parents = nullptr;
    std::uint64_t* reached = nullptr;  // the number is added
    std::uint32_t count = 0;
};

/// The numbers of lists with which a round begins.
struct ListSizes
{
    std::uint32_t open = 0;
    std::uint32_t changed = 0;
    std::uint32_t waiting = 0;
    std::uint32_t settled = 0;
};

template <typename D>
struct SlotKernels
{
    /// Sets the counts to those of a round in which nothing has happened, and empties the pieces.
    static void begin(const SsspStateView<D>& state, const SlotSetsView& sets, const FoundPieces<D>& pieces,
                      const ListSizes& sizes, LaunchPlace place);
    /// Makes `count` slots, which are in sets.changed, sources.
    static void start(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                      std::uint32_t count, LaunchPlace place);

    /// Writes the distances of `count` own slots to `told`.
    static void tell(const BlockSides& sides, const SsspStateView<D>& state, const std::uint32_t* slots,
                     std::uint64_t count, ToldDistance<D>* told, LaunchPlace place);
    /// Takes the distances that one rank of the grid column told: writes `count` columns, of which the
    /// first chunk begins at `first_column`, and appends them to state.changed from `before` on.
    static void take_told(const SsspStateView<D>& state, const ToldDistance<D>* told, std::uint64_t count,
                          std::uint32_t first_column, std::uint64_t before, LaunchPlace place);
    /// Writes the distances of all own slots.
    static void copy_distances(const BlockSides& sides, const SsspStateView<D>& state, D* distances, LaunchPlace place);

    /// Makes the improved rows, which are own slots, the changed ones.
    static void take_improved(const SsspStateView<D>& state, const SlotSetsView& sets, LaunchPlace place);
    /// Copies the improved rows of other chunks to the pieces, as far as there is room.
    static void fill_pieces(const BlockSides& sides, const SsspStateView<D>& state, const FoundPieces<D>& pieces,
                            LaunchPlace place);
    /// Makes the improved rows of the own chunk changed slots, and clears the marks of all rows. Writes
    /// the numbers of distances that are sent again to each rank, and received again from it, to
    /// `again`: 2 C numbers.
    static void take_own(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                         const FoundPieces<D>& pieces, std::uint64_t* again, LaunchPlace place);
    /// Takes those distances of a rank's piece that are smaller than the own ones.
    static void take_piece(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                           const FoundPieces<D>& pieces, std::uint32_t rank, LaunchPlace place);
    /// Copies the improved rows of those chunks c for which again[c] is not 0 to `sent`: from next[c]
    /// on, which is advanced to their end.
    static void place_found(const BlockSides& sides, const SsspStateView<D>& state, const std::uint64_t* again,
                            std::uint64_t* next, FoundDistance<D>* sent, LaunchPlace place);
    /// Takes those distances of one rank that are smaller than the own ones.
    static void take_found(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                           const FoundDistance<D>* found, std::uint64_t count, LaunchPlace place);
    /// Counts the changed slots' out-edges and finds their smallest distance; settles them if there
    /// is a set of settled slots. Clears the marks of changed slots. Does nothing if counts->overflows.
    static void sum_changed(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                            LaunchPlace place);

    /// Adds the changed slots to the waiting ones.
    static void add_waiting(const BlockSides& sides, const SlotSetsView& sets, LaunchPlace place);
    /// Chooses the waiting slots below `window`; sets.still_waiting gets the others.
    static void choose_below(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets, D window,
                             LaunchPlace place);
    /// As algo::SsspSteps::add_settled_edges().
    static void add_settled_edges(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                                  D window, std::uint64_t* bins, std::uint32_t bin_count, LaunchPlace place);
    static void choose_nearest(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets,
                               D window, std::uint32_t bins, std::uint32_t bin_count, LaunchPlace place);

    /// Writes the results of distances below `bound`. A source is its own parent only on the host.
    static void write_results(const BlockSides& sides, const SsspStateView<D>& state, const SlotSetsView& sets, D bound,
                              const LocalResults<D>& results, LaunchPlace place);
};

}  // namespace wayfront::gpu::sssp
