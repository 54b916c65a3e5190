// All pairs as the library computes them, over the ranks of a job.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
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

#include "comm/communicator.hpp"
#include "oracle/dijkstra.hpp"
#include "support/graphs.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

/// The edges of a random graph, of which each rank gives a share, and the oracle's distances.
class AllPairsTest : public testing::Test
{
protected:
    static constexpr std::size_t kVertices = 61;
    static constexpr std::int64_t kFar = oracle::infinity<std::int64_t>();

    [[nodiscard]] Graph share(EdgeDirection direction) const
    {
        std::vector<std::pair<Vertex, Vertex>> edges;
        std::vector<std::int64_t> weights;
        for (std::size_t i = 0; i < whole.edges.size(); ++i) {
            if (static_cast<int>(i % static_cast<std::size_t>(world.size())) != world.rank()) continue;
            edges.push_back(whole.edges[i]);
            weights.push_back(weight(i));
        }
        return Graph::from_edges(whole.vertices, edges, weights, {.direction = direction, .threads = 1});
    }
    static std::int64_t weight(std::size_t edge) { return static_cast<std::int64_t>(edge * 7 % 11); }

    [[nodiscard]] oracle::WeightedGraph<std::int64_t> weighted(bool directed) const
    {
        oracle::WeightedGraph<std::int64_t> graph{whole.vertices, directed, {}};
        for (std::size_t i = 0; i < whole.edges.size(); ++i)
            graph.edges.push_back({whole.edges[i].first, whole.edges[i].second, weight(i)});
        return graph;
    }

    /// The rows of all ranks, by position: distances, kFar if not reached, then predecessors. Each
    /// row must come once.
    [[nodiscard]] std::vector<std::int64_t> gathered(AllPairs& pairs) const
    {
        const std::size_t columns = pairs.columns().size();
        const std::size_t entries = pairs.sources().size() * columns;
        std::vector<std::int64_t> all(2 * entries, -2);
        std::vector<std::int64_t> times(pairs.sources().size(), 0);
        pairs.rows([&](const DistanceRows& rows) {
            ASSERT_EQ(rows.columns, columns);
            for (std::size_t row = 0; row < rows.sources.size(); ++row) {
                const std::size_t position = rows.first + row;
                ASSERT_EQ(rows.sources[row], pairs.sources()[position]);
                ++times[position];
                for (std::size_t v = 0; v < columns; ++v) {
                    const double distance = rows.distance(row, v);
                    all[position * columns + v] = std::isinf(distance) ? kFar : static_cast<std::int64_t>(distance);
                    if (!rows.predecessors.empty())
                        all[entries + position * columns + v] = rows.predecessors[row * columns + v];
                }
            }
        });
        world.all_reduce(std::span<std::int64_t>(all), comm::Reduction::max);
        world.all_reduce(std::span<std::int64_t>(times), comm::Reduction::sum);
        EXPECT_EQ(times, std::vector<std::int64_t>(times.size(), 1));
        return all;
    }

    /// Whether a shortest path to a target ends with an edge from its predecessor.
    static void expect_last_edge(const oracle::WeightedGraph<std::int64_t>& graph,
                                 const std::vector<std::int64_t>& distances, Vertex target, std::int64_t predecessor)
    {
        const std::int64_t distance = distances[static_cast<std::size_t>(target)];
        if (distance == kFar) {
            EXPECT_EQ(predecessor, kNotReached);
            return;
        }
        const auto ends_path = [&](std::int64_t from, std::int64_t to, std::int64_t weight) {
            return from == predecessor && to == target &&
                   distances[static_cast<std::size_t>(from)] + weight == distance;
        };
        const bool is_source = predecessor == target && distance == 0;
        EXPECT_TRUE(is_source || std::ranges::any_of(graph.edges,
                                                     [&](const auto& edge) {
                                                         return ends_path(edge.source, edge.target, edge.weight) ||
                                                                (!graph.directed &&
                                                                 ends_path(edge.target, edge.source, edge.weight));
                                                     }))
            << predecessor;
    }

    /// The same on all ranks. Collective.
    [[nodiscard]] std::string temporary_name(const std::string& end) const
    {
        const std::string name = "wayfront-all-pairs-" + std::to_string(world.size()) + "-" + end;
        return world.broadcast((std::filesystem::temp_directory_path() / name).string(), 0);
    }

