// All pairs of many graphs as the library computes them, over the ranks of a job.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "comm/communicator.hpp"
#include "oracle/dijkstra.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

using WholeGraph = oracle::WeightedGraph<std::int64_t>;

/// Weights from 0 to 9, or with potentials, of which some are negative and no cycle is.
WholeGraph random_weighted(std::int64_t vertices, bool directed, bool potentials, std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto below = [&random](std::int64_t end) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(end));
    };
    WholeGraph graph{vertices, directed, {}};
    std::vector<std::int64_t> potential;
    for (std::int64_t v = 0; v < vertices; ++v) potential.push_back(potentials ? below(20) : 0);
    for (std::int64_t edge = 0; edge < 3 * vertices; ++edge) {
        const std::int64_t source = below(vertices);
        const std::int64_t target = below(vertices);
        graph.edges.push_back(
            {source, target,
             below(10) + potential[static_cast<std::size_t>(source)] - potential[static_cast<std::size_t>(target)]});
    }
    return graph;
}

/// The matrix by the three loops of Floyd and Warshall, row by row.
std::vector<double> floyd_warshall(const WholeGraph& graph)
{
    const auto n = static_cast<std::size_t>(graph.vertices);
    std::vector<double> matrix(n * n, kFar);
    for (std::size_t v = 0; v < n; ++v) matrix[v * n + v] = 0;
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, std::int64_t weight) {
        double& entry = matrix[static_cast<std::size_t>(u) * n + static_cast<std::size_t>(v)];
        entry = std::min(entry, static_cast<double>(weight));
    });
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix[i * n + j] = std::min(matrix[i * n + j], matrix[i * n + k] + matrix[k * n + j]);
    return matrix;
}

void expect_summary(const AllPairsSummary& summary, const std::vector<double>& matrix, std::size_t n)
{
    std::uint64_t pairs = 0;
    double sum = 0;
    double diameter = -kFar;
    double radius = kFar;
    ASSERT_EQ(summary.eccentricities.size(), n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t reached = 0;
        double farthest = -kFar;
        for (std::size_t j = 0; j < n; ++j) {
            const double distance = matrix[i * n + j];
            if (i == j || distance == kFar) continue;
            ++reached;
            sum += distance;
            farthest = std::max(farthest, distance);
        }
        EXPECT_EQ(summary.reached[i], reached);
        EXPECT_EQ(summary.eccentricities[i], reached > 0 ? farthest : 0);
        pairs += reached;
        if (reached == 0) continue;
        diameter = std::max(diameter, farthest);
        radius = std::min(radius, farthest);
    }
    EXPECT_EQ(summary.reachable_pairs, pairs);
    EXPECT_DOUBLE_EQ(summary.average, sum / static_cast<double>(pairs));
    EXPECT_EQ(summary.diameter, diameter);
    EXPECT_EQ(summary.radius, radius);
    EXPECT_FALSE(summary.center.empty());
}

void expect_matrix(const DistanceMatrix& matrix, const WholeGraph& graph, const std::vector<double>& expected)
{
    const auto n = static_cast<std::size_t>(graph.vertices);
    ASSERT_EQ(matrix.columns, n);
    ASSERT_EQ(matrix.predecessors.size(), n * n);
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(matrix.sources[i], static_cast<Vertex>(i));
        std::vector<std::int64_t> distances;
        for (std::size_t j = 0; j < n; ++j) {
            ASSERT_EQ(matrix.distance(i, j), expected[i * n + j]) << i << " to " << j;
            distances.push_back(expected[i * n + j] == kFar ? oracle::infinity<std::int64_t>()
                                                            : static_cast<std::int64_t>(expected[i * n + j]));
        }
        const auto row = matrix.predecessors.begin() + static_cast<std::ptrdiff_t>(i * n);
        const std::vector<std::int64_t> predecessors(row, row + graph.vertices);
        EXPECT_EQ(oracle::parents_fault(graph, static_cast<std::int64_t>(i), distances, predecessors), "");
    }
    EXPECT_THROW(static_cast<void>(matrix.distance(n, 0)), InputError);
}

