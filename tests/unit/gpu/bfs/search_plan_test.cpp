// The steps of an on-GPU search, from counts alone.
#include "gpu/bfs/search_plan.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu::bfs {
namespace {

constexpr SearchForm kOneGpu = SearchForm::resident(true);
constexpr SearchForm kPeers = SearchForm::resident(false);
constexpr SearchForm kStepped = SearchForm::stepped(100);

DirectionRule rule(std::uint32_t ranks = 1)
{
    DirectionRule rule;
    rule.options.direction = {.bottom_up_from_edges = 100000, .top_down_below_vertices = 500};
    rule.options.bottom_up_from_vertices = 50000;
    rule.options.many_edges = 50000;
    rule.connected = 1 << 20;
    rule.ranks = ranks;
    return rule;
}

/// Runs the plan of one search; next() passes the counts of a step to it.
class Planner
{
public:
    Planner(DirectionRule its_rule, SearchForm form) : rule_(its_rule), form_(form) {}

    Step next(Step done, const LevelCounts& total = {}, std::uint64_t items = 0)
    {
        return plan.after(
            done, total, items, {.direction = rule_, .form = form_},
            [this](const LevelCounts& counts, bool bottom_up) { records.emplace_back(counts.vertices, bottom_up); });
    }
    /// The first step, after the key was visited.
    Step start(std::uint64_t degree)
    {
        EXPECT_EQ(next(Step::clear), Step::start);
        return next(Step::start, {1, degree, 0}, 1);
    }
    Step left_block(const LevelCounts& total, std::int32_t level, std::uint64_t passed, std::uint64_t items)
    {
        return plan.left_small_levels(
            {.counts = total, .level = level, .reached = passed}, items, {.direction = rule_, .form = form_},
            [this](const LevelCounts& counts, bool bottom_up) { records.emplace_back(counts.vertices, bottom_up); });
    }

