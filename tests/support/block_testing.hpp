// Blocks made by hand, and the results, as sets, that one level of any engine must have on them:
// the unseen rows that have an edge from the frontier, and the columns from which each of them can
// be found.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/edge_engine.hpp"
#include "base/bitmap.hpp"
#include "base/parallel.hpp"
#include "graph/csr_builder.hpp"
#include "graph/distributed_graph.hpp"
#include "support/random_numbers.hpp"

namespace wayfront {

using BlockEdges = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // row, column
using Indices = std::set<std::uint32_t>;

inline Csr lists_of(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, std::uint32_t lists)
{
    std::vector<std::uint32_t> counts(lists, 0);
    for (const auto& edge : edges) ++counts[edge.first];
    return build_csr(std::span<const std::uint32_t>(counts), [&](std::size_t part, std::size_t parts, auto&& f) {
        const IndexRange range = part_of(edges.size(), part, parts);
        for (std::size_t i = range.first; i < range.last; ++i) f(edges[i].first, edges[i].second);
    });
}

inline CsrBlock make_block(std::uint32_t stride, std::uint32_t row_chunks, std::uint32_t col_chunks,
                           const BlockEdges& edges)
{
    CsrBlock block;
    block.slot_stride = stride;
    block.row_chunks = row_chunks;
    block.col_chunks = col_chunks;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_column;
    for (const auto& [row, column] : edges) by_column.emplace_back(column, row);
    block.in_edges = lists_of({edges.begin(), edges.end()}, block.rows());
    block.out_edges_stored = lists_of(by_column, block.cols());
    block.first_in_neighbour = HostBuffer<std::uint32_t>(block.rows(), block.cols());
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) block.first_in_neighbour[edge->first] = edge->second;
    return block;
}

inline BlockEdges random_edges(std::size_t count, std::uint32_t rows, std::uint32_t columns, std::uint32_t seed)
{
    RandomNumbers random(seed);
    BlockEdges edges;
    for (std::size_t i = 0; i < count; ++i) edges.emplace(random.below(rows), random.below(columns));
    return edges;
}

inline Indices random_indices(std::uint32_t size, double share, std::uint32_t seed)
{
    RandomNumbers random(seed);
    Indices indices;
    for (std::uint32_t i = 0; i < size; ++i)
        if (random.chance(share)) indices.insert(i);
    return indices;
}

/// Runs one level of an engine and checks all of its results. `exact_parents`: rows that are not
/// found keep their old parent.
inline void check_level(EdgeEngine& engine, const CsrBlock& block, const BlockEdges& edges, const Indices& frontier,
                        const Indices& seen_before, bool top_down, bool exact_parents)
{
    // For each row to be found: the columns that it may be found from.
    std::map<std::uint32_t, Indices> finders;
    for (const auto& [row, column] : edges)
        if (frontier.contains(column) && !seen_before.contains(row)) finders[row].insert(column);

    const std::vector<std::uint32_t> frontier_list(frontier.rbegin(), frontier.rend());
    std::vector<std::uint64_t> frontier_bitmap(word_count(block.cols()) + 1, 0);
    for (const std::uint32_t column : frontier) set_bit(frontier_bitmap.data(), column);
    std::vector<std::uint64_t> seen(word_count(block.rows()), 0);
    for (const std::uint32_t row : seen_before) set_bit(seen.data(), row);
    std::vector<std::uint32_t> parents(block.rows() + 1, kNoLocal);
    std::vector<std::uint32_t> list(block.rows(), kNoLocal);
    std::vector<std::uint64_t> found(word_count(block.rows()) + 1, 0xDEADDEADDEADDEAD);
    found.back() = 0;
    Discoveries discoveries{.seen = seen.data(),
                            .seen_changed = true,
                            .parents = parents.data(),
                            .list = list.data(),
                            .found = found.data(),
                            .count = 99};

    engine.begin_search(kNoLocal);
    if (top_down)
        engine.launch_top_down({frontier_list, nullptr, frontier.size()}, discoveries);
    else
        engine.launch_bottom_up({{}, frontier_bitmap.data(), frontier.size()}, discoveries);
    engine.collect();
    engine.end_search(discoveries);
    Indices rows;
    if (discoveries.as_list) {
        ASSERT_LE(discoveries.count, list.size());
        rows = Indices(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(discoveries.count));
    } else {
        for_each_bit(found.data(), 0, found.size(), [&](std::size_t i) { rows.insert(static_cast<std::uint32_t>(i)); });
    }

    EXPECT_EQ(discoveries.count, finders.size());
    EXPECT_EQ(rows.size(), finders.size()) << "a row was found twice or not at all";
    for (std::uint32_t row = 0; row < block.rows(); ++row) {
        const auto finder = finders.find(row);
        const bool wanted = finder != finders.end();
        ASSERT_EQ(rows.contains(row), wanted) << "row " << row;
        ASSERT_EQ(test_bit(seen.data(), row), wanted || seen_before.contains(row)) << "row " << row;
        if (wanted) {
            ASSERT_TRUE(finder->second.contains(parents[row])) << "row " << row << " was found from " << parents[row];
        } else if (exact_parents) {
            ASSERT_EQ(parents[row], kNoLocal) << "row " << row << " was not found, yet has a parent";
        }
    }
}

}  // namespace wayfront
