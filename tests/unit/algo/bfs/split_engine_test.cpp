// Two CPU engines on one block, and the share that is found by trying.
#include "algo/bfs/split_engine.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "support/block_testing.hpp"
#include "support/thread_guard.hpp"

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
                    SCOPED_TRACE(testing::Message() << "share " << share << ", frontier " << frontier << ", seen "
                                                    << seen << ", top-down " << top_down);
                    SplitEngine engine(block, cpu_engine, cpu_engine, share);
                    check_level(engine, block, edges, random_indices(block.cols(), frontier, 100),
                                random_indices(block.rows(), seen, 101), top_down, false);
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
        engine.launch_top_down({frontier, nullptr, 1}, discoveries);
        engine.collect();
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
    EXPECT_FALSE(engine.tune(1));
    EXPECT_EQ(engine.share(), 0.5);
}

/// Makes CPU engines that throw like a full device if a block has more than `most_rows`.
EngineMaker engine_with_room(std::uint32_t most_rows)
{
    return [=](const CsrBlock& block) {
        if (block.rows() > most_rows) throw ResourceError("no room");
        return cpu_engine(block);
    };
}

/// Reports the times of searches to an engine until it asks for no further search. Returns the
/// number of reports.
template <typename SecondsOfShare>
int tune_to_the_end(SplitEngine& engine, SecondsOfShare&& seconds_of)
{
    int searches = 1;
    while (engine.tune(seconds_of(engine.share()))) ++searches;
    return searches;
}

TEST(SplitEngine, TheShareOfTheQuickestSearchStays)
{
    const BlockEdges edges = random_edges(3000, 640, 640, 5);
    const CsrBlock block = make_block(640, 1, 1, edges);
    SplitEngine engine(block, cpu_engine, cpu_engine, std::nullopt);
    EXPECT_EQ(engine.share(), kFirstShare);
    // The first engine is a third as fast as the second.
    tune_to_the_end(engine, [](double share) { return std::max(3 * share, 1 - share); });
    EXPECT_EQ(engine.share(), 0.25);
    EXPECT_EQ(engine.name(), "split:0.25");
    EXPECT_FALSE(engine.tune(100));
    EXPECT_EQ(engine.share(), 0.25);
    for (const bool top_down : {false, true})
        check_level(engine, block, edges, random_indices(640, 0.5, 6), {}, top_down, false);
}

TEST(SplitEngine, SearchesRightlyWithEveryShareOnTrial)
{
    const BlockEdges edges = random_edges(3000, 640, 640, 5);
    const CsrBlock block = make_block(640, 1, 1, edges);
    SplitEngine engine(block, cpu_engine, cpu_engine, std::nullopt);
    std::set<double> shares;
    do {
        if (!shares.insert(engine.share()).second) continue;
        SCOPED_TRACE(engine.share());
        for (const bool top_down : {false, true})
            check_level(engine, block, edges, random_indices(640, 0.5, 6), {}, top_down, false);
    } while (engine.tune(1 + engine.share()));  // the second engine is fastest on its own
    EXPECT_GE(shares.size(), 6U);
    EXPECT_EQ(engine.share(), 0);
}

TEST(SplitEngine, KeepsToTheFirstShareIfAnEngineHasNoRoomForMore)
{
    const BlockEdges edges = random_edges(3000, 640, 640, 5);
    const CsrBlock block = make_block(640, 1, 1, edges);
    // With a share of 0.25 of the 640 rows, the second engine has at most this number of rows; with
    // 0.1 it has more.
    const std::uint32_t most_rows = 512;
    SplitEngine engine(block, cpu_engine, engine_with_room(most_rows), std::nullopt);
    tune_to_the_end(engine, [](double share) {
        EXPECT_GT(share, 0.1);
        return 1 + share;
    });
    EXPECT_GT(engine.share(), 0.1);
    check_level(engine, block, edges, random_indices(640, 0.5, 6), {}, false, false);
}

}  // namespace
}  // namespace wayfront
