// Compares the resident search on one GPU with the serial oracle, over the graphs of the grid
// tests.
#include "gpu/bfs/resident/search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/bfs/shared_memory.hpp"
#include "support/gpu/graph_on_gpus.hpp"
#include "support/gpu/search_ways.hpp"
#include "support/gpu_guard.hpp"
#include "support/graphs.hpp"
#include "support/random_numbers.hpp"

namespace wayfront {
namespace {

class Resident : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }

    static void expect_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name)
    {
        const gpu::bfs::GraphOnGpus on_gpu(comm::Communicator::self(), graph);
        for (const gpu::bfs::SearchWay& way : gpu::bfs::search_ways()) {
            SCOPED_TRACE(name + ", " + way.name);
            gpu::bfs::ResidentSearch search(on_gpu.grid, on_gpu.device, way.options);
            on_gpu.expect_right(search, keys);
            for (const std::int32_t max_level : {0, 1, 2, 5}) {
                SCOPED_TRACE("up to level " + std::to_string(max_level));
                gpu::bfs::DeviceSearchOptions options = way.options;
                options.max_level = max_level;
                gpu::bfs::ResidentSearch cut(on_gpu.grid, on_gpu.device, options);
                on_gpu.expect_right(cut, keys, max_level);
            }
        }
    }
};

TEST_F(Resident, SmallGraphs)
{
    for (const TestGraph& test : small_graphs())
        if (test.graph.vertices > 0) expect_right(test.graph, test.keys, test.name);
}

TEST_F(Resident, KroneckerGraph)
{
    expect_right(generated_graph("kron:14"), {1, 77, 4095, 16000}, "kron14");
}

TEST_F(Resident, RandomGraph)
{
    expect_right(random_graph(30000, 90000, false, 5), {0, 29999}, "random");
}

TEST_F(Resident, DirectedGraphs)
{
    expect_right(generated_graph("rmat:14,directed=1"), {1, 77, 16000}, "rmat14");
    expect_right(random_graph(30000, 200000, true, 5), {0, 29999}, "random");
    expect_right(random_graph(5000, 6000, true, 6), {0, 4999}, "sparse");
    oracle::Graph path = generated_graph("path:3000");
    path.directed = true;
    expect_right(path, {0, 1500, 2999}, "path");
    oracle::Graph star = generated_graph("star:70000");
    star.directed = true;
    expect_right(star, {0, 69999}, "star");
}

TEST_F(Resident, LongPathAndWideGrid)
{
    expect_right(generated_graph("path:3000"), {0, 1500}, "path");
    expect_right(generated_graph("grid:150x150"), {0, 11325}, "grid");
}

TEST_F(Resident, StarWhoseCentreHasAllEdges)
{
    expect_right(generated_graph("star:70000"), {0, 69999}, "star");
}

TEST_F(Resident, ALevelOfManyVerticesInsideOneBlockThenTheWholeGpu)
{
    // The graph is a path that leads into a dense part: one block runs the levels of the path, and
    // the frontier at its end is too large for one block.
    oracle::Graph graph = generated_graph("complete:200");
    for (std::int64_t v = 200; v < 1000; ++v) graph.edges.emplace_back(v - 1, v);
    graph.vertices = 1000;
    expect_right(graph, {999, 200, 0}, "path into a clique");
}

/// A graph whose levels, from vertex 0, have these numbers of vertices. The first two levels
/// together are a clique. Each vertex of a later level has an edge to a vertex of the previous
/// level and two edges within its own level.
oracle::Graph graph_of_levels(const std::vector<std::uint32_t>& sizes)
{
    RandomNumbers random(7);
    oracle::Graph graph;
    std::uint32_t before = 0;
    std::uint32_t first = 0;
    for (std::size_t level = 0; level < sizes.size(); ++level) {
        const std::uint32_t end = first + sizes[level];
        for (std::uint32_t v = first; v < end; ++v) {
            if (level < 2) {
                for (std::uint32_t u = 0; u < v; ++u) graph.edges.emplace_back(u, v);
                continue;
            }
            graph.edges.emplace_back(before + random.below(first - before), v);
            for (int i = 0; i < 2; ++i) graph.edges.emplace_back(v, first + random.below(end - first));
        }
        before = first;
        first = end;
    }
    graph.vertices = first;
    return graph;
}

