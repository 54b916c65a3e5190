// Searches on GPUs over several ranks against the serial oracle, over the grid tests' graphs: the stepped one in all ways of exchange and in rounds
// of one item and of many, and the resident one where the ranks can open each other's memory.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "exchange_ways.hpp"
#include "gpu/resident/search.hpp"
#include "gpu/stepped/search.hpp"
#include "gpu/upload.hpp"
#include "graph/construction.hpp"
#include "grid/graphs.hpp"
#include "oracle/serial_bfs.hpp"

namespace wayfront::gpu {

namespace {

constexpr double kNever = 1e300;

/// By the counts of vertices, and of edges; in one direction; with what is done for many edges done for few; and for hubs alone, one tile of each
/// rank's vertices.
std::vector<DeviceSearchOptions> ways(std::uint32_t ranks)
{
    return {
        {.bottom_up_from_edges = 20, .top_down_below_vertices = 3, .bottom_up_from_vertices = 40, .levels = true},
        {.bottom_up_from_edges = 300, .top_down_below_vertices = 200, .bottom_up_from_vertices = kNever, .levels = true},
        {.forced_direction = 1, .levels = true},
        {.forced_direction = 2, .levels = true},
        {.forced_direction = 1, .many_edges = 0, .large_items_from = 0, .most_hubs = 1024 * ranks, .levels = true},
        {.bottom_up_from_edges = 300,
         .top_down_below_vertices = 200,
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

class SearchOverRanks : public OverRanks
{
protected:
    /// A graph on the GPUs of all ranks, and its lists for the oracle.
    struct Prepared
    {
        Prepared(const comm::Communicator& world, const oracle::Graph& graph)
            : grid(world, {world.size(), 1}),
              constructed(construct(grid, ListFeed(share_of(graph, Deal::in_turn, world.rank(), world.size())))),
              device(upload_graph(constructed, stream)),
              lists(oracle::followers(graph))
        {
        }

        comm::ProcessGrid grid;
        DistributedGraph constructed;
        Stream stream;
        DeviceGraph device;
        oracle::Lists lists;
    };

    /// Levels are slow where ranks share a GPU: their kernels take turns.
    [[nodiscard]] std::int64_t path_length() const { return ranks_share_gpus(world_) ? 40 : 300; }

    void expect_right(DeviceSearch& search, const oracle::Lists& lists, const std::vector<std::int64_t>& keys)
    {
        for (const std::int64_t key : keys) {
            SCOPED_TRACE("key " + std::to_string(key));
            search.run(key);
            expect_levels_and_parents(search, lists, key);
        }
    }

private:
    void expect_levels_and_parents(const DeviceSearch& search, const oracle::Lists& lists, std::int64_t key)
    {
        const auto vertices = static_cast<std::int64_t>(lists.size());
        std::vector<std::int32_t> own_parents((lists.size() + ranks_ - 1 - rank_) / ranks_);
        std::vector<std::int32_t> own_levels(own_parents.size());
        search.copy_parents(own_parents);
        search.copy_levels(own_levels);
        const std::vector<std::int64_t> parents = gather_by_vertex(world_, vertices, [&](std::size_t i) { return std::int64_t{own_parents[i]}; });
        const std::vector<std::int64_t> levels = gather_by_vertex(world_, vertices, [&](std::size_t i) { return std::int64_t{own_levels[i]}; });
        const std::vector<std::int64_t> expected = oracle::levels(lists, key);
        EXPECT_EQ(levels, expected);
        EXPECT_EQ(oracle::tree_fault(lists, key, expected, parents), "");
        std::uint64_t reached = 0;
        for (const std::int64_t level : expected) reached += level >= 0 ? 1 : 0;
        EXPECT_EQ(search.reached(), reached);
    }
};

class SteppedOverRanks : public SearchOverRanks
{
protected:
    /// `few_items`: of the rounds that a level is cut into once.
    void expect_all_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name, std::uint64_t few_items = 3)
    {
        const Prepared prepared(world_, graph);
        const std::vector<DeviceSearchOptions> options = ways(static_cast<std::uint32_t>(ranks_));
        each_way([&](DeviceExchange& exchange) {
            for (const std::uint64_t round_items : {few_items, SteppedSearch::kRoundItems})
                for (std::size_t way = 0; way < options.size(); ++way) {
                    SCOPED_TRACE(name + ", way " + std::to_string(way) + ", rounds of " + std::to_string(round_items));
                    SteppedSearch search(prepared.grid, prepared.device, exchange, options[way], round_items);
                    expect_right(search, prepared.lists, keys);
                }
        });
    }
};

TEST_F(SteppedOverRanks, SmallGraphs)
{
    for (const TestGraph& test : small_graphs())
        if (!test.graph.directed && test.graph.vertices > 0) expect_all_right(test.graph, test.keys, test.name);
}

TEST_F(SteppedOverRanks, KroneckerGraph)
{
    expect_all_right(generated_graph("kron:14"), {1, 4095}, "kron14", 500);
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

class ResidentOverRanks : public SearchOverRanks
{
protected:
    void SetUp() override
    {
        SearchOverRanks::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        const std::string obstacle = ResidentSearch::obstacle(comm::ProcessGrid(world_, {world_.size(), 1}), GpuSharing::allowed);
        if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    }

    void expect_all_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name)
    {
        const Prepared prepared(world_, graph);
        const std::vector<DeviceSearchOptions> options = ways(static_cast<std::uint32_t>(ranks_));
        for (std::size_t way = 0; way < options.size(); ++way) {
            SCOPED_TRACE(name + ", way " + std::to_string(way));
            ResidentSearch search(prepared.grid, prepared.device, options[way]);
            expect_right(search, prepared.lists, keys);
        }
    }
};

TEST_F(ResidentOverRanks, SmallGraphs)
{
    for (const TestGraph& test : small_graphs())
        if (!test.graph.directed && test.graph.vertices > 0) expect_all_right(test.graph, test.keys, test.name);
}

TEST_F(ResidentOverRanks, KroneckerGraph)
{
    expect_all_right(generated_graph("kron:15"), {1, 4095, 30000}, "kron15");
}

TEST_F(ResidentOverRanks, SparseRandomGraph)
{
    expect_all_right(random_graph(10000, 15000, false, 5), {0, 9999}, "random");
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

}  // namespace wayfront::gpu