    const comm::Communicator world = comm::Communicator::world();
    const oracle::Graph whole = random_graph(kVertices, 130, true, 5);
};

TEST_F(AllPairsTest, RowsAreThoseOfTheOracle)
{
    for (const bool directed : {false, true}) {
        const oracle::WeightedGraph<std::int64_t> graph = weighted(directed);
        for (const char* const algorithm : {"auto", "dijkstra", "floyd-warshall"}) {
            AllPairs pairs(share(directed ? EdgeDirection::directed : EdgeDirection::undirected),
                           {.algorithm = algorithm, .engine = Engine::cpu, .predecessors = true, .validate = true});
            const std::vector<std::int64_t> all = gathered(pairs);
            for (std::size_t source = 0; source < kVertices; ++source) {
                const auto at = [&](std::size_t first) { return all.begin() + static_cast<std::ptrdiff_t>(first); };
                const std::vector<std::int64_t> distances(at(source * kVertices), at((source + 1) * kVertices));
                const std::size_t entry = (kVertices + source) * kVertices;
                const std::vector<std::int64_t> parents(at(entry), at(entry + kVertices));
                EXPECT_EQ(distances, oracle::dijkstra(graph, static_cast<std::int64_t>(source))) << algorithm;
                EXPECT_EQ(oracle::parents_fault(graph, static_cast<std::int64_t>(source), distances, parents), "")
                    << algorithm;
            }
            EXPECT_FALSE(pairs.algorithm().empty());
        }
    }
}

TEST_F(AllPairsTest, RowsOfSomeSourcesKeepTheirOrder)
{
    const std::vector<Vertex> sources{17, 3, 60};
    AllPairs pairs(share(EdgeDirection::undirected), {.engine = Engine::cpu, .sources = sources});
    EXPECT_EQ(pairs.sources(), sources);
    const std::vector<std::int64_t> all = gathered(pairs);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * kVertices);
        EXPECT_EQ(std::vector<std::int64_t>(begin, begin + kVertices), oracle::dijkstra(weighted(false), sources[i]));
    }
    EXPECT_EQ(gathered(pairs), all) << "again";
}

/// Some targets are leaves, one is there twice, and one is a source. Validated rows are whole before
/// they are narrowed.
TEST_F(AllPairsTest, ColumnsOfTargets)
{
    const std::vector<Vertex> sources{17, 3, 60, 0};
    for (const Vertex first : {0, 20, 40})
        for (const bool directed : {false, true})
            for (const char* const algorithm : {"auto", "dijkstra", "floyd-warshall"})
                for (const bool validate : {false, true}) {
                    SCOPED_TRACE(testing::Message() << "from " << first << (directed ? ", directed, " : ", ")
                                                    << algorithm << (validate ? ", validated" : ""));
                    std::vector<Vertex> targets{60, 3, 3};
                    for (Vertex v = first; v < first + 20; v += first == 40 ? 1 : 7) targets.push_back(v);
                    AllPairs pairs(share(directed ? EdgeDirection::directed : EdgeDirection::undirected),
                                   {.algorithm = algorithm,
                                    .engine = Engine::cpu,
                                    .sources = sources,
                                    .targets = targets,
                                    .predecessors = true,
                                    .validate = validate});
                    EXPECT_EQ(pairs.columns(), targets);
                    EXPECT_THROW((void)pairs.summary(), InputError);
                    const std::vector<std::int64_t> all = gathered(pairs);
                    const oracle::WeightedGraph<std::int64_t> graph = weighted(directed);
                    for (std::size_t i = 0; i < sources.size(); ++i) {
                        const std::vector<std::int64_t> expected = oracle::dijkstra(graph, sources[i]);
                        for (std::size_t k = 0; k < targets.size(); ++k) {
                            const std::size_t entry = i * targets.size() + k;
                            EXPECT_EQ(all[entry], expected[static_cast<std::size_t>(targets[k])]);
                            expect_last_edge(graph, expected, targets[k], all[sources.size() * targets.size() + entry]);
                        }
                    }
                }
}

