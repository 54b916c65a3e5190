// The library over the ranks of a job.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "comm/communicator.hpp"
#include "oracle/dijkstra.hpp"
#include "oracle/nearest.hpp"
#include "oracle/serial_bfs.hpp"
#include "support/graphs.hpp"
#include "support/io_testing.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

constexpr const char* kSpec = "random:n=203,m=500,seed=3";

class LibraryTest : public testing::Test
{
protected:
    const comm::Communicator world = comm::Communicator::world();
    const oracle::Graph whole = generated_graph(kSpec);
    const oracle::Lists lists = oracle::followers(whole);
};

TEST_F(LibraryTest, EachRankHasTheResultsOfItsVertices)
{
    const Graph graph = Graph::load(kSpec);
    ASSERT_EQ(graph.ranks(), world.size());
    ASSERT_EQ(graph.rank(), world.rank());
    EXPECT_EQ(graph.edge_count(), 500);
    Bfs search(graph, {.engine = Engine::cpu, .deterministic = true, .validate = true});
    for (const Vertex source : {Vertex{0}, Vertex{202}}) {
        const std::vector<std::int64_t> levels = oracle::levels(lists, source);
        const std::vector<std::int64_t> parents = oracle::smallest_parents(lists, source, levels);
        const BfsResult result = search.run(source);
        ASSERT_EQ(static_cast<std::int64_t>(result.levels.size()), graph.own_count());
        ASSERT_EQ(result.parents.size(), result.levels.size());
        for (std::int64_t i = 0; i < graph.own_count(); ++i) {
            const Vertex v = graph.own_vertex(i);
            EXPECT_EQ(graph.owner(v), graph.rank());
            EXPECT_EQ(graph.index_at_owner(v), i);
            EXPECT_EQ(result.levels[static_cast<std::size_t>(i)], levels[static_cast<std::size_t>(v)]);
            EXPECT_EQ(result.parents[static_cast<std::size_t>(i)], parents[static_cast<std::size_t>(v)]);
        }
        EXPECT_EQ(result.reached, std::ranges::count_if(levels, [](std::int64_t level) { return level >= 0; }));
        EXPECT_EQ(result.depth, *std::ranges::max_element(levels));
    }
}

TEST_F(LibraryTest, GatheredResultsAreInTheOrderOfVertices)
{
    std::vector<std::pair<Vertex, Vertex>> own;  // this rank's share, of any size
    for (std::size_t i = 0; i < whole.edges.size(); ++i)
        if (static_cast<int>(i % static_cast<std::size_t>(world.size())) == world.rank()) own.push_back(whole.edges[i]);
    const Graph graph = Graph::from_edges(whole.vertices, own, {.direction = EdgeDirection::undirected});
    EXPECT_EQ(graph.edge_count(), 500);
    const BfsResult result = bfs(graph, 5, {.engine = Engine::cpu, .grid = Grid{1, world.size()}, .gather = true});
    const std::vector<std::int64_t> levels = oracle::levels(lists, 5);
    EXPECT_EQ(std::vector<std::int64_t>(result.levels.begin(), result.levels.end()), levels);
    EXPECT_EQ(oracle::tree_fault(lists, 5, levels, result.parents), "");
}

TEST_F(LibraryTest, ViewsOfRowsAndPathsAndFiles)
{
    // Rank r has the rows from r * 203 / ranks on, with the edges both ways.
    const auto first_row = [&](int rank) { return whole.vertices * rank / world.size(); };
    std::vector<std::int64_t> offsets{0}, targets;
    for (Vertex v = first_row(world.rank()); v < first_row(world.rank() + 1); ++v) {
        for (const Vertex next : lists[static_cast<std::size_t>(v)]) targets.push_back(next);
        offsets.push_back(static_cast<std::int64_t>(targets.size()));
    }
    const CsrArrays rows{
        std::span<const std::int64_t>(offsets), std::span<const std::int64_t>(targets), {}, first_row(world.rank())};
    const io_testing::TemporaryFolder folder;
    for (const EdgeDirection direction : {EdgeDirection::directed, EdgeDirection::undirected}) {
        Bfs search(Graph::view(whole.vertices, rows, {.direction = direction}),
                   {.engine = Engine::cpu, .validate = true, .gather = true});
        const std::vector<std::int64_t> levels = oracle::levels(lists, 5);
        const BfsResult result = search.run(5);
        EXPECT_EQ(std::vector<std::int64_t>(result.levels.begin(), result.levels.end()), levels);
        const auto deepest = static_cast<Vertex>(std::ranges::max_element(levels) - levels.begin());
        const std::vector<Vertex> path = search.path(deepest);
        ASSERT_EQ(path.size(), static_cast<std::size_t>(result.depth) + 1);
        for (std::size_t i = 0; i < path.size(); ++i)
            EXPECT_EQ(levels[static_cast<std::size_t>(path[i])], static_cast<std::int64_t>(i));
        const std::string file = folder.file("out.csv");  // the first rank's is written
        search.write(file);
        if (world.rank() == 0) {
            std::string expected = "vertex,level,parent\n";
            for (std::size_t v = 0; v < levels.size(); ++v)
                expected += std::to_string(v) + ',' + std::to_string(levels[v]) + ',' +
                            std::to_string(result.parents[v]) + '\n';
            EXPECT_EQ(io_testing::bytes_of(file), expected);
        }
    }
}

