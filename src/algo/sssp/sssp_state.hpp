// The distances and parents of one search on a rank, and their exchange.
//
// A rank owns the distances of its slots. The block's rows and columns contain those slots, and
// those of the other ranks of its grid row and column. expand() sends the changed distances to the
// blocks of the grid column. commit() sends the distances that the engine found along the grid row
// to the owners, who keep the smallest distance and its parent. If the grid has one column, a rank
// owns all rows of its block, nothing is sent to owners, and rows and own columns share their
// memory. If, in addition, the ranks are on one host, they share the memory of the columns, and
// expand() only tells which have changed.
//
// A parent changes only when a distance decreases. So parents form a tree even if weights are zero:
// if v is an ancestor of u, then d(v) <= d(u), and no edge u -> v decreases d(v).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/sssp/sssp_engine.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "base/counting_sort.hpp"
#include "base/host_buffer.hpp"
#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "comm/shared_memory.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

template <typename D>
class SsspState
{
public:
    /// Grid and graph outlive the state. `may_share`: whether ranks may share the columns. Messages
    /// are spans in `log`, which may be null. Collective over the grid column.
    SsspState(const comm::ProcessGrid& grid, const DistributedGraph& graph, bool may_share, PhaseLog* log);

    /// Forgets the last search. The sources, which are distinct, become the changed slots of their
    /// owners. If ranks
    /// share columns, a collective function must have been called since any rank last read them, and
    /// another one must be called before they are read again.
    void start(std::span<const Vertex> sources);

    /// Whether the ranks share columns.
    [[nodiscard]] bool shares() const { return !shared_.empty(); }
    [[nodiscard]] SsspMemory<D> memory();
    [[nodiscard]] D distance(std::uint32_t slot) const { return own_distances()[slot]; }
    [[nodiscard]] std::span<const D> slot_distances() const { return {own_distances(), block_.slot_stride}; }

    /// Own slots that changed in the last commit, or that start() set.
    [[nodiscard]] std::span<const std::uint32_t> changed() const { return {changed_.data(), changed_count_}; }

    /// Sends the distances of `slots` to the blocks of the grid column; only the slots, if ranks share
    /// columns. Returns the columns of all ranks' slots. counts[r] is the number of slots of rank r
    /// of the grid column. Collective over it.
    std::span<const std::uint32_t> expand(std::span<const std::uint32_t> slots, std::span<const std::size_t> counts,
                                          int round);
    /// Sends all distances to the blocks of the grid column, unless ranks share columns. Collective
    /// over it.
    void expand_all(int round);
    /// Sends all distances to the blocks of the grid row, so that they improve only rows whose new
    /// distance is smaller than the owner's. Collective over it.
    void refresh_rows(int round);
    /// Makes changed slots of the rows that the engines improved. Collective over the grid row.
    void commit(std::span<const std::uint32_t> improved, int round);

    // The parts of expand() and commit() on this rank, without the messages between them.

    /// A changed slot, as the blocks of the grid column receive it.
    struct SlotDistance
    {
        std::uint32_t slot;
        D distance;
    };
    /// An improved row, as its owner receives it.
    struct Found
    {
        Vertex parent;
        D distance;
        std::uint32_t slot;
    };

    /// The distances of these own slots, as they are sent to the ranks of the grid column; empty if it has one rank.
    /// Pre: ranks do not share columns.
    std::span<const SlotDistance> distances_of(std::span<const std::uint32_t> slots);
    /// Takes the distances of all ranks of the grid column, counts[r] slots of rank r in their order.
    /// Returns their columns.
    std::span<const std::uint32_t> take_distances(std::span<const SlotDistance> received,
                                                  std::span<const std::size_t> counts);
    /// Begins a commit: takes the own rows of those that the engines improved, and sorts the others by
    /// owner. Pre: the grid row has several ranks.
    void sort_found(std::span<const std::uint32_t> improved);
    /// The rows of other owners, in the order of the ranks of the grid row, and their numbers.
    [[nodiscard]] std::span<const Found> found() const { return found_.span(); }
    [[nodiscard]] std::span<const std::int64_t> found_counts() const { return by_owner_.counts(); }
    /// Ends a commit with what the ranks of the grid row found.
    void take_found(std::span<const Found> received);

    /// Writes distances and parents of this rank's vertices by local number. Returns the number of
    /// vertices that were reached. Distances at or above `bound` count as not reached.
    std::uint64_t finish(D bound, std::span<D> distances, VertexArray& parents) const;
    /// The parents of this rank's vertices by local number, and kUnreached for the source.
    [[nodiscard]] HostBuffer<Vertex> parents_without_source() const;

private:
    void allocate_columns(bool may_share);
    [[nodiscard]] bool folds() const { return block_.row_chunks > 1; }
    [[nodiscard]] D* own_distances() { return row_distances() + block_.own_row(0).value; }
    [[nodiscard]] const D* own_distances() const { return const_cast<SsspState*>(this)->own_distances(); }
    [[nodiscard]] D* row_distances() { return folds() ? rows_.data() : columns_.data() + block_.own_col(0).value; }
    std::span<const std::uint32_t> columns_of_expanded(std::span<const std::size_t> counts);
    void take(const Found& found);
    void add_changed(std::uint32_t slot);
    [[nodiscard]] Vertex parent(std::uint32_t slot) const;

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    const CsrBlock& block_;
    PhaseLog* log_;
    std::vector<std::uint32_t> sources_;  // local numbers of this rank's sources

    // The memory is own_columns_, or that of shared_, with final_columns_. There is one more element
    // than columns and rows, because finish() reads the element after the own slots, and ignores it.
    std::span<D> columns_;
    HostBuffer<D> own_columns_;
    comm::SharedMemory shared_;
    std::uint64_t* final_columns_ = nullptr;
    // The parent of each row, as a ColLocal. A row that was not reached keeps its parent of an
    // earlier search.
    HostBuffer<std::uint32_t> parents_;
    HostBuffer<std::uint32_t> changed_;
    std::size_t changed_count_ = 0;

    // Exchanged with the ranks of the grid column, if there are several that do not share columns.
    HostBuffer<SlotDistance> sent_;
    HostBuffer<SlotDistance> gathered_;

    HostBuffer<std::uint32_t> expanded_;  // if the grid column has several ranks

    // Only if rows are folded.
    HostBuffer<D> rows_;
    HostBuffer<Vertex> own_parents_;           // of each own slot, in the same way
    HostBuffer<std::uint64_t> changed_slots_;  // the set of changed(), during commit()
    CountingSort by_owner_;
    HostBuffer<Found> found_;  // between sort_found() and take_found()
};

extern template class SsspState<std::uint32_t>;
extern template class SsspState<std::int64_t>;
extern template class SsspState<float>;
extern template class SsspState<double>;

}  // namespace wayfront::algo