/// The counts that the direction rule reads for each level of a search from vertex 0, computed from
/// the oracle's lists. Slots from `tail_slot` on are not hubs.
std::vector<gpu::bfs::LevelCounts> serial_counts(const gpu::bfs::GraphOnGpus& on_gpu, std::uint32_t tail_slot)
{
    std::vector<gpu::bfs::LevelCounts> counts;
    const std::vector<std::int64_t> levels = oracle::levels(on_gpu.lists, 0);
    for (std::size_t v = 0; v < levels.size(); ++v) {
        const auto level = static_cast<std::size_t>(levels[v]);
        if (counts.size() <= level) counts.resize(level + 1);
        ++counts[level].vertices;
        counts[level].add_edges(static_cast<std::uint32_t>(on_gpu.lists[v].size()),
                                on_gpu.constructed.slot_of_local[v] >= tail_slot);
    }
    return counts;
}

TEST_F(Resident, OneSmallSearchForSanitizers)
{
    // There is one launch, because compute-sanitizer's racecheck takes minutes for the other tests.
    // The levels are, in this order: rows look for hubs only; a level of many edges marks vertices
    // and then counts them, by a survey; rows look for hubs only again, and the tail is followed by
    // claims; rows look for the whole frontier; few rows look for the whole frontier; and one block
    // runs the last two levels.
    using enum gpu::bfs::BottomUpVariant;
    constexpr std::size_t many = 1;    // index of the level of many edges
    constexpr std::size_t tailed = 2;  // index of the level with a tail
    const std::vector<std::uint32_t> sizes{1, 95, 700, 500, 150, 30, 10};
    const std::vector<std::optional<gpu::bfs::BottomUpVariant>> variants{hubs, {}, hubs, all, few_rows, {}};
    const gpu::bfs::DeviceSearchOptions options{
        .direction = {.bottom_up_from_edges = 20, .top_down_below_vertices = 100},
        .bottom_up_from_vertices = gpu::bfs::kNever,
        .many_edges = 5000,
        .most_split_edges = gpu::bfs::kNever,
        .most_tail_edges = gpu::bfs::kNever,
        .most_hubs = 1024,
        .levels = true};
    const gpu::bfs::GraphOnGpus on_gpu(comm::Communicator::self(), graph_of_levels(sizes));
    gpu::bfs::ResidentSearch search(on_gpu.grid, on_gpu.device, options);
    on_gpu.expect_right(search, {0});

    gpu::bfs::SearchView view;  // has only the members on which the variants depend
    view.graph = on_gpu.device.view;
    view.rule = {.options = options, .connected = static_cast<std::uint64_t>(on_gpu.device.connected_vertices)};
    gpu::bfs::set_shared_memory(view, options.most_hubs);
    const std::vector<gpu::bfs::LevelCounts> counts = serial_counts(on_gpu, view.tail_slot);
    const std::vector<gpu::bfs::DeviceLevel> levels = search.level_records();
    ASSERT_EQ(counts.size(), sizes.size());
    ASSERT_EQ(levels.size(), variants.size());  // the last entry is for two levels
    std::uint64_t reached = 0;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        SCOPED_TRACE("level " + std::to_string(i));
        EXPECT_EQ(counts[i].vertices, sizes[i]);
        EXPECT_EQ(levels[i].vertices, sizes[i]);
        EXPECT_EQ(levels[i].level, static_cast<int>(i) + 1);
        EXPECT_EQ(levels[i].bottom_up, variants[i].has_value());
        reached += levels[i].vertices;
        const bool edges_known = i == 0 || !levels[i - 1].bottom_up;
        EXPECT_EQ(levels[i].out_edges, edges_known ? counts[i].out_edges : 0);
        if (!variants[i]) continue;
        EXPECT_EQ(view.rule.bottom_up_variant(edges_known && view.rule.splits(counts[i]), reached), *variants[i]);
    }
    // With fewer edges, one block would run this level (single_block.cuh).
    EXPECT_GT(counts[many].out_edges, 8192U);
    EXPECT_GE(counts[many].out_edges, options.many_edges);
    EXPECT_TRUE(view.rule.needs_edges(false, counts[many].out_edges, 0));  // a survey follows the level
    EXPECT_GT(counts[tailed].tail_edges, 0U);
    EXPECT_LT(counts[tailed].tail_edges, options.many_edges);
    EXPECT_LT(counts[tailed].tail_edges, counts[tailed].out_edges);
    EXPECT_LE(counts[variants.size() - 1].out_edges, 8192U);
}

}  // namespace
}  // namespace wayfront
