// Compares searches on GPUs over several ranks with the serial oracle, over the graphs of the grid
// tests and parts of real graphs: the stepped search with all exchanges, in rounds of one item and
// of many items; the resident search if the ranks can open each other's memory; and the search over
// a grid, on all grids of these ranks, with all exchanges.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/bfs/grid/search.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/bfs/stepped/search.hpp"
#include "support/exchange_methods.hpp"
#include "support/gpu/graph_on_gpus.hpp"
#include "support/graphs.hpp"
#include "support/real_graphs.hpp"
#include "support/shapes.hpp"

namespace wayfront::gpu::bfs {

namespace {

constexpr double kNever = 1e300;

/// The options of the tests: directions by the counts of vertices and by the counts of edges; a
/// single direction; levels of few edges that run as levels of many edges, with lists of requests that
/// become full soon or at once; and rows that look for hubs only, where the hubs are one tile of
/// each rank's vertices.
std::vector<DeviceSearchOptions> ways(std::uint32_t ranks)
{
    return {
        {.direction = {.bottom_up_from_edges = 20, .top_down_below_vertices = 3},
         .bottom_up_from_vertices = 40,
         .levels = true},
        {.direction = {.bottom_up_from_edges = 300, .top_down_below_vertices = 200},
         .bottom_up_from_vertices = kNever,
         .levels = true},
        {.direction = {.bottom_up_from_edges = kNever},
         .bottom_up_from_vertices = 11000,
         .many_edges = 0,
         .levels = true},
        {.direction = {.choice = algo::DirectionChoice::top_down}, .levels = true},
        {.direction = {.choice = algo::DirectionChoice::bottom_up}, .levels = true},
        {.direction = {.choice = algo::DirectionChoice::top_down},
         .many_edges = 0,
         .large_items_from = 0,
         .most_hubs = 1024 * ranks,
         .levels = true},
        {.direction = {.choice = algo::DirectionChoice::top_down},
         .many_edges = 0,
         .levels = true,
         .most_requests = 128},
        {.direction = {.choice = algo::DirectionChoice::top_down},
         .many_edges = 0,
         .most_hubs = 1024 * ranks,
         .levels = true,
         .most_requests = 0},
        {.direction = {.bottom_up_from_edges = 300, .top_down_below_vertices = 200},
         .bottom_up_from_vertices = kNever,
         .many_edges = 0,
         .large_items_from = 0,
         .most_split_edges = kNever,
         .most_tail_edges = kNever,
         .most_hubs = 1024 * ranks,
         .levels = true},
    };
}

}  // namespace

class SteppedOverRanks : public OverRanks
{
protected:
    /// `few_items`: number of items of a round in one of the searches, so that a level takes
    /// several rounds.
    void expect_all_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name,
                          std::uint64_t few_items = 3)
    {
        const GraphOnGpus on_gpus(world_, graph);
        const std::vector<DeviceSearchOptions> options = ways(static_cast<std::uint32_t>(ranks_));
        each_method([&](DeviceExchange& exchange) {
            for (const std::uint64_t round_items : {few_items, SteppedOptions::kRoundItems})
                for (std::size_t way = 0; way < options.size(); ++way) {
                    SCOPED_TRACE(name + ", way " + std::to_string(way) + ", rounds of " + std::to_string(round_items));
                    SteppedSearch search(on_gpus.grid, on_gpus.device, exchange, options[way],
                                         {.round_items = round_items});
                    on_gpus.expect_right(search, keys);
                }
        });
    }
};

TEST_F(SteppedOverRanks, SmallGraphs)
{
    for (const TestGraph& test : small_graphs())
        if (test.graph.vertices > 0) expect_all_right(test.graph, test.keys, test.name);
}

TEST_F(SteppedOverRanks, KroneckerGraph)
{
    expect_all_right(generated_graph("kron:14"), {1, 4095}, "kron14", 500);
}

TEST_F(SteppedOverRanks, DirectedGraphs)
{
    expect_all_right(generated_graph("rmat:13,directed=1"), {1, 4095}, "rmat13", 500);
    expect_all_right(random_graph(5000, 20000, true, 5), {0, 4999}, "random", 200);
}

TEST_F(SteppedOverRanks, SparseRandomGraph)
{
    expect_all_right(random_graph(10000, 15000, false, 5), {0, 9999}, "random", 200);
}

TEST_F(SteppedOverRanks, PathAndStar)
{
    const std::int64_t length = path_length();
    expect_all_right(generated_graph("path:" + std::to_string(length)), {0, length / 2}, "path");
    expect_all_right(generated_graph("star:20000"), {0, 19999}, "star");
}

