// Pushes along the out-edges of columns, without atomic read-modify-write operations.
//
// In a push on several threads, each row belongs to one of them (owner_of). A sum that improves a
// row goes into a bin for the row's thread. When all columns are done, each thread applies the sums
// in its bins. So distance and parent change together, for distances of every size, and the outcome
// of a round does not depend on the order in which threads run, unless ranks share columns. In
// windows the columns belong to threads in the same way; whole lists are given to the threads in the
// order of the columns. A push on the calling thread applies improvements at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <omp.h>

#include "algo/sssp/distance.hpp"
#include "base/parallel.hpp"
#include "cpu/edge_pieces.hpp"
#include "cpu/sssp/engine_round.hpp"
#include "cpu/sssp/list_heads.hpp"

namespace wayfront::cpu {

template <typename D, typename W>
class ListPush
{
public:
    /// Pushes of fewer edges than `parallel_from_arcs` run on the calling thread.
    ListPush(const CsrBlock& block, std::span<const ListHead<D>> heads, std::size_t parallel_from_arcs)
        : columns_(block.cols()),
          parallel_from_arcs_(parallel_from_arcs),
          out_(block.out_edges().view()),
          weights_(std::get<HostBuffer<W>>(block.out_weights()).data()),
          heads_(heads)
    {
        if (block.list_order == ListOrder::weights) places_ = HostBuffer<Place>(columns_, Place{});
    }

    void begin_search(std::size_t threads)
    {
        threads_.resize(threads);
        for (Thread& thread : threads_) {
            thread.bins.resize(threads);
            thread.waiting.clear();
        }
        window_ = D{0};
    }

    void run(const algo::Push<D>& push, EngineRound<D>& round)
    {
        if (threads_.size() > 1 && has_work_for_all(push))
            push_in_parallel(push, round);
        else
            push_serially(push, round);
    }

private:
    // The edges of whole lists that a thread takes at a time.
    static constexpr std::size_t kPieceArcs = 4096;
    // An estimate of the edges of a changed column in a window.
    static constexpr std::size_t kWindowArcs = 4;
    static constexpr std::size_t kAhead = 8;  // columns whose lists are prefetched

    /// The progress of a column in its list in this search.
    struct Place
    {
        std::uint32_t pushed;  // entries
        std::uint32_t start;   // counts how often the list was started
        D next;                // the sum of the next entry
    };
    /// A column that must continue its list when the window reaches the sum `next`, unless the column has changed and
    /// started its list again.
    struct Waiting
    {
        std::uint32_t column;
        std::uint32_t start;
        D next;
    };
    struct Proposal
    {
        std::uint32_t row;
        std::uint32_t parent;
        D distance;
    };
    struct alignas(128) Thread
    {
        std::vector<std::vector<Proposal>> bins;  // for each thread
        std::vector<Waiting> waiting;
        std::vector<std::uint32_t> started;  // columns whose lists start in this round
        std::vector<std::uint32_t> due;      // columns that continue their lists in this window
    };

    [[nodiscard]] bool has_work_for_all(const algo::Push<D>& push)
    {
        // The number of edges in the window is not known before the push.
        if (push.extent == algo::PushExtent::window)
            return push.changed.size() * kWindowArcs + (push.bound == window_ ? 0 : waiting_columns() / kWindowArcs) >=
                   parallel_from_arcs_;
        if (!pieces_.has_room()) pieces_ = EdgePieces(columns_);
        return pieces_.number(out_, push.changed) >= parallel_from_arcs_;
    }

    [[nodiscard]] std::size_t waiting_columns() const
    {
        std::size_t count = 0;
        for (const Thread& thread : threads_) count += thread.waiting.size();
        return count;
    }

    /// A thread's part of a push. propose(row, sum, column) offers a smaller distance.
    template <typename Propose>
    struct ThreadPush
    {
        const algo::SsspMemory<D>& memory;
        D bound;
        ThreadRound<D>& round;
        Propose propose;
    };

    void push_serially(const algo::Push<D>& push, EngineRound<D>& round)
    {
        ThreadRound<D>& own = round.threads.front();
        const auto propose = [&](std::uint32_t row, D distance, std::uint32_t parent) {
            round.improve(row, distance, parent, own);
        };
        const ThreadPush<decltype(propose)> part{round.memory, push.bound, own, propose};
        const bool window = push.extent == algo::PushExtent::window;
        for (std::size_t i = 0; i < push.changed.size(); ++i) {
            const std::uint32_t column = push.changed[i];
            if (window) {
                prefetch_start(push.changed, i, round.memory);
                start(column, threads_[owner_of(column, threads_.size())], part);
            } else {
                prefetch_whole_list(push.changed, i, round.memory);
                relax_range(column, out_.begin(column), out_.end(column), part);
            }
        }
        if (!window || push.bound == window_) return;
        window_ = push.bound;
        for (Thread& thread : threads_) resume(thread, part);
    }

