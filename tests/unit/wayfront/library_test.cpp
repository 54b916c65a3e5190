// The library in a process that has not initialised MPI.
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "gpu/runtime/device.hpp"
#include "oracle/serial_bfs.hpp"
#include "support/graphs.hpp"
#include "support/io_testing.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

using io_testing::message_of;
using io_testing::TemporaryFolder;

const std::vector<std::pair<Vertex, Vertex>> kPathAndAnIsolatedVertex = {{0, 1}, {1, 2}, {2, 3}};

TEST(Library, GeneratesASpecAndSearchesIt)
{
    const Graph graph = Graph::load("ring:8");
    EXPECT_EQ(graph.name(), "ring:8");
    EXPECT_EQ(graph.vertex_count(), 8);
    EXPECT_EQ(graph.edge_count(), 8);
    EXPECT_FALSE(graph.directed());
    EXPECT_EQ(graph.ranks(), 1);
    EXPECT_EQ(graph.own_count(), 8);
    const BfsResult result = bfs(graph, 3, {.engine = Engine::cpu, .validate = true});
    EXPECT_EQ(result.source, 3);
    EXPECT_EQ(result.reached, 8);
    EXPECT_EQ(result.depth, 4);
    EXPECT_EQ(result.levels, (std::vector<std::int32_t>{3, 2, 1, 0, 1, 2, 3, 4}));
    EXPECT_EQ(result.parents[3], 3);
    EXPECT_EQ(result.parents[0], 1);
}

TEST(Library, NumbersVerticesAsTheFileDoes)
{
    const TemporaryFolder folder;
    const Graph graph = Graph::load(folder.write("path.gr", "p sp 4 3\na 1 2 7\na 2 3 7\na 3 4 7\n"));
    EXPECT_EQ(graph.first_vertex(), 1);
    EXPECT_TRUE(graph.directed());
    EXPECT_EQ(graph.own_vertex(0), 1);
    EXPECT_EQ(graph.index_at_owner(4), 3);
    const BfsResult result = bfs(graph, 2, {.engine = Engine::cpu});
    EXPECT_EQ(result.levels, (std::vector<std::int32_t>{kNotReached, 0, 1, 2}));
    EXPECT_EQ(result.parents, (std::vector<Vertex>{kNotReached, 2, 2, 3}));
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(bfs(graph, 0)); }),
              "source: there is no vertex 0: those of " + graph.name() + " are 1 to 4");
}

TEST(Library, DirectionOfTheInputCanBeOverridden)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("path.gr", "p sp 3 2\na 1 2 7\na 2 3 7\n");
    EXPECT_EQ(bfs(Graph::load(file), 3, {.engine = Engine::cpu}).reached, 1);
    EXPECT_EQ(bfs(Graph::load(file, {.direction = EdgeDirection::undirected}), 3, {.engine = Engine::cpu}).reached, 3);
    EXPECT_TRUE(Graph::load("ring:5", {.direction = EdgeDirection::directed}).directed());
}

TEST(Library, TakesEdgesFromMemory)
{
    EXPECT_EQ(bfs(Graph::from_edges(5, kPathAndAnIsolatedVertex), 3, {.engine = Engine::cpu}).reached, 1);
    const Graph graph = Graph::from_edges(5, kPathAndAnIsolatedVertex, {.direction = EdgeDirection::undirected});
    EXPECT_EQ(graph.edge_count(), 3);
    const BfsResult result = bfs(graph, 3, {.engine = Engine::cpu});
    EXPECT_EQ(result.levels, (std::vector<std::int32_t>{3, 2, 1, 0, kNotReached}));
    EXPECT_EQ(message_of<InputError>([] { Graph::from_edges(3, kPathAndAnIsolatedVertex); }),
              "edge 2 joins 2 and 3, but the graph's vertices are 0 to 2");
    EXPECT_EQ(Graph::from_edges(0, {}).own_count(), 0);
}

