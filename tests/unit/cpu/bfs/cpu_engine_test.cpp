// The CPU engine's two directions on blocks made by hand, with different numbers of threads.
#include "cpu/bfs/cpu_engine.hpp"

#include <limits>
#include <vector>

#include "support/block_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::cpu {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
constexpr CpuTuning kSerial{kNever, kNever};
constexpr CpuTuning kParallel{0, 0};

void check_all_ways(const CsrBlock& block, const BlockEdges& edges, const Indices& frontier, const Indices& seen)
{
    for (const int threads : {1, 2, 4})
        for (const bool parallel : {false, true})
            for (const bool top_down : {false, true}) {
                SCOPED_TRACE(testing::Message() << threads << " threads, " << (parallel ? "parallel, " : "serial, ")
                                                << (top_down ? "top-down" : "bottom-up") << ", frontier of "
                                                << frontier.size() << ", " << seen.size() << " seen");
                const ThreadGuard guard(threads);
                CpuEngine engine(block, parallel ? kParallel : kSerial);
                check_level(engine, block, edges, frontier, seen, top_down, true);
            }
}

void check_shares(const CsrBlock& block, const BlockEdges& edges)
{
    for (const double frontier : {0.0, 0.01, 0.3, 1.0})
        for (const double seen : {0.0, 0.2, 0.9, 1.0})
            check_all_ways(block, edges, random_indices(block.cols(), frontier, 100),
                           random_indices(block.rows(), seen, 101));
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

TEST(CpuEngine, ShortListsOfEachLength)
{
    // Lists of up to four rows are always walked in four steps; the last list of the block ends at
    // the end of the array.
    for (const std::uint32_t last : {1U, 2U, 3U, 4U, 5U}) {
        BlockEdges edges;
        for (std::uint32_t column = 0; column + 2 < 3200; ++column)
            for (std::uint32_t i = 0; i < column % 6; ++i) edges.emplace((column * 7 + i * 911) % 3200, column);
        for (std::uint32_t i = 0; i < last; ++i) edges.emplace(i * 640, 3199);
        // So that no memory is allocated after the last list.
        for (std::uint32_t row = 0; edges.size() % 16 != 0; ++row) edges.emplace(row, 3198);
        const CsrBlock block = make_block(3200, 1, 1, edges);
        check_all_ways(block, edges, random_indices(3200, 1, 11), {});
        check_all_ways(block, edges, random_indices(3200, 0.5, 12), random_indices(3200, 0.5, 13));
        check_all_ways(block, edges, {3199}, {});
    }
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

TEST(CpuEngine, TheSameListsServeBothWaysIfTheBlockIsSymmetric)
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
            Discoveries discoveries{.seen = seen.data(), .parents = parents.data(), .list = list.data()};
            engine.launch_top_down({frontier_list, nullptr, frontier_list.size()}, discoveries);
            engine.collect();
            EXPECT_EQ(Indices(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(discoveries.count)), reachable);
        }
}

TEST(CpuEngine, OneThreadFindsRowsInOrder)
{
    const BlockEdges edges = random_edges(3000, 512, 512, 14);
    const CsrBlock block = make_block(512, 1, 1, edges);
    const Indices frontier = random_indices(512, 0.5, 15);
    const std::vector<std::uint32_t> frontier_list(frontier.rbegin(), frontier.rend());
    for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(testing::Message() << threads << " threads");
        const ThreadGuard guard(threads);
        CpuEngine engine(block, kParallel);
        std::vector<std::uint64_t> seen(word_count(512), 0);
        std::vector<std::uint32_t> parents(513);
        std::vector<std::uint32_t> list(512);
        std::vector<std::uint32_t> finders(512);
        Discoveries discoveries{
            .seen = seen.data(), .parents = parents.data(), .list = list.data(), .finders = finders.data()};
        engine.launch_top_down({frontier_list, nullptr, frontier_list.size()}, discoveries);
        engine.collect();
        EXPECT_EQ(discoveries.in_order, threads <= 2);
        if (!discoveries.in_order) continue;
        std::uint32_t before = 512;  // the frontier's list descends
        for (std::size_t i = 0; i < discoveries.count; ++i) {
            const std::uint32_t row = list[i];
            std::uint32_t first = 0;
            for (const std::uint32_t column : frontier)
                if (edges.contains({row, column})) first = column;
            ASSERT_LT(finders[i], frontier_list.size());
            const std::uint32_t parent = frontier_list[finders[i]];
            EXPECT_EQ(parent, first);
            EXPECT_LE(parent, before);
            before = parent;
        }
    }
}

TEST(CpuEngine, HasAName)
{
    const CsrBlock block = make_block(64, 1, 1, {});
    EXPECT_EQ(CpuEngine(block).name(), "cpu");
}

}  // namespace
}  // namespace wayfront::cpu
