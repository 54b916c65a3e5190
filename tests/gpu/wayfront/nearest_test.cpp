// Compares Bfs::run_nearest() and ShortestPaths::run_nearest() on one GPU with the same functions
// on the cores.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/gpu_guard.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

class LibraryNearestOnGpu : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

const std::vector<Vertex> kSources{900, 3, 77, 500, 3, 0};

/// Searches from one source and from several sources in turn, with `validate`.
template <typename Search, typename Options>
void compare(const std::string& spec, const std::string& weights)
{
    SCOPED_TRACE(fmt::format("{} {}", spec, weights));
    const Graph graph = Graph::load(spec, {.weights = weights});
    Options options;
    options.validate = true;
    options.engine = Engine::cpu;
    Search on_cpu(graph, options);
    options.engine = Engine::gpu;
    Search on_gpu(graph, options);
    EXPECT_EQ(on_gpu.engine().engine, "gpu");
    for (int turn = 0; turn < 2; ++turn) {
        static_cast<void>(on_gpu.run(3));
        const auto expected = on_cpu.run_nearest(kSources);
        const auto found = on_gpu.run_nearest(kSources);
        EXPECT_EQ(found.nearest, expected.nearest);
        EXPECT_EQ(found.reached, expected.reached);
        if constexpr (requires { found.levels; })
            EXPECT_EQ(found.levels, expected.levels);
        else
            EXPECT_EQ(found.distances, expected.distances);
    }
}

TEST_F(LibraryNearestOnGpu, Levels)
{
    for (const std::string spec : {"kron:12", "grid:40x40", "random:2000,3000", "rmat:11,directed=1"})
        compare<Bfs, BfsOptions>(spec, "none");
}

TEST_F(LibraryNearestOnGpu, Lengths)
{
    compare<ShortestPaths, ShortestPathsOptions>("kron:12", "");
    compare<ShortestPaths, ShortestPathsOptions>("kron:12", "uniform:0..3");
    compare<ShortestPaths, ShortestPathsOptions>("grid:40x40", "uniform:1..3");
    compare<ShortestPaths, ShortestPathsOptions>("grid:40x40", "uniform:0..3");
    compare<ShortestPaths, ShortestPathsOptions>("random:2000,3000", "unit");
}

/// With `deterministic`, the parents are equal to those on the cores, from one source and from
/// several sources.
TEST_F(LibraryNearestOnGpu, SmallestParents)
{
    for (const std::string weights : {"uniform:0..3", "float", "unit"})
        for (const std::string spec : {"kron:12", "grid:40x40", "rmat:11,directed=1"}) {
            SCOPED_TRACE(fmt::format("{} {}", spec, weights));
            const Graph graph = Graph::load(spec, {.weights = weights});
            ShortestPathsOptions options;
            options.deterministic = true;
            options.validate = true;
            options.engine = Engine::cpu;
            ShortestPaths on_cpu(graph, options);
            options.engine = Engine::gpu;
            ShortestPaths on_gpu(graph, options);
            EXPECT_EQ(on_gpu.run(3).parents, on_cpu.run(3).parents);
            EXPECT_EQ(on_gpu.run_nearest(kSources).parents, on_cpu.run_nearest(kSources).parents);
            EXPECT_EQ(on_gpu.run(77).parents, on_cpu.run(77).parents);
        }
}

}  // namespace
}  // namespace wayfront
