// What one breadth-first search knows of a rank's vertices.
//
// Two views of the same search meet here. The block's: which of its rows it need not look for again (`seen`), and from which column it found a row.
// The owner's: which of its slots are visited, and which block of the grid row found each first. commit() decides between blocks, so a vertex found
// twice is harmless. Where the grid has one column, rows are own slots, the two views are one, and nothing is copied or sent.
//
// Parents stay with the block that found them until the search ends, and travel once.
#pragma once

#include <cstdint>
#include <span>

#include "algo/bfs/edge_engine.hpp"
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
    /// The grid and the graph outlive the state. `with_levels`: levels are kept too. Messages have spans in `log`, which may be null.
    SearchState(const comm::ProcessGrid& grid, const DistributedGraph& graph, bool with_levels, PhaseLog* log);

    /// Forgets the last search and visits the key; `frontier` becomes the key, on its owner, or nothing. Returns the only row of the block that is
    /// seen then; kNoLocal where none is.
    std::uint32_t start(Vertex key, comm::SlotSet& frontier);

    /// Lets the blocks of a grid row know what their row's owners have visited, before a bottom-up `level`. Collective over the grid row.
    void refresh_seen(std::int32_t level);

    /// What an engine fills; hand the outcome to commit(). Says whether `seen` changed since it was asked last.
    [[nodiscard]] Discoveries discoveries();

    /// Turns what the engines of the grid row found into this rank's next frontier, at `level`. Collective over the grid row.
    void commit(const Discoveries& discoveries, comm::ExchangeFormat format, std::int32_t level, comm::SlotSet& frontier);

    /// Allocates what start_fold() needs.
    void prepare_folds();
    /// The same as commit() in two steps, for some words of the slots of each chunk, where the engine wrote these to `found` as a bitmap. Sends them
    /// to their owners. Collective over the grid row. Pre: prepare_folds(), once.
    [[nodiscard]] comm::Pending start_fold(IndexRange words);
    /// Puts what came of these words into the bitmap of the next frontier, and adds its number to frontier.count. Pre: their fold is done.
    void commit_words(IndexRange words, std::int32_t level, comm::SlotSet& frontier);

    /// Writes the parents of this rank's vertices (and their levels, where kept), in the order of local numbers and in the input's numbers. The
    /// engine has ended the search. Collective over the grid row.
    void finish(VertexArray& parents, HostBuffer<std::int32_t>& levels);

private:
    [[nodiscard]] bool folds() const { return block_.row_chunks > 1; }
    [[nodiscard]] const std::uint64_t* visited() const { return folds() ? visited_.data() : seen_.data(); }
    void commit_folded(const comm::Folded& folded, comm::SlotSet& frontier);
    std::size_t commit_bitmaps(const HostBuffer<std::uint64_t>& bitmaps, IndexRange words, comm::SlotSet& frontier);
    void set_levels(IndexRange words, std::int32_t level, const comm::SlotSet& frontier);
    void commit_folded_lists(const comm::Folded& folded, comm::SlotSet& frontier);
    /// The visited slots, by the block that found them; their number for each of the grid's columns in `counts`.
    [[nodiscard]] HostBuffer<std::uint32_t> visited_by_finder(std::span<std::int64_t> counts) const;
    void finish_local(VertexArray& parents);
    void finish_folded(VertexArray& parents);
    template <typename VertexOfColumn, typename Id>
    void ask_for_parents(std::span<VertexOfColumn> vertices, std::span<Id> parents);

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    const CsrBlock& block_;
    Vertex key_ = 0;
    std::uint32_t key_row_ = kNoLocal;  // on the key's owner, where the key has edges
    bool with_levels_;
    PhaseLog* log_;

    HostBuffer<std::uint64_t> seen_;     // rows
    bool seen_changed_ = false;          // by refresh_seen()
    HostBuffer<std::uint32_t> parents_;  // rows and one more: the ColLocal that found each row
    comm::SlotSet found_;                // rows

    HostBuffer<std::uint64_t> folded_;   // own slots, as each block of the grid row found them; made by start_fold()
    HostBuffer<std::uint64_t> visited_;  // own slots; where rows are folded
    HostBuffer<std::uint16_t> finders_;  // own slots: the grid column whose block found it
    HostBuffer<std::int32_t> levels_;    // own slots
};

}  // namespace wayfront::algo
