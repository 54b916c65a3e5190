// Top-down: from the frontier along its out-edges.
//
// The edges of the whole frontier are distributed to the threads in pieces of equal size (edge_pieces.hpp). D.
// Merrill, M. Garland and A. Grimshaw do the same with a prefix sum over degrees ("Scalable GPU
// graph traversal", PPoPP 2012, doi:10.1145/2145816.2145832). A row belongs to the thread that sets
// its bit. Levels with few edges, those whose order the caller needs, and all levels of a single
// thread are searched list by list, without a branch per edge in short lists, and with prefetches of
// the lists that the next level reads.

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"
#include "cpu/bfs/cpu_engine.hpp"

namespace wayfront::cpu {

namespace {

constexpr std::size_t kPieceEdges = 4096;  // edges that a thread takes at a time
constexpr std::size_t kSerialAhead = 32;   // vertices of the frontier whose lists are prefetched
constexpr std::size_t kPieceAhead = 8;     // the same in a piece, which may have few vertices
constexpr std::size_t kShortList = 4;      // lists up to this length always take this many steps
// A single thread finds rows in order. A rank with up to this number of threads lets one of them search if the order
// saves time (bench/results/nearest-in-order.json). More than two threads were not measured.
constexpr int kMostThreadsForOrder = 2;

/// Collects found rows and appends them to the shared list in batches, so that threads seldom
/// contend for the shared counter.
class FoundList
{
public:
    FoundList(std::uint32_t* list, std::atomic<std::size_t>& count) : list_(list), count_(count) {}
    FoundList(const FoundList&) = delete;  // a copy would append the same rows again
    FoundList& operator=(const FoundList&) = delete;
    ~FoundList() { flush(); }

    void add(std::uint32_t row)
    {
        if (size_ == rows_.size()) flush();
        rows_[size_++] = row;
    }

private:
    void flush()
    {
        std::copy_n(rows_.begin(), size_, list_ + count_.fetch_add(size_, std::memory_order_relaxed));
        size_ = 0;
    }

    std::uint32_t* list_;
    std::atomic<std::size_t>& count_;
    std::array<std::uint32_t, 2048> rows_;
    std::size_t size_ = 0;
};

/// Always inline, since GCC 12 takes a function of nothing but prefetches for one without effects, and
/// deletes its calls.
template <std::size_t Ahead>
[[gnu::always_inline]] inline void prefetch_list(const CsrView& edges, std::span<const std::uint32_t> list,
                                                 std::size_t i)
{
    if (i + 2 * Ahead < list.size()) __builtin_prefetch(edges.relative_offsets + list[i + 2 * Ahead]);
    if (i + Ahead < list.size()) __builtin_prefetch(edges.neighbours + edges.begin(list[i + Ahead]));
}

/// The rows that a single thread finds, and their parents. They pass through a buffer, which avoids
/// a branch per edge: a new row moves the end of the buffer, a known row does not, and the same
/// code runs for both. If lists are short and one neighbour in three is new, as in road networks,
/// mispredicted branches would take longer than everything else.
///
/// `in_order`: whether they are Discoveries::finders, and not parents.
template <bool in_order>
class SerialFinds
{
public:
    /// `next_offsets`: the offsets of the lists of the next level's frontier, which are prefetched,
    /// if rows are also the columns of this frontier; otherwise null.
    SerialFinds(Discoveries& out, const std::uint32_t* next_offsets) : out_(out), next_offsets_(next_offsets) {}

    /// Makes room for at least this many calls of offer().
    void reserve(std::size_t offers)
    {
        if (size_ + offers > rows_.size()) flush();
    }

    /// Row v is a neighbour of a frontier vertex: its finder, or its parent. Does nothing if `real` is false.
    void offer(std::uint32_t finder, std::uint32_t v, bool real)
    {
        if constexpr (!in_order) __builtin_prefetch(out_.parents + v, 1);
        if (next_offsets_ != nullptr) __builtin_prefetch(next_offsets_ + v);
        std::uint64_t& word = out_.seen[v / kWordBits];
        const std::uint64_t is_new = static_cast<std::uint64_t>(real) & ~(word >> (v % kWordBits));
        word |= is_new << (v % kWordBits);
        rows_[size_] = v;
        finders_[size_] = finder;
        size_ += is_new;
    }

    /// The caller calls it after the last offer().
    void finish()
    {
        flush();
        out_.count = count_;
    }

private:
    void flush()
    {
        if constexpr (in_order)
            std::copy_n(finders_.begin(), size_, out_.finders + count_);
        else
            for (std::size_t i = 0; i < size_; ++i) out_.parents[rows_[i]] = finders_[i];
        std::copy_n(rows_.begin(), size_, out_.list + count_);
        count_ += std::exchange(size_, 0);
    }

