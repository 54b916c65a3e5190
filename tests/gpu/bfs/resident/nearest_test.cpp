// Compares the nearest of several keys, which the resident search finds on one GPU, with searches
// from each key.
#include "oracle/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/bfs/resident/search.hpp"
#include "gpu/graph/nearest_sources.hpp"
#include "support/gpu/graph_on_gpus.hpp"
#include "support/gpu/search_ways.hpp"
#include "support/gpu_guard.hpp"
#include "support/graphs.hpp"
#include "support/search_sources.hpp"

namespace wayfront {
namespace {

using gpu::bfs::DeviceSearchOptions;
using gpu::bfs::GraphOnGpus;
using gpu::bfs::ResidentSearch;
using gpu::bfs::SearchWay;

oracle::WeightedGraph<std::int64_t> with_ones(const oracle::Graph& graph)
{
    oracle::WeightedGraph<std::int64_t> ones{graph.vertices, graph.directed, {}};
    for (const auto& [source, target] : graph.edges) ones.edges.push_back({source, target, 1});
    return ones;
}

class ResidentNearest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }

    using Expected = oracle::Nearest<std::int64_t>;

    static Expected expected_of(const oracle::WeightedGraph<std::int64_t>& graph, const std::vector<Vertex>& sources,
                                std::int32_t max_level = algo::kNoMaxLevel)
    {
        const double most = max_level == algo::kNoMaxLevel ? std::numeric_limits<double>::infinity() : max_level;
        return oracle::nearest_sources(graph, sources, most);
    }

    static void check(ResidentSearch& search, const oracle::WeightedGraph<std::int64_t>& graph,
                      const std::vector<Vertex>& sources, Expected expected)
    {
        search.run_nearest(sources);
        const auto vertices = static_cast<std::size_t>(graph.vertices);
        std::vector<std::int32_t> levels(vertices);
        std::vector<std::int32_t> parents(vertices);
        std::vector<std::int32_t> nearest(vertices);
        search.copy_levels(levels);
        search.copy_parents(parents);
        search.copy_nearest(nearest);
        EXPECT_EQ(std::vector<std::int64_t>(nearest.begin(), nearest.end()), expected.sources);
        EXPECT_EQ(oracle::parents_fault(graph, expected, {parents.begin(), parents.end()}), "");
        EXPECT_EQ(search.reached(), static_cast<std::uint64_t>(std::ranges::count_if(
                                        expected.sources, [](std::int64_t source) { return source >= 0; })));
        std::ranges::replace(expected.distances, oracle::infinity<std::int64_t>(), std::int64_t{-1});
        EXPECT_EQ(std::vector<std::int64_t>(levels.begin(), levels.end()), expected.distances);
    }

    static void expect_right(const oracle::Graph& graph, const std::vector<std::vector<Vertex>>& sets,
                             const std::vector<std::int32_t>& max_levels = {algo::kNoMaxLevel})
    {
        const GraphOnGpus on_gpu(comm::Communicator::self(), graph);
        const oracle::WeightedGraph<std::int64_t> ones = with_ones(graph);
        for (const std::int32_t max_level : max_levels) {
            std::vector<Expected> expected;
            for (const std::vector<Vertex>& sources : sets) expected.push_back(expected_of(ones, sources, max_level));
            for (const SearchWay& way : gpu::bfs::search_ways()) {
                SCOPED_TRACE(way.name + ", up to level " + std::to_string(max_level));
                DeviceSearchOptions options = way.options;
                options.max_level = max_level;
                ResidentSearch search(on_gpu.grid, on_gpu.device, options);
                for (std::size_t i = 0; i < sets.size(); ++i) {
                    const std::vector<Vertex>& sources = sets[i];
                    SCOPED_TRACE(std::to_string(sources.size()) + " sources from " + std::to_string(sources.front()));
                    check(search, ones, sources, expected[i]);
                    // After a search from several sources, a search from one key must work.
                    on_gpu.expect_right(search, {sources.front()}, max_level);
                }
            }
        }
    }
};

TEST_F(ResidentNearest, SmallGraphs)
{
    for (const TestGraph& test : small_graphs()) {
        if (test.graph.vertices == 0) continue;
        SCOPED_TRACE(test.name);
        expect_right(test.graph, {random_sources(test.graph.vertices, 1, 1), random_sources(test.graph.vertices, 3, 2),
                                  random_sources(test.graph.vertices, 20, 3), all_vertices(test.graph.vertices)});
    }
}

