// The stepped search against the serial oracle, over the grid tests' graphs, all ways of exchange, and rounds of one item and of many.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "exchange_ways.hpp"
#include "gpu/stepped/search.hpp"
#include "gpu/upload.hpp"
#include "graph/construction.hpp"
#include "grid/graphs.hpp"
#include "oracle/serial_bfs.hpp"

namespace wayfront::gpu {

class SteppedOverRanks : public OverRanks
{
protected:
    void expect_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name)
    {
        const comm::ProcessGrid grid(world_, {world_.size(), 1});
        const EdgeList list = share_of(graph, Deal::in_turn, world_.rank(), world_.size());
        const DistributedGraph constructed = construct(grid, ListFeed(list));
        const Stream stream;
        const DeviceGraph device = upload_graph(constructed, stream);
        const oracle::Lists lists = oracle::followers(graph);
        constexpr double never = 1e300;
        const DeviceSearchOptions ways[] = {
            {.bottom_up_from_edges = 20, .top_down_below_vertices = 3, .bottom_up_from_vertices = 40, .levels = true},
            {.bottom_up_from_edges = 300, .top_down_below_vertices = 200, .bottom_up_from_vertices = never, .levels = true},
            {.forced_direction = 1, .levels = true},
            {.forced_direction = 2, .levels = true},
        };
        each_way([&](DeviceExchange& exchange) {
            for (const std::uint64_t round_items : {std::uint64_t{3}, SteppedSearch::kRoundItems})
                for (std::size_t way = 0; way < std::size(ways); ++way) {
                    SteppedSearch search(grid, device, exchange, ways[way], round_items);
                    for (const std::int64_t key : keys) {
                        SCOPED_TRACE(name + ", way " + std::to_string(way) + ", rounds of " + std::to_string(round_items) + ", key " +
                                     std::to_string(key));
                        search.run(key);
                        expect_levels_and_parents(search, lists, key);
                    }
                }
        });
    }

private:
    void expect_levels_and_parents(const SteppedSearch& search, const oracle::Lists& lists, std::int64_t key)
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

TEST_F(SteppedOverRanks, SmallGraphs)
{
    for (const TestGraph& test : small_graphs())
        if (!test.graph.directed && test.graph.vertices > 0) expect_right(test.graph, test.keys, test.name);
}

TEST_F(SteppedOverRanks, KroneckerGraph)
{
    expect_right(generated_graph("kron:12"), {1, 77, 4095}, "kron12");
}

TEST_F(SteppedOverRanks, SparseRandomGraph)
{
    expect_right(random_graph(10000, 15000, false, 5), {0, 9999}, "random");
}

TEST_F(SteppedOverRanks, PathAndStar)
{
    expect_right(generated_graph("path:300"), {0, 150}, "path");
    expect_right(generated_graph("star:20000"), {0, 19999}, "star");
}

}  // namespace wayfront::gpu
