// Whether the start of a GPU pays. Whole commands were measured in bench/results/engine-choice.json.
#include "plan/gpu_start.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "plan/sssp_times.hpp"

namespace wayfront::plan {
namespace {

constexpr ExpectedSearches kKron20{.vertices = 1 << 20, .edges = 1 << 24, .mean_degree = 32};
constexpr ExpectedSearches kMesh{.vertices = 250000, .edges = 499000, .mean_degree = 3.99};
constexpr std::int64_t kMany = ExpectedSearches::kUnknown;

ExpectedSearches from(ExpectedSearches graph, std::int64_t searches, int threads = 16, int ranks = 1)
{
    graph.searches = searches;
    graph.threads = threads;
    graph.ranks = ranks;
    return graph;
}

bool pays_for_bfs(const ExpectedSearches& expected)
{
    return bfs_times({}, expected).gpus_are_faster();
}

/// The times of searches for shortest paths by push-pull in a graph with hubs.
EngineTimes sssp_times(const ExpectedSearches& expected)
{
    const SsspCase graph{.vertices = static_cast<double>(expected.vertices),
                         .arcs = 2 * static_cast<double>(expected.edges),
                         .end_degree = 1000};
    return engine_times({}, expected, push_pull_seconds(CoreRates(), graph) / std::min(expected.threads, 8),
                        push_pull_seconds(GpuRates(), graph));
}

TEST(GpuStart, TakesLongerThanSearchesOnCores)
{
    for (const std::int64_t searches : {1, 16, 64}) EXPECT_FALSE(pays_for_bfs(from(kKron20, searches)));
    for (const std::int64_t searches : {1, 32}) EXPECT_FALSE(sssp_times(from(kKron20, searches)).gpus_are_faster());
    EXPECT_FALSE(pays_for_bfs(from(kMesh, 16)));
}

TEST(GpuStart, PaysForManySearches)
{
    EXPECT_TRUE(pays_for_bfs(from(kMesh, 256)));
    EXPECT_TRUE(pays_for_bfs(from(kKron20, 64, 1)));
    EXPECT_TRUE(sssp_times(from(kKron20, 32, 1)).gpus_are_faster());
}

TEST(GpuStart, IsSharedByRanks)
{
    EXPECT_TRUE(pays_for_bfs(from(kMesh, 50)));
    EXPECT_FALSE(pays_for_bfs(from(kMesh, 50, 16, 8)));
}

TEST(GpuStart, IsShortBesideLargeGraphsAndUnknownNumbers)
{
    EXPECT_TRUE(pays_for_bfs(from({.vertices = 1 << 24, .edges = 1 << 28, .mean_degree = 32}, 1)));
    EXPECT_TRUE(sssp_times(from(kKron20, kMany)).gpus_are_faster());
}

TEST(GpuStart, NeverPaysForSearchesThatCoresEndSooner)
{
    const ExpectedSearches small{.vertices = 1 << 10, .edges = 1 << 14, .mean_degree = 32};
    EXPECT_FALSE(pays_for_bfs(from(small, kMany)));
    EXPECT_FALSE(sssp_times(from(small, kMany)).gpus_are_faster());
}

TEST(EngineTimes, SaysWhatItCompared)
{
    const EngineTimes few{.cores = 0.004, .gpus = 0.0005, .start = 0.35, .searches = 200};
    EXPECT_EQ(few.in_words(), "200 searches would take 800 ms on cores, and 450 ms on GPUs with their start");
    const EngineTimes many{.cores = 0.004, .gpus = 0.0005, .start = 0.35, .searches = kMany};
    EXPECT_EQ(many.in_words(), "a search would take 4 ms on cores, and 500 us on GPUs");
}

}  // namespace
}  // namespace wayfront::plan
