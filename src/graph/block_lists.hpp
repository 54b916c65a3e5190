// The lists of a block, in both directions, from its edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/block_weights.hpp"
#include "graph/csr_builder.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/list_parts.hpp"

namespace wayfront {

namespace detail {

inline constexpr std::size_t kSerialListsBelow = 4096;

/// Construction sorts the columns of a row by (slot, chunk), so that likely parents of all chunks
/// come first. This turns the sort keys back into columns.
inline void columns_from_keys(Csr& csr, std::uint32_t col_chunks, std::uint32_t slot_stride)
{
    if (col_chunks == 1) return;
    const std::span<std::uint32_t> keys = csr.neighbours();
    parallel_ranges(keys.size(), kSerialListsBelow, [&](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i)
            keys[i] = (keys[i] % col_chunks) * slot_stride + keys[i] / col_chunks;
    });
}

/// The lists of the same edges, by column.
template <typename Word>
WeightedCsr<Word> transpose(const WeightedCsr<Word>& by_row, std::uint32_t cols, ListOrder order)
{
    HostBuffer<std::uint32_t> counts(cols, 0);
    const std::span<const std::uint32_t> neighbours = by_row.csr.neighbours();
    count_places(neighbours.size(), counts.span(), [&](IndexRange range, auto&& add) {
        for (std::size_t i = range.first; i < range.last; ++i) add(neighbours[i]);
    });
    const CsrView rows = by_row.csr.view();
    const auto weight = [&]([[maybe_unused]] std::uint64_t e) {
        if constexpr (!std::is_same_v<Word, Unweighted>)
            return by_row.weights[e];
        else
            return Unweighted{};
    };
    const auto for_each_edge = [&](std::size_t part, std::size_t parts, auto&& f) {
        const std::uint32_t last = first_list_of_part(rows, part + 1, parts);
        for (std::uint32_t row = first_list_of_part(rows, part, parts); row < last; ++row)
            for (std::uint64_t e = rows.begin(row); e < rows.end(row); ++e) f(rows.neighbours[e], row, weight(e));
    };
    return build_weighted_csr<Word>(counts.span(), order, for_each_edge, [] {});
}

/// The weights that ordered words encode.
template <typename T>
BlockWeights weights_of([[maybe_unused]] const HostBuffer<wayfront::OrderedWord<T>>& words)
{
    if constexpr (std::is_same_v<T, Unweighted>) {
        return {};
    } else {
        HostBuffer<T> weights(words.size());
        parallel_for(words.size(), kSerialListsBelow, [&](std::size_t i) { weights[i] = from_ordered<T>(words[i]); });
        return weights;
    }
}

inline HostBuffer<std::uint32_t> first_neighbours(const Csr& csr, std::uint32_t none)
{
    HostBuffer<std::uint32_t> first(csr.lists());
    const CsrView view = csr.view();
    parallel_ranges(csr.lists(), kSerialListsBelow, [&](IndexRange range) {
        for (auto i = static_cast<std::uint32_t>(range.first); i < range.last; ++i)
            first[i] = view.begin(i) < view.end(i) ? view.neighbours[view.begin(i)] : none;
    });
    return first;
}

}  // namespace detail

/// Builds the lists of a block whose sizes, order and symmetry are set, and whose weights have type T.
/// row_counts[r] is the number of edges of row r, including duplicates. for_each_edge and release are
/// those of build_weighted_csr(): f(row, key, ordered weight), where the key of a column is
/// slot * col_chunks + chunk.
template <typename T, typename ForEachEdge, typename Release>
void build_block_lists(CsrBlock& block, std::span<const std::uint32_t> row_counts, ForEachEdge&& for_each_edge,
                       Release&& release)
{
    using Word = OrderedWord<T>;
    WeightedCsr<Word> in_edges = build_weighted_csr<Word>(row_counts, block.list_order, for_each_edge, release);
    detail::columns_from_keys(in_edges.csr, block.col_chunks, block.slot_stride);
    if (!block.symmetric) {
        WeightedCsr<Word> out_edges = detail::transpose(in_edges, block.cols(), block.list_order);
        block.out_edges_stored = std::move(out_edges.csr);
        block.out_weights_stored = detail::weights_of<T>(out_edges.weights);
    }
    block.in_edges = std::move(in_edges.csr);
    block.in_weights = detail::weights_of<T>(in_edges.weights);
    block.first_in_neighbour = detail::first_neighbours(block.in_edges, block.cols());
}

}  // namespace wayfront
