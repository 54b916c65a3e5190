// The state of one breadth-first search on a rank.
//
// The state has two views of the search. The block's view: which rows of the block have been seen, and from
// which column each row was found. The owner's view: which slots of this rank have been visited, and
// which block of the grid row found each of them first. Several blocks may find the same vertex,
// and commit() chooses one of them. If the grid has one column, the rows are the own slots and both
// views are the same; nothing is copied or sent.
//
// Parents remain with the block that found them until the search ends, and are sent once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algo/bfs/discovery_order.hpp"
#include "algo/bfs/edge_engine.hpp"
#include "base/counting_sort.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/phase.hpp"
#include "base/types.hpp"
#include "comm/frontier_exchange.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

class SearchState
{
public:
    /// The grid and the graph outlive the state. `with_levels`: keep the levels of vertices.
    /// Messages are spans in `log`, which may be null.
    SearchState(const comm::ProcessGrid& grid, const DistributedGraph& graph, bool with_levels, PhaseLog* log);

    /// Resets the state and visits the keys, which are distinct. `frontier` becomes the keys that this
    /// rank owns. Returns the only row of the block that has been seen, or kNoLocal if there is none,
    /// or if there are several: then the next discoveries() have `seen_changed`.
    std::uint32_t start(std::span<const Vertex> keys, comm::SlotSet& frontier);

    /// As start(), for a search that finds the nearest key of each vertex. Pre: the keys are ascending.
    std::uint32_t start_nearest(std::span<const Vertex> keys, comm::SlotSet& frontier);

    /// The number of keys of this rank without edges, whose only vertex is the key.
    [[nodiscard]] std::uint64_t keys_without_edges() const { return keys_.size() - key_rows_.size(); }

    /// Sends the slots that their owners have visited to the blocks of the grid row, before a
    /// bottom-up `level`. Collective over the grid row.
    void refresh_seen(std::int32_t level);

    /// The memory that an engine writes to; pass the outcome to commit(). Its `seen_changed` is
    /// true if refresh_seen() was called since the last call, or if several keys were visited.
    [[nodiscard]] Discoveries discoveries();

    /// Makes this rank's part of the next frontier, at `level`, of the rows that the engines of the
    /// grid row found. Collective over the grid row.
    void commit(const Discoveries& discoveries, comm::ExchangeFormat format, std::int32_t level,
                comm::SlotSet& frontier);

    /// With commit_words(), the same as commit() for a range of the words of each chunk's slots, if
    /// the engine wrote these to `found` as a bitmap: sends the words to their owners. Collective
    /// over the grid row.
    [[nodiscard]] comm::Pending start_fold(IndexRange words);
    /// Adds the new slots of the received words to the bitmap of the next frontier and to
    /// frontier.count. Pre: the fold of these words is done.
    void commit_words(IndexRange words, std::int32_t level, comm::SlotSet& frontier);

    /// Writes the parents of this rank's vertices, and their levels if they are kept, ordered by
    /// local number and in the input's numbers. Pre: the engine has ended the search. Collective
    /// over the grid row.
    void finish(VertexArray& parents, HostBuffer<std::int32_t>& levels);

    /// Whether the search began with start_nearest(), and its parents have led to the nearest keys
    /// (algo/nearest_sources.hpp) so far. True on one rank while discoveries are in order
    /// (bfs/discovery_order.hpp). False if the choice by levels is faster.
    [[nodiscard]] bool leads_to_nearest() const { return leads_to_nearest_; }
    /// Replaces finish() after a search for the nearest keys: also writes the nearest key of each vertex. Pre: the
    /// parents lead to them.
    void finish_nearest(VertexArray& parents, HostBuffer<std::int32_t>& levels, VertexArray& nearest);

private:
    [[nodiscard]] bool folds() const { return block_.row_chunks > 1; }
    [[nodiscard]] const std::uint64_t* visited() const { return folds() ? visited_.data() : seen_.data(); }
    /// The grid column whose finds the owner accepts in this turn: first the rank's own column, since the parents of
    /// its finds are known here; then the other columns, beginning with the next one, so that each column is asked for
    /// about the same number of parents.
    [[nodiscard]] std::uint32_t finder_column(std::uint32_t turn) const
    {
        const std::uint32_t finder = block_.own_row_chunk + turn;
        return finder < block_.row_chunks ? finder : finder - block_.row_chunks;
    }
    void commit_folded(comm::SlotSet& frontier);
    std::size_t commit_bitmaps(IndexRange words, comm::SlotSet& frontier);
    void set_levels(IndexRange words, std::int32_t level, const comm::SlotSet& frontier);
    void commit_folded_lists(comm::SlotSet& frontier);
    /// The visited slots that other blocks found, ordered by block; by_finder_ then has their counts.
    [[nodiscard]] HostBuffer<std::uint32_t> slots_of_other_finders();
    /// Writes the parents and levels of the slots found so far where those of levels that are not in order are.
    void leave_order();
    void finish_local(VertexArray& parents);
    void finish_folded(VertexArray& parents);
    template <typename VertexOfColumn, typename Id>
    void request_parents(std::span<VertexOfColumn> vertices, std::span<Id> parents);

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    const CsrBlock& block_;
    std::vector<std::uint32_t> keys_;      // local numbers of the keys that this rank owns
    std::vector<std::uint32_t> key_rows_;  // the rows of those keys that have edges
    bool with_levels_;
    PhaseLog* log_;

    HostBuffer<std::uint64_t> seen_;  // one bit per row
    bool seen_changed_ = false;       // whether refresh_seen(), or several keys, have changed seen_
    // The ColLocal from which each row was found; has one more element than there are rows.
    HostBuffer<std::uint32_t> parents_;
    comm::SlotSet found_;  // rows

    // Only if rows are folded.
    std::optional<comm::Fold> fold_;
    std::optional<CountingSort> by_finder_;
    HostBuffer<std::uint64_t> visited_;             // one bit per own slot
    HostBuffer<std::uint64_t> found_by_own_block_;  // the slots of `visited_` that this rank's block found
    HostBuffer<std::uint64_t> without_arcs_;        // rows that no bottom-up level need visit, one bit per row
    // The grid column whose block found each own slot. Partition limits the columns.
    HostBuffer<std::uint16_t> finders_;

    HostBuffer<std::int32_t> levels_;  // of each own slot

    // While parents lead to the nearest keys, all slots found are here, and not in parents_ and levels_.
    bool leads_to_nearest_ = false;
    std::optional<DiscoveryOrder> order_;
};

}  // namespace wayfront::algo