TEST_F(AllPairsTest, DiameterIsTheSameOnAllRanks)
{
    for (const bool directed : {false, true}) {
        AllPairs pairs(share(directed ? EdgeDirection::directed : EdgeDirection::undirected), {.engine = Engine::cpu});
        std::int64_t largest = 0;
        for (std::size_t source = 0; source < kVertices; ++source)
            for (const std::int64_t each : oracle::dijkstra(weighted(directed), static_cast<std::int64_t>(source)))
                if (each != kFar) largest = std::max(largest, each);
        EXPECT_EQ(pairs.diameter(), static_cast<double>(largest));
    }
}

TEST_F(AllPairsTest, FiguresOfVertices)
{
    const oracle::WeightedGraph<std::int64_t> graph = weighted(true);
    AllPairs pairs(share(EdgeDirection::directed), {.engine = Engine::cpu});
    const VertexFigures figures = pairs.vertex_figures();
    const AllPairsSummary summary = pairs.summary();
    EXPECT_EQ(figures.eccentricities, summary.eccentricities);
    EXPECT_EQ(figures.reached, summary.reached);
    EXPECT_EQ(figures.center, summary.center);
    const auto& sums = std::get<std::vector<std::int64_t>>(figures.distance_sums);
    ASSERT_EQ(sums.size(), kVertices);
    double efficiency = 0;
    std::vector<Vertex> center;
    std::vector<Vertex> periphery;
    for (std::size_t source = 0; source < kVertices; ++source) {
        std::int64_t sum = 0;
        double harmonic = 0;
        const std::vector<std::int64_t> distances = oracle::dijkstra(graph, static_cast<std::int64_t>(source));
        for (std::size_t v = 0; v < kVertices; ++v) {
            if (v == source || distances[v] == kFar) continue;
            sum += distances[v];
            if (distances[v] > 0) harmonic += 1 / static_cast<double>(distances[v]);
        }
        EXPECT_EQ(sums[source], sum);
        EXPECT_DOUBLE_EQ(figures.harmonic_closeness[source], harmonic);
        efficiency += harmonic;
        const auto vertex = static_cast<Vertex>(source);
        if (summary.reached[source] > 0 && summary.eccentricities[source] == summary.radius) center.push_back(vertex);
        if (summary.reached[source] > 0 && summary.eccentricities[source] == summary.diameter)
            periphery.push_back(vertex);
    }
    EXPECT_DOUBLE_EQ(figures.global_efficiency, efficiency / kVertices / (kVertices - 1));
    EXPECT_EQ(figures.center, center);
    EXPECT_EQ(figures.periphery, periphery);

    AllPairs some(share(EdgeDirection::directed), {.engine = Engine::cpu, .sources = {5, 2}});
    const VertexFigures of_some = some.vertex_figures();
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(of_some.distance_sums), (std::vector{sums[5], sums[2]}));
    EXPECT_TRUE(std::isnan(of_some.global_efficiency));
    const std::string path = temporary_name("figures.csv");
    some.write_vertex_figures(path);
    if (world.rank() == 0) {
        std::ifstream file(path);
        std::string header;
        std::string first;
        std::getline(file, header);
        std::getline(file, first);
        EXPECT_EQ(header, "vertex,reached,sum,eccentricity,closeness,harmonic");
        EXPECT_TRUE(first.starts_with("5," + std::to_string(summary.reached[5]) + ',')) << first;
        std::filesystem::remove(path);
    }
    EXPECT_THROW(some.write_vertex_figures(temporary_name("figures.txt")), InputError);
    AllPairs narrow(share(EdgeDirection::directed), {.engine = Engine::cpu, .targets = {1}});
    EXPECT_THROW((void)narrow.vertex_figures(), InputError);
}