TEST_F(LibraryTest, TheNearestOfSeveralSources)
{
    oracle::WeightedGraph<std::int64_t> weighted{whole.vertices, false, {}};
    for (const auto& [source, target] : whole.edges) weighted.edges.push_back({source, target, 1});
    const oracle::Nearest<std::int64_t> expected =
        oracle::nearest_sources(weighted, {3, 50, 202}, std::numeric_limits<double>::infinity());
    const std::vector<Vertex> sources{202, 3, 50, 3};
    const auto check = [&](const auto& result) {
        EXPECT_EQ(result.source, 3);
        EXPECT_EQ(result.nearest, expected.sources);
        EXPECT_EQ(oracle::parents_fault(weighted, expected, result.parents), "");
        EXPECT_EQ(result.reached, std::ranges::count_if(expected.sources, [](Vertex v) { return v >= 0; }));
    };
    Bfs levels(Graph::load(kSpec), {.engine = Engine::cpu, .validate = true, .gather = true});
    check(levels.run_nearest(sources));
    const std::vector<Vertex> path = levels.path(202);
    EXPECT_EQ(path, std::vector<Vertex>{202});
    EXPECT_TRUE(levels.run(5).nearest.empty());
    ShortestPaths distances(Graph::load(kSpec), {.engine = Engine::cpu, .validate = true, .gather = true});
    const ShortestPathsResult result = distances.run_nearest(sources);
    check(result);
    for (std::size_t v = 0; v < expected.sources.size(); ++v) {
        const double distance = expected.sources[v] >= 0 ? static_cast<double>(expected.distances[v])
                                                         : std::numeric_limits<double>::infinity();
        EXPECT_EQ(result.distance(static_cast<std::int64_t>(v)), distance);
    }
    const io_testing::TemporaryFolder folder;
    const std::string file = folder.file("out.csv");
    distances.write(file);
    if (world.rank() == 0) {
        EXPECT_TRUE(io_testing::bytes_of(file).starts_with("vertex,distance,parent,source\n0,"));
    }
    EXPECT_THROW(static_cast<void>(levels.run_nearest({})), InputError);
    const std::vector<Vertex> outside{3, 203};
    EXPECT_THROW(static_cast<void>(distances.run_nearest(outside)), InputError);
}

TEST_F(LibraryTest, PairsHaveTheSameAnswersOnEveryRank)
{
    std::vector<std::pair<Vertex, Vertex>> pairs;
    for (Vertex i = 0; i < 60; ++i) pairs.emplace_back(i % 7, (37 * i) % 203);
    const Graph graph = Graph::load(kSpec);
    const PairsResult found = ShortestPaths::between(graph, pairs, true, {.engine = Engine::cpu});
    const auto& distances = std::get<std::vector<std::int64_t>>(found.distances);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [source, target] = pairs[i];
        const std::int64_t level = oracle::levels(lists, source)[static_cast<std::size_t>(target)];
        ASSERT_EQ(distances[i], level < 0 ? ShortestPathsResult::kNoDistance : level);
        const std::vector<Vertex>& path = found.paths[i];
        ASSERT_EQ(static_cast<std::int64_t>(path.size()), level + 1);
        if (level < 0) continue;
        EXPECT_EQ(path.front(), source);
        EXPECT_EQ(path.back(), target);
        for (std::size_t step = 1; step < path.size(); ++step)
            EXPECT_TRUE(std::ranges::count(lists[static_cast<std::size_t>(path[step - 1])], path[step]) > 0);
    }
    EXPECT_TRUE(ShortestPaths::between(graph, pairs, false).paths.empty());
}