TEST(Library, DeterministicParentsAreTheSmallest)
{
    const oracle::Graph whole = generated_graph("random:n=300,m=900,seed=4");
    const oracle::Lists lists = oracle::followers(whole);
    const std::vector<std::int64_t> levels = oracle::levels(lists, 7);
    const BfsResult result = bfs(Graph::load("random:n=300,m=900,seed=4"), 7,
                                 {.engine = Engine::cpu, .deterministic = true, .validate = true});
    EXPECT_EQ(std::vector<std::int64_t>(result.levels.begin(), result.levels.end()), levels);
    EXPECT_EQ(result.parents, oracle::smallest_parents(lists, 7, levels));
}

TEST(Library, OneBfsServesManySourcesAndCutsOff)
{
    Bfs search(Graph::load("path:10"), {.engine = Engine::cpu, .cutoff = 2});
    EXPECT_EQ(search.run(0).reached, 3);
    EXPECT_EQ(search.run(5).reached, 5);
    EXPECT_EQ(search.engine().engine, "cpu");
    EXPECT_EQ(search.engine().device, "");
    Bfs moved = std::move(search);
    EXPECT_EQ(moved.run(9).depth, 2);
}

TEST(Library, PathsAndFilesOfTheLastSearch)
{
    const TemporaryFolder folder;
    Bfs search(Graph::load(folder.write("path.gr", "p sp 5 3\na 1 2 7\na 2 3 7\na 3 4 7\n")), {.engine = Engine::cpu});
    const std::string none = "there is no result: no search has been made, or the last one failed";
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.path(2)); }), none);
    EXPECT_EQ(message_of<InputError>([&] { search.write(folder.file("out.csv")); }), none);
    static_cast<void>(search.run(2));
    EXPECT_EQ(search.path(4), (std::vector<Vertex>{2, 3, 4}));
    EXPECT_EQ(search.path(2), (std::vector<Vertex>{2}));
    EXPECT_TRUE(search.path(1).empty());
    EXPECT_TRUE(search.path(5).empty());
    EXPECT_TRUE(message_of<InputError>([&] {
                    static_cast<void>(search.path(6));
                }).starts_with("target: there is no vertex 6: "));
    search.write(folder.file("out.csv"));
    EXPECT_EQ(io_testing::bytes_of(folder.file("out.csv")),
              "vertex,level,parent\n1,-1,-1\n2,0,2\n3,1,2\n4,2,3\n5,-1,-1\n");
    EXPECT_NE(message_of<InputError>([&] { search.write(folder.file("out.png")); }), "");
    EXPECT_EQ(message_of<InputError>([&] { search.write("-"); }),
              "expected the name of a file, not of standard output");
    EXPECT_THROW(static_cast<void>(search.run(9)), InputError);
    EXPECT_EQ(search.path(4).size(), 3U) << "no search was begun";
}

TEST(Library, ThreadsOfTheCallerStayAsTheyWere)
{
    const int before = omp_get_max_threads();
    const Graph graph = Graph::load("ring:8", {.threads = before + 1});
    EXPECT_EQ(omp_get_max_threads(), before);
    EXPECT_EQ(graph.threads(), before + 1);
    static_cast<void>(bfs(graph, 0, {.engine = Engine::cpu}));
    EXPECT_EQ(omp_get_max_threads(), before);
    EXPECT_THROW(static_cast<void>(bfs(graph, 8)), InputError);
    EXPECT_EQ(omp_get_max_threads(), before);
}