template <typename Expected>
std::string message_of(const std::exception_ptr& error)
{
    try {
        if (error) std::rethrow_exception(error);
    } catch (const Expected& found) {
        return found.what();
    } catch (...) {
        return "another exception";
    }
    return "no error";
}

class ManyGraphsTest : public testing::Test
{
protected:
    void SetUp() override
    {
        folder_ = world.broadcast(
            (std::filesystem::temp_directory_path() / ("wayfront-many-graphs-" + std::to_string(world.size())))
                .string(),
            0);
        if (world.rank() == 0) std::filesystem::create_directories(folder_);
        world.barrier();
    }
    void TearDown() override
    {
        world.barrier();
        if (world.rank() == 0) std::filesystem::remove_all(folder_);
        world.barrier();
    }

    /// Writes a file on the first rank; returns its name on all.
    std::string file(const std::string& name, const std::string& text) const
    {
        std::string path = folder_ + "/" + name;
        if (world.rank() == 0) std::ofstream(path) << text;
        return path;
    }
    std::string file(const std::string& name, const WholeGraph& graph) const
    {
        std::string text = "p sp " + std::to_string(graph.vertices) + ' ' + std::to_string(graph.edges.size()) + '\n';
        for (const auto& edge : graph.edges)
            text += "a " + std::to_string(edge.source + 1) + ' ' + std::to_string(edge.target + 1) + ' ' +
                    std::to_string(edge.weight) + '\n';
        return file(name, text);
    }
    [[nodiscard]] Graph alone(const WholeGraph& graph) const
    {
        std::vector<std::pair<Vertex, Vertex>> edges;
        std::vector<std::int64_t> weights;
        for (const auto& edge : graph.edges) {
            edges.emplace_back(edge.source, edge.target);
            weights.push_back(edge.weight);
        }
        const auto direction = graph.directed ? EdgeDirection::directed : EdgeDirection::undirected;
        return Graph::from_edges(graph.vertices, edges, weights, {.direction = direction, .threads = 2, .alone = true});
    }

    /// The result of a file of this graph, whose vertices are counted from 1 there.
    void expect_file(const PairsOfGraph& found, const WholeGraph& graph) const
    {
        ASSERT_EQ(message_of<Error>(found.error), "no error");
        const std::vector<double> expected = floyd_warshall(graph);
        EXPECT_EQ(found.first_vertex, 1);
        EXPECT_EQ(found.vertex_count, graph.vertices);
        EXPECT_EQ(found.edge_count, static_cast<std::int64_t>(graph.edges.size()));
        EXPECT_FALSE(found.algorithm.empty());
        EXPECT_FALSE(found.notes.empty());
        expect_summary(found.summary, expected, static_cast<std::size_t>(graph.vertices));
        ASSERT_EQ(found.matrix.has_value(), found.rank == world.rank());
        if (!found.matrix) return;
        DistanceMatrix matrix = *found.matrix;
        for (Vertex& source : matrix.sources) --source;
        for (Vertex& vertex : matrix.predecessors) vertex -= vertex == kNotReached ? 0 : 1;
        expect_matrix(matrix, graph, expected);
    }

    const comm::Communicator world = comm::Communicator::world();

private:
    std::string folder_;
};

TEST_F(ManyGraphsTest, FilesAreSharedByTheRanks)
{
    std::vector<WholeGraph> graphs;
    std::vector<std::string> names;
    for (const std::int64_t vertices : {2, 31, 64, 90}) {
        for (const bool potentials : {false, true}) {
            graphs.push_back(random_weighted(vertices, true, potentials, static_cast<std::uint32_t>(graphs.size())));
            names.push_back(file("graph" + std::to_string(graphs.size()) + ".gr", graphs.back()));
        }
    }
    world.barrier();
    for (const int threads : {1, 2}) {
        const std::vector<PairsOfGraph> found =
            AllPairs::of_many(names, true, {.engine = Engine::cpu, .predecessors = true, .validate = true},
                              {.direction = EdgeDirection::directed, .threads = threads});
        ASSERT_EQ(found.size(), names.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            SCOPED_TRACE(names[i]);
            EXPECT_EQ(found[i].name, names[i]);
            EXPECT_EQ(found[i].rank, static_cast<int>(i % static_cast<std::size_t>(world.size())));
            expect_file(found[i], graphs[i]);
        }
    }
}

