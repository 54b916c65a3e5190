// Pulls along the in-edges of rows, whose lists are sorted by weight.
//
// Each row is written by the thread that owns it; others may read an older distance of it, which is
// not too small. The first pull of a search takes all rows, in the order of slots: vertices of
// large degrees come first, so that most rows find neighbours that have pulled before them. Most rows need their
// lightest edge only, which the first pull reads from arrays of its own. Rows that are not known to
// be final (open_rows.hpp) are the candidates of the next pull.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "algo/sssp/distance.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/engine_round.hpp"
#include "cpu/sssp/list_heads.hpp"
#include "cpu/sssp/open_rows.hpp"

namespace wayfront::cpu {

template <typename D, typename W>
class ListPull
{
public:
    /// Pulls for fewer rows than `parallel_from_rows` run on the calling thread.
    ListPull(const CsrBlock& block, std::span<const ListHead<D>> heads, std::size_t parallel_from_rows)
        : rows_(block.rows()),
          parallel_from_rows_(parallel_from_rows),
          in_(block.in_edges.view()),
          weights_(std::get<HostBuffer<W>>(block.in_weights).data()),
          heads_(heads),
          open_rows_(block, heads)
    {
    }

    void begin_search(const algo::SsspMemory<D>& memory, std::size_t threads)
    {
        candidates_.resize(threads);
        open_rows_.begin_search(memory);
    }

    void run(const algo::Pull<D>& pull, EngineRound<D>& round)
    {
        if (pull.first) {
            for (Candidates& candidates : candidates_) candidates.rows.clear();
            if (pull.lists)
                pull_all<true>(pull, round);
            else
                pull_all<false>(pull, round);
            return;
        }
        std::size_t rows = 0;
        for (const Candidates& candidates : candidates_) rows += candidates.rows.size();
        parallel_parts(candidates_.size(), threads_for(rows), [&](std::size_t owner) {
            Candidates& candidates = candidates_[owner];
            std::swap(candidates.rows, candidates.pulled);
            candidates.rows.clear();
            for (std::size_t i = 0; i < candidates.pulled.size(); i += kOwnedRows)
                pull_again(std::span(candidates.pulled).subspan(i, std::min(kOwnedRows, candidates.pulled.size() - i)),
                           pull, round, owner);
        });
    }

private:
    static constexpr std::size_t kAhead = 16;  // rows whose lists are prefetched

    struct Found
    {
        D distance;
        std::uint32_t parent;
    };
    struct alignas(128) Candidates
    {
        std::vector<std::uint32_t> rows;
        std::vector<std::uint32_t> pulled;  // the candidates before
    };

    [[nodiscard]] int threads_for(std::size_t rows) const
    {
        return rows < parallel_from_rows_ ? 1 : static_cast<int>(candidates_.size());
    }

    template <bool listed>
    void pull_all(const algo::Pull<D>& pull, EngineRound<D>& round)
    {
        parallel_parts(candidates_.size(), threads_for(rows_), [&](std::size_t owner) {
            for (std::size_t first = owner * kOwnedRows; first < rows_; first += candidates_.size() * kOwnedRows)
                pull_first<listed>({first, std::min<std::size_t>(rows_, first + kOwnedRows)}, pull, round, owner);
        });
    }

    /// The rows of a piece after the pull along their lightest edges.
    struct LightestPull
    {
        std::array<D, kOwnedRows> before;            // the distances before the pull
        std::array<std::uint32_t, kOwnedRows> more;  // rows that need more edges
        std::array<std::uint32_t, kOwnedRows> doubtful;
        std::size_t more_count = 0;
        std::size_t doubtful_count = 0;
    };