    SearchPlan plan;
    // Vertices of a level's frontier, and whether it went bottom-up.
    std::vector<std::pair<std::uint64_t, bool>> records;

private:
    DirectionRule rule_;
    SearchForm form_;
};

TEST(SearchPlan, AKeyWithoutEdgesEndsAtOnce)
{
    for (const SearchForm form : {kOneGpu, kPeers, kStepped}) {
        Planner planner(rule(), form);
        EXPECT_EQ(planner.next(Step::clear), Step::start);
        EXPECT_EQ(planner.next(Step::start), Step::end);
        EXPECT_EQ(planner.plan.reached, 0U);
        EXPECT_TRUE(planner.records.empty());
    }
}

TEST(SearchPlan, OneGpuRunsSmallLevelsOnOneBlock)
{
    Planner planner(rule(), kOneGpu);
    EXPECT_EQ(planner.start(8192), Step::small_levels);
    // Too many edges for the block, few enough for its queue.
    EXPECT_EQ(planner.left_block({3, 9000, 0}, 7, 40, 5), Step::follow);
    EXPECT_EQ(planner.plan.level, 7);
    EXPECT_EQ(planner.plan.queue, 1);
    EXPECT_EQ(planner.plan.queue_items, 5U);
    EXPECT_EQ(planner.plan.reached, 44U);
    EXPECT_EQ(planner.next(Step::follow, {}), Step::end);
    EXPECT_EQ(planner.records, (std::vector<std::pair<std::uint64_t, bool>>{{1, false}, {3, false}}));
}

TEST(SearchPlan, AKeyOfManyEdgesIsFollowedByTheWholeGpu)
{
    Planner planner(rule(), kOneGpu);
    EXPECT_EQ(planner.start(8193), Step::follow);
    EXPECT_FALSE(planner.plan.many_edges);
}

TEST(SearchPlan, SeveralGpusFollowSmallLevelsToo)
{
    Planner planner(rule(2), kPeers);
    EXPECT_EQ(planner.start(3), Step::follow);
    EXPECT_EQ(planner.plan.queue_items, 1U);
    // There are few vertices, so the step that makes the items counts their edges.
    EXPECT_EQ(planner.next(Step::follow, {3, 0, 0}), Step::prepare);
    EXPECT_TRUE(planner.plan.makes_items);
    EXPECT_FALSE(planner.plan.publishes);
    EXPECT_EQ(planner.plan.frontier_location(), FrontierLocation::newly_visited);
    EXPECT_EQ(planner.next(Step::prepare, {3, 12, 0}, 4), Step::follow);
    EXPECT_EQ(planner.plan.queue_items, 4U);
    EXPECT_EQ(planner.next(Step::follow, {}), Step::end);
    EXPECT_EQ(planner.plan.reached, 4U);
}

TEST(SearchPlan, ManyVerticesAreSurveyedAndPublishedOnTheWay)
{
    Planner planner(rule(2), kPeers);
    planner.start(3000);
    EXPECT_EQ(planner.next(Step::follow, {2049, 0, 0}), Step::survey);
    // Published by the survey.
    EXPECT_EQ(planner.next(Step::survey, {2049, 100001, 0}), Step::bottom_up);
    EXPECT_EQ(planner.plan.variant, BottomUpVariant::all);
    EXPECT_EQ(planner.plan.frontier, 0);
    EXPECT_EQ(planner.next(Step::bottom_up, {600, 0, 0}), Step::bottom_up);
    EXPECT_EQ(planner.plan.frontier, 1);
    EXPECT_EQ(planner.plan.frontier_location(), FrontierLocation::columns);
    // top-down again: items of the bitmap.
    EXPECT_EQ(planner.next(Step::bottom_up, {499, 0, 0}), Step::prepare);
    EXPECT_TRUE(planner.plan.makes_items);
    EXPECT_FALSE(planner.plan.publishes);
    EXPECT_EQ(planner.plan.frontier_location(), FrontierLocation::columns);
    EXPECT_EQ(planner.records,
              (std::vector<std::pair<std::uint64_t, bool>>{{1, false}, {2049, true}, {600, true}, {499, false}}));
}

TEST(SearchPlan, VeryManyVerticesGoBottomUpWithoutACountOfTheirEdges)
{
    for (const SearchForm form : {kPeers, kStepped}) {
        Planner planner(rule(2), form);
        EXPECT_EQ(planner.start(60000), Step::follow);
        EXPECT_EQ(planner.next(Step::follow, {50001, 0, 0}), Step::prepare);
        EXPECT_TRUE(planner.plan.publishes);
        EXPECT_FALSE(planner.plan.makes_items);
        EXPECT_EQ(planner.next(Step::prepare, planner.plan.counts), Step::bottom_up);
    }
}

TEST(SearchPlan, TheSteppedSearchPublishesAfterItsSurvey)
{
    Planner planner(rule(2), kStepped);
    EXPECT_EQ(planner.start(101), Step::follow);
    EXPECT_EQ(planner.plan.frontier_location(), FrontierLocation::own_frontier);
    EXPECT_EQ(planner.next(Step::follow, {2049, 0, 0}), Step::survey);
    EXPECT_EQ(planner.next(Step::survey, {2049, 200000, 0}), Step::prepare);
    EXPECT_TRUE(planner.plan.publishes);
    EXPECT_EQ(planner.plan.frontier_location(), FrontierLocation::own_frontier);
    EXPECT_EQ(planner.next(Step::prepare, planner.plan.counts), Step::bottom_up);
}

TEST(SearchPlan, TheSteppedSearchRunsSmallLevels)
{
    Planner planner(rule(2), kStepped);
    EXPECT_EQ(planner.start(100), Step::small_levels);
    // Many edges: bottom-up, from a frontier that is known.
    EXPECT_EQ(planner.left_block({90, 300000, 0}, 4, 30, 7), Step::prepare);
    EXPECT_EQ(planner.plan.level, 4);
    EXPECT_TRUE(planner.plan.publishes);
    EXPECT_FALSE(planner.plan.makes_items);
    EXPECT_EQ(planner.plan.frontier_location(), FrontierLocation::own_frontier);
    EXPECT_EQ(planner.next(Step::prepare, planner.plan.counts), Step::bottom_up);
    // Top-down again: the items count the out-edges, over all ranks.
    EXPECT_EQ(planner.next(Step::bottom_up, {20, 0, 0}), Step::prepare);
    EXPECT_TRUE(planner.plan.makes_items);
    EXPECT_EQ(planner.next(Step::prepare, {20, 100, 0}, 2), Step::small_levels);
    EXPECT_EQ(planner.left_block({}, 6, 0, 0), Step::end);
    EXPECT_EQ(planner.plan.reached, 141U);
    EXPECT_EQ(planner.records, (std::vector<std::pair<std::uint64_t, bool>>{{1, false}, {90, true}, {20, false}}));
}

TEST(SearchPlan, LevelsOfManyEdgesAreCountedAfterwards)
{
    Planner peers(rule(2), kPeers);
    peers.start(99999);  // two GPUs have fewer than 50000 each
    EXPECT_FALSE(peers.plan.many_edges);
    Planner planner(rule(2), kPeers);
    EXPECT_EQ(planner.start(100000), Step::follow);
    EXPECT_TRUE(planner.plan.many_edges);
    EXPECT_EQ(planner.next(Step::follow), Step::answer);
    // At most 100000 vertices were found, which may be too many for a count of their edges; they
    // are published and counted.
    EXPECT_EQ(planner.next(Step::answer), Step::prepare);
    EXPECT_TRUE(planner.plan.publishes);
    EXPECT_EQ(planner.next(Step::prepare, {60000, 0, 0}), Step::bottom_up);

    DirectionRule other = rule(1);
    other.options.bottom_up_from_vertices = 1e300;
    Planner alone(other, kOneGpu);
    EXPECT_EQ(alone.start(50000), Step::follow);
    EXPECT_TRUE(alone.plan.many_edges);
    EXPECT_EQ(alone.next(Step::follow), Step::survey);  // one GPU has no requests to answer
}

TEST(SearchPlan, ATailIsFollowedBeforeTheRowsLookForHubs)
{
    DirectionRule split = rule(2);
    split.has_tail = true;
    split.options.most_split_edges = 1e300;
    split.options.most_tail_edges = 10;
    for (const SearchForm form : {kPeers, kStepped}) {
        Planner planner(split, form);
        EXPECT_EQ(planner.start(500), Step::follow);
        EXPECT_EQ(planner.next(Step::follow, {3000, 0, 0}), Step::survey);
        EXPECT_EQ(planner.next(Step::survey, {3000, 200000, 10}), Step::prepare);
        EXPECT_TRUE(planner.plan.makes_items);
        EXPECT_TRUE(planner.plan.tail);
        EXPECT_EQ(planner.plan.publishes, !form.survey_publishes);
        EXPECT_EQ(planner.next(Step::prepare, {7, 10, 10}, 7), Step::follow);
        EXPECT_EQ(planner.plan.counts.vertices, 3000U);  // the frontier's, not the tail's
        EXPECT_EQ(planner.next(Step::follow, {4, 0, 0}), Step::bottom_up);
        EXPECT_EQ(planner.plan.variant, BottomUpVariant::hubs);
        EXPECT_EQ(planner.next(Step::bottom_up, {}), Step::end);
    }
    Planner planner(split, kPeers);
    planner.start(5);
    planner.next(Step::follow, {3000, 0, 0});
    EXPECT_EQ(planner.next(Step::survey, {3000, 200000, 11}), Step::bottom_up);
    EXPECT_EQ(planner.plan.variant, BottomUpVariant::all);
}

TEST(SearchPlan, FewRowsAreLookedAtInLargeBatches)
{
    DirectionRule few = rule(2);
    few.connected = 64000;
    Planner planner(few, kPeers);
    planner.start(5);
    EXPECT_EQ(planner.next(Step::follow, {61998, 0, 0}), Step::prepare);
    EXPECT_EQ(planner.plan.variant, BottomUpVariant::all);  // 2001 of 64000 are left
    Planner one_more(few, kPeers);
    one_more.start(5);
    one_more.next(Step::follow, {61999, 0, 0});
    EXPECT_EQ(one_more.plan.variant, BottomUpVariant::few_rows);
}

TEST(SearchPlan, AForcedDirectionNeedsNoCountOfEdges)
{
    DirectionRule down = rule(2);
    down.options.direction.choice = algo::DirectionChoice::top_down;
    Planner top_down(down, kPeers);
    EXPECT_EQ(top_down.start(5), Step::follow);
    EXPECT_EQ(top_down.next(Step::follow, {60000, 0, 0}), Step::prepare);
    EXPECT_TRUE(top_down.plan.makes_items);
    DirectionRule up = rule(2);
    up.options.direction.choice = algo::DirectionChoice::bottom_up;
    Planner bottom_up(up, kPeers);
    EXPECT_EQ(bottom_up.start(5), Step::prepare);
    EXPECT_TRUE(bottom_up.plan.publishes);
    EXPECT_EQ(bottom_up.next(Step::prepare, {1, 5, 0}), Step::bottom_up);
}

/// A clique: its vertices are found by a top-down level, and nearly none by a bottom-up one.
TEST(SearchPlan, ASwitchInVainNeedsMoreEdgesTheNextTime)
{
    Planner planner(rule(), kOneGpu);
    const auto clique = [&planner] {
        planner.next(Step::follow, {3000, 0, 0});
        return planner.next(Step::survey, {3000, 200000, 0});
    };
    planner.start(5000);
    EXPECT_EQ(clique(), Step::bottom_up);
    EXPECT_EQ(planner.next(Step::bottom_up, {1, 0, 0}), Step::prepare);  // the items of the bridge
    EXPECT_EQ(planner.next(Step::prepare, {1, 9000, 0}, 5), Step::follow);
    EXPECT_EQ(planner.plan.failed_switches, 1U);
    EXPECT_NE(clique(), Step::bottom_up);
    EXPECT_FALSE(planner.records.back().second);
    // More than eight times 50000 vertices.
    planner.next(Step::follow, {400001, 0, 0});
    EXPECT_TRUE(planner.records.back().second);
}

TEST(SearchPlan, ABlockSearchesFewVerticesWhileManyAreUnvisited)
{
    DirectionRule few = rule();
    few.options.direction.top_down_below_vertices = 2;
    few.options.top_down_in_block = 64;
    const auto level_after = [&few](std::uint64_t reached, std::uint64_t vertices) {
        Planner planner(few, kOneGpu);
        planner.start(5000);
        planner.next(Step::follow, {3000, 0, 0});
        planner.next(Step::survey, {3000, 200000, 0});
        planner.plan.reached = reached;
        return planner.next(Step::bottom_up, {vertices, 0, 0});
    };
    const std::uint64_t seven_eighths = few.connected / 8 * 7;
    EXPECT_EQ(level_after(seven_eighths - 63, 63), Step::prepare);
    EXPECT_EQ(level_after(seven_eighths - 64, 64), Step::bottom_up);
    EXPECT_EQ(level_after(seven_eighths - 62, 63), Step::bottom_up) << "fewer than an eighth are unvisited";
    EXPECT_EQ(level_after(seven_eighths, 1), Step::prepare) << "a single vertex turns the search top-down";
}

}  // namespace
}  // namespace wayfront::gpu::bfs