/// All ranks get the figures of the others, and the errors.
TEST_F(ManyGraphsTest, GraphsThatFailAreAmongOthers)
{
    const std::vector<std::string> names{file("malformed.wel", "0 1 5\n1 x 3\n"), "ring:9",
                                         file("cycle.wel", "0 1 5\n2 3 1\n3 2 -6\n"), "missing.gr", "path:4"};
    world.barrier();
    const std::vector<PairsOfGraph> found =
        AllPairs::of_many(names, false, {.engine = Engine::cpu}, {.direction = EdgeDirection::directed, .threads = 2});
    ASSERT_EQ(found.size(), names.size());
    EXPECT_NE(message_of<InputError>(found[0].error).find("malformed.wel:2:3: expected"), std::string::npos);
    EXPECT_EQ(found[0].vertex_count, 0);
    EXPECT_EQ(message_of<Error>(found[1].error), "no error");
    EXPECT_EQ(found[1].summary.diameter, 8);  // its edges are directed
    EXPECT_NE(message_of<NegativeCycleError>(found[2].error).find("a cycle of negative length"), std::string::npos);
    try {
        std::rethrow_exception(found[2].error);
    } catch (const NegativeCycleError& error) {
        std::vector<Vertex> cycle = error.vertices();
        std::ranges::sort(cycle);
        EXPECT_EQ(cycle, (std::vector<Vertex>{2, 3}));
    }
    EXPECT_NE(message_of<InputError>(found[3].error).find("missing.gr"), std::string::npos);
    EXPECT_EQ(message_of<Error>(found[4].error), "no error");
    EXPECT_EQ(found[4].summary.reachable_pairs, 6U);
}

/// A graph of more vertices than a thread computes alone, in several batches of rows.
TEST_F(ManyGraphsTest, LargeGraphs)
{
    constexpr std::size_t n = 2100;
    const std::vector<std::string> names{"path:3", "ring:" + std::to_string(n)};
    const std::vector<PairsOfGraph> found =
        AllPairs::of_many(names, true, {.engine = Engine::cpu}, {.direction = EdgeDirection::directed, .threads = 2});
    ASSERT_EQ(message_of<Error>(found[1].error), "no error");
    EXPECT_EQ(found[1].summary.diameter, n - 1);
    ASSERT_EQ(found[1].matrix.has_value(), found[1].rank == world.rank());
    if (!found[1].matrix) return;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (found[1].matrix->distance(i, j) != static_cast<double>((j + n - i) % n)) ++wrong;
    EXPECT_EQ(wrong, 0U);
}

/// Each rank has others.
TEST_F(ManyGraphsTest, GraphsInMemoryAreThoseOfARank)
{
    std::vector<WholeGraph> oracles;
    std::vector<Graph> graphs;
    for (std::int64_t i = 0; i < 5 + world.rank(); ++i) {
        const auto seed = static_cast<std::uint32_t>(100 * std::int64_t{world.rank()} + i);
        oracles.push_back(random_weighted(20 + 7 * i, i % 2 == 0, false, seed));
        graphs.push_back(alone(oracles.back()));
    }
    const AllPairsOptions options{.engine = Engine::cpu, .predecessors = true};
    const std::vector<PairsOfGraph> found = AllPairs::of_many(graphs, true, options);
    ASSERT_EQ(found.size(), graphs.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_FALSE(found[i].error);
        const std::vector<double> expected = floyd_warshall(oracles[i]);
        expect_summary(found[i].summary, expected, static_cast<std::size_t>(oracles[i].vertices));
        ASSERT_TRUE(found[i].matrix);
        expect_matrix(*found[i].matrix, oracles[i], expected);
    }
    const std::vector<PairsOfGraph> figures = AllPairs::of_many(graphs);
    EXPECT_EQ(figures.back().summary.eccentricities, found.back().summary.eccentricities);
    EXPECT_FALSE(figures.back().matrix);
}

