// Top-down: from the frontier along its out-edges.
//
// The edges of the whole frontier are dealt to the threads in equal pieces, wherever the borders of the lists fall (as Merrill, Garland and Grimshaw,
// "Scalable GPU graph traversal", PPoPP 2012, doi:10.1145/2145816.2145832, do with a prefix sum over degrees), so that one vertex with a million
// edges keeps all threads busy. A row belongs to the thread that sets its bit.

#include <algorithm>
#include <array>
#include <atomic>

#include <omp.h>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"
#include "cpu/cpu_engine.hpp"

namespace wayfront::cpu {

namespace {

constexpr std::size_t kPieceEdges = 4096;  // edges that a thread takes at a time
constexpr std::size_t kPrefetchAhead = 8;  // vertices of the frontier

/// Collects found rows and hands them over in batches, so that threads seldom meet at the shared counter.
class FoundList
{
public:
    FoundList(std::uint32_t* list, std::atomic<std::size_t>& count) : list_(list), count_(count) {}
    FoundList(const FoundList&) = delete;  // would hand over twice
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

void prefetch_list(const CsrView& edges, std::span<const std::uint32_t> list, std::size_t i)
{
    if (i + 2 * kPrefetchAhead < list.size()) __builtin_prefetch(edges.relative_offsets + list[i + 2 * kPrefetchAhead]);
    if (i + kPrefetchAhead < list.size()) __builtin_prefetch(edges.neighbours + edges.begin(list[i + kPrefetchAhead]));
}

void top_down_serial(const CsrView& edges, std::span<const std::uint32_t> list, Discoveries& out)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        prefetch_list(edges, list, i);
        const std::uint32_t u = list[i];
        const std::uint64_t end = edges.end(u);
        for (std::uint64_t e = edges.begin(u); e < end; ++e) {
            const std::uint32_t v = edges.neighbours[e];
            if (test_bit(out.seen, v)) continue;
            set_bit(out.seen, v);
            out.parents[v] = u;
            out.list[count++] = v;
        }
    }
    out.count = count;
}

/// The edges numbered [first, last) of the frontier's lists, one after the other.
void top_down_piece(const CsrView& edges, std::span<const std::uint32_t> list, const std::uint64_t* offsets, std::uint64_t first, std::uint64_t last,
                    Discoveries& out, FoundList& found)
{
    auto i = static_cast<std::size_t>(std::upper_bound(offsets, offsets + list.size(), first) - offsets) - 1;
    for (std::uint64_t position = first; position < last; ++i) {
        prefetch_list(edges, list, i);
        const std::uint32_t u = list[i];
        const std::uint64_t list_end = std::min(last, offsets[i + 1]);
        const std::uint64_t begin = edges.begin(u) - offsets[i];
        for (; position < list_end; ++position) {
            const std::uint32_t v = edges.neighbours[begin + position];
            if (!claim_bit(out.seen, v)) continue;
            out.parents[v] = u;
            found.add(v);
        }
    }
}

}  // namespace

CpuEngine::CpuEngine(const CsrBlock& block, CpuTuning tuning) : block_(block), tuning_(tuning), edge_offsets_(std::size_t{block.cols()} + 1) {}

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
    const int threads = thread_count();
    if (threads == 1) {
        top_down_serial(edges, list, discoveries);
        return;
    }
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        edge_offsets_[i] = total;
        total += edges.degree(list[i]);
    }
    edge_offsets_[list.size()] = total;
    if (total < tuning_.parallel_from_edges) {
        top_down_serial(edges, list, discoveries);
        return;
    }
    const std::uint64_t piece_edges = std::clamp<std::uint64_t>(total / (static_cast<std::uint64_t>(threads) * 8), 512, kPieceEdges);
    const std::uint64_t pieces = (total + piece_edges - 1) / piece_edges;
    std::atomic<std::size_t> count{0};
#pragma omp parallel num_threads(threads)
    {
        FoundList found(discoveries.list, count);
#pragma omp for schedule(dynamic, 1) nowait
        for (std::uint64_t piece = 0; piece < pieces; ++piece)
            top_down_piece(edges, list, edge_offsets_.data(), piece * piece_edges, std::min(total, (piece + 1) * piece_edges), discoveries, found);
    }
    discoveries.count = count.load();
}

}  // namespace wayfront::cpu