TEST_F(LibraryTest, ViewsOnOneRankAlone)
{
    // 0 -> 1 -> 2 -> 3 with negative weights, on the last rank.
    const bool last = world.rank() == world.size() - 1;
    const std::vector<std::int32_t> offsets{0, 1, 2, 3}, targets{1, 2, 3}, weights{4, -3, 2}, sources{0, 1, 2};
    const auto own = [&](const std::vector<std::int32_t>& all) {
        return last ? std::span(all) : std::span<const std::int32_t>();
    };
    const CsrArrays rows{last ? std::span(offsets) : std::span(offsets).first(1), own(targets), own(weights)};
    const EdgeArrays pairs{own(sources), own(targets), own(weights)};
    const io_testing::TemporaryFolder folder;
    for (const Graph& graph : {Graph::view(4, rows), Graph::view(4, pairs)}) {
        EXPECT_EQ(graph.edge_count(), 3);
        ShortestPaths search(graph, {.engine = Engine::cpu, .validate = true});
        static_cast<void>(search.run(0));
        EXPECT_EQ(search.path(3), (std::vector<Vertex>{0, 1, 2, 3}));
        search.write(folder.file("out.csv"));
        if (world.rank() == 0) {
            EXPECT_EQ(io_testing::bytes_of(folder.file("out.csv")),
                      "vertex,distance,parent\n0,0,0\n1,4,0\n2,1,1\n3,3,2\n");
        }
    }
}

TEST_F(LibraryTest, ReversedEdgesLeadToTheSource)
{
    // The generated edges as directed ones: in a list, in arrays, as rows and in a file.
    std::vector<std::pair<Vertex, Vertex>> own;
    for (std::size_t i = 0; i < whole.edges.size(); ++i)
        if (static_cast<int>(i % static_cast<std::size_t>(world.size())) == world.rank()) own.push_back(whole.edges[i]);
    std::ranges::sort(own);
    std::vector<std::int64_t> sources, targets, offsets(static_cast<std::size_t>(whole.vertices) + 1, 0);
    for (const auto& [source, target] : own) {
        sources.push_back(source);
        targets.push_back(target);
        for (auto row = static_cast<std::size_t>(source) + 1; row < offsets.size(); ++row) ++offsets[row];
    }
    const io_testing::TemporaryFolder folder;
    std::string text;
    for (const auto& [source, target] : whole.edges)
        text += std::to_string(source) + ' ' + std::to_string(target) + '\n';

    oracle::Graph turned{whole.vertices, true, {}};
    for (const auto& [source, target] : whole.edges) turned.edges.emplace_back(target, source);
    const std::vector<std::int64_t> levels = oracle::levels(oracle::followers(turned), 5);
    const auto farthest = static_cast<Vertex>(std::ranges::max_element(levels) - levels.begin());
    const LoadOptions options{.direction = EdgeDirection::reversed};
    std::vector<Graph> graphs{
        Graph::from_edges(whole.vertices, own, options),
        Graph::view(whole.vertices,
                    EdgeArrays{std::span<const std::int64_t>(sources), std::span<const std::int64_t>(targets)},
                    options)};
    if (world.size() == 1) {  // a row is on one rank, and a folder is of one rank
        graphs.push_back(Graph::view(
            whole.vertices, CsrArrays{std::span<const std::int64_t>(offsets), std::span<const std::int64_t>(targets)},
            options));
        graphs.push_back(Graph::load(folder.write("edges.el", text), options));
    }
    for (const Graph& graph : graphs) {
        EXPECT_TRUE(graph.directed());
        Bfs search(graph, {.engine = Engine::cpu, .validate = true, .gather = true});
        const BfsResult result = search.run(5);
        const std::vector<std::int64_t> found(result.levels.begin(), result.levels.end());
        // A file has vertices up to the largest that an edge names.
        EXPECT_EQ(found, std::vector<std::int64_t>(levels.begin(),
                                                   levels.begin() + static_cast<std::ptrdiff_t>(found.size())));
        const std::vector<Vertex> path = search.path(farthest);
        ASSERT_EQ(path.size(), static_cast<std::size_t>(result.depth) + 1);
        EXPECT_EQ(path.front(), farthest);
        EXPECT_EQ(path.back(), 5);
        for (std::size_t i = 1; i < path.size(); ++i)
            EXPECT_NE(std::ranges::find(whole.edges, std::pair(path[i - 1], path[i])), whole.edges.end())
                << path[i - 1] << " to " << path[i];
    }
}

