// Estimates that follow from counts of searches for shortest paths.
#include <gtest/gtest.h>

#include "model/job_plan.hpp"

namespace wayfront::model {
namespace {

RankWork round_work(MessageCount expand, MessageCount refresh, MessageCount fold, std::uint64_t arcs)
{
    RankWork rank;
    rank.counts = {1, 192};
    rank.expand = expand;
    rank.refresh = refresh;
    rank.fold = fold;
    rank.arcs = arcs;
    return rank;
}

/// A search over 2 x 2 ranks: a push, a pull, and the messages of the end.
SsspWork a_search()
{
    SsspWork work;
    work.reached = 900;
    work.count_bytes = 8;
    work.rounds.resize(3);
    for (RoundWork& round : work.rounds) round.ranks.resize(4);
    work.rounds[0].changed = 10;
    work.rounds[1].changed = 600;
    work.rounds[1].pulls = true;
    for (RankWork& rank : work.rounds[0].ranks) rank = round_work({1, 80}, {}, {2, 8}, 5000);
    for (RankWork& rank : work.rounds[1].ranks) rank = round_work({1, 400}, {1, 1000}, {2, 8 + 160}, 20000);
    for (RankWork& rank : work.rounds[2].ranks) rank.counts = {1, 192};
    return work;
}

TEST(SsspCounts, GrowWithTheGraph)
{
    const SsspWork large = scaled(a_search(), 4, 3);
    EXPECT_EQ(large.reached, 3600U);
    EXPECT_EQ(large.rounds[1].changed, 2400U);
    const RankWork& pull = large.rounds[1].ranks[2];
    EXPECT_EQ(pull.counts, (MessageCount{1, 192}));
    EXPECT_EQ(pull.expand, (MessageCount{1, 1600}));
    EXPECT_EQ(pull.refresh, (MessageCount{1, 4000}));
    EXPECT_EQ(pull.fold, (MessageCount{2, 8 + 640}));
    EXPECT_EQ(pull.arcs, 60000U);
    // Where nothing was found, nothing is found in the large graph.
    EXPECT_EQ(large.rounds[0].ranks[0].fold, (MessageCount{2, 8}));
    EXPECT_EQ(large.rounds[2].ranks[0].received(), (MessageCount{1, 192}));
    EXPECT_EQ(all_arcs(large), 4U * 3 * 25000);
}

TEST(SsspCounts, GiveTheTimeOfEachRound)
{
    const PlannedGraph graph{.vertices = 1000, .edges = 16000, .connected = 900, .weight_bytes = 4};
    Machine machine;
    machine.processor = find_processor("core");
    machine.network.ranks_per_host = 4;
    machine.network.inside = {.bytes_per_second = 1e9, .step = 1e-6};
    const SearchDesign design{Scheme::grid, {2, 2}};
    const SearchTime time = time_counted(a_search(), graph, design, machine);
    ASSERT_EQ(time.levels.size(), 3U);
    EXPECT_EQ(time.levels[0].kind, "push");
    EXPECT_EQ(time.levels[1].kind, "pull");
    EXPECT_EQ(time.levels[1].vertices, 600);
    const Processor& core = machine.processor;
    EXPECT_NEAR(time.levels[0].work, core.round + 5000 * core.pushed_arc, 1e-12);
    EXPECT_NEAR(time.levels[1].work, core.round + 20000 * core.pulled_arc, 1e-12);
    EXPECT_NEAR(time.levels[1].received, 192 + 400 + 1000 + 168, 1e-9);
    EXPECT_NEAR(time.result, 250 * core.path_result, 1e-15);
}

TEST(SsspCounts, OfGpusTakeTheTimeOfTheirEdges)
{
    const auto work_of = [](double edges) {
        const PlannedGraph graph{.vertices = 1000, .edges = edges, .connected = 900, .weight_bytes = 4};
        const Machine machine{find_processor("h200"), {}};
        return time_counted(a_search(), graph, {Scheme::grid, {2, 2}, 0, 0, true}, machine).work();
    };
    const double fixed = 3 * find_processor("h200").round;
    // Four ranks with the same arcs.
    EXPECT_NEAR(work_of(16e6) - fixed, 16e6 * find_processor("h200").path_edge / 4, 1e-12);
    EXPECT_NEAR(work_of(64e6) - fixed, 4 * (work_of(16e6) - fixed), 1e-12);
}

}  // namespace
}  // namespace wayfront::model
