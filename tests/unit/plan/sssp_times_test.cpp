// The fastest method for shortest paths, as bench/results/sssp-crossovers.json has it.
#include "plan/sssp_times.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "plan/sssp_method.hpp"

namespace wayfront::plan {
namespace {

using algo::SsspMethod;

SsspMethod fastest(const SsspCase& graph)
{
    return fastest_sssp_method({}, graph).method;
}

SsspCase random_graph(double vertices, double edges, int ranks = 1)
{
    return {.vertices = vertices, .arcs = 2 * edges, .end_degree = 2 * edges / vertices + 1, .ranks = ranks};
}

TEST(SsspTimes, GraphsWithHubsArePushedAndPulled)
{
    for (const int ranks : {1, 2, 64}) {
        EXPECT_EQ(fastest({.vertices = 1 << 16, .arcs = 1 << 21, .end_degree = 1480, .ranks = ranks}),
                  SsspMethod::push_pull);
        EXPECT_EQ(fastest({.vertices = 1 << 16, .arcs = 1 << 18, .end_degree = 186, .ranks = ranks}),
                  SsspMethod::push_pull);
        EXPECT_EQ(fastest({.vertices = 1000, .arcs = 999000, .end_degree = 999, .ranks = ranks}),
                  SsspMethod::push_pull);
    }
}

TEST(SsspTimes, RandomGraphsAreDenserWherePushPullPays)
{
    EXPECT_EQ(fastest(random_graph(16384, 262144)), SsspMethod::delta_stepping);
    EXPECT_EQ(fastest(random_graph(16384, 524288)), SsspMethod::push_pull);
    EXPECT_EQ(fastest(random_graph(65536, 1048576)), SsspMethod::delta_stepping);
    EXPECT_EQ(fastest(random_graph(65536, 2097152)), SsspMethod::push_pull);
    EXPECT_EQ(fastest(random_graph(16384, 65536, 2)), SsspMethod::delta_stepping);
    EXPECT_EQ(fastest(random_graph(16384, 131072, 2)), SsspMethod::push_pull);
    EXPECT_EQ(fastest(random_graph(65536, 1048576, 2)), SsspMethod::push_pull);
}

TEST(SsspTimes, PathsAndRoads)
{
    const SsspCase path{.vertices = 20000, .arcs = 39998, .end_degree = 2};
    EXPECT_EQ(fastest(path), SsspMethod::dijkstra);
    SsspCase other = path;
    other.windows = true;
    EXPECT_EQ(fastest(other), SsspMethod::delta_stepping) << "it has no windows";
    other = path;
    other.ranks = 2;
    EXPECT_EQ(fastest(other), SsspMethod::delta_stepping) << "one rank searches";
    other = path;
    other.directed = true;
    EXPECT_EQ(fastest(other), SsspMethod::delta_stepping);
    EXPECT_EQ(fastest({.vertices = 264346, .arcs = 733846, .end_degree = 3.14, .directed = true}),
              SsspMethod::delta_stepping);
}

TEST(SsspTimes, SlowerArcsMoveTheChoice)
{
    CoreRates rates;
    rates.search_arc *= 3;
    EXPECT_EQ(fastest_sssp_method(rates, random_graph(16384, 262144)).method, SsspMethod::push_pull);
}

TEST(SsspTimes, TheReasonNamesTheOthers)
{
    EXPECT_EQ(fastest_sssp_method({}, random_graph(16384, 524288, 2)).reason,
              "it is the fastest on a core: delta-stepping would take 5 ms");
    EXPECT_EQ(fastest_sssp_method({}, {.vertices = 0, .arcs = 0}).method, SsspMethod::dijkstra);
}

TEST(SsspTimes, SeveralSourcesReachMoreThanTheComponentOfOne)
{
    const SearchShape shape{.vertices = 36000,
                            .arcs = 80000,
                            .inner_vertices = 36000,
                            .inner_arcs = 80000,
                            .end_degree = 4,
                            .mean_degree = 2,
                            .reached = 0.0003};
    SsspCase components{.vertices = 36000, .arcs = 80000, .end_degree = 4};
    EXPECT_EQ(fastest_sssp_method({}, components, shape, ListOrder::neighbours).method, SsspMethod::bellman_ford);
    components.nearest = true;
    EXPECT_EQ(fastest_sssp_method({}, components, shape, ListOrder::neighbours).method, SsspMethod::delta_stepping);
}

/// Four cliques in a chain: pushes do not leave one, so that the others pull in vain.
TEST(SsspTimes, TheShapeOfAConstructedGraphTellsMore)
{
    const SsspCase cliques{.vertices = 1600, .arcs = 638406, .end_degree = 399};
    EXPECT_EQ(fastest(cliques), SsspMethod::push_pull);
    const SearchShape shape{.vertices = 1600,
                            .arcs = 638406,
                            .inner_vertices = 1600,
                            .inner_arcs = 638406,
                            .end_degree = 399,
                            .mean_degree = 399,
                            .levels = 2,
                            .width = 800,
                            .is_clustered = true};
    const SsspChoice choice = fastest_sssp_method({}, cliques, shape, ListOrder::weights);
    EXPECT_EQ(choice.method, SsspMethod::dijkstra);
    EXPECT_EQ(choice.rivals, (std::vector{SsspMethod::delta_stepping})) << "push-pull takes far longer";
}

/// Before construction, and over ranks, methods are compared by estimates alone.
TEST(SsspTimes, OnlyAConstructedGraphOfOneRankHasRivals)
{
    for (const int ranks : {1, 2}) {
        const SsspChoice close = fastest_sssp_method({}, random_graph(16384, 524288, ranks));
        EXPECT_EQ(close.method, SsspMethod::push_pull);
        EXPECT_TRUE(close.rivals.empty()) << ranks;
    }
}

/// Lists by neighbour are not for push-pull.
TEST(SsspTimes, ListsInAnotherOrderLeaveMethodsOut)
{
    const SsspCase kron{.vertices = 1 << 16, .arcs = 1 << 21, .end_degree = 1480};
    const SearchShape shape{.vertices = 1 << 16,
                            .arcs = 1 << 21,
                            .inner_vertices = 1 << 16,
                            .inner_arcs = 1 << 21,
                            .end_degree = 1480,
                            .mean_degree = 32,
                            .levels = 4,
                            .width = 4096};
    EXPECT_EQ(fastest_sssp_method({}, kron, shape, ListOrder::weights).method, SsspMethod::push_pull);
    EXPECT_EQ(fastest_sssp_method({}, kron, shape, ListOrder::neighbours).method, SsspMethod::delta_stepping);
}

TEST(SsspTimes, AGpuTakesWhatItTook)
{
    const auto kron = [](double vertices) {
        return SsspCase{.vertices = vertices, .arcs = 32 * vertices, .end_degree = 5000};
    };
    EXPECT_NEAR(push_pull_seconds(GpuRates(), kron(1 << 24)), 0.915e-3, 0.05e-3);
    EXPECT_NEAR(push_pull_seconds(GpuRates(), kron(1 << 28)), 9.62e-3, 0.5e-3);
    EXPECT_NEAR(push_pull_seconds(GpuRates(), random_graph(800000, 4000000)), 0.8e-3, 0.3e-3);
}

/// Between hosts, each step of a search on GPUs is a message.
TEST(SsspTimes, GpusOfSeveralHostsTakeLonger)
{
    SsspCase graph = random_graph(1 << 20, 16 << 20, 2);
    const double on_one_host = push_pull_seconds(GpuRates(), graph);
    graph.several_hosts = true;
    EXPECT_DOUBLE_EQ(push_pull_seconds(GpuRates(), graph), on_one_host + GpuRates().sssp_messages);
}

}  // namespace
}  // namespace wayfront::plan
