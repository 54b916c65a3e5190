// Pulls along the in-edges of rows, whose lists are sorted by weight.
//
// Each row is written by the thread that pulls for it; others may read an older distance of it,
// which is not too small. The first pull of a search takes all rows, in the order of slots: busy
// vertices first, so that most rows find neighbours that have pulled before them.
//
// A row is final if no edge can improve it: each edge whose weight and the smallest distance of the
// unsettled vertices make less than the row's distance leads from a final column. Rows that are not
// known to be final are the candidates of the next pull.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include <omp.h>

#include "algo/sssp/distance.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/engine_round.hpp"

namespace wayfront::cpu {

template <typename D, typename W>
class ListPull
{
public:
    /// Pulls for fewer rows than `parallel_from_rows` run on the calling thread.
    ListPull(const CsrBlock& block, std::size_t parallel_from_rows)
        : rows_(block.rows()),
          columns_(block.cols()),
          whole_rows_(block.row_chunks == 1),
          first_own_column_(block.own_col(0).value),
          parallel_from_rows_(parallel_from_rows),
          in_(block.in_edges.view()),
          weights_(std::get<HostBuffer<W>>(block.in_weights).data())
    {
        if (block.list_order != ListOrder::weights) return;
        heads_ = HostBuffer<Head>(rows_);
        parallel_for(rows_, kSerialBelow, [this](std::size_t i) { heads_[i] = head_of(static_cast<std::uint32_t>(i)); });
        is_final_ = HostBuffer<std::uint64_t>(word_count(columns_));
    }

    void begin_search(std::size_t threads) { candidates_.resize(threads); }

    void run(const algo::Pull<D>& pull, EngineRound<D>& round)
    {
        if (pull.first) {
            for (Candidates& candidates : candidates_) candidates.rows.clear();
            std::ranges::fill(is_final_, 0);
            const auto row_at = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
            if (pull.lists)
                pull_rows<true>(rows_, pull, row_at, round);
            else
                pull_rows<false>(rows_, pull, row_at, round);
            return;
        }
        std::vector<std::uint32_t> rows;
        for (Candidates& candidates : candidates_) {
            rows.insert(rows.end(), candidates.rows.begin(), candidates.rows.end());
            candidates.rows.clear();
        }
        pull_rows<true>(
            rows.size(), pull, [&rows](std::size_t i) { return rows[i]; }, round);
    }

private:
    static constexpr std::size_t kHeadEdges = 4;
    static constexpr std::size_t kPieceRows = 2048;
    static constexpr std::size_t kAhead = 16;  // rows whose lists are prefetched

    /// The lightest in-edges of a row, or as many as it has and then entries of weight
    /// unreached<D>(). A pull looks at most rows' heads only.
    struct Head
    {
        std::array<std::uint32_t, kHeadEdges> columns;
        std::array<D, kHeadEdges> weights;
    };
    struct Found
    {
        D distance;
        std::uint32_t parent;
    };
    struct alignas(128) Candidates
    {
        std::vector<std::uint32_t> rows;
    };

    [[nodiscard]] Head head_of(std::uint32_t row) const
    {
        Head head;
        head.columns.fill(0);
        head.weights.fill(algo::unreached<D>());
        const std::uint64_t begin = in_.begin(row);
        const std::uint64_t edges = std::min<std::uint64_t>(kHeadEdges, in_.end(row) - begin);
        std::copy_n(in_.neighbours + begin, edges, head.columns.data());
        std::copy_n(weights_ + begin, edges, head.weights.data());
        return head;
    }

