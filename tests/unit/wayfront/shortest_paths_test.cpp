// Shortest paths by the library, in a process that has not initialised MPI.
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <span>
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
    const Graph graph = Graph::load(
        folder.write("roads.gr", "p sp 4 4\na 1 2 7\na 2 3 4294967295\na 1 3 4294967295\na 1 3 4294967303\n"));
    const ShortestPathsResult result =
        shortest_paths(graph, 1, {.engine = Engine::cpu, .deterministic = true, .validate = true});
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
    EXPECT_EQ(message_of<InputError>([&] { Graph::from_edges(4, kEdges, floats); }),
              "3 weights were given for 4 edges");
    const std::vector<double> doubles{0.1, 0.2, 9, 1};
    const ShortestPathsResult result =
        shortest_paths(Graph::from_edges(4, kEdges, doubles), 3, {.engine = Engine::cpu, .validate = true});
    EXPECT_EQ(std::get<std::vector<double>>(result.distances), (std::vector<double>{1, 1.1, 1.1 + 0.2, 0}));
    EXPECT_EQ(result.parents, (std::vector<Vertex>{3, 0, 1, 3}));
    const std::vector<std::int64_t> whole{4, -3, 2, 1};
    EXPECT_EQ(whole_distances(shortest_paths(Graph::from_edges(4, kEdges, whole), 3)),
              (std::vector<std::int64_t>{1, 5, 2, 0}));
    const std::vector<std::int32_t> narrow{4, -3, 2, 1};
    EXPECT_EQ(whole_distances(shortest_paths(Graph::from_edges(4, kEdges, narrow), 3)),
              (std::vector<std::int64_t>{1, 5, 2, 0}));
    const std::vector<double> infinite{1, 1, std::numeric_limits<double>::infinity(), 1};
    EXPECT_EQ(message_of<InputError>([&] { Graph::from_edges(4, kEdges, infinite); }),
              "the weight of edge 2 is not a finite number");
}

TEST(LibraryShortestPaths, EdgesWithoutWeightsHaveLengthOne)
{
    for (const PathAlgorithm algorithm :
         {PathAlgorithm::automatic, PathAlgorithm::dijkstra, PathAlgorithm::delta_stepping, PathAlgorithm::bellman_ford,
          PathAlgorithm::push_pull})
        EXPECT_EQ(whole_distances(shortest_paths(Graph::from_edges(4, kEdges), 0,
                                                 {.algorithm = algorithm, .engine = Engine::cpu, .validate = true})),
                  (std::vector<std::int64_t>{0, 1, 1, kNone}));
}

