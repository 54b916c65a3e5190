// Shortest paths by the library, in a process that has not initialised MPI.
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_testing.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

using io_testing::message_of;
using io_testing::TemporaryFolder;

constexpr std::int64_t kNone = ShortestPathsResult::kNoDistance;
const std::vector<std::pair<Vertex, Vertex>> kEdges = {{0, 1}, {1, 2}, {0, 2}, {3, 0}};

std::vector<std::int64_t> whole_distances(const ShortestPathsResult& result)
{
    return std::get<std::vector<std::int64_t>>(result.distances);
}

TEST(LibraryShortestPaths, UseTheWeightsOfAFile)
{
    const TemporaryFolder folder;
    const Graph graph = Graph::load(folder.write("roads.gr", "p sp 4 4\na 1 2 7\na 2 3 4294967295\na 1 3 4294967295\na 1 3 4294967303\n"));
    const ShortestPathsResult result = shortest_paths(graph, 1, {.engine = Engine::cpu, .deterministic = true, .validate = true});
    EXPECT_EQ(result.source, 1);
    EXPECT_EQ(result.reached, 3);
    EXPECT_EQ(whole_distances(result), (std::vector<std::int64_t>{0, 7, 4294967295, kNone}));
    EXPECT_EQ(result.parents, (std::vector<Vertex>{1, 1, 1, kNotReached}));
    EXPECT_EQ(result.distance(1), 7);
    EXPECT_EQ(result.distance(3), std::numeric_limits<double>::infinity());
    EXPECT_EQ(bfs(graph, 1, {.engine = Engine::cpu}).depth, 1);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(shortest_paths(graph, 5)); }),
              "source: there is no vertex 5: those of " + graph.name() + " are 1 to 4");
}

TEST(LibraryShortestPaths, UseTheWeightsOfTheCaller)
{
    const std::vector<float> floats{0.5F, 0.25F, 1};
    EXPECT_EQ(message_of<InputError>([&] { Graph::from_edges(4, kEdges, floats); }), "3 weights were given for 4 edges");
    const std::vector<double> doubles{0.1, 0.2, 9, 1};
    const ShortestPathsResult result = shortest_paths(Graph::from_edges(4, kEdges, doubles), 3, {.engine = Engine::cpu, .validate = true});
    EXPECT_EQ(std::get<std::vector<double>>(result.distances), (std::vector<double>{1, 1.1, 1.1 + 0.2, 0}));
    EXPECT_EQ(result.parents, (std::vector<Vertex>{3, 0, 1, 3}));
    const std::vector<std::int64_t> whole{4, -3, 2, 1};
    EXPECT_EQ(whole_distances(shortest_paths(Graph::from_edges(4, kEdges, whole), 3)), (std::vector<std::int64_t>{1, 5, 2, 0}));
    const std::vector<double> infinite{1, 1, std::numeric_limits<double>::infinity(), 1};
    EXPECT_EQ(message_of<InputError>([&] { Graph::from_edges(4, kEdges, infinite); }), "the weight of edge 2 is not a finite number");
}

TEST(LibraryShortestPaths, EdgesWithoutWeightsHaveLengthOne)
{
    for (const PathAlgorithm algorithm :
         {PathAlgorithm::automatic, PathAlgorithm::dijkstra, PathAlgorithm::delta_stepping, PathAlgorithm::bellman_ford, PathAlgorithm::push_pull})
        EXPECT_EQ(whole_distances(shortest_paths(Graph::from_edges(4, kEdges), 0, {.algorithm = algorithm, .engine = Engine::cpu, .validate = true})),
                  (std::vector<std::int64_t>{0, 1, 1, kNone}));
}

TEST(LibraryShortestPaths, WeightsAreGivenOrLeftOut)
{
    const Graph given = Graph::load("path:4", {.weights = "uniform:5..5"});
    EXPECT_EQ(whole_distances(shortest_paths(given, 0)), (std::vector<std::int64_t>{0, 5, 10, 15}));
    const auto is_whole = [](const LoadOptions& options) {
        return shortest_paths(Graph::load("kron:6", options), 1, {.engine = Engine::cpu, .validate = true}).distances.index() == 0;
    };
    EXPECT_FALSE(is_whole({}));
    EXPECT_TRUE(is_whole({.weights = "none"}));
    EXPECT_FALSE(is_whole({.double_precision = true}));
}

TEST(LibraryShortestPaths, OneObjectServesManySourcesAndCutsOff)
{
    ShortestPaths search(Graph::load("path:10", {.weights = "uniform:2..2"}), {.engine = Engine::cpu, .cutoff = 4.5});
    EXPECT_EQ(search.run(0).reached, 3);
    EXPECT_EQ(search.run(5).reached, 5);
    EXPECT_EQ(search.engine().engine, "cpu");
    EXPECT_EQ(search.algorithm(), "Dijkstra's algorithm, since the graph is small");
    const ShortestPaths skewed(Graph::load("kron:9"), {.engine = Engine::cpu});
    EXPECT_TRUE(skewed.algorithm().starts_with("push-pull")) << skewed.algorithm();
    ShortestPaths moved = std::move(search);
    EXPECT_EQ(moved.run(9).reached, 3);
}

TEST(LibraryShortestPaths, TellOfNegativeCycles)
{
    const std::vector<std::int64_t> weights{4, -3, 2, 1};
    const std::vector<std::pair<Vertex, Vertex>> edges{{0, 1}, {1, 2}, {2, 1}, {3, 0}};
    ShortestPaths search(Graph::from_edges(4, edges, weights), {.validate = true});
    const ShortestPathsResult result = search.run(0);
    EXPECT_EQ(result.negative_cycle.size(), 2U);
    EXPECT_TRUE(result.parents.empty());
    EXPECT_THROW(static_cast<void>(shortest_paths(Graph::from_edges(4, edges, weights), 0, {.cutoff = 1})), InputError);
}

TEST(LibraryShortestPaths, RefuseOptionsThatDoNotGoTogether)
{
    const Graph graph = Graph::load("ring:8", {.weights = "unit"});
    const auto refuses = [&](const ShortestPathsOptions& options) { EXPECT_THROW(static_cast<void>(shortest_paths(graph, 0, options)), InputError); };
    refuses({.engine = Engine::split});
    refuses({.delta = -1});
    refuses({.algorithm = PathAlgorithm::bellman_ford, .delta = 1});
    refuses({.cutoff = -1});
    refuses({.cutoff = 1, .validate = true});
    refuses({.grid = Grid{2, 2}});
    refuses({.algorithm = PathAlgorithm::dijkstra, .engine = Engine::gpu});
}

}  // namespace
}  // namespace wayfront