TEST_F(ManyGraphsTest, SourcesAreThoseOfEachGraph)
{
    const WholeGraph large = random_weighted(40, true, false, 7);
    const std::vector<Graph> graphs{alone(random_weighted(10, true, false, 8)), alone(large)};
    const std::vector<PairsOfGraph> found =
        AllPairs::of_many(graphs, true, {.engine = Engine::cpu, .sources = {17, 3}});
    EXPECT_NE(message_of<InputError>(found[0].error).find("sources"), std::string::npos);
    EXPECT_FALSE(found[0].matrix);
    ASSERT_TRUE(found[1].matrix);
    EXPECT_EQ(found[1].matrix->sources, (std::vector<Vertex>{17, 3}));
    EXPECT_TRUE(found[1].matrix->predecessors.empty());
    const std::vector<double> expected = floyd_warshall(large);
    constexpr std::size_t n = 40;
    for (std::size_t j = 0; j < n; ++j) {
        EXPECT_EQ(found[1].matrix->distance(0, j), expected[17 * n + j]);
        EXPECT_EQ(found[1].matrix->distance(1, j), expected[3 * n + j]);
    }
}

TEST_F(ManyGraphsTest, ThreadsOfTheCallerStayAsTheyWere)
{
    const int before = omp_get_max_threads();
    const std::vector<std::string> names{"ring:9", "path:2500"};
    static_cast<void>(AllPairs::of_many(names, false, {.engine = Engine::cpu}, {.threads = before + 1}));
    EXPECT_EQ(omp_get_max_threads(), before);
    const std::vector<Graph> graphs{Graph::load("ring:9", {.threads = before + 2, .alone = true})};
    static_cast<void>(AllPairs::of_many(graphs, false, {.engine = Engine::cpu}));
    EXPECT_EQ(omp_get_max_threads(), before);
}

TEST_F(ManyGraphsTest, BadArguments)
{
    const std::vector<std::string> names{"ring:9", "path:4"};
    EXPECT_TRUE(AllPairs::of_many(std::vector<std::string>()).empty());
    EXPECT_TRUE(AllPairs::of_many(std::vector<Graph>()).empty());
    EXPECT_THROW(static_cast<void>(AllPairs::of_many(names, true, {.targets = {1}})), InputError);
    EXPECT_THROW(static_cast<void>(AllPairs::of_many(names, true, {.algorithm = "magic"})), InputError);
    EXPECT_THROW(static_cast<void>(AllPairs::of_many(names, true, {.engine = Engine::split})), InputError);
    EXPECT_THROW(static_cast<void>(AllPairs::of_many(names, true, {}, {.threads = -1})), InputError);
    const std::vector<Graph> distributed{Graph::load("ring:9", {.threads = 1})};
    if (world.size() > 1) {
        EXPECT_THROW(static_cast<void>(AllPairs::of_many(distributed)), InputError);
        const std::vector<std::string> others(static_cast<std::size_t>(world.rank()) + 1, "ring:9");
        EXPECT_THROW(static_cast<void>(AllPairs::of_many(others)), InputError);
    } else {
        EXPECT_EQ(AllPairs::of_many(distributed)[0].summary.diameter, 4);
    }
    std::vector<Graph> moved{alone(random_weighted(10, true, false, 1))};
    const Graph taken = std::move(moved[0]);
    EXPECT_THROW(static_cast<void>(AllPairs::of_many(moved)), InputError);
}

TEST_F(ManyGraphsTest, ProgressCountsTheGraphsOfTheFirstRank)
{
    const std::vector<std::string> names(40, "ring:50");
    std::vector<std::pair<std::uint64_t, std::uint64_t>> reports;
    const auto note = [&](std::string_view step, std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(step, "graphs");
        reports.emplace_back(done, total);
    };
    static_cast<void>(AllPairs::of_many(names, false, {.engine = Engine::cpu, .on_progress = note}, {.threads = 1}));
    const auto own =
        (names.size() + static_cast<std::size_t>(world.size()) - 1) / static_cast<std::size_t>(world.size());
    if (world.rank() == 0) {
        ASSERT_FALSE(reports.empty());
        EXPECT_EQ(reports.front(), std::pair(std::uint64_t{0}, std::uint64_t{own}));
        EXPECT_EQ(reports.back(), std::pair(std::uint64_t{own}, std::uint64_t{own}));
    } else {
        EXPECT_TRUE(reports.empty());
    }
    const auto end = [](std::string_view, std::uint64_t, std::uint64_t) { throw std::out_of_range("enough"); };
    const auto compute = [&] {
        static_cast<void>(AllPairs::of_many(names, false, {.engine = Engine::cpu, .on_progress = end}, {.threads = 1}));
    };
    if (world.rank() == 0)
        EXPECT_THROW(compute(), std::out_of_range);
    else
        EXPECT_THROW(compute(), ResultError);
}

