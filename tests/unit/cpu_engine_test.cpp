// The CPU engine's two directions on blocks made by hand, against sets: which rows have an unseen end of an edge from the frontier, and from which
// columns each of them can be found.
#include "cpu/cpu_engine.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/bitmap.hpp"
#include "graph/csr_builder.hpp"
#include "random_numbers.hpp"
#include "thread_guard.hpp"

namespace wayfront::cpu {
namespace {

using BlockEdges = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // row, column
using Indices = std::set<std::uint32_t>;

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
constexpr CpuTuning kSerial{kNever, kNever};
constexpr CpuTuning kParallel{0, 0};

Csr lists_of(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, std::uint32_t lists)
{
    std::vector<std::uint32_t> counts(lists, 0);
    for (const auto& edge : edges) ++counts[edge.first];
    return build_csr(std::span<const std::uint32_t>(counts), [&](std::size_t part, std::size_t parts, auto&& f) {
        const IndexRange range = part_of(edges.size(), part, parts);
        for (std::size_t i = range.first; i < range.last; ++i) f(edges[i].first, edges[i].second);
    });
}

CsrBlock make_block(std::uint32_t stride, std::uint32_t row_chunks, std::uint32_t col_chunks, const BlockEdges& edges)
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

BlockEdges random_edges(std::size_t count, std::uint32_t rows, std::uint32_t columns, std::uint32_t seed)
{
    RandomNumbers random(seed);
    BlockEdges edges;
    for (std::size_t i = 0; i < count; ++i) edges.emplace(random.below(rows), random.below(columns));
    return edges;
}

Indices random_indices(std::uint32_t size, double share, std::uint32_t seed)
{
    RandomNumbers random(seed);
    Indices indices;
    for (std::uint32_t i = 0; i < size; ++i)
        if (random.chance(share)) indices.insert(i);
    return indices;
}

/// Runs one direction with one tuning and checks all that a level writes.
void check_level(const CsrBlock& block, const BlockEdges& edges, const Indices& frontier, const Indices& seen_before, bool top_down, CpuTuning tuning)
{
    std::map<std::uint32_t, Indices> finders;  // of each row to be found, the columns it may be found from
    for (const auto& [row, column] : edges)
        if (frontier.contains(column) && !seen_before.contains(row)) finders[row].insert(column);

    std::vector<std::uint32_t> frontier_list(frontier.rbegin(), frontier.rend());
    std::vector<std::uint64_t> frontier_bitmap(word_count(block.cols()) + 1, 0);
    for (const std::uint32_t column : frontier) set_bit(frontier_bitmap.data(), column);
    std::vector<std::uint64_t> seen(word_count(block.rows()), 0);
    for (const std::uint32_t row : seen_before) set_bit(seen.data(), row);
    std::vector<std::uint32_t> parents(block.rows() + 1, kNoLocal);
    std::vector<std::uint32_t> list(block.rows(), kNoLocal);
    std::vector<std::uint64_t> found(word_count(block.rows()) + 1, 0xDEADDEADDEADDEAD);
    found.back() = 0;
    Discoveries discoveries{seen.data(), parents.data(), list.data(), found.data(), 99};

    CpuEngine engine(block, tuning);
    Indices rows;
    if (top_down) {
        engine.top_down({frontier_list, nullptr}, discoveries);
        ASSERT_LE(discoveries.count, list.size());
        rows = Indices(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(discoveries.count));
    } else {
        engine.bottom_up({{}, frontier_bitmap.data()}, discoveries);
        for_each_bit(found.data(), 0, found.size(), [&](std::size_t i) { rows.insert(static_cast<std::uint32_t>(i)); });
    }

    EXPECT_EQ(discoveries.count, finders.size());
    EXPECT_EQ(rows.size(), finders.size()) << "a row was found twice or not at all";
    for (std::uint32_t row = 0; row < block.rows(); ++row) {
        const auto finder = finders.find(row);
        const bool wanted = finder != finders.end();
        ASSERT_EQ(rows.contains(row), wanted) << "row " << row;
        ASSERT_EQ(test_bit(seen.data(), row), wanted || seen_before.contains(row)) << "row " << row;
        if (wanted)
            ASSERT_TRUE(finder->second.contains(parents[row])) << "row " << row << " was found from " << parents[row];
        else
            ASSERT_EQ(parents[row], kNoLocal) << "row " << row << " was not found, yet has a parent";
    }
}

void check_all_ways(const CsrBlock& block, const BlockEdges& edges, const Indices& frontier, const Indices& seen)
{
    for (const int threads : {1, 2, 4})
        for (const bool parallel : {false, true})
            for (const bool top_down : {false, true}) {
                SCOPED_TRACE(testing::Message() << threads << " threads, " << (parallel ? "parallel, " : "serial, ")
                                                << (top_down ? "top-down" : "bottom-up") << ", frontier of " << frontier.size() << ", " << seen.size()
                                                << " seen");
                const ThreadGuard guard(threads);
                check_level(block, edges, frontier, seen, top_down, parallel ? kParallel : kSerial);
            }
}

void check_shares(const CsrBlock& block, const BlockEdges& edges)
{
    for (const double frontier : {0.0, 0.01, 0.3, 1.0})
        for (const double seen : {0.0, 0.2, 0.9, 1.0})
            check_all_ways(block, edges, random_indices(block.cols(), frontier, 100), random_indices(block.rows(), seen, 101));
}

TEST(CpuEngine, RandomBlocks)
{
    const BlockEdges square = random_edges(2000, 256, 256, 1);
    check_shares(make_block(256, 1, 1, square), square);
    const BlockEdges wide = random_edges(3000, 64, 1024, 2);
    check_shares(make_block(64, 1, 16, wide), wide);
    const BlockEdges tall = random_edges(3000, 1024, 64, 3);
    check_shares(make_block(64, 16, 1, tall), tall);
}

TEST(CpuEngine, ALargerBlockOfManyPieces)
{
    const BlockEdges edges = random_edges(60000, 6400, 6400, 4);
    const CsrBlock block = make_block(6400, 1, 1, edges);
    check_all_ways(block, edges, random_indices(6400, 0.2, 5), random_indices(6400, 0.5, 6));
    check_all_ways(block, edges, random_indices(6400, 1, 5), {});
}

TEST(CpuEngine, NoEdges)
{
    check_shares(make_block(128, 1, 2, {}), {});
}

TEST(CpuEngine, AHubKeepsAllThreadsBusy)
{
    BlockEdges edges;
    for (std::uint32_t row = 0; row < 20000; ++row) edges.emplace(row, 77);
    for (std::uint32_t row = 0; row < 20000; row += 3) edges.emplace(row, row % 50);
    const CsrBlock block = make_block(20032, 1, 1, edges);
    check_all_ways(block, edges, {77}, {});
    check_all_ways(block, edges, {3, 77, 100, 20031}, random_indices(20032, 0.5, 7));
    check_all_ways(block, edges, {12}, {});
}

TEST(CpuEngine, ARowWithManyInEdgesOfWhichTheLastCounts)
{
    BlockEdges edges;
    for (std::uint32_t column = 0; column < 4096; ++column) edges.emplace(63, column);
    const CsrBlock block = make_block(4096, 1, 1, edges);
    check_all_ways(block, edges, {4095}, {});
    check_all_ways(block, edges, {0}, {});
    check_all_ways(block, edges, {}, {});
}

TEST(CpuEngine, EveryCountOfUnseenRowsInAWord)
{
    // Bottom-up treats words with many and with few unseen rows differently.
    const BlockEdges edges = random_edges(400, 64, 64, 8);
    const CsrBlock block = make_block(64, 1, 1, edges);
    const Indices frontier = random_indices(64, 0.4, 9);
    for (std::uint32_t unseen = 0; unseen <= 64; ++unseen) {
        Indices seen;
        for (std::uint32_t row = unseen; row < 64; ++row) seen.insert((row * 37) % 64);
        check_all_ways(block, edges, frontier, seen);
    }
}

TEST(CpuEngine, TheSameListsServeBothWaysWhereTheBlockIsSymmetric)
{
    BlockEdges edges;
    for (const auto& [row, column] : random_edges(500, 128, 128, 10)) {
        edges.emplace(row, column);
        edges.emplace(column, row);
    }
    CsrBlock block = make_block(128, 1, 1, edges);
    block.out_edges_stored = {};
    block.symmetric = true;
    check_shares(block, edges);
}

TEST(CpuEngine, AnEngineHoldsNoStateOfALevel)
{
    const ThreadGuard guard(2);
    const BlockEdges edges = random_edges(3000, 512, 512, 11);
    const CsrBlock block = make_block(512, 1, 1, edges);
    CpuEngine engine(block, kParallel);
    for (int repeat = 0; repeat < 3; ++repeat)
        for (const double share : {1.0, 0.05}) {
            const Indices frontier = random_indices(512, share, 12);
            const std::vector<std::uint32_t> frontier_list(frontier.begin(), frontier.end());
            Indices reachable;
            for (const auto& [row, column] : edges)
                if (frontier.contains(column)) reachable.insert(row);
            std::vector<std::uint64_t> seen(word_count(512), 0);
            std::vector<std::uint32_t> parents(513);
            std::vector<std::uint32_t> list(512);
            Discoveries discoveries{seen.data(), parents.data(), list.data(), nullptr, 0};
            engine.top_down({frontier_list, nullptr}, discoveries);
            EXPECT_EQ(Indices(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(discoveries.count)), reachable);
        }
}

TEST(CpuEngine, HasAName)
{
    const CsrBlock block = make_block(64, 1, 1, {});
    EXPECT_EQ(CpuEngine(block).name(), "cpu");
}

}  // namespace
}  // namespace wayfront::cpu