TEST_F(AllPairsTest, RowsWithinALimit)
{
    constexpr std::int64_t limit = 12;
    for (const bool directed : {true, false}) {
        const oracle::WeightedGraph<std::int64_t> graph = weighted(directed);
        AllPairs pairs(share(directed ? EdgeDirection::directed : EdgeDirection::undirected),
                       {.engine = Engine::cpu, .sources = {7, 60, 0, 7, 1, 2, 3}});
        const RowsWithin rows = pairs.within(limit + 0.5);
        ASSERT_EQ(rows.begins.back(), rows.targets.size());
        std::size_t entry = 0;
        for (std::size_t row = 0; row + 1 < rows.begins.size(); ++row) {
            const Vertex source = pairs.sources()[rows.first + row];
            const std::vector<std::int64_t> distances = oracle::dijkstra(graph, source);
            for (std::size_t v = 0; v < kVertices; ++v) {
                if (distances[v] > limit) continue;
                ASSERT_LT(entry, rows.targets.size());
                EXPECT_EQ(rows.targets[entry], static_cast<Vertex>(v));
                EXPECT_EQ(rows.distance(entry++), static_cast<double>(distances[v]));
            }
            EXPECT_EQ(rows.begins[row + 1], entry);
        }
        EXPECT_THROW((void)rows.distance(entry), InputError);
        const std::uint64_t own = rows.begins.size() - 1;
        EXPECT_EQ(world.all_reduce(own, comm::Reduction::sum), pairs.sources().size());
        std::size_t taken = rows.first;
        pairs.rows_within(limit + 0.5, [&](const RowsWithin& batch) {
            EXPECT_EQ(batch.first, taken);
            taken += batch.begins.size() - 1;
            EXPECT_EQ(batch.targets, rows.targets);
            EXPECT_EQ(batch.distances, rows.distances);
        });
        EXPECT_EQ(taken, rows.first + own);
        const std::string path = temporary_name("within.csv");
        pairs.write_within(limit, path);
        if (world.rank() == 0) {
            std::ifstream file(path);
            std::string header;
            std::string first;
            std::getline(file, header);
            std::getline(file, first);
            EXPECT_EQ(header, "source,target,distance");
            EXPECT_TRUE(first.starts_with("7,")) << first;
            std::filesystem::remove(path);
        }
        EXPECT_THROW((void)pairs.within(-1), InputError);
        EXPECT_THROW(pairs.rows_within(-1, [](const RowsWithin&) {}), InputError);
        EXPECT_THROW((void)pairs.within(std::numeric_limits<double>::quiet_NaN()), InputError);
        EXPECT_THROW(pairs.write_within(1, temporary_name("within.npy")), InputError);
    }
    AllPairs narrow(share(EdgeDirection::directed), {.engine = Engine::cpu, .targets = {1}});
    EXPECT_THROW((void)narrow.within(1), InputError);
}

TEST_F(AllPairsTest, RowsWithinALimitComeInBatches)
{
    AllPairs pairs(Graph::load("grid:50x50", {.alone = true}), {.engine = Engine::cpu});
    std::size_t batches = 0;
    std::size_t rows = 0;
    pairs.rows_within(100, [&](const RowsWithin& batch) {
        EXPECT_EQ(batch.first, rows);
        rows += batch.begins.size() - 1;
        EXPECT_EQ(batch.targets.size(), (batch.begins.size() - 1) * 2500);
        EXPECT_EQ(batch.begins.back(), batch.targets.size());
        ++batches;
    });
    EXPECT_GT(batches, 1U);
    EXPECT_EQ(rows, 2500U);
}

TEST_F(AllPairsTest, TheSummaryIsThatOfTheRows)
{
    const oracle::WeightedGraph<std::int64_t> graph = weighted(true);
    AllPairs pairs(share(EdgeDirection::directed), {.engine = Engine::cpu});
    const AllPairsSummary summary = pairs.summary();
    std::uint64_t reachable = 0;
    std::int64_t sum = 0;
    std::int64_t diameter = 0;
    std::int64_t radius = kFar;
    ASSERT_EQ(summary.eccentricities.size(), kVertices);
    for (std::size_t source = 0; source < kVertices; ++source) {
        std::uint64_t reached = 0;
        std::int64_t farthest = 0;
        std::int64_t of_row = 0;
        const std::vector<std::int64_t> distances = oracle::dijkstra(graph, static_cast<std::int64_t>(source));
        for (std::size_t v = 0; v < kVertices; ++v) {
            if (v == source || distances[v] == kFar) continue;
            ++reached;
            farthest = std::max(farthest, distances[v]);
            of_row += distances[v];
        }
        EXPECT_EQ(summary.reached[source], reached);
        EXPECT_EQ(summary.eccentricities[source], static_cast<double>(farthest));
        if (of_row > 0) {
            const auto r = static_cast<double>(reached);
            EXPECT_DOUBLE_EQ(summary.closeness[source], r / static_cast<double>(of_row) * (r / (kVertices - 1)));
        } else {
            EXPECT_EQ(reached > 0, std::isnan(summary.closeness[source]));
        }
        reachable += reached;
        sum += of_row;
        diameter = std::max(diameter, farthest);
        if (reached > 0) radius = std::min(radius, farthest);
    }
    EXPECT_EQ(summary.reachable_pairs, reachable);
    EXPECT_DOUBLE_EQ(summary.average, static_cast<double>(sum) / static_cast<double>(reachable));
    EXPECT_EQ(summary.diameter, static_cast<double>(diameter));
    EXPECT_EQ(summary.radius, static_cast<double>(radius));
}