    /// The branch predictor could not tell which rows need more than their lightest edge, so the loop
    /// appends these rows to lists without a branch. Always inline, so that the compiler knows that
    /// nothing else refers to the arrays.
    [[gnu::always_inline]] void pull_lightest(IndexRange piece, const algo::Pull<D>& pull,
                                              const algo::SsspMemory<D>& memory, LightestPull& pulled) const
    {
        const std::size_t count = piece.size();
        const LightestEdges<D>& lightest = open_rows_.lightest();
        const std::uint32_t* const neighbours = lightest.neighbours.data() + piece.first;
        std::array<D, kOwnedRows> neighbour_distances;
        for (std::size_t i = 0; i < count; ++i) {
            if (i + kAhead < count) __builtin_prefetch(memory.col_distances + neighbours[i + kAhead]);
            neighbour_distances[i] = relaxed(memory.col_distances[neighbours[i]]);
        }

        const D* const weights = lightest.weights.data() + piece.first;
        const D* const second_weights = lightest.second_weights.data() + piece.first;
        const D* const detours = lightest.detours.data() + piece.first;
        std::uint32_t* const parents = memory.row_parents + piece.first;
        const D* const old_distances = memory.row_distances + piece.first;
        std::array<D, kOwnedRows> distances;
        std::array<std::uint32_t, kOwnedRows> needs_more;
        std::array<std::uint32_t, kOwnedRows> is_doubtful;
        for (std::size_t i = 0; i < count; ++i) {
            // A distance at the bound counts as unreached.
            const D old = std::min(old_distances[i], pull.bound);
            const D sum = algo::capped_sum(neighbour_distances[i], weights[i]);
            const D distance = std::min(sum, old);
            pulled.before[i] = old;
            distances[i] = distance;
            parents[i] = sum < old ? neighbours[i] : parents[i];
            const std::uint32_t is_open = distance < pull.settled_below ? 0 : 1;
            const std::uint32_t is_short = algo::capped_sum(pull.least, second_weights[i]) < distance ? 1 : 0;
            const D neighbour_later = std::max(pull.settled_below, algo::capped_sum(pull.least, detours[i]));
            std::uint32_t may_improve = algo::capped_sum(neighbour_later, weights[i]) < distance ? 1 : 0;
            may_improve &= neighbour_distances[i] < pull.settled_below ? 0 : 1;
            may_improve |= distance == algo::unreached<D>() ? 1 : 0;
            needs_more[i] = is_open & is_short;
            is_doubtful[i] = is_open & may_improve & (is_short ^ 1);
        }

        std::size_t more_count = 0;
        std::size_t doubtful_count = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto row = static_cast<std::uint32_t>(piece.first + i);
            store_relaxed(memory.row_distances[row], distances[i]);
            pulled.more[more_count] = row;
            more_count += needs_more[i];
            pulled.doubtful[doubtful_count] = row;
            doubtful_count += is_doubtful[i];
        }
        pulled.more_count = more_count;
        pulled.doubtful_count = doubtful_count;
    }

    /// The first pull of a piece of the rows. `listed`: whether improved rows are listed.
    template <bool listed>
    void pull_first(IndexRange piece, const algo::Pull<D>& pull, EngineRound<D>& round, std::size_t owner)
    {
        // A copy, which no store to a row can change.
        const algo::SsspMemory<D> memory = round.memory;
        ThreadRound<D>& own = round.threads[owner];
        std::vector<std::uint32_t>& candidates = candidates_[owner].rows;
        LightestPull pulled;
        pull_lightest(piece, pull, memory, pulled);
        own.arcs += piece.size();
        const std::span<const std::uint32_t> more(pulled.more.data(), pulled.more_count);

        std::array<std::uint32_t, kOwnedRows> tails;
        std::size_t tail_count = 0;
        for (std::size_t i = 0; i < more.size(); ++i) {
            if (i + 2 * kAhead < more.size()) __builtin_prefetch(&heads_[more[i + 2 * kAhead]]);
            if (i + kAhead < more.size())
                for (const std::uint32_t column : heads_[more[i + kAhead]].neighbours)
                    __builtin_prefetch(memory.col_distances + column);
            pull_head(more[i], pull.least, memory, own);
            tails[tail_count] = more[i];
            tail_count += has_tail(more[i], pull.least, memory) ? 1 : 0;
        }
        pull_tails({tails.data(), tail_count}, pull.least, memory, own);

        std::array<std::uint64_t, kOwnedRows / kWordBits> open{};
        for (const std::uint32_t row : more)
            put_bit(open.data(), row - piece.first, open_rows_.is_open(row, pull, memory));
        for (const std::uint32_t row : std::span(pulled.doubtful.data(), pulled.doubtful_count))
            put_bit(open.data(), row - piece.first, open_rows_.is_open_by_lightest(row, memory));

        if constexpr (listed)
            list_improved(
                piece.size(), [&](std::size_t i) { return static_cast<std::uint32_t>(piece.first + i); }, pulled.before,
                memory, own);
        else
            own.unlisted += piece.size();
        for_each_bit(open.data(), 0, word_count(piece.size()),
                     [&](std::size_t i) { candidates.push_back(static_cast<std::uint32_t>(piece.first + i)); });
        open_rows_.mark_final(piece, open.data());
    }