TEST_F(SteppedOverRanks, ACutoffLeavesOutWhatIsFarther)
{
    const GraphOnGpus on_gpus(world_, generated_graph("kron:13"));
    DeviceExchange exchange(world_, ExchangeMethod::staged);
    for (DeviceSearchOptions options : ways(static_cast<std::uint32_t>(ranks_)))
        for (const std::int32_t max_level : {0, 1, 2}) {
            options.max_level = max_level;
            SteppedSearch search(on_gpus.grid, on_gpus.device, exchange, options);
            on_gpus.expect_right(search, {1, 4095}, max_level);
        }
}

TEST_F(SteppedOverRanks, EachSmallLevelHasARecord)
{
    const GraphOnGpus on_gpus(world_, generated_graph("path:40"));
    DeviceExchange exchange(world_, ExchangeMethod::host_memory);
    const DeviceSearchOptions options{.direction = {.choice = algo::DirectionChoice::top_down}, .levels = true};
    SteppedSearch search(on_gpus.grid, on_gpus.device, exchange, options);
    on_gpus.expect_right(search, {0});
    const std::vector<DeviceLevel> levels = search.level_records();
    ASSERT_EQ(levels.size(), 40U);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        EXPECT_EQ(levels[i].level, static_cast<std::int32_t>(i) + 1);
        EXPECT_FALSE(levels[i].bottom_up);
        EXPECT_EQ(levels[i].vertices, 1U);
        EXPECT_EQ(levels[i].out_edges, i == 0 || i == 39 ? 1U : 2U);
        EXPECT_GT(levels[i].duration.count(), 0);
    }
}

TEST_F(SteppedOverRanks, RealGraphs)
{
    const bool take_turns = ranks_share_gpus(world_);
    for (const RealGraph& real : real_graphs())
        if (!real.long_ways || !take_turns)
            expect_all_right(symmetrised(read_real_graph(real)), {real.key}, real.file, 200);
}

TEST_F(SteppedOverRanks, OneSmallSearchForSanitizers)
{
    // This test has few launches and one exchange, because compute-sanitizer's racecheck takes
    // minutes for the other tests. The frontiers have 1, 6, 31, 119, 276, 150 and 14 vertices.
    const GraphOnGpus on_gpus(world_, random_graph(600, 1500, false, 5));
    DeviceExchange exchange(world_, ExchangeMethod::staged);
    const DeviceSearchOptions options{.direction = {.bottom_up_from_edges = 20, .top_down_below_vertices = 100},
                                      .bottom_up_from_vertices = kNever,
                                      .levels = true};
    SteppedSearch search(on_gpus.grid, on_gpus.device, exchange, options, {.round_items = 64});
    on_gpus.expect_right(search, {0});
    std::vector<bool> bottom_up;
    for (const DeviceLevel& level : search.level_records()) bottom_up.push_back(level.bottom_up);
    EXPECT_EQ(bottom_up, std::vector<bool>({false, true, false, true, true, true, false}));
}

class ResidentOverRanks : public OverRanks
{
protected:
    void SetUp() override
    {
        OverRanks::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        const std::string obstacle = resident_obstacle(world_, GpuSharing::allowed);
        if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    }

    void expect_all_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name)
    {
        // Ranks that share a GPU run in turn at every barrier, so if there are many such ranks,
        // they run only a third of the options.
        const std::size_t step = ranks_ > 4 && ranks_share_gpus(world_) ? 3 : 1;
        const GraphOnGpus on_gpus(world_, graph);
        const std::vector<DeviceSearchOptions> options = ways(static_cast<std::uint32_t>(ranks_));
        for (std::size_t way = 0; way < options.size(); way += step) {
            SCOPED_TRACE(name + ", way " + std::to_string(way));
            ResidentSearch search(on_gpus.grid, on_gpus.device, options[way]);
            on_gpus.expect_right(search, keys);
        }
    }
};

TEST_F(ResidentOverRanks, SmallGraphs)
{
    for (const TestGraph& test : small_graphs())
        if (test.graph.vertices > 0) expect_all_right(test.graph, test.keys, test.name);
}

TEST_F(ResidentOverRanks, KroneckerGraph)
{
    expect_all_right(generated_graph("kron:15"), {1, 4095, 30000}, "kron15");
}

TEST_F(ResidentOverRanks, DirectedGraphs)
{
    expect_all_right(generated_graph("rmat:14,directed=1"), {1, 4095, 16000}, "rmat14");
    expect_all_right(random_graph(10000, 50000, true, 5), {0, 9999}, "random");
    expect_all_right(random_graph(3000, 3600, true, 6), {0, 2999}, "sparse");
}

TEST_F(ResidentOverRanks, ACutoffLeavesOutWhatIsFarther)
{
    const GraphOnGpus on_gpus(world_, generated_graph("kron:13"));
    for (DeviceSearchOptions options : ways(static_cast<std::uint32_t>(ranks_)))
        for (const std::int32_t max_level : {0, 2}) {
            options.max_level = max_level;
            ResidentSearch search(on_gpus.grid, on_gpus.device, options);
            on_gpus.expect_right(search, {1, 4095}, max_level);
        }
}

