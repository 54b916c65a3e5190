#include "algo/bfs/row_split.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"

namespace wayfront {

namespace {

constexpr auto kWordRows = static_cast<std::uint32_t>(kWordBits);
// The work that a thread takes at a time.
constexpr std::size_t kChunkWords = 16;
constexpr std::size_t kChunkColumns = 1024;

HostBuffer<std::uint32_t> copy_of(const std::vector<std::uint32_t>& words)
{
    HostBuffer<std::uint32_t> copy(words.size());
    std::ranges::copy(words, copy.begin());
    return copy;
}

void take_in_edges(const CsrBlock& block, std::span<const std::uint32_t> words, CsrBlock& part)
{
    const CsrView from = block.in_edges.view();
    HostBuffer<std::uint32_t> degrees(part.rows());
    part.first_in_neighbour = HostBuffer<std::uint32_t>(part.rows());
    parallel_for(degrees.size(), 1, [&](std::size_t i) {
        const std::uint32_t row = words[i / kWordBits] * kWordRows + static_cast<std::uint32_t>(i % kWordBits);
        degrees[i] = static_cast<std::uint32_t>(from.degree(row));
        part.first_in_neighbour[i] = block.first_in_neighbour[row];
    });
    part.in_edges = Csr(degrees.span());
    const CsrView to = part.in_edges.view();
    std::uint32_t* const neighbours = part.in_edges.neighbours().data();
    // The rows of a word are contiguous in both blocks.
    const auto copy_word = [&](std::size_t w) {
        const std::uint32_t first_row = words[w] * kWordRows;
        std::copy(from.neighbours + from.begin(first_row), from.neighbours + from.begin(first_row + kWordRows),
                  neighbours + to.begin(static_cast<std::uint32_t>(w) * kWordRows));
    };
    parallel_items(words.size(), copy_word, kChunkWords);
}

void take_out_edges(const CsrBlock& block, std::span<const std::uint32_t> words, CsrBlock& part)
{
    HostBuffer<std::uint32_t> place_of_word(word_count(block.rows()), kNoLocal);
    for (std::size_t w = 0; w < words.size(); ++w) place_of_word[words[w]] = static_cast<std::uint32_t>(w);

    const CsrView from = block.out_edges().view();
    HostBuffer<std::uint32_t> degrees(part.cols());
    const auto count_column = [&](std::size_t column) {
        const auto u = static_cast<std::uint32_t>(column);
        degrees[u] = 0;
        for (std::uint64_t e = from.begin(u); e < from.end(u); ++e)
            degrees[u] += place_of_word[from.neighbours[e] / kWordRows] != kNoLocal ? 1 : 0;
    };
    parallel_items(part.cols(), count_column, kChunkColumns);
    part.out_edges_stored = Csr(degrees.span());
    const CsrView to = part.out_edges_stored.view();
    std::uint32_t* const neighbours = part.out_edges_stored.neighbours().data();
    const auto copy_column = [&](std::size_t column) {
        const auto u = static_cast<std::uint32_t>(column);
        std::uint64_t next = to.begin(u);
        for (std::uint64_t e = from.begin(u); e < from.end(u); ++e) {
            const std::uint32_t row = from.neighbours[e];
            const std::uint32_t place = place_of_word[row / kWordRows];
            if (place != kNoLocal) neighbours[next++] = place * kWordRows + row % kWordRows;
        }
    };
    parallel_items(part.cols(), copy_column, kChunkColumns);
}

}  // namespace

RowSplit split_rows(const CsrBlock& block, double share)
{
    const CsrView edges = block.in_edges.view();
    std::array<std::vector<std::uint32_t>, 2> words;
    double all_edges = 0;
    double first_edges = 0;
    for (std::uint32_t w = 0; w < word_count(block.rows()); ++w) {
        const auto word_edges = static_cast<double>(edges.begin((w + 1) * kWordRows) - edges.begin(w * kWordRows));
        all_edges += word_edges;
        // The word goes to the first part if this brings the part nearer to its share.
        const bool to_first = share >= 1 || (share > 0 && share * all_edges - first_edges > word_edges / 2);
        if (to_first) first_edges += word_edges;
        words[to_first ? 0 : 1].push_back(w);
    }
    return {copy_of(words[0]), copy_of(words[1])};
}

CsrBlock take_rows(const CsrBlock& block, std::span<const std::uint32_t> words)
{
    CsrBlock part;
    part.slot_stride = kWordRows;
    part.row_chunks = static_cast<std::uint32_t>(words.size());
    part.col_chunks = block.cols() / kWordRows;
    take_in_edges(block, words, part);
    take_out_edges(block, words, part);
    return part;
}

}  // namespace wayfront