TEST(LibraryShortestPaths, WeightsAreGivenOrLeftOut)
{
    const Graph given = Graph::load("path:4", {.weights = "uniform:5..5"});
    EXPECT_EQ(whole_distances(shortest_paths(given, 0)), (std::vector<std::int64_t>{0, 5, 10, 15}));
    const auto is_whole = [](const LoadOptions& options) {
        return shortest_paths(Graph::load("kron:6", options), 1, {.engine = Engine::cpu, .validate = true})
                   .distances.index() == 0;
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

TEST(LibraryShortestPaths, OneSearchNeedsNoConstructedGraph)
{
    // A loop of weight 0 is no parent, and of parallel edges the lightest one counts.
    const std::vector<std::pair<Vertex, Vertex>> edges = {{0, 1}, {1, 2}, {0, 2}, {3, 0}, {1, 1}, {0, 1}};
    const std::vector<std::int64_t> weights{4, 3, 9, 1, 0, 2};
    for (const PathAlgorithm algorithm :
         {PathAlgorithm::automatic, PathAlgorithm::dijkstra, PathAlgorithm::delta_stepping})
        for (const bool deterministic : {false, true}) {
            const ShortestPathsOptions options{
                .algorithm = algorithm, .engine = Engine::cpu, .deterministic = deterministic};
            const auto from = [&](Vertex source, EdgeDirection direction) {
                return shortest_paths(Graph::from_edges(4, edges, weights, {.direction = direction}), source, options);
            };
            const ShortestPathsResult forward = from(3, EdgeDirection::directed);
            EXPECT_EQ(whole_distances(forward), (std::vector<std::int64_t>{1, 3, 6, 0}));
            EXPECT_EQ(forward.parents, (std::vector<Vertex>{3, 0, 1, 3}));
            EXPECT_EQ(forward.reached, 4);
            EXPECT_EQ(whole_distances(from(2, EdgeDirection::directed)),
                      (std::vector<std::int64_t>{kNone, kNone, 0, kNone}));
            EXPECT_EQ(whole_distances(from(2, EdgeDirection::reversed)), (std::vector<std::int64_t>{5, 3, 0, 6}));
            EXPECT_EQ(whole_distances(from(2, EdgeDirection::undirected)), (std::vector<std::int64_t>{5, 3, 0, 6}));
        }
    const std::vector<std::int64_t> negative{4, -3, 9, 1, 0, 2};
    EXPECT_EQ(whole_distances(shortest_paths(Graph::from_edges(4, edges, negative), 3)),
              (std::vector<std::int64_t>{1, 3, 0, 0}));
}

TEST(LibraryShortestPaths, PathsAndFilesOfTheLastSearch)
{
    const TemporaryFolder folder;
    const std::vector<double> weights{0.5, 0.25, 9, 1};
    ShortestPaths search(Graph::from_edges(4, kEdges, weights), {.engine = Engine::cpu});
    EXPECT_THROW(static_cast<void>(search.path(2)), InputError);
    static_cast<void>(search.run(0));
    EXPECT_EQ(search.path(2), (std::vector<Vertex>{0, 1, 2}));
    EXPECT_TRUE(search.path(3).empty());
    search.write(folder.file("out.csv"));
    EXPECT_EQ(io_testing::bytes_of(folder.file("out.csv")),
              "vertex,distance,parent\n0,0,0\n1,0.5,0\n2,0.75,1\n3,inf,-1\n");
}

TEST(LibraryShortestPaths, TellOfNegativeCycles)
{
    const std::vector<std::int64_t> weights{4, -3, 2, 1};
    const std::vector<std::pair<Vertex, Vertex>> edges{{0, 1}, {1, 2}, {2, 1}, {3, 0}};
    ShortestPaths search(Graph::from_edges(4, edges, weights), {.validate = true});
    const ShortestPathsResult result = search.run(0);
    EXPECT_EQ(result.negative_cycle.size(), 2U);
    EXPECT_THROW(static_cast<void>(search.path(1)), InputError);
    EXPECT_TRUE(result.parents.empty());
    EXPECT_THROW(static_cast<void>(shortest_paths(Graph::from_edges(4, edges, weights), 0, {.cutoff = 1})), InputError);
}

TEST(LibraryShortestPaths, WeightsAreGivenToEdgesInMemory)
{
    const Graph given = Graph::from_edges(4, kEdges, {.weights = "uniform:5..5"});
    EXPECT_EQ(whole_distances(shortest_paths(given, 3)), (std::vector<std::int64_t>{5, 10, 10, 0}));
    const Graph floats = Graph::from_edges(4, kEdges, {.weights = "float"});
    EXPECT_EQ(shortest_paths(floats, 3).distances.index(), 1U);
    const std::vector<std::int64_t> own{4, 3, 2, 1};
    const Graph left_out = Graph::from_edges(4, kEdges, own, {.weights = "none"});
    EXPECT_EQ(whole_distances(shortest_paths(left_out, 3)), (std::vector<std::int64_t>{1, 2, 2, 0}));
    const Graph replaced = Graph::from_edges(4, kEdges, own, {.weights = "uniform:5..5"});
    EXPECT_EQ(whole_distances(shortest_paths(replaced, 3)), (std::vector<std::int64_t>{5, 10, 10, 0}));
    EXPECT_THROW(Graph::from_edges(4, kEdges, {.weights = "nonsense"}), InputError);
    EXPECT_THROW(Graph::load("ring:8", {.weights = "nonsense"}), InputError);
    // A tenth as a float, and as the double of that float, three times.
    const std::vector<float> tenths{0.1F, 0.1F, 1, 0.1F};
    const double tenth = 0.1F;
    const auto sum_at = [&](const LoadOptions& options) {
        return shortest_paths(Graph::from_edges(4, kEdges, tenths, options), 3).distance(2);
    };
    EXPECT_EQ(sum_at({}), 0.1F + 0.1F + 0.1F);
    EXPECT_EQ(sum_at({.double_precision = true}), tenth + tenth + tenth);
}

TEST(LibraryShortestPaths, DistancesHaveTheTypeOfTheWeightsAlsoIfThereAreNone)
{
    const std::vector<std::pair<Vertex, Vertex>> none;
    const auto type_of = [&](const EdgeWeights& weights) {
        return shortest_paths(Graph::from_edges(3, none, weights), 1).distances.index();
    };
    EXPECT_EQ(type_of(std::span<const std::int64_t>()), 0U);
    EXPECT_EQ(type_of(std::span<const float>()), 1U);
    EXPECT_EQ(type_of(std::span<const double>()), 1U);
    EXPECT_EQ(message_of<InputError>([&] { Graph::from_edges(4, kEdges, std::span<const float>()); }),
              "0 weights were given for 4 edges");
    const std::vector<std::pair<Vertex, Vertex>> cycle{{0, 1}, {1, 0}};
    const std::vector<float> floats{-1, 0.5F};
    const std::vector<std::int64_t> wholes{-2, 1};
    const ShortestPathsResult of_floats = shortest_paths(Graph::from_edges(2, cycle, floats), 0);
    EXPECT_EQ(of_floats.negative_cycle.size(), 2U);
    EXPECT_EQ(of_floats.distances.index(), 1U);
    EXPECT_EQ(shortest_paths(Graph::from_edges(2, cycle, wholes), 0).distances.index(), 0U);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(of_floats.distance(0)); }),
              "there is no distance 0 in a result of 0");
}

