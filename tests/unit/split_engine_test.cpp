// Two CPU engines on one block, and the choice of the share.
#include "graph/split_engine.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "block_testing.hpp"
#include "cpu/cpu_engine.hpp"
#include "thread_guard.hpp"

namespace wayfront {
namespace {

std::unique_ptr<EdgeEngine> cpu_engine(const CsrBlock& block)
{
    return std::make_unique<cpu::CpuEngine>(block);
}

void check_all_shares(const CsrBlock& block, const BlockEdges& edges)
{
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0})
        for (const double frontier : {0.0, 0.05, 1.0})
            for (const double seen : {0.0, 0.3, 1.0})
                for (const bool top_down : {false, true}) {
                    SCOPED_TRACE(testing::Message()
                                 << "share " << share << ", frontier " << frontier << ", seen " << seen << ", top-down " << top_down);
                    SplitEngine engine(block, cpu_engine, cpu_engine, share);
                    check_level(engine, block, edges, random_indices(block.cols(), frontier, 100), random_indices(block.rows(), seen, 101), top_down,
                                false);
                }
}

TEST(SplitEngine, EveryShareFindsTheSame)
{
    const ThreadGuard guard(2);
    const BlockEdges square = random_edges(2000, 320, 320, 1);
    check_all_shares(make_block(320, 1, 1, square), square);
    const BlockEdges wide = random_edges(3000, 128, 1024, 2);
    check_all_shares(make_block(64, 2, 16, wide), wide);
    check_all_shares(make_block(128, 1, 2, {}), {});
    check_all_shares(make_block(64, 1, 1, {{3, 5}, {63, 0}}), {{3, 5}, {63, 0}});
    check_all_shares(make_block(0, 1, 1, {}), {});
}

TEST(SplitEngine, TheRowThatIsSeenFromTheStartIsNotFound)
{
    const ThreadGuard guard(1);
    BlockEdges edges;
    for (std::uint32_t row = 0; row < 256; ++row) edges.emplace(row, 7);
    const CsrBlock block = make_block(256, 1, 1, edges);
    const std::vector<std::uint32_t> frontier{7};
    for (std::uint32_t seen_row = 0; seen_row < 256; seen_row += 51) {
        SplitEngine engine(block, cpu_engine, cpu_engine, 0.5);
        std::vector<std::uint64_t> seen(4, 0);
        std::vector<std::uint32_t> parents(256);
        std::vector<std::uint32_t> list(256);
        set_bit(seen.data(), seen_row);
        Discoveries discoveries{.seen = seen.data(), .parents = parents.data(), .list = list.data()};
        engine.begin_search(seen_row);
        engine.top_down({frontier, nullptr, 1}, discoveries);
        engine.end_search(discoveries);
        ASSERT_TRUE(discoveries.as_list);
        EXPECT_EQ(discoveries.count, 255U);
        EXPECT_FALSE(Indices(list.begin(), list.begin() + 255).contains(seen_row));
        EXPECT_EQ(seen, std::vector<std::uint64_t>(4, ~std::uint64_t{0}));
    }
}

TEST(SplitEngine, SaysItsShare)
{
    const CsrBlock block = make_block(128, 1, 1, random_edges(200, 128, 128, 3));
    EXPECT_EQ(SplitEngine(block, cpu_engine, cpu_engine, 0.25).name(), "split:0.25");
    EXPECT_EQ(SplitEngine(block, cpu_engine, cpu_engine, 0.0).name(), "split:0");
}

TEST(SplitEngine, AGivenShareStays)
{
    const CsrBlock block = make_block(128, 1, 1, random_edges(200, 128, 128, 3));
    SplitEngine engine(block, cpu_engine, cpu_engine, 0.5);
    check_level(engine, block, random_edges(200, 128, 128, 3), {3, 9}, {}, true, false);
    engine.tune();
    EXPECT_EQ(engine.share(), 0.5);
}

TEST(SplitEngine, AMeasuredShareIsTakenOnce)
{
    const BlockEdges edges = random_edges(3000, 640, 640, 5);
    const CsrBlock block = make_block(640, 1, 1, edges);
    SplitEngine engine(block, cpu_engine, cpu_engine, std::nullopt);
    EXPECT_EQ(engine.share(), kFirstShare);
    engine.tune();  // nothing was measured yet
    EXPECT_EQ(engine.share(), kFirstShare);
    const Indices frontier = random_indices(640, 0.5, 6);
    check_level(engine, block, edges, frontier, {}, false, false);
    engine.tune();
    const double share = engine.share();
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    check_level(engine, block, edges, frontier, {}, false, false);
    check_level(engine, block, edges, frontier, {}, true, false);
    engine.tune();
    EXPECT_EQ(engine.share(), share);
}

TEST(BestShare, BothEndTogether)
{
    // At a quarter the first takes as long as the second at three: it is a third as fast.
    EXPECT_NEAR(best_share(std::vector<LevelSeconds>{{0, 0, 0}, {4, 4, 0}}, 0.25), 0.25, 0.011);
    // Equally fast.
    EXPECT_NEAR(best_share(std::vector<LevelSeconds>{{0, 0, 0}, {1, 3, 0}}, 0.25), 0.5, 0.011);
    EXPECT_NEAR(best_share(std::vector<LevelSeconds>{{0, 0, 0}, {1, 3, 0}, {2, 6, 0}}, 0.25), 0.5, 0.011);
}

TEST(BestShare, NoneForAnEngineThatOnlySlowsTheOther)
{
    // A hundred times slower: what it could take over is less than the merging costs.
    EXPECT_EQ(best_share(std::vector<LevelSeconds>{{0.1, 0.1, 0.1}, {34, 1.1, 0.1}}, 0.25), 0);
    // And the other way round.
    EXPECT_EQ(best_share(std::vector<LevelSeconds>{{0.1, 0.1, 0.1}, {0.4, 90, 0.1}}, 0.25), 1);
}

TEST(BestShare, NoneWhereEveryLevelIsTiny)
{
    // What a level costs however little there is to do: the slower one is left out.
    EXPECT_EQ(best_share(std::vector<LevelSeconds>(50, {20, 3, 1}), 0.25), 0);
}

}  // namespace
}  // namespace wayfront
