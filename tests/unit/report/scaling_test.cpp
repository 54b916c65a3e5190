#include "report/scaling.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/charts.hpp"

namespace wayfront::report {
namespace {

using Names = std::vector<std::string>;

MeasuredRun run_on(double ranks, double seconds)
{
    MeasuredRun run;
    run.file = "run.json";
    run.command = "bfs";
    run.facts = {{"ranks", std::to_string(ranks)}, {"grid", std::to_string(ranks)}, {"hosts", "a"}};
    run.graph = {"kron:9", {{"vertices", "512"}}};
    run.ranks = ranks;
    run.threads = "1";
    run.engine = "cpu";
    run.searches.push_back({.algorithm = "bfs", .method = "auto", .all = {{"7", seconds, {}}, {"8", seconds, {}}}});
    return run;
}

TEST(Scaling, TakesTheFastestRunOfEachNumberOfRanks)
{
    const std::vector<MeasuredRun> runs{run_on(4, 3), run_on(1, 8), run_on(4, 2)};
    const ScalingOfRuns scaling = scaling_of(runs);
    ASSERT_EQ(scaling.groups.size(), 1U);
    EXPECT_EQ(scaling.groups[0].medians, (std::map<double, double>{{1, 8}, {4, 2}}));
    EXPECT_EQ(scaling.groups[0].varying, Names{"grid"});
    EXPECT_TRUE(scaling.refused.empty());
}

TEST(Scaling, SeparatesRunsThatAreNotComparable)
{
    const auto with = [](auto&& change) {
        std::vector<MeasuredRun> runs{run_on(1, 8), run_on(2, 4)};
        change(runs[1]);
        return scaling_of(runs);
    };
    EXPECT_EQ(with([](MeasuredRun& run) { run.threads = "2"; }).refused.at(0).differences,
              Names{"the threads of a rank"});
    EXPECT_EQ(with([](MeasuredRun& run) { run.engine = "gpu (H200)"; }).refused.at(0).differences, Names{"the engine"});
    EXPECT_EQ(with([](MeasuredRun& run) { run.searches[0].method = "top-down"; }).refused.at(0).differences,
              Names{"the method"});
    EXPECT_EQ(with([](MeasuredRun& run) { run.searches[0].all.pop_back(); }).refused.at(0).differences,
              Names{"the vertices from which they search"});
    // Runs of another graph, command, algorithm or work are not of the same thing: nothing is said.
    for (const ScalingOfRuns& scaling :
         {with([](MeasuredRun& run) { run.graph.name = "kron:8"; }),
          with([](MeasuredRun& run) { run.graph.facts[0].second = "256"; }),
          with([](MeasuredRun& run) { run.command = "graph500"; }),
          with([](MeasuredRun& run) { run.searches[0].algorithm = "sssp"; }),
          with([](MeasuredRun& run) { run.searches[0].work = "cutoff 3"; }),
          with([](MeasuredRun& run) { run.is_planned = true; }), with([](MeasuredRun& run) { run.ranks = 1; })}) {
        EXPECT_TRUE(scaling.groups.empty());
        EXPECT_TRUE(scaling.refused.empty());
    }
}

TEST(Scaling, OfGroupsBesideOthers)
{
    std::vector<MeasuredRun> runs{run_on(1, 8), run_on(2, 4), run_on(4, 2), run_on(1, 6)};
    runs[1].threads = runs[3].threads = "2";
    const ScalingOfRuns scaling = scaling_of(runs);
    ASSERT_EQ(scaling.groups.size(), 2U);
    EXPECT_EQ(scaling.groups[0].medians, (std::map<double, double>{{1, 8}, {4, 2}}));
    EXPECT_EQ(scaling.groups[1].medians, (std::map<double, double>{{1, 6}, {2, 4}}));
    EXPECT_TRUE(scaling.refused.empty());
}

TEST(Axis, HasTicksAtOneTwoAndFiveForSomePowersOfTen)
{
    EXPECT_EQ(Axis::logarithmic(0.3, 20).ticks(), (std::vector<double>{0.5, 1, 2, 5, 10, 20}));
    EXPECT_EQ(Axis::logarithmic(1e-3, 1e3).ticks().size(), 4U);  // each second power
    EXPECT_EQ(Axis::linear(4.2).ticks(), (std::vector<double>{0, 1, 2, 3, 4}));
}

TEST(JoinedRows, ShowsEqualPicturesOnce)
{
    EXPECT_EQ(joined_rows({{"a", "1"}, {"b", "2"}, {"c", "1"}}), chart_row("a; c", "1") + chart_row("b", "2"));
}

}  // namespace
}  // namespace wayfront::report