TEST_F(LibraryTest, ShortestPathsOverRanks)
{
    oracle::WeightedGraph<std::int64_t> weighted{whole.vertices, false, {}};
    std::vector<std::pair<Vertex, Vertex>> own;  // this rank's share
    std::vector<std::int64_t> own_weights;
    for (std::size_t i = 0; i < whole.edges.size(); ++i) {
        const auto weight = static_cast<std::int64_t>(1 + i % 9);
        weighted.edges.push_back({whole.edges[i].first, whole.edges[i].second, weight});
        if (static_cast<int>(i % static_cast<std::size_t>(world.size())) != world.rank()) continue;
        own.push_back(whole.edges[i]);
        own_weights.push_back(weight);
    }
    const Graph graph = Graph::from_edges(whole.vertices, own, own_weights, {.direction = EdgeDirection::undirected});
    const std::vector<std::int64_t> expected = oracle::dijkstra(weighted, 5);
    const ShortestPathsResult result =
        shortest_paths(graph, 5, {.engine = Engine::cpu, .validate = true, .gather = true});
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(result.distances), expected);
    EXPECT_EQ(oracle::parents_fault(weighted, 5, expected, result.parents), "");
    ShortestPaths search(graph, {.engine = Engine::cpu, .grid = Grid{1, world.size()}, .deterministic = true});
    const ShortestPathsResult mine = search.run(5);
    ASSERT_EQ(static_cast<std::int64_t>(mine.parents.size()), graph.own_count());
    for (std::int64_t i = 0; i < graph.own_count(); ++i) {
        const auto v = static_cast<std::size_t>(graph.own_vertex(i));
        EXPECT_EQ(std::get<std::vector<std::int64_t>>(mine.distances)[static_cast<std::size_t>(i)], expected[v]);
    }
}

TEST_F(LibraryTest, SearchesOverTheCallersCommunicator)
{
    MPI_Comm pair = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Comm_split(MPI_COMM_WORLD, world.rank() / 2, 0, &pair), MPI_SUCCESS);
    int ranks = 0;
    ASSERT_EQ(MPI_Comm_size(pair, &ranks), MPI_SUCCESS);
    {
        const Graph graph = Graph::load("ring:9", {.threads = 1, .communicator = MPI_Comm_c2f(pair)});
        EXPECT_EQ(graph.ranks(), ranks);
        EXPECT_EQ(bfs(graph, 2, {.engine = Engine::cpu}).depth, 4);
    }
    ASSERT_EQ(MPI_Comm_free(&pair), MPI_SUCCESS);
}

TEST_F(LibraryTest, AProcessMaySearchAlone)
{
    const Graph graph = Graph::load("path:" + std::to_string(world.rank() + 2), {.threads = 1, .alone = true});
    EXPECT_EQ(graph.ranks(), 1);
    EXPECT_EQ(bfs(graph, 0, {.engine = Engine::cpu}).depth, world.rank() + 1);
    EXPECT_THROW(Graph::load("ring:9", {.communicator = MPI_Comm_c2f(MPI_COMM_SELF), .alone = true}), InputError);
}

