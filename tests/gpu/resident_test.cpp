// The resident search on one GPU against the serial oracle, over the grid tests' graphs.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/resident/search.hpp"
#include "gpu_guard.hpp"
#include "graph_on_gpus.hpp"
#include "grid/graphs.hpp"

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
        {"many_edges_whatever_their_number", {.bottom_up_from_edges = kNever, .bottom_up_from_vertices = kNever, .many_edges = 0, .levels = true}},
        {"many_edges_counted_when_published",  // more than 2048 vertices found, and at most 11000, by more edges than these
         {.bottom_up_from_edges = kNever, .bottom_up_from_vertices = 11000, .many_edges = 0, .levels = true}},
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
    void SetUp() override { require_gpu(0); }

    static void expect_right(const oracle::Graph& graph, const std::vector<std::int64_t>& keys, const std::string& name)
    {
        const gpu::GraphOnGpus on_gpu(comm::Communicator::self(), graph);
        for (const Way& way : ways()) {
            SCOPED_TRACE(name + ", " + way.name);
            gpu::ResidentSearch search(on_gpu.grid, on_gpu.device, way.options);
            on_gpu.expect_right(search, keys);
        }
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