/// A report within a graph, or within a round of small ones, can end the work.
TEST_F(ManyGraphsTest, ProgressIsReportedBeforeAGraphIsDone)
{
    const auto ranks = static_cast<std::size_t>(world.size());
    // The first rank has the grids.
    std::vector<std::string> large(ranks, "ring:3");
    large.front() = "grid:60x60";
    std::vector<std::string> small(6 * ranks, "ring:3");
    for (std::size_t i = 0; i < small.size(); i += ranks) small[i] = "grid:40x40";
    for (const std::vector<std::string>& names : {large, small}) {
        for (const char* const algorithm : {"dijkstra", "floyd-warshall"}) {
            for (const int threads : {1, 2}) {
                SCOPED_TRACE(names.front() + ' ' + algorithm + ' ' + std::to_string(threads));
                int reports = 0;
                std::uint64_t most = 0;
                const auto end = [&](std::string_view, std::uint64_t done, std::uint64_t total) {
                    most = std::max(most, done);
                    if (++reports == 2 || done == total) throw std::out_of_range("enough");
                };
                const auto compute = [&] {
                    static_cast<void>(AllPairs::of_many(
                        names, true, {.algorithm = algorithm, .engine = Engine::cpu, .on_progress = end},
                        {.threads = threads, .weights = "uniform:1..100"}));
                };
                if (world.rank() == 0)
                    EXPECT_THROW(compute(), std::out_of_range);
                else
                    EXPECT_THROW(compute(), ResultError);
                EXPECT_EQ(reports, world.rank() == 0 ? 2 : 0);
                EXPECT_LT(most, names.size() / ranks);
            }
        }
    }
    EXPECT_EQ(AllPairs::of_many(large, false, {.engine = Engine::cpu}, {.threads = 2})[0].summary.diameter, 118);
}

TEST_F(ManyGraphsTest, RanksPassTheSameNames)
{
    if (world.size() == 1) GTEST_SKIP() << "needs several ranks";
    std::vector<std::string> names(50, "ring:9");
    const int last = world.size() - 1;
    if (world.rank() == last) names[40] = names[17] = "ring:90";
    const auto compute = [&] { static_cast<void>(AllPairs::of_many(names)); };
    std::string message;
    try {
        compute();
    } catch (const InputError& error) {
        message = error.what();
    }
    EXPECT_EQ(message, "graph 17: ring:9 (rank 0), ring:90 (rank " + std::to_string(last) + ")");
    std::swap(names[40], names[41]);
    names[17] = "ring:9";
    EXPECT_THROW(compute(), InputError);
}

/// The graph has memory enough for rows, but not for the matrix.
TEST_F(ManyGraphsTest, MatricesThatDoNotFitAreRefused)
{
    const std::vector<std::string> names{"path:4", "star:1000000", "ring:9"};
    const std::vector<PairsOfGraph> found = AllPairs::of_many(
        names, true, {.algorithm = "dijkstra", .engine = Engine::cpu, .predecessors = true}, {.threads = 1});
    EXPECT_EQ(message_of<Error>(found[0].error), "no error");
    EXPECT_NE(message_of<ResourceError>(found[1].error).find("the matrix of all pairs of star:1000000 needs"),
              std::string::npos)
        << message_of<ResourceError>(found[1].error);
    EXPECT_EQ(message_of<Error>(found[2].error), "no error");
    EXPECT_EQ(found[2].summary.diameter, 4);
}

}  // namespace
}  // namespace wayfront