TEST_F(LibraryTest, AllRanksThrowTheSameError)
{
    const auto message = [](auto&& f) {
        try {
            f();
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("no InputError");
    };
    const Graph graph = Graph::load("ring:9");
    EXPECT_EQ(message([&] { static_cast<void>(bfs(graph, 9)); }),
              "source: there is no vertex 9: those of ring:9 are 0 to 8");
    std::vector<std::pair<Vertex, Vertex>> own = {{0, 1}};
    if (world.rank() == world.size() - 1) own.emplace_back(0, 9);
    const std::string unequal = message([&] { Graph::from_edges(9, own); });
    EXPECT_EQ(unequal.substr(0, unequal.find(" (rank")), "edge 1 joins 0 and 9, but the graph's vertices are 0 to 8");
    EXPECT_EQ(bfs(graph, 0, {.engine = Engine::cpu}).reached, 9) << "the job goes on";
}

TEST_F(LibraryTest, ADistanceThatDoesNotFitIsAFailureOfAllRanks)
{
    const std::vector<std::pair<Vertex, Vertex>> edges{{0, 1}, {1, 2}};
    const auto failure_of = [&](const auto& weights) -> std::string {
        const bool first = world.rank() == 0;
        const Graph graph =
            Graph::from_edges(3, std::span(edges).first(first ? 2 : 0), std::span(weights).first(first ? 2 : 0));
        for (const PathAlgorithm algorithm : {PathAlgorithm::automatic, PathAlgorithm::delta_stepping}) {
            try {
                static_cast<void>(shortest_paths(graph, 0, {.algorithm = algorithm, .engine = Engine::cpu}));
                return "no failure";
            } catch (const ResourceError& error) {
                if (!std::string(error.what()).starts_with("the distance of a vertex does not fit 64-bit"))
                    return error.what();
            } catch (const RankFailure& error) {
                return std::string("RankFailure: ") + error.what();
            }
        }
        EXPECT_EQ(bfs(graph, 0, {.engine = Engine::cpu}).reached, 3) << "the job goes on";
        return "";
    };
    constexpr std::int64_t weight = std::int64_t{3} << 61;
    EXPECT_EQ(failure_of(std::vector<std::int64_t>{weight, weight}), "");
    EXPECT_EQ(failure_of(std::vector<double>{1e308, 1e308}), "");
}

TEST_F(LibraryTest, NonsenseIsAnInputErrorOnAllRanks)
{
    const Graph graph = Graph::load("ring:9");
    const auto refused = [](auto&& f) {
        try {
            f();
        } catch (const InputError&) {
            return true;
        }
        return false;
    };
    EXPECT_TRUE(refused([] { Graph::load("ring:9", {.threads = 100000}); }));
    EXPECT_TRUE(refused([] { Graph::load("ring:9", {.threads = -5}); }));
    EXPECT_TRUE(refused([&] { Graph::load("ring:9", {.threads = world.rank() == 0 ? -5 : 1}); }))
        << "on the first rank only";
    EXPECT_TRUE(refused([] { Graph::load("ring:9", {.direction = static_cast<EdgeDirection>(9)}); }));
    EXPECT_TRUE(refused([] { Graph::load("ring:9", {.weights = "nonsense"}); }));
    EXPECT_TRUE(refused([] { Graph::load("", {}); }));
    EXPECT_TRUE(refused([&] { static_cast<void>(bfs(graph, 0, {.grid = Grid{-1, -world.size()}})); }));
    EXPECT_TRUE(refused([&] { static_cast<void>(bfs(graph, 0, {.grid = Grid{world.size(), 2}})); }));
    EXPECT_TRUE(refused([&] { static_cast<void>(bfs(graph, 0, {.engine = static_cast<Engine>(9)})); }));
    EXPECT_TRUE(
        refused([&] { static_cast<void>(bfs(graph, std::numeric_limits<Vertex>::min(), {.engine = Engine::cpu})); }));
    EXPECT_TRUE(
        refused([&] { static_cast<void>(shortest_paths(graph, 0, {.algorithm = static_cast<PathAlgorithm>(9)})); }));
    EXPECT_TRUE(refused([&] {
        static_cast<void>(shortest_paths(graph, std::numeric_limits<Vertex>::max(), {.engine = Engine::cpu}));
    }));
    for (const int handle : {-1, 123456, static_cast<int>(MPI_Comm_c2f(MPI_COMM_NULL))})
        EXPECT_TRUE(refused([&] { Graph::load("ring:9", {.communicator = handle}); })) << handle;
    const std::vector<std::pair<Vertex, Vertex>> edges{{0, 1}};
    EXPECT_TRUE(refused([&] { Graph::from_edges(-1, edges); }));
    EXPECT_TRUE(refused([&] { Graph::from_edges(std::numeric_limits<Vertex>::max(), edges); }));
    EXPECT_TRUE(refused([&] { Graph::from_edges(2, edges, {.weights = "nonsense"}); }));
    EXPECT_TRUE(refused([&] { Graph::from_edges(2, edges, std::span<const double>()); }));
    if (world.size() > 1) {
        EXPECT_TRUE(refused([&] { Graph::from_edges(2 + world.rank(), edges); })) << "other numbers of vertices";
        const std::vector<float> floats{1};
        const std::vector<std::int64_t> wholes{1};
        EXPECT_TRUE(refused([&] {
            Graph::from_edges(2, edges, world.rank() == 0 ? EdgeWeights(floats) : EdgeWeights(wholes));
        })) << "other types";
    }
    const std::vector<std::int32_t> numbers{0, world.rank() == 0 ? 2 : 1};
    EXPECT_TRUE(refused([&] {
        Graph::view(2, EdgeArrays{std::span(numbers), std::span(numbers)});
    })) << "no vertex 2, of the first rank only";
    EXPECT_EQ(bfs(graph, 0, {.engine = Engine::cpu}).reached, 9) << "the job goes on";
}

}  // namespace
}  // namespace wayfront