TEST_F(AllPairsTest, FilesHaveTheRows)
{
    const std::string path = temporary_name("rows.raw");
    AllPairs pairs(share(EdgeDirection::directed),
                   {.type = PairDistance::int32, .engine = Engine::cpu, .sources = {4, 9}});
    pairs.write(path);
    if (world.rank() != 0) return;
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::string expected;
    for (const std::int64_t source : {4, 9})
        for (const std::int64_t distance : oracle::dijkstra(weighted(true), source)) {
            const auto element =
                static_cast<std::uint32_t>(distance == kFar ? std::numeric_limits<std::int32_t>::max() : distance);
            for (unsigned shift = 0; shift < 32; shift += 8) expected += static_cast<char>(element >> shift);
        }
    EXPECT_EQ(bytes, expected);
    std::filesystem::remove(path);
}

TEST_F(AllPairsTest, ErrorsAreThoseOfTheHeader)
{
    const Graph graph = share(EdgeDirection::directed);
    EXPECT_THROW(AllPairs(graph, {.algorithm = "no-such-algorithm"}), InputError);
    EXPECT_THROW(AllPairs(graph, {.type = static_cast<PairDistance>(9)}), InputError);
    EXPECT_THROW(AllPairs(graph, {.engine = Engine::split}), InputError);
    EXPECT_THROW(AllPairs(graph, {.sources = {static_cast<Vertex>(kVertices)}}), InputError);
    AllPairs pairs(graph, {.engine = Engine::cpu});
    EXPECT_THROW(pairs.write("distances.xyz"), InputError);
    EXPECT_THROW(pairs.write("/no/such/folder/distances.npy"), Error);
    EXPECT_EQ(gathered(pairs).size(), 2 * kVertices * kVertices) << "the job goes on";
    const AllPairs taken(std::move(pairs));
    EXPECT_THROW(pairs.rows([](const DistanceRows&) {}), InputError);  // NOLINT(bugprone-use-after-move)

    const std::vector<std::pair<Vertex, Vertex>> cycle{{0, 1}, {1, 0}};
    const std::vector<std::int64_t> weights{1, -2};
    const bool first = world.rank() == 0;
    const Graph negative = Graph::from_edges(2, std::span(cycle).first(first ? 2 : 0),
                                             EdgeWeights(std::span(weights).first(first ? 2 : 0)),
                                             {.direction = EdgeDirection::directed, .threads = 1});
    try {
        const AllPairs impossible(negative, {});
        FAIL() << "the cycle was not found";
    } catch (const NegativeCycleError& error) {
        EXPECT_EQ(error.code(), ExitCode::wrong_result);
        EXPECT_EQ(std::set(error.vertices().begin(), error.vertices().end()), (std::set<Vertex>{0, 1}));
    }
}

TEST_F(AllPairsTest, GraphsWithoutWeightsHaveEdgesOfLengthOne)
{
    AllPairs pairs(Graph::load("ring:61", {.threads = 1}), {.engine = Engine::cpu});
    const std::vector<std::int64_t> all = gathered(pairs);
    for (std::int64_t source = 0; source < 61; ++source)
        for (std::int64_t v = 0; v < 61; ++v) {
            const std::int64_t way = std::abs(source - v);
            EXPECT_EQ(all[static_cast<std::size_t>(source * 61 + v)], std::min(way, 61 - way));
        }
    EXPECT_EQ(pairs.summary().diameter, 30);
}

}  // namespace
}  // namespace wayfront
