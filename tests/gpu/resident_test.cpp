// The resident search on one GPU against the serial oracle, over the grid tests' graphs.
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/resident/search.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/upload.hpp"
#include "graph/construction.hpp"
#include "grid/graphs.hpp"
#include "oracle/serial_bfs.hpp"

namespace wayfront {
namespace {

constexpr double kNever = 1e300;

struct Way
{
    std::string name;
    gpu::DeviceSearchOptions options;
};

std::vector<Way> ways()
{
    return {
        {"by_the_counts", {.bottom_up_from_edges = 20, .top_down_below_vertices = 3, .bottom_up_from_vertices = 40, .levels = true}},
        {"top_down_whatever_the_vertices", {.bottom_up_from_edges = kNever, .bottom_up_from_vertices = kNever, .levels = true}},
        {"forced_top_down", {.forced_direction = 1, .levels = true}},
        {"forced_bottom_up", {.forced_direction = 2, .levels = true}},
        {"with_hubs", {.forced_direction = 1, .many_edges = 0, .large_items_from = 0, .most_hubs = 2048, .levels = true}},
        {"bottom_up_for_hubs_alone",
         {.bottom_up_from_edges = 20,
          .top_down_below_vertices = 3,
          .bottom_up_from_vertices = kNever,
          .many_edges = 0,
          .most_split_edges = kNever,
          .most_tail_edges = kNever,
          .most_hubs = 1024,
          .levels = true}},
    };
}

class Resident : public testing::Test
{
protected:
    void SetUp() override
    {
        if (gpu::device_count() > 0) {
            gpu::use_device(0);
            return;
        }
        const char* const required = std::getenv("WAYFRONT_REQUIRE_GPU");
        if (required != nullptr && std::string(required) == "1") FAIL() << "WAYFRONT_REQUIRE_GPU=1, but there is no GPU";
        GTEST_SKIP() << "no GPU";
    }

    static void expect_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name)
    {
        const comm::Communicator self = comm::Communicator::self();
        const comm::ProcessGrid grid(self, {1, 1});
        const EdgeList list = share_of(graph, Deal::in_turn, 0, 1);
        const DistributedGraph constructed = construct(grid, ListFeed(list));
        const gpu::Stream stream;
        const gpu::DeviceGraph device = gpu::upload_graph(constructed, stream);
        const oracle::Lists lists = oracle::followers(graph);
        for (const Way& way : ways()) {
            gpu::ResidentSearch search(grid, device, way.options);
            for (const std::int64_t key : keys) {
                SCOPED_TRACE(name + ", " + way.name + ", key " + std::to_string(key));
                search.run(key);
                expect_levels_and_parents(search, lists, key);
            }
        }
    }

private:
    static void expect_levels_and_parents(const gpu::ResidentSearch& search, const oracle::Lists& lists, std::int64_t key)
    {
        std::vector<std::int32_t> parents(lists.size());
        std::vector<std::int32_t> levels(lists.size());
        search.copy_parents(parents);
        search.copy_levels(levels);
        const std::vector<std::int64_t> expected = oracle::levels(lists, key);
        std::uint64_t reached = 0;
        for (std::size_t v = 0; v < lists.size(); ++v) {
            ASSERT_EQ(levels[v], expected[v]) << "vertex " << v;
            if (expected[v] < 0) {
                ASSERT_EQ(parents[v], -1) << "vertex " << v;
                continue;
            }
            ++reached;
            if (static_cast<std::int64_t>(v) == key) {
                ASSERT_EQ(parents[v], key);
                continue;
            }
            const auto parent = static_cast<std::size_t>(parents[v]);
            ASSERT_LT(parent, lists.size()) << "vertex " << v;
            ASSERT_EQ(expected[parent] + 1, expected[v]) << "vertex " << v << ", parent " << parent;
            ASSERT_TRUE(std::ranges::binary_search(lists[parent], static_cast<std::int64_t>(v))) << "vertex " << v << ", parent " << parent;
        }
        ASSERT_EQ(search.reached(), reached);
    }
};

TEST_F(Resident, SmallGraphs)
{
    for (const TestGraph& test : small_graphs())
        if (!test.graph.directed && test.graph.vertices > 0) expect_right(test.graph, test.keys, test.name);
}

TEST_F(Resident, KroneckerGraph)
{
    expect_right(generated_graph("kron:14"), {1, 77, 4095, 16000}, "kron14");
}

TEST_F(Resident, RandomGraph)
{
    expect_right(random_graph(30000, 90000, false, 5), {0, 29999}, "random");
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
    // A path into a dense part: one block runs the path, and what it leaves is too large for it.
    oracle::Graph graph = generated_graph("complete:200");
    for (std::int64_t v = 200; v < 1000; ++v) graph.edges.emplace_back(v - 1, v);
    graph.vertices = 1000;
    expect_right(graph, {999, 200, 0}, "path into a clique");
}

}  // namespace
}  // namespace wayfront