TEST(LibraryShortestPaths, AnObjectThatWasMovedFromThrows)
{
    ShortestPaths search(Graph::from_edges(4, kEdges), {.engine = Engine::cpu});
    const ShortestPaths other = std::move(search);
    const std::string moved = "a ShortestPaths is used whose contents were moved to another one";
    // NOLINTBEGIN(bugprone-use-after-move)
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.run(0)); }), moved);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.engine()); }), moved);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.algorithm()); }), moved);
    // NOLINTEND(bugprone-use-after-move)
}

TEST(LibraryShortestPaths, RefuseOptionsThatDoNotGoTogether)
{
    const Graph graph = Graph::load("ring:8", {.weights = "unit"});
    const auto refuses = [&](const ShortestPathsOptions& options) {
        EXPECT_THROW(static_cast<void>(shortest_paths(graph, 0, options)), InputError);
    };
    refuses({.engine = Engine::split});
    refuses({.delta = -1});
    refuses({.algorithm = PathAlgorithm::bellman_ford, .delta = 1});
    refuses({.cutoff = -1});
    refuses({.cutoff = 1, .validate = true});
    refuses({.grid = Grid{2, 2}});
    refuses({.grid = Grid{-1, -1}});
    refuses({.algorithm = static_cast<PathAlgorithm>(5)});
    refuses({.algorithm = static_cast<PathAlgorithm>(-1)});
    refuses({.engine = static_cast<Engine>(99)});
    refuses({.delta = std::numeric_limits<double>::quiet_NaN()});
    refuses({.cutoff = std::numeric_limits<double>::quiet_NaN()});
    refuses({.algorithm = PathAlgorithm::dijkstra, .engine = Engine::gpu});
}