TEST(Library, PrintsNothing)
{
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    static_cast<void>(bfs(Graph::load("kron:8"), 1, {.validate = true}));
    EXPECT_THROW(Graph::load("kron:8,nonsense=1"), InputError);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Library, ErrorsHaveTheDocumentedTypesAndCodes)
{
    try {
        static_cast<void>(Graph::load("/nonexistent/graph.gr"));
        FAIL() << "a missing file was loaded";
    } catch (const InputError& error) {
        EXPECT_EQ(error.code(), ExitCode::bad_input);
        EXPECT_NE(std::string(error.what()).find("/nonexistent/graph.gr"), std::string::npos);
    }
    const Graph graph = Graph::load("ring:8");
    EXPECT_THROW(Graph::load("ring:8", {.threads = -1}), InputError);
    EXPECT_THROW(Graph::load("ring:8", {.communicator = 0}), InputError) << "MPI is not initialised";
    EXPECT_THROW(static_cast<void>(bfs(graph, 0, {.engine = Engine::cpu, .cpu_share = 0.5})), InputError);
    EXPECT_THROW(static_cast<void>(bfs(graph, 0, {.engine = Engine::split, .cpu_share = 1.5})), InputError);
    EXPECT_THROW(static_cast<void>(bfs(graph, 0, {.engine = Engine::cpu, .transport = Transport::nccl})), InputError);
    EXPECT_THROW(static_cast<void>(bfs(graph, 0, {.engine = Engine::cpu, .grid = Grid{2, 2}})), InputError);
    EXPECT_THROW(static_cast<void>(bfs(graph, 0, {.engine = Engine::cpu, .cutoff = -1})), InputError);
    EXPECT_THROW(static_cast<void>(bfs(graph, 0, {.engine = Engine::cpu, .cutoff = 1, .validate = true})), InputError);
    for (const Grid grid : {Grid{-1, -1}, Grid{0, 1}, Grid{1, 0}})
        EXPECT_EQ(
            message_of<InputError>([&] { static_cast<void>(bfs(graph, 0, {.engine = Engine::cpu, .grid = grid})); }),
            "grid: expected at least 1 row and 1 column, found " + std::to_string(grid.rows) + "x" +
                std::to_string(grid.columns));
    for (const int threads : {-1, 4097, 100000, std::numeric_limits<int>::max()})
        EXPECT_EQ(message_of<InputError>([&] { Graph::load("ring:8", {.threads = threads}); }),
                  "threads: expected a number from 0 to 4096, found " + std::to_string(threads));
    if (gpu::device_count() > 0) GTEST_SKIP() << "there is a GPU, so that it cannot be missing";
    try {
        static_cast<void>(bfs(graph, 0, {.engine = Engine::gpu}));
        FAIL() << "a GPU searched that is not there";
    } catch (const ResourceError& error) {
        EXPECT_EQ(error.code(), ExitCode::resources);
    }
}

TEST(Library, RefusesValuesThatNoEnumerationHas)
{
    const Graph graph = Graph::load("ring:8");
    const auto text = [](const std::string& option, int value) {
        return option + ": expected a value of the enumeration, found " + std::to_string(value);
    };
    for (const int value : {-1, 4, 77})
        EXPECT_EQ(
            message_of<InputError>([&] { static_cast<void>(bfs(graph, 0, {.engine = static_cast<Engine>(value)})); }),
            text("engine", value));
    for (const int value : {-1, 5, 77})
        EXPECT_EQ(message_of<InputError>(
                      [&] { static_cast<void>(bfs(graph, 0, {.transport = static_cast<Transport>(value)})); }),
                  text("transport", value));
    for (const int value : {-1, 4, 77}) {
        const LoadOptions options{.direction = static_cast<EdgeDirection>(value)};
        EXPECT_EQ(message_of<InputError>([&] { Graph::load("ring:8", options); }), text("direction", value));
        EXPECT_EQ(message_of<InputError>([&] { Graph::from_edges(5, kPathAndAnIsolatedVertex, options); }),
                  text("direction", value));
    }
    EXPECT_EQ(bfs(graph, 0, {.engine = Engine::cpu}).reached, 8);
}

TEST(Library, ObjectsThatWereMovedFromThrow)
{
    Graph graph = Graph::load("ring:8");
    Bfs search(graph, {.engine = Engine::cpu});
    Graph other = std::move(graph);
    const Bfs also = std::move(search);
    const std::string graph_moved = "a Graph is used whose contents were moved to another one";
    const std::string search_moved = "a Bfs is used whose contents were moved to another one";
    // NOLINTBEGIN(bugprone-use-after-move)
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(graph.name()); }), graph_moved);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(graph.own_count()); }), graph_moved);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(graph.threads()); }), graph_moved);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(bfs(graph, 0)); }), graph_moved);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.run(0)); }), search_moved);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.engine()); }), search_moved);
    graph = other;
    EXPECT_EQ(graph.vertex_count(), 8);
    // NOLINTEND(bugprone-use-after-move)
}

}  // namespace
}  // namespace wayfront