    Discoveries& out_;
    const std::uint32_t* next_offsets_;
    std::size_t count_ = 0;
    std::size_t size_ = 0;
    std::array<std::uint32_t, 1024> rows_;
    std::array<std::uint32_t, 1024> finders_;
};

template <bool in_order>
void top_down_serial(const CsrView& edges, std::span<const std::uint32_t> list, bool rows_are_columns, Discoveries& out)
{
    out.in_order = in_order;
    SerialFinds<in_order> finds(out, rows_are_columns ? edges.relative_offsets : nullptr);
    const std::uint64_t all_edges = edges.begin(edges.lists);
    for (std::size_t i = 0; i < std::min(list.size(), 2 * kSerialAhead); ++i)
        __builtin_prefetch(edges.relative_offsets + list[i]);
    for (std::size_t i = 0; i < std::min(list.size(), kSerialAhead); ++i)
        __builtin_prefetch(edges.neighbours + edges.begin(list[i]));
    for (std::size_t i = 0; i < list.size(); ++i) {
        prefetch_list<kSerialAhead>(edges, list, i);
        const std::uint32_t u = list[i];
        const std::uint64_t begin = edges.begin(u);
        const std::uint64_t degree = edges.end(u) - begin;
        if (degree == 0) continue;
        const std::uint32_t finder = in_order ? static_cast<std::uint32_t>(i) : u;
        if (degree <= kShortList && begin + kShortList <= all_edges) {
            finds.reserve(kShortList);
            for (std::size_t k = 0; k < kShortList; ++k) finds.offer(finder, edges.neighbours[begin + k], k < degree);
            continue;
        }
        for (std::uint64_t k = 0; k < degree; ++k) {
            const std::uint32_t v = edges.neighbours[begin + k];
            if (test_bit(out.seen, v)) continue;
            finds.reserve(1);
            finds.offer(finder, v, true);
        }
    }
    finds.finish();
}

/// Searches a piece of the edges of the frontier's lists.
void top_down_piece(const EdgePieces& frontier, IndexRange piece, Discoveries& out, FoundList& found)
{
    const std::uint32_t* const neighbours = frontier.edges().neighbours;
    frontier.for_each_list(piece, [&](std::size_t i, std::uint64_t first, std::uint64_t last) {
        prefetch_list<kPieceAhead>(frontier.edges(), frontier.lists(), i);
        const std::uint32_t u = frontier.lists()[i];
        for (std::uint64_t e = first; e < last; ++e) {
            const std::uint32_t v = neighbours[e];
            if (!claim_bit(out.seen, v)) continue;
            out.parents[v] = u;
            found.add(v);
        }
    });
}

}  // namespace

CpuEngine::CpuEngine(const CsrBlock& block, CpuTuning tuning) : block_(block), tuning_(tuning), pieces_(block.cols()) {}

void CpuEngine::collect()
{
    if (launched_.top_down)
        search_top_down(launched_.frontier, *launched_.discoveries);
    else
        search_bottom_up(launched_.frontier, *launched_.discoveries);
}

void CpuEngine::search_top_down(const FrontierView& frontier, Discoveries& discoveries)
{
    discoveries.as_list = true;
    const CsrView edges = block_.out_edges().view();
    const std::span<const std::uint32_t> list = frontier.list;
    const auto search_serially = [&] {
        const bool rows_are_columns = block_.row_chunks == 1 && block_.col_chunks == 1;
        if (discoveries.finders != nullptr)
            top_down_serial<true>(edges, list, rows_are_columns, discoveries);
        else
            top_down_serial<false>(edges, list, rows_are_columns, discoveries);
    };
    const int threads = thread_count();
    const bool keep_order = discoveries.finders != nullptr && threads <= kMostThreadsForOrder;
    if (threads == 1 || keep_order || frontier.most_out_edges < tuning_.parallel_from_edges) {
        search_serially();
        return;
    }
    const std::uint64_t total = pieces_.number(edges, list);
    if (total < tuning_.parallel_from_edges) {
        search_serially();
        return;
    }
    const std::uint64_t piece_edges =
        std::clamp<std::uint64_t>(total / (static_cast<std::uint64_t>(threads) * 8), 512, kPieceEdges);
    const std::uint64_t pieces = (total + piece_edges - 1) / piece_edges;
    std::atomic<std::size_t> count{0};
    parallel_team(threads, [&](std::size_t) {
        FoundList found(discoveries.list, count);
#pragma omp for schedule(dynamic, 1) nowait
        for (std::uint64_t piece = 0; piece < pieces; ++piece)
            top_down_piece(pieces_, {piece * piece_edges, std::min(total, (piece + 1) * piece_edges)}, discoveries,
                           found);
    });
    discoveries.count = count.load();
}

}  // namespace wayfront::cpu
