// The progress of calls of the library, memory of the caller for results, and the benchmark.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_testing.hpp"
#include "wayfront/graph500.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

using io_testing::message_of;

struct Report
{
    std::string step;
    std::uint64_t done;
    std::uint64_t total;

    friend bool operator==(const Report&, const Report&) = default;
    friend void PrintTo(const Report& report, std::ostream* out)
    {
        *out << report.step << ' ' << report.done << " of " << report.total;
    }
};

/// Keeps what it receives, and throws at the beginning of a step if one is named.
class Reports
{
public:
    explicit Reports(std::string throws_at = "") : throws_at_(std::move(throws_at)) {}

    [[nodiscard]] OnProgress receive()
    {
        return [this](std::string_view step, std::uint64_t done, std::uint64_t total) {
            all.push_back({std::string(step), done, total});
            if (step == throws_at_) throw std::out_of_range("enough");
        };
    }
    [[nodiscard]] bool has(const Report& report) const { return std::ranges::find(all, report) != all.end(); }

    std::vector<Report> all;

private:
    std::string throws_at_;
};

std::vector<std::pair<Vertex, Vertex>> pairs_of_grid(Vertex count)
{
    std::vector<std::pair<Vertex, Vertex>> pairs;
    for (Vertex v = 0; v < count; ++v) pairs.emplace_back(v, 399 - v);
    return pairs;
}

TEST(Progress, OfAllPairsIsCompleteForEveryAlgorithm)
{
    for (const char* const algorithm : {"auto", "dijkstra", "floyd-warshall", "combined", "bit-parallel"}) {
        SCOPED_TRACE(algorithm);
        Reports reports;
        AllPairs pairs(Graph::load("grid:20x20", {.threads = 2}),
                       {.algorithm = algorithm, .engine = Engine::cpu, .on_progress = reports.receive()});
        pairs.rows([](const DistanceRows&) {});
        EXPECT_TRUE(reports.has({"rows", 0, 400}));
        EXPECT_EQ(reports.all.back(), (Report{"rows", 400, 400}));
        reports.all.clear();
        static_cast<void>(pairs.summary());
        EXPECT_EQ(reports.all.back(), (Report{"rows", 400, 400}));
        reports.all.clear();
        static_cast<void>(pairs.within(3));
        EXPECT_EQ(reports.all.back(), (Report{"search", 400, 400}));
    }
}

TEST(Progress, OfPairsAndOfTheBenchmark)
{
    const Graph graph = Graph::load("grid:20x20", {.threads = 2});
    for (const bool deterministic : {false, true}) {
        Reports reports;
        const PairsResult hops =
            Bfs::between(graph, pairs_of_grid(50), false,
                         {.engine = Engine::cpu, .deterministic = deterministic, .on_progress = reports.receive()});
        EXPECT_TRUE(reports.has({"pairs", 0, 50}));
        EXPECT_EQ(reports.all.back(), (Report{"pairs", 50, 50}));
        EXPECT_EQ(std::get<std::vector<std::int64_t>>(hops.distances)[0], 38);
        reports.all.clear();
        static_cast<void>(ShortestPaths::between(
            graph, pairs_of_grid(50), false,
            {.engine = Engine::cpu, .deterministic = deterministic, .on_progress = reports.receive()}));
        EXPECT_EQ(reports.all.back(), (Report{"pairs", 50, 50}));
    }
    Reports reports;
    static_cast<void>(run_graph500(7, {.keys = 5, .kernel = Graph500Kernel::both, .on_progress = reports.receive()}));
    EXPECT_TRUE(reports.has({"graph500 bfs", 5, 5}));
    EXPECT_EQ(reports.all.back(), (Report{"graph500 sssp", 5, 5}));
}