TEST_F(ResidentOverRanks, SparseRandomGraph)
{
    expect_all_right(random_graph(10000, 15000, false, 5), {0, 9999}, "random");
}

TEST_F(ResidentOverRanks, RealGraphs)
{
    const bool take_turns = ranks_share_gpus(world_);
    for (const RealGraph& real : real_graphs())
        if (!real.long_ways || !take_turns) expect_all_right(symmetrised(read_real_graph(real)), {real.key}, real.file);
}

TEST_F(ResidentOverRanks, PathStarAndGrid)
{
    const std::int64_t length = path_length();
    expect_all_right(generated_graph("path:" + std::to_string(length)), {0, length / 2}, "path");
    expect_all_right(generated_graph("star:20000"), {0, 19999}, "star");
    const std::int64_t side = length / 2;
    const std::string name = std::to_string(side) + "x" + std::to_string(side);
    expect_all_right(generated_graph("grid:" + name), {0, side * side / 2}, "grid");
}

class GridOverRanks : public OverRanks
{
protected:
    /// Searches on every grid, including P x 1 and 1 x P, with all exchanges.
    void expect_all_right(const std::vector<TestGraph>& tests)
    {
        const std::vector<DeviceSearchOptions> options = ways(static_cast<std::uint32_t>(ranks_));
        for (const comm::GridShape shape : shapes_of(world_.size()))
            each_method_over(comm::ProcessGrid(world_, shape), [&](DeviceExchange& row, DeviceExchange& column) {
                for (const TestGraph& test : tests) {
                    if (test.graph.vertices == 0) continue;
                    const BlocksOnGpus on_gpus(world_, shape, test.graph);
                    for (std::size_t way = 0; way < options.size(); ++way) {
                        SCOPED_TRACE(test.name + " on " + to_text(shape) + ", way " + std::to_string(way));
                        GridSearch search(on_gpus.grid, on_gpus.device, {row, column}, options[way]);
                        on_gpus.expect_right(search, test.keys);
                    }
                }
            });
    }
};

TEST_F(GridOverRanks, SmallGraphs)
{
    expect_all_right(small_graphs());
}

TEST_F(GridOverRanks, LargerGraphs)
{
    const std::int64_t length = path_length();
    std::vector<TestGraph> tests = {
        {"kron15", generated_graph("kron:15"), {1, 4095, 30000}},
        {"rmat13", generated_graph("rmat:13,directed=1"), {1, 4095}},
        {"directed", random_graph(5000, 20000, true, 5), {0, 4999}},
        {"sparse", random_graph(3000, 3600, true, 6), {0, 2999}},
        {"path", generated_graph("path:" + std::to_string(length)), {0, length / 2}},
        {"star", generated_graph("star:20000"), {0, 19999}},
    };
    for (const RealGraph& real : real_graphs())
        if (!real.long_ways || !ranks_share_gpus(world_))
            tests.push_back({real.file, symmetrised(read_real_graph(real)), {real.key}});
    expect_all_right(tests);
}

TEST_F(GridOverRanks, ACutoffLeavesOutWhatIsFarther)
{
    const comm::GridShape shape = shapes_of(world_.size()).front();
    const BlocksOnGpus on_gpus(world_, shape, generated_graph("kron:13"));
    DeviceExchange row(on_gpus.grid.row(), ExchangeMethod::staged);
    DeviceExchange column(on_gpus.grid.column(), ExchangeMethod::staged);
    for (DeviceSearchOptions options : ways(static_cast<std::uint32_t>(ranks_)))
        for (const std::int32_t max_level : {0, 2}) {
            options.max_level = max_level;
            GridSearch search(on_gpus.grid, on_gpus.device, {row, column}, options);
            on_gpus.expect_right(search, {1, 4095}, max_level);
        }
}

TEST_F(GridOverRanks, OneSmallSearchForSanitizers)
{
    const BlocksOnGpus on_gpus(world_, shapes_of(world_.size()).front(), random_graph(600, 1500, false, 5));
    DeviceExchange row(on_gpus.grid.row(), ExchangeMethod::staged);
    DeviceExchange column(on_gpus.grid.column(), ExchangeMethod::staged);
    const DeviceSearchOptions options{.direction = {.bottom_up_from_edges = 20, .top_down_below_vertices = 100},
                                      .levels = true};
    GridSearch search(on_gpus.grid, on_gpus.device, {row, column}, options);
    on_gpus.expect_right(search, {0});
    std::vector<bool> bottom_up;
    for (const DeviceLevel& level : search.level_records()) bottom_up.push_back(level.bottom_up);
    EXPECT_EQ(bottom_up, std::vector<bool>({false, true, false, true, true, true, false}));
}

}  // namespace wayfront::gpu::bfs