    void push_in_parallel(const algo::Push<D>& push, EngineRound<D>& round)
    {
        const bool window = push.extent == algo::PushExtent::window;
        const bool resumes = window && push.bound != window_;
        if (window) window_ = push.bound;
        const std::uint64_t arcs = window ? 0 : pieces_.count();
        const std::size_t pieces = (arcs + kPieceArcs - 1) / kPieceArcs;
        const std::size_t threads = threads_.size();
        RegionFailure failure;  // keeps the failure of one item; all threads reach the end of the loop
        parallel_team(static_cast<int>(threads), [&](std::size_t number) {
            ThreadRound<D>& own = round.threads[number];
            Thread& worker = threads_[number];
            const auto propose = [&](std::uint32_t row, D distance, std::uint32_t parent) {
                worker.bins[owner_of(row, threads)].push_back({row, parent, distance});
            };
            const ThreadPush<decltype(propose)> part{round.memory, push.bound, own, propose};
            if (window) {  // NOLINT(bugprone-branch-clone): the bodies of the loops differ
#pragma omp for schedule(static, 1)
                for (std::size_t owner = 0; owner < threads; ++owner)
                    failure.guard([&] { push_window(push.changed, owner, resumes, part); });
            } else {
#pragma omp for schedule(dynamic, 1)
                for (std::size_t piece = 0; piece < pieces; ++piece)
                    failure.guard([&] {
                        push_piece({piece * kPieceArcs, std::min<std::uint64_t>(arcs, (piece + 1) * kPieceArcs)}, part);
                    });
            }
#pragma omp for schedule(static, 1)
            for (std::size_t owner = 0; owner < threads; ++owner)
                failure.guard([&] { apply_proposals(owner, round, own); });
        });
        failure.rethrow();
    }

    /// Pushes the entries in the window of the columns that belong to thread `owner`.
    template <typename Propose>
    void push_window(std::span<const std::uint32_t> changed, std::size_t owner, bool resumes,
                     const ThreadPush<Propose>& part)
    {
        Thread& thread = threads_[owner];
        select_owned(changed, owner, thread.started);
        for (std::size_t i = 0; i < thread.started.size(); ++i) {
            prefetch_start(thread.started, i, part.memory);
            start(thread.started[i], thread, part);
        }
        if (resumes) resume(thread, part);
    }

    /// Applies the proposals for the rows that belong to thread `owner`.
    void apply_proposals(std::size_t owner, EngineRound<D>& round, ThreadRound<D>& own)
    {
        for (Thread& sender : threads_) {
            std::vector<Proposal>& bin = sender.bins[owner];
            for (const Proposal& proposal : bin)
                if (proposal.distance < round.memory.row_distances[proposal.row])
                    round.improve(proposal.row, proposal.distance, proposal.parent, own);
            bin.clear();
        }
    }

    void select_owned(std::span<const std::uint32_t> columns, std::size_t owner,
                      std::vector<std::uint32_t>& owned) const
    {
        owned.resize(columns.size());
        std::size_t count = 0;
        for (const std::uint32_t column : columns) {
            owned[count] = column;
            count += owner_of(column, threads_.size()) == owner ? 1 : 0;
        }
        owned.resize(count);
    }

    /// Pushes a piece of the entries of the changed columns' lists.
    template <typename Propose>
    void push_piece(IndexRange piece, const ThreadPush<Propose>& part) const
    {
        pieces_.for_each_list(piece, [&](std::size_t i, std::uint64_t first, std::uint64_t last) {
            prefetch_whole_list(pieces_.lists(), i, part.memory);
            relax_range(pieces_.lists()[i], first, last, part);
        });
    }

    /// Proposes the entries [first, last) of the column's list that improve a row.
    template <typename Propose>
    void relax_range(std::uint32_t column, std::uint64_t first, std::uint64_t last,
                     const ThreadPush<Propose>& part) const
    {
        const algo::SsspMemory<D>& memory = part.memory;
        const D bound = part.bound;
        const D distance = relaxed(memory.col_distances[column]);
        for (std::uint64_t e = first; e < last; ++e) {
            D sum{};
            if (!algo::sum_is_below(distance, weights_[e], bound, sum, part.round.overflow)) continue;
            const std::uint32_t row = out_.neighbours[e];
            if (sum < memory.row_distances[row]) part.propose(row, sum, column);
        }
        part.round.arcs += last - first;
    }