TEST(Progress, AnExceptionEndsTheWorkAndIsThrown)
{
    const Graph graph = Graph::load("grid:20x20", {.threads = 2});
    for (const char* const algorithm : {"dijkstra", "floyd-warshall", "combined", "bit-parallel"}) {
        Reports reports("rows");
        AllPairs pairs(graph, {.algorithm = algorithm, .engine = Engine::cpu, .on_progress = reports.receive()});
        std::size_t rows = 0;
        EXPECT_THROW(pairs.rows([&rows](const DistanceRows& batch) { rows += batch.sources.size(); }),
                     std::out_of_range);
        EXPECT_EQ(rows, 0U);
        EXPECT_EQ(reports.all.back(), (Report{"rows", 0, 400}));
        EXPECT_THROW(static_cast<void>(pairs.summary()), std::out_of_range) << "the object is used again";
    }
    Reports steps("steps");
    AllPairs tiles(graph, {.algorithm = "floyd-warshall", .engine = Engine::cpu, .on_progress = steps.receive()});
    EXPECT_THROW(static_cast<void>(tiles.summary()), std::out_of_range);
    Reports pairs("pairs");
    EXPECT_THROW(static_cast<void>(Bfs::between(graph, pairs_of_grid(9), true, {.on_progress = pairs.receive()})),
                 std::out_of_range);
    EXPECT_EQ(pairs.all.back(), (Report{"pairs", 0, 9}));
    EXPECT_EQ(bfs(graph, 0).depth, 38);
    Reports keys("graph500 bfs");
    EXPECT_THROW(static_cast<void>(run_graph500(7, {.on_progress = keys.receive()})), std::out_of_range);
}

/// Of a call that fails by itself, the error is that of the call.
TEST(Progress, OtherErrorsStay)
{
    Reports reports;
    AllPairs pairs(Graph::load("ring:9"), {.targets = {1}, .on_progress = reports.receive()});
    EXPECT_THROW(static_cast<void>(pairs.summary()), InputError);
    EXPECT_THROW(static_cast<void>(Bfs::between(Graph::load("ring:9"), {}, true, {.on_progress = reports.receive()})),
                 InputError);
}

TEST(Between, OfBreadthFirstSearches)
{
    const std::vector<std::pair<Vertex, Vertex>> edges{{0, 1}, {1, 2}, {0, 3}};
    const std::vector<std::int64_t> weights{9, 9, 9};
    const std::vector<std::pair<Vertex, Vertex>> pairs{{0, 2}, {2, 0}, {3, 3}, {0, 3}};
    constexpr std::int64_t none = ShortestPathsResult::kNoDistance;
    for (const bool deterministic : {false, true}) {
        const Graph graph = Graph::from_edges(4, edges, weights);
        const BfsOptions options{.engine = Engine::cpu, .deterministic = deterministic};
        const PairsResult found = Bfs::between(graph, pairs, true, options);
        EXPECT_EQ(std::get<std::vector<std::int64_t>>(found.distances), (std::vector<std::int64_t>{2, none, 0, 1}));
        EXPECT_EQ(found.paths, (std::vector<std::vector<Vertex>>{{0, 1, 2}, {}, {3}, {0, 3}}));
        EXPECT_THROW(static_cast<void>(Bfs::between(graph, {{{0, 4}}}, true, options)), InputError);
    }
    const PairsResult cut = Bfs::between(Graph::from_edges(4, edges), pairs, false, {.cutoff = 1});
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(cut.distances), (std::vector<std::int64_t>{none, none, 0, 1}));
    EXPECT_TRUE(cut.paths.empty());
    EXPECT_THROW(static_cast<void>(Bfs::between(Graph::load("ring:4"), pairs, true, {.validate = true})), InputError);
}

TEST(Arrays, SearchesWriteIntoThem)
{
    const Graph graph = Graph::load("grid:4x5");
    Bfs search(graph);
    const BfsResult expected = search.run(7);
    std::vector<std::int32_t> levels(20, -7);
    std::vector<Vertex> parents(20, -7);
    const BfsResult both = search.run(7, {levels, parents});
    EXPECT_EQ(levels, expected.levels);
    EXPECT_EQ(parents, expected.parents);
    EXPECT_TRUE(both.levels.empty() && both.parents.empty());
    EXPECT_EQ(both.depth, expected.depth);
    EXPECT_EQ(search.path(0).size(), 4U);
    const BfsResult one = bfs(graph, 3, {}, {.levels = levels});
    EXPECT_EQ(levels, search.run(3).levels);
    EXPECT_EQ(one.parents.size(), 20U);
    std::vector<std::int32_t> short_levels(19, -7);
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.run(7, {.levels = short_levels})); }),
              "levels: expected an array of 20 elements, found 19");
    EXPECT_THROW(static_cast<void>(search.run(7, {.parents = std::span(parents).first(3)})), InputError);
    EXPECT_EQ(short_levels, std::vector<std::int32_t>(19, -7));
}