TEST(LibraryShortestPaths, Pairs)
{
    const std::vector<std::int64_t> own{4, 3, 9, 1};
    const std::vector<std::pair<Vertex, Vertex>> pairs{{3, 2}, {2, 3}, {0, 0}, {3, 2}, {0, 2}};
    for (const bool deterministic : {false, true}) {
        const ShortestPathsOptions options{.engine = Engine::cpu, .deterministic = deterministic};
        const PairsResult found = ShortestPaths::between(Graph::from_edges(4, kEdges, own), pairs, true, options);
        EXPECT_EQ(std::get<std::vector<std::int64_t>>(found.distances), (std::vector<std::int64_t>{8, kNone, 0, 8, 7}));
        EXPECT_EQ(found.paths, (std::vector<std::vector<Vertex>>{{3, 0, 1, 2}, {}, {0}, {3, 0, 1, 2}, {0, 1, 2}}));
    }
    const Graph turned = Graph::from_edges(4, kEdges, own, {.direction = EdgeDirection::reversed});
    const PairsResult backward = ShortestPaths::between(turned, {{{2, 3}, {3, 2}}}, true, {.cutoff = 8});
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(backward.distances), (std::vector<std::int64_t>{8, kNone}));
    EXPECT_EQ(backward.paths.front(), (std::vector<Vertex>{3, 0, 1, 2}));
    const std::vector<double> reals{0.5, 0.25, 1, 1};
    const PairsResult real = ShortestPaths::between(Graph::from_edges(4, kEdges, reals), pairs, false, {.cutoff = 1});
    constexpr double none = std::numeric_limits<double>::infinity();
    EXPECT_EQ(std::get<std::vector<double>>(real.distances), (std::vector<double>{none, none, 0, none, 0.75}));
    EXPECT_TRUE(real.paths.empty());
    const PairsResult hops = ShortestPaths::between(Graph::from_edges(4, kEdges), pairs);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(hops.distances), (std::vector<std::int64_t>{2, kNone, 0, 2, 1}));
    EXPECT_THROW(static_cast<void>(ShortestPaths::between(turned, {})), InputError);
    EXPECT_THROW(static_cast<void>(ShortestPaths::between(turned, {{{0, 4}}})), InputError);
    EXPECT_THROW(static_cast<void>(ShortestPaths::between(turned, pairs, true, {.validate = true})), InputError);
    const std::vector<std::int64_t> negative{4, -3, 2, 1};
    const std::vector<std::pair<Vertex, Vertex>> cycle{{0, 1}, {1, 2}, {2, 1}, {3, 0}};
    try {
        static_cast<void>(ShortestPaths::between(Graph::from_edges(4, cycle, negative), {{{0, 3}}}));
        FAIL() << "no error";
    } catch (const NegativeCycleError& error) {
        EXPECT_EQ(std::set<Vertex>(error.vertices().begin(), error.vertices().end()), (std::set<Vertex>{1, 2}));
    }
}

TEST(LibraryShortestPaths, NamesOfVertices)
{
    const TemporaryFolder folder;
    const Graph towns = Graph::load(folder.write("towns.csv", "Oslo,Bergen,463\nBergen,\"Mo, i\",7\n"));
    ASSERT_TRUE(towns.named());
    EXPECT_EQ(towns.vertex_count(), 3);
    EXPECT_EQ(towns.vertex_named("Bergen"), 0);
    EXPECT_EQ(towns.vertex_name(1), "Mo, i");
    EXPECT_EQ(towns.vertex_name(towns.vertex_named("Oslo")), "Oslo");
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(towns.vertex_named("Voss")); }),
              "vertex_named: there is no vertex 'Voss': no edge of " + towns.name() + " names it");
    EXPECT_THROW(static_cast<void>(towns.vertex_name(3)), InputError);
    ShortestPaths search(towns);
    EXPECT_EQ(whole_distances(search.run(towns.vertex_named("Oslo"))), (std::vector<std::int64_t>{463, 470, 0}));
    const std::string written = folder.write("out.csv", "");
    search.write(written);
    std::ifstream file(written);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, "vertex,distance,parent\nBergen,463,Oslo\n\"Mo, i\",470,Bergen\nOslo,0,Oslo\n");
    EXPECT_FALSE(Graph::load(folder.write("g.el", "0 1\n")).named());
    EXPECT_TRUE(Graph::load(folder.write("h.el", "0 1\n"), {.names = true}).named());
    EXPECT_THROW(static_cast<void>(Graph::load("ring:4").vertex_named("a")), InputError);
}

}  // namespace
}  // namespace wayfront
