// Breadth-first search of real graphs, unchanged and symmetrised, compared with a serial search
// with a queue. A test is skipped if its graph is missing.
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/bfs_search.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "graph/construction.hpp"
#include "graph/io/graph_file.hpp"
#include "support/data_folders.hpp"
#include "support/graphs.hpp"
#include "support/shapes.hpp"

namespace wayfront::algo {
namespace {

struct RealGraph
{
    std::string name;
    std::string file;
    Vertex key;
    bool long_ways;  // hundreds of levels, each with exchanges between all ranks
};

void PrintTo(const RealGraph& graph, std::ostream* out)
{
    *out << graph.file;
}

class RealGraphTest : public testing::TestWithParam<RealGraph>
{
protected:
    const comm::Communicator world = comm::Communicator::world();
};

/// Rank 0's share is the whole file; the shares of the other ranks are empty.
EdgeList read_on_first_rank(const comm::Communicator& world, const std::string& path)
{
    EdgeList list;
    if (world.rank() == 0) list = read_graph(path).list;
    std::array<std::int64_t, 2> facts{list.vertex_count, list.directed ? 1 : 0};
    world.broadcast(std::span<std::int64_t>(facts), 0);
    list.vertex_count = facts[0];
    list.directed = facts[1] != 0;
    return list;
}

TEST_P(RealGraphTest, LevelsAndParentsAreThoseOfASerialSearch)
{
    const RealGraph& real = GetParam();
    const std::string path = shared_data() + "/" + real.file;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    EdgeList list = read_on_first_rank(world, path);
    const bool as_read = list.directed;
    for (const bool directed : {as_read, false}) {
        list.directed = directed;
        oracle::Graph whole{list.vertex_count, directed, {}};
        for (const PackedEdge& edge : list.edges) whole.edges.emplace_back(edge.source(), edge.target());
        const oracle::Lists follow = oracle::followers(whole);
        const std::vector<std::int64_t> levels =
            world.rank() == 0 ? oracle::levels(follow, real.key) : std::vector<std::int64_t>();

        std::vector<comm::GridShape> shapes = shapes_of(world.size());
        if (real.long_ways || world.size() > 4) shapes = {shapes[shapes.size() / 2]};
        for (const comm::GridShape shape : shapes) {
            const comm::ProcessGrid grid(world, shape);
            const DistributedGraph graph = construct(grid, ListFeed(list));
            cpu::CpuEngine engine(graph.block);
            BfsOptions options;
            options.levels = true;
            BfsSearch search(grid, graph, engine, options);
            const BfsResult& result = search.run(real.key);
            const std::vector<std::int64_t> parents =
                gather_by_vertex(world, list.vertex_count, [&](std::size_t i) { return result.parents[i]; });
            const std::vector<std::int64_t> found =
                gather_by_vertex(world, list.vertex_count, [&](std::size_t i) { return result.levels[i]; });
            EXPECT_GT(result.reached, 1000U) << "the key is a poor choice";
            if (world.rank() != 0) continue;
            SCOPED_TRACE(testing::Message()
                         << real.file << (directed ? ", directed" : ", symmetrised") << " on " << to_text(shape));
            EXPECT_TRUE(found == levels) << "levels differ";
            EXPECT_EQ(oracle::tree_fault(follow, real.key, levels, parents), "");
        }
        if (!as_read) break;
    }
}

INSTANTIATE_TEST_SUITE_P(Shared, RealGraphTest,
                         testing::Values(RealGraph{"Gnutella", "p2p-Gnutella31.txt.gz", 0, false},
                                         RealGraph{"Enron", "email-Enron.txt.gz", 5, false},
                                         RealGraph{"Slashdot", "soc-Slashdot0902.txt.gz", 7, false},
                                         RealGraph{"NewYork", "USA-road-d.NY.gr.gz", 1000, true}),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace wayfront::algo