TEST(Arrays, ShortestPathsWriteIntoThem)
{
    const std::vector<std::pair<Vertex, Vertex>> edges{{0, 1}, {1, 2}};
    const std::vector<std::int64_t> whole{4, 5};
    const std::vector<double> real{0.5, 0.25};
    std::vector<std::int64_t> lengths(4);
    std::vector<double> distances(4);
    std::vector<Vertex> parents(4);
    const Graph graph = Graph::from_edges(4, edges, whole);
    EXPECT_TRUE(graph.whole_distances());
    static_cast<void>(shortest_paths(graph, 0, {}, {std::span(lengths), parents}));
    EXPECT_EQ(lengths, (std::vector<std::int64_t>{0, 4, 9, ShortestPathsResult::kNoDistance}));
    EXPECT_EQ(parents, (std::vector<Vertex>{0, 0, 1, kNotReached}));
    ShortestPaths search(Graph::from_edges(4, edges, real));
    EXPECT_FALSE(Graph::from_edges(4, edges, real).whole_distances());
    const ShortestPathsResult result = search.run(0, {.distances = std::span(distances)});
    EXPECT_EQ(distances, (std::vector<double>{0, 0.5, 0.75, std::numeric_limits<double>::infinity()}));
    EXPECT_TRUE(std::get<std::vector<double>>(result.distances).empty());
    EXPECT_EQ(result.parents, (std::vector<Vertex>{0, 0, 1, kNotReached}));
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(search.run(0, {.distances = std::span(lengths)})); }),
              "distances: expected floating-point numbers, as some weights are");
    EXPECT_THROW(static_cast<void>(shortest_paths(graph, 0, {}, {.distances = std::span(distances)})), InputError);
}

TEST(Graph500, RunsTheBenchmark)
{
    const Graph500Result run = run_graph500(8, {.keys = 9, .kernel = Graph500Kernel::both});
    EXPECT_EQ(run.scale, 8);
    EXPECT_EQ(run.edge_factor, 16);
    EXPECT_EQ(run.vertices, 256);
    EXPECT_EQ(run.edges, 4096);
    ASSERT_TRUE(run.bfs && run.sssp);
    ASSERT_EQ(run.bfs->searches.size(), 9U);
    double inverse = 0;
    for (std::size_t i = 0; i < 9; ++i) {
        const Graph500Search& search = run.bfs->searches[i];
        EXPECT_EQ(search.key, run.sssp->searches[i].key);
        EXPECT_EQ(search.edges, run.sssp->searches[i].edges);
        EXPECT_GT(search.validate_seconds.value(), 0);
        inverse += search.seconds / static_cast<double>(search.edges);
    }
    EXPECT_NEAR(run.bfs->harmonic_mean_teps * inverse / 9, 1, 1e-12);
    const Graph500Result one = run_graph500(6, {.keys = 1, .kernel = Graph500Kernel::sssp, .validate = false});
    EXPECT_FALSE(one.bfs);
    EXPECT_FALSE(one.sssp->searches.at(0).validate_seconds);
}

TEST(Graph500, RefusesWhatIsOutOfRange)
{
    EXPECT_EQ(message_of<InputError>([] { static_cast<void>(run_graph500(0)); }),
              "scale: expected a number from 1 to 47, found 0");
    EXPECT_THROW(static_cast<void>(run_graph500(48)), InputError);
    EXPECT_THROW(static_cast<void>(run_graph500(6, {.edge_factor = 0})), InputError);
    EXPECT_THROW(static_cast<void>(run_graph500(6, {.keys = 0})), InputError);
    EXPECT_THROW(static_cast<void>(run_graph500(6, {.warmups = -1})), InputError);
    EXPECT_THROW(static_cast<void>(run_graph500(6, {.kernel = Graph500Kernel::sssp, .engine = Engine::split})),
                 InputError);
    EXPECT_THROW(static_cast<void>(run_graph500(6, {.grid = Grid{2, 2}})), InputError);
    EXPECT_THROW(static_cast<void>(run_graph500(6, {.loading = {.threads = -1}})), InputError);
}

}  // namespace
}  // namespace wayfront