    /// Continues the column's list to the first sum that is not below the bound.
    template <typename Propose>
    void relax_in_window(std::uint32_t column, const ThreadPush<Propose>& part)
    {
        const algo::SsspMemory<D>& memory = part.memory;
        const D bound = part.bound;
        Place& place = places_[column];
        const D distance = relaxed(memory.col_distances[column]);
        const auto relax = [&](std::uint32_t row, auto weight) {
            D sum{};
            if (!algo::sum_is_below(distance, weight, bound, sum, part.round.overflow)) return false;
            if (sum < memory.row_distances[row]) part.propose(row, sum, column);
            return true;
        };
        const ListHead<D>& head = heads_[column];
        std::uint32_t pushed = place.pushed;
        const std::uint32_t first = pushed;
        place.next = algo::unreached<D>();
        while (pushed < kHeadEntries && is_entry(column, pushed) &&
               relax(head.neighbours[pushed], head.weights[pushed]))
            ++pushed;
        if (pushed < kHeadEntries) {
            if (is_entry(column, pushed)) place.next = algo::next_sum(distance, head.weights[pushed], bound);
        } else {
            const std::uint64_t begin = out_.begin(column);
            const std::uint64_t end = out_.end(column);
            std::uint64_t e = begin + pushed;
            while (e < end && relax(out_.neighbours[e], weights_[e])) ++e;
            if (e < end) place.next = algo::next_sum(distance, weights_[e], bound);
            pushed = static_cast<std::uint32_t>(e - begin);
        }
        part.round.arcs += pushed - first + (place.next == algo::unreached<D>() ? 0 : 1);
        place.pushed = pushed;
    }

    /// Whether the column's list has the entry, which is one of the head.
    [[nodiscard]] bool is_entry(std::uint32_t column, std::uint32_t entry) const
    {
        return heads_[column].weights[entry] != algo::unreached<D>() || entry < out_.degree(column);
    }

    template <typename Propose>
    void start(std::uint32_t column, Thread& thread, const ThreadPush<Propose>& part)
    {
        if (!is_entry(column, 0)) return;
        Place& place = places_[column];
        ++place.start;
        place.pushed = 0;
        place.next = algo::saturated_sum(relaxed(part.memory.col_distances[column]), heads_[column].weights.front());
        ++part.round.arcs;
        if (place.next < part.bound) relax_in_window(column, part);
        if (place.next == algo::unreached<D>()) return;
        part.round.next = std::min(part.round.next, place.next);
        thread.waiting.push_back({column, place.start, place.next});
    }

    /// Continues the waiting lists up to the bound.
    template <typename Propose>
    void resume(Thread& thread, const ThreadPush<Propose>& part)
    {
        ThreadRound<D>& own = part.round;
        std::vector<std::uint32_t>& due = thread.due;
        due.clear();
        std::size_t kept = 0;
        for (const Waiting waiting : thread.waiting) {
            if (!(waiting.next < part.bound)) {
                own.next = std::min(own.next, waiting.next);
                thread.waiting[kept++] = waiting;
            } else if (places_[waiting.column].start == waiting.start) {
                due.push_back(waiting.column);
            }
        }
        thread.waiting.resize(kept);
        for (std::size_t i = 0; i < due.size(); ++i) {
            if (i + kAhead < due.size()) {
                const std::uint64_t begin = out_.begin(due[i + kAhead]) + places_[due[i + kAhead]].pushed;
                __builtin_prefetch(out_.neighbours + begin);
                __builtin_prefetch(weights_ + begin);
            }
            const Place& place = places_[due[i]];
            relax_in_window(due[i], part);
            if (place.next == algo::unreached<D>()) continue;
            own.next = std::min(own.next, place.next);
            thread.waiting.push_back({due[i], place.start, place.next});
        }
    }

    // Both are always inline, since GCC 12 takes functions of nothing but prefetches for ones without effects, and
    // deletes their calls.
    [[gnu::always_inline]] void prefetch_whole_list(std::span<const std::uint32_t> columns, std::size_t i,
                                                    const algo::SsspMemory<D>& memory) const
    {
        if (i + 2 * kAhead < columns.size()) {
            __builtin_prefetch(out_.relative_offsets + columns[i + 2 * kAhead]);
            __builtin_prefetch(memory.col_distances + columns[i + 2 * kAhead]);
        }
        if (i + kAhead >= columns.size()) return;
        const std::uint64_t begin = out_.begin(columns[i + kAhead]);
        __builtin_prefetch(out_.neighbours + begin);
        __builtin_prefetch(weights_ + begin);
    }

    [[gnu::always_inline]] void prefetch_start(std::span<const std::uint32_t> columns, std::size_t i,
                                               const algo::SsspMemory<D>& memory) const
    {
        if (i + 2 * kAhead < columns.size()) {
            const std::uint32_t column = columns[i + 2 * kAhead];
            __builtin_prefetch(heads_.data() + column);
            __builtin_prefetch(memory.col_distances + column);
            __builtin_prefetch(places_.data() + column, 1);
        }
        if (i + kAhead >= columns.size()) return;
        for (const std::uint32_t row : heads_[columns[i + kAhead]].neighbours)
            __builtin_prefetch(memory.row_distances + row);
    }

    std::uint32_t columns_;
    std::size_t parallel_from_arcs_;
    CsrView out_;
    const W* weights_;
    std::vector<Thread> threads_;
    EdgePieces pieces_;  // the lists of the changed columns, in pieces
    // Only if the lists are sorted by weight.
    std::span<const ListHead<D>> heads_;
    HostBuffer<Place> places_;
    D window_{};  // the bound of the last push in windows
};

}  // namespace wayfront::cpu