    /// Pulls for the rows row_at(i), 0 <= i < count. `listed`: whether improved rows are listed.
    template <bool listed, typename RowAt>
    void pull_rows(std::size_t count, const algo::Pull<D>& pull, RowAt&& row_at, EngineRound<D>& round)
    {
        const std::size_t pieces = (count + kPieceRows - 1) / kPieceRows;
        const auto pull_number = [&](std::size_t piece, std::size_t thread) {
            pull_piece<listed>({piece * kPieceRows, std::min(count, (piece + 1) * kPieceRows)}, pull, row_at, round, thread);
        };
        if (candidates_.size() == 1 || count < parallel_from_rows_) {
            for (std::size_t piece = 0; piece < pieces; ++piece) pull_number(piece, 0);
            return;
        }
        const auto threads = static_cast<int>(candidates_.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (std::size_t piece = 0; piece < pieces; ++piece) pull_number(piece, static_cast<std::size_t>(omp_get_thread_num()));
    }

    /// What is true of a row cannot be predicted, so that nothing branches on it: the rows that need
    /// more than their heads go into lists, which are worked off with prefetches.
    template <bool listed, typename RowAt>
    void pull_piece(IndexRange piece, const algo::Pull<D>& pull, const RowAt& row_at, EngineRound<D>& round, std::size_t thread)
    {
        const algo::SsspMemory<D> memory = round.memory;  // a copy, which no store to a row can change
        ThreadRound<D>& own = round.threads[thread];
        // What changes from now on is at least at this distance.
        const D below = pull.first ? pull.settled_below : pull.least;
        std::array<D, kPieceRows> before;
        std::array<std::uint32_t, kPieceRows> tails;
        std::array<std::uint32_t, kPieceRows> doubtful;
        std::size_t tail_count = 0;
        std::size_t doubtful_count = 0;
        for (std::size_t i = piece.first; i < piece.last; ++i) {
            if (i + 3 * kAhead < piece.last) __builtin_prefetch(&heads_[row_at(i + 3 * kAhead)]);
            if (i + kAhead < piece.last)
#pragma GCC unroll 4
                for (const std::uint32_t column : heads_[row_at(i + kAhead)].columns) __builtin_prefetch(memory.col_distances + column);
            const std::uint32_t row = row_at(i);
            const Head& head = heads_[row];
            // A distance at the bound counts as unreached.
            const D distance = std::min(memory.row_distances[row], pull.bound);
            if constexpr (listed) before[i - piece.first] = distance;
            Found found{distance, memory.row_parents[row]};
#pragma GCC unroll 4
            for (std::size_t k = 0; k < kHeadEdges; ++k) try_edge(head.columns[k], head.weights[k], memory, found);
            store_relaxed(memory.row_distances[row], found.distance);
            memory.row_parents[row] = found.parent;
            tails[tail_count] = row;
            const bool has_tail = algo::capped_sum(pull.least, head.weights.back()) < found.distance;
            const bool is_settled = found.distance < pull.settled_below;
            tail_count += (has_tail & !is_settled) ? 1 : 0;
            doubtful[doubtful_count] = row;
            bool is_doubtful = algo::capped_sum(below, head.weights.front()) < found.distance;
            is_doubtful |= found.distance == algo::unreached<D>();
            doubtful_count += (is_doubtful & !is_settled) ? 1 : 0;
        }
        own.arcs += piece.size() * kHeadEdges;
        for (std::size_t i = 0; i < tail_count; ++i) {
            if (i + kAhead < tail_count) {
                const std::uint64_t begin = in_.begin(tails[i + kAhead]) + kHeadEdges;
                __builtin_prefetch(in_.neighbours + begin);
                __builtin_prefetch(weights_ + begin);
            }
            if (i + kAhead / 2 < tail_count) {
                const std::uint32_t row = tails[i + kAhead / 2];
                const std::uint64_t begin = in_.begin(row) + kHeadEdges;
                for (std::uint64_t e = begin; e < std::min(begin + kHeadEdges, in_.end(row)); ++e)
                    __builtin_prefetch(memory.col_distances + in_.neighbours[e]);
            }
            pull_tail(tails[i], pull.least, memory, own);
        }

        if constexpr (listed) {
            const std::size_t listed_before = own.improved.size();
            own.improved.resize(listed_before + piece.size());
            std::uint32_t* improved = own.improved.data() + listed_before;
            for (std::size_t i = piece.first; i < piece.last; ++i) {
                *improved = row_at(i);
                improved += memory.row_distances[row_at(i)] < before[i - piece.first] ? 1 : 0;
            }
            own.improved.resize(static_cast<std::size_t>(improved - own.improved.data()));
        } else {
            own.unlisted += piece.size();
        }
        std::vector<std::uint32_t>& candidates = candidates_[thread].rows;
        const std::size_t candidates_before = candidates.size();
        candidates.resize(candidates_before + doubtful_count);
        std::uint32_t* candidate = candidates.data() + candidates_before;
        for (std::size_t i = 0; i < doubtful_count; ++i) {
            const std::uint32_t row = doubtful[i];
            if (memory.row_distances[row] == algo::unreached<D>() && has_overflow(row, memory)) own.overflow = true;
            *candidate = row;
            candidate += !pull.first || is_open(row, below, pull.settled_below, memory) ? 1 : 0;
        }
        candidates.resize(static_cast<std::size_t>(candidate - candidates.data()));
        if (pull.first && whole_rows_) mark_final(piece, candidates.data() + candidates_before, candidate);
    }

    static void try_edge(std::uint32_t column, D weight, const algo::SsspMemory<D>& memory, Found& found)
    {
        const D sum = algo::capped_sum(relaxed(memory.col_distances[column]), weight);
        found.parent = sum < found.distance ? column : found.parent;
        found.distance = sum < found.distance ? sum : found.distance;
    }

    /// Continues a pull behind the head.
    void pull_tail(std::uint32_t row, D least, const algo::SsspMemory<D>& memory, ThreadRound<D>& own) const
    {
        Found found{memory.row_distances[row], memory.row_parents[row]};
        const std::uint64_t end = in_.end(row);
        std::uint64_t e = in_.begin(row) + kHeadEdges;
        const std::uint64_t first = e;
        for (; e < end && algo::capped_sum(least, weights_[e]) < found.distance; ++e)
            try_edge(in_.neighbours[e], static_cast<D>(weights_[e]), memory, found);
        own.arcs += e - first;
        store_relaxed(memory.row_distances[row], found.distance);
        memory.row_parents[row] = found.parent;
    }

    /// Whether the row may improve further: an edge that is light enough leads from a column that is
    /// not final, or that has improved since the row looked at it. If the head does not tell, the row
    /// is open.
    [[nodiscard]] bool is_open(std::uint32_t row, D below, D settled_below, const algo::SsspMemory<D>& memory) const
    {
        const Head& head = heads_[row];
        const D distance = memory.row_distances[row];
        for (std::size_t k = 0; k < kHeadEdges; ++k) {
            if (!(algo::capped_sum(below, head.weights[k]) < distance)) return false;
            const std::uint32_t column = head.columns[k];
            // A column's distance is written before the column becomes final.
            const std::uint64_t word = std::atomic_ref(const_cast<std::uint64_t&>(is_final_[column / kWordBits])).load(std::memory_order_acquire);
            const D there = relaxed(memory.col_distances[column]);
            const bool is_final = ((word >> (column % kWordBits) & 1) != 0) | (there < settled_below);
            if (!is_final | (algo::capped_sum(there, head.weights[k]) < distance)) return true;
        }
        return true;
    }

    /// Marks the rows of a piece of consecutive rows as final, except the candidates.
    void mark_final(IndexRange piece, const std::uint32_t* candidate, const std::uint32_t* last)
    {
        for (std::size_t row = piece.first; row < piece.last; row += kWordBits) {
            std::uint64_t open = 0;
            for (; candidate != last && *candidate < row + kWordBits; ++candidate) open |= std::uint64_t{1} << (*candidate - row);
            const std::size_t rows = std::min<std::size_t>(kWordBits, piece.last - row);
            const std::uint64_t all = rows == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
            std::uint64_t& word = is_final_[(first_own_column_ + row) / kWordBits];
            std::atomic_ref<std::uint64_t>(word).store(all & ~open, std::memory_order_release);
        }
    }

    /// Whether a neighbour's distance and the edge's weight make a sum that D cannot hold, or that is
    /// infinite.
    [[nodiscard]] bool has_overflow(std::uint32_t row, const algo::SsspMemory<D>& memory) const
    {
        for (std::uint64_t e = in_.begin(row); e < in_.end(row); ++e) {
            const D distance = relaxed(memory.col_distances[in_.neighbours[e]]);
            if (distance != algo::unreached<D>() && algo::capped_sum(distance, weights_[e]) == algo::unreached<D>()) return true;
        }
        return false;
    }

    std::uint32_t rows_;
    std::uint32_t columns_;
    bool whole_rows_;  // whether the block has all in-edges of its rows
    std::uint32_t first_own_column_;
    std::size_t parallel_from_rows_;
    CsrView in_;
    const W* weights_;
    std::vector<Candidates> candidates_;  // of each thread
    // Only if the lists are sorted by weight.
    HostBuffer<Head> heads_;
    HostBuffer<std::uint64_t> is_final_;  // of columns beyond the settled ones; of this rank only
};

}  // namespace wayfront::cpu
