// Bottom-up: from each row that has not been seen along its in-edges to the first vertex of the
// frontier.
//
// S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC 2012,
// doi:10.1109/SC.2012.50. Departures: the first in-neighbours of all rows are stored in an array of
// their own, in the order of rows, and are tried first, for a whole word of rows at a time. Since
// lists begin with the vertices of the largest degrees, most rows are found there. For the other rows of the word
// the lists are scanned; their cache lines are prefetched. Each word of rows belongs to one thread,
// so that no operation is atomic.

#include <bit>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"
#include "cpu/bfs/cpu_engine.hpp"

namespace wayfront::cpu {

namespace {

constexpr std::size_t kPieceWords = 32;  // words of rows that a thread takes at a time
// If a word has this many rows to find, all 64 first neighbours are tried, without a loop over the
// bits.
constexpr int kDenseFrom = 24;

struct Search
{
    CsrView edges;
    const std::uint32_t* first;
    const std::uint64_t* frontier;
    std::uint32_t* parents;

    [[nodiscard]] bool in_frontier(std::uint32_t u) const { return test_bit(frontier, u); }

    /// The rows of word w, out of `candidates`, whose first neighbour is in the frontier.
    [[nodiscard]] std::uint64_t try_first(std::size_t w, std::uint64_t candidates) const
    {
        const std::uint32_t* const word_first = first + w * kWordBits;
        std::uint64_t found = 0;
        if (std::popcount(candidates) >= kDenseFrom) {
            for (std::size_t i = 0; i < kWordBits; ++i)
                found |= static_cast<std::uint64_t>(in_frontier(word_first[i])) << i;
            return found & candidates;
        }
        for (std::uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
            const int i = std::countr_zero(rest);
            found |= static_cast<std::uint64_t>(in_frontier(word_first[i])) << i;
        }
        return found;
    }

    /// The rows of word w, out of `candidates`, that have a later neighbour in the frontier.
    [[nodiscard]] std::uint64_t scan_lists(std::size_t w, std::uint64_t candidates) const
    {
        for (std::uint64_t rest = candidates; rest != 0; rest &= rest - 1)
            __builtin_prefetch(edges.neighbours + edges.begin(row_of(w, rest)));
        std::uint64_t found = 0;
        for (std::uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
            const std::uint32_t v = row_of(w, rest);
            const std::uint64_t end = edges.end(v);
            for (std::uint64_t e = edges.begin(v) + 1; e < end; ++e) {
                const std::uint32_t u = edges.neighbours[e];
                if (in_frontier(u)) {
                    parents[v] = u;
                    found |= rest & (~rest + 1);
                    break;
                }
            }
        }
        return found;
    }

    [[nodiscard]] std::uint64_t search_word(std::size_t w, std::uint64_t unseen) const
    {
        const std::uint64_t at_first = try_first(w, unseen);
        for_each_bit(&at_first, 0, 1, [&](std::size_t i) { parents[w * kWordBits + i] = first[w * kWordBits + i]; });
        const std::uint64_t rest = unseen & ~at_first;
        return at_first | (rest != 0 ? scan_lists(w, rest) : 0);
    }

    static std::uint32_t row_of(std::size_t w, std::uint64_t bits)
    {
        return static_cast<std::uint32_t>(w * kWordBits + static_cast<std::size_t>(std::countr_zero(bits)));
    }
};

}  // namespace

void CpuEngine::search_bottom_up(const FrontierView& frontier, Discoveries& discoveries) const
{
    const Search search{block_.in_edges.view(), block_.first_in_neighbour.data(), frontier.bitmap, discoveries.parents};
    const std::size_t words = word_count(block_.rows());
    const bool parallel = thread_count() > 1 && block_.rows() >= tuning_.parallel_from_rows;
    const auto search_word = [&](std::size_t w) {
        const std::uint64_t unseen = ~discoveries.seen[w];
        const std::uint64_t found = unseen != 0 ? search.search_word(w, unseen) : 0;
        discoveries.found[w] = found;
        discoveries.seen[w] |= found;
        return static_cast<std::size_t>(std::popcount(found));
    };
    std::size_t count = 0;
    if (parallel) {
#pragma omp parallel for schedule(dynamic, kPieceWords) reduction(+ : count)
        for (std::size_t w = 0; w < words; ++w) count += search_word(w);
    } else {
        for (std::size_t w = 0; w < words; ++w) count += search_word(w);
    }
    discoveries.as_list = false;
    discoveries.count = count;
}

}  // namespace wayfront::cpu