    /// Pulls for rows of thread `owner` that may improve, and keeps those that still may as candidates.
    void pull_again(std::span<const std::uint32_t> rows, const algo::Pull<D>& pull, EngineRound<D>& round,
                    std::size_t owner)
    {
        const algo::SsspMemory<D> memory = round.memory;
        ThreadRound<D>& own = round.threads[owner];
        std::vector<std::uint32_t>& candidates = candidates_[owner].rows;
        std::array<D, kOwnedRows> before;
        std::array<std::uint32_t, kOwnedRows> tails;
        std::size_t tail_count = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i + 3 * kAhead < rows.size()) __builtin_prefetch(&heads_[rows[i + 3 * kAhead]]);
            if (i + kAhead < rows.size())
#pragma GCC unroll 4
                for (const std::uint32_t column : heads_[rows[i + kAhead]].neighbours)
                    __builtin_prefetch(memory.col_distances + column);
            const std::uint32_t row = rows[i];
            const ListHead<D>& head = heads_[row];
            const D old = std::min(memory.row_distances[row], pull.bound);
            before[i] = old;
            Found found{old, 0};
#pragma GCC unroll 4
            for (std::size_t k = 0; k < kHeadEntries; ++k) try_edge(head.neighbours[k], head.weights[k], memory, found);
            improve(row, found, old, memory);
            tails[tail_count] = row;
            tail_count += has_tail(row, pull.least, memory) ? 1 : 0;
        }
        own.arcs += rows.size() * kHeadEntries;
        pull_tails({tails.data(), tail_count}, pull.least, memory, own);
        list_improved(
            rows.size(), [&](std::size_t i) { return rows[i]; }, before, memory, own);
        for (const std::uint32_t row : rows) {
            const D distance = memory.row_distances[row];
            if (algo::capped_sum(pull.least, heads_[row].weights.front()) < distance) candidates.push_back(row);
        }
    }

    /// Lists those of the rows row_at(i) whose distances are smaller than before[i].
    template <typename RowAt>
    static void list_improved(std::size_t count, RowAt&& row_at, const std::array<D, kOwnedRows>& before,
                              const algo::SsspMemory<D>& memory, ThreadRound<D>& own)
    {
        const std::size_t listed_before = own.improved.size();
        own.improved.resize(listed_before + count);
        std::uint32_t* improved = own.improved.data() + listed_before;
        for (std::size_t i = 0; i < count; ++i) {
            *improved = row_at(i);
            improved += memory.row_distances[row_at(i)] < before[i] ? 1 : 0;
        }
        own.improved.resize(static_cast<std::size_t>(improved - own.improved.data()));
    }

    /// Writes only if the distance has decreased: a cache line that is written has to be read again
    /// by all other threads.
    static void improve(std::uint32_t row, const Found& found, D old, const algo::SsspMemory<D>& memory)
    {
        if (!(found.distance < old)) return;
        store_relaxed(memory.row_distances[row], found.distance);
        memory.row_parents[row] = found.parent;
    }

    static void try_edge(std::uint32_t column, D weight, const algo::SsspMemory<D>& memory, Found& found)
    {
        const D sum = algo::capped_sum(relaxed(memory.col_distances[column]), weight);
        found.parent = sum < found.distance ? column : found.parent;
        found.distance = sum < found.distance ? sum : found.distance;
    }

    /// Pulls along the row's head, without its first entry, to the first edge that is too heavy.
    void pull_head(std::uint32_t row, D least, const algo::SsspMemory<D>& memory, ThreadRound<D>& own) const
    {
        const ListHead<D>& head = heads_[row];
        const D old = memory.row_distances[row];
        Found found{old, 0};
        for (std::size_t k = 1; k < kHeadEntries && algo::capped_sum(least, head.weights[k]) < found.distance; ++k) {
            try_edge(head.neighbours[k], head.weights[k], memory, found);
            ++own.arcs;
        }
        improve(row, found, old, memory);
    }

    /// Whether entries after the head of the row's list may improve the row.
    [[nodiscard]] bool has_tail(std::uint32_t row, D least, const algo::SsspMemory<D>& memory) const
    {
        return algo::capped_sum(least, heads_[row].weights.back()) < memory.row_distances[row];
    }

    /// Continues the pulls of rows with the entries after the heads.
    void pull_tails(std::span<const std::uint32_t> rows, D least, const algo::SsspMemory<D>& memory,
                    ThreadRound<D>& own) const
    {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i + kAhead < rows.size()) {
                const std::uint64_t begin = in_.begin(rows[i + kAhead]) + kHeadEntries;
                __builtin_prefetch(in_.neighbours + begin);
                __builtin_prefetch(weights_ + begin);
            }
            if (i + kAhead / 2 < rows.size()) {
                const std::uint32_t row = rows[i + kAhead / 2];
                const std::uint64_t begin = in_.begin(row) + kHeadEntries;
                for (std::uint64_t e = begin; e < std::min(begin + kHeadEntries, in_.end(row)); ++e)
                    __builtin_prefetch(memory.col_distances + in_.neighbours[e]);
            }
            pull_tail(rows[i], least, memory, own);
        }
    }

    void pull_tail(std::uint32_t row, D least, const algo::SsspMemory<D>& memory, ThreadRound<D>& own) const
    {
        const D old = memory.row_distances[row];
        Found found{old, 0};
        const std::uint64_t end = in_.end(row);
        std::uint64_t e = in_.begin(row) + kHeadEntries;
        const std::uint64_t first = e;
        for (; e < end && algo::capped_sum(least, weights_[e]) < found.distance; ++e)
            try_edge(in_.neighbours[e], static_cast<D>(weights_[e]), memory, found);
        own.arcs += e - first;
        improve(row, found, old, memory);
    }

    static void put_bit(std::uint64_t* words, std::size_t i, bool value)
    {
        words[i / kWordBits] |= std::uint64_t{value} << (i % kWordBits);
    }

    std::uint32_t rows_;
    std::size_t parallel_from_rows_;
    CsrView in_;
    const W* weights_;
    std::vector<Candidates> candidates_;  // among the rows of each thread
    std::span<const ListHead<D>> heads_;
    OpenRows<D, W> open_rows_;
};

}  // namespace wayfront::cpu
