// Whether the start of a GPU pays. Whole commands were measured in bench/results/engine-choice.json.
#include "plan/gpu_start.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace wayfront::plan {
namespace {

constexpr ExpectedSearches kKron20{.vertices = 1 << 20, .edges = 1 << 24, .mean_degree = 32};
constexpr ExpectedSearches kMesh{.vertices = 250000, .edges = 499000, .mean_degree = 3.99};

ExpectedSearches from(ExpectedSearches graph, std::int64_t searches, int threads = 16, int ranks = 1)
{
    graph.searches = searches;
    graph.threads = threads;
    graph.ranks = ranks;
    return graph;
}

TEST(GpuStart, TakesLongerThanSearchesOnCores)
{
    for (const std::int64_t searches : {1, 16, 64}) EXPECT_FALSE(gpu_start_pays_for_bfs(from(kKron20, searches)));
    for (const std::int64_t searches : {1, 32}) EXPECT_FALSE(gpu_start_pays_for_sssp(from(kKron20, searches)));
    EXPECT_FALSE(gpu_start_pays_for_bfs(from(kMesh, 16)));
}

TEST(GpuStart, PaysForManySearches)
{
    EXPECT_TRUE(gpu_start_pays_for_bfs(from(kMesh, 256)));
    EXPECT_TRUE(gpu_start_pays_for_bfs(from(kKron20, 64, 1)));
    EXPECT_TRUE(gpu_start_pays_for_sssp(from(kKron20, 32, 1)));
}

TEST(GpuStart, IsSharedByRanks)
{
    EXPECT_TRUE(gpu_start_pays_for_bfs(from(kMesh, 50)));
    EXPECT_FALSE(gpu_start_pays_for_bfs(from(kMesh, 50, 16, 8)));
}

TEST(GpuStart, IsShortBesideLargeGraphsAndUnknownNumbers)
{
    EXPECT_TRUE(gpu_start_pays_for_bfs(from({.vertices = 1 << 24, .edges = 1 << 28, .mean_degree = 32}, 1)));
    EXPECT_TRUE(gpu_start_pays_for_sssp(from(kKron20, std::numeric_limits<std::int64_t>::max())));
}

}  // namespace
}  // namespace wayfront::plan