/// These graphs have few edges per vertex, so that some keys have no edges. The number of keys
/// varies from few to many.
TEST_F(ResidentNearest, RandomGraphs)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto vertices = static_cast<std::int64_t>(2 + seed * 7);
        const std::size_t edges = static_cast<std::size_t>(vertices) * (1 + seed % 7) / 2;
        const bool directed = seed % 2 == 1;
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_right(random_graph(vertices, edges, directed, seed),
                     {random_sources(vertices, 2, seed), random_sources(vertices, 1 + seed, seed + 100)},
                     {algo::kNoMaxLevel, static_cast<std::int32_t>(seed % 4)});
    }
}

TEST_F(ResidentNearest, OneSmallSearchForSanitizers)
{
    expect_right(random_graph(3000, 20000, false, 5), {random_sources(3000, 40, 7)});
}

TEST_F(ResidentNearest, KroneckerGraphs)
{
    for (const std::string spec : {"kron:13", "rmat:13,directed=1"}) {
        SCOPED_TRACE(spec);
        const oracle::Graph graph = generated_graph(spec);
        expect_right(graph, {random_sources(graph.vertices, 3, 1), random_sources(graph.vertices, 40, 2)});
    }
}

/// Many vertices have several nearest keys.
TEST_F(ResidentNearest, GridOfManySources)
{
    const oracle::Graph grid = generated_graph("grid:60x60");
    expect_right(grid, {random_sources(3600, 5, 1), random_sources(3600, 700, 2), all_vertices(3600)});
    expect_right(generated_graph("grid:150x150"), {random_sources(22500, 30, 3)});
}

/// The trees have ten thousand levels and more. Their roots are found by pointer jumping.
TEST_F(ResidentNearest, LongPath)
{
    const oracle::Graph path = generated_graph("path:20000");
    const GraphOnGpus on_gpu(comm::Communicator::self(), path);
    ResidentSearch search(on_gpu.grid, on_gpu.device, {.levels = true});
    const oracle::WeightedGraph<std::int64_t> ones = with_ones(path);
    for (const std::vector<Vertex>& sources :
         {std::vector<Vertex>{0}, std::vector<Vertex>{0, 19999}, std::vector<Vertex>{7000, 7003, 19000}})
        check(search, ones, sources, expected_of(ones, sources));
}

/// The smaller key is passed on along lists of tens of thousands of edges: all other vertices are
/// neighbours of the hubs 0 and 1, which are both keys, and each hub may be a vertex's parent.
TEST_F(ResidentNearest, LongListsOfTies)
{
    oracle::Graph graph;
    graph.vertices = 40003;
    for (std::int64_t v = 2; v < 40002; ++v) {
        graph.edges.emplace_back(v % 3 == 0 ? 0 : 1, v);
        graph.edges.emplace_back(v % 3 == 0 ? 1 : 0, v);
    }
    for (const bool directed : {false, true}) {
        graph.directed = directed;
        expect_right(graph, {{0, 1}, {0, 1, 40002}, {1, 17}, {5, 30000}});
    }
}

TEST_F(ResidentNearest, NeedsLevels)
{
    const GraphOnGpus on_gpu(comm::Communicator::self(), generated_graph("path:10"));
    ResidentSearch search(on_gpu.grid, on_gpu.device, {});
    EXPECT_THROW(search.prepare_nearest(), std::logic_error);
}

/// The allocated memory does not exceed the estimate.
TEST_F(ResidentNearest, MemoryAsEstimated)
{
    const oracle::Graph graph = generated_graph("kron:12");
    const GraphOnGpus on_gpu(comm::Communicator::self(), graph);
    ResidentSearch search(on_gpu.grid, on_gpu.device, {.levels = true});
    const std::size_t before = search.state_bytes();
    search.run_nearest(all_vertices(graph.vertices));
    const gpu::DeviceGraphView& view = on_gpu.device.view;
    EXPECT_GT(search.state_bytes(), before);
    EXPECT_LE(search.state_bytes() - before,
              gpu::NearestSources::most_bytes(view.slot_stride, view.out.edges, view.local_count));
}

}  // namespace
}  // namespace wayfront
