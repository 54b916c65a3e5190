// AllPairs::diameter(), compared with Floyd's and Warshall's algorithm.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

using Pairs = std::vector<std::pair<Vertex, Vertex>>;

constexpr std::int64_t kFar = std::int64_t{1} << 60;

std::int64_t expected_diameter(std::size_t vertices, const Pairs& edges, const std::vector<std::int64_t>& weights,
                               bool directed)
{
    std::vector<std::vector<std::int64_t>> distance(vertices, std::vector<std::int64_t>(vertices, kFar));
    for (std::size_t v = 0; v < vertices; ++v) distance[v][v] = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const auto from = static_cast<std::size_t>(edges[i].first);
        const auto to = static_cast<std::size_t>(edges[i].second);
        const std::int64_t weight = weights.empty() ? 1 : weights[i];
        distance[from][to] = std::min(distance[from][to], weight);
        if (!directed) distance[to][from] = std::min(distance[to][from], weight);
    }
    for (std::size_t via = 0; via < vertices; ++via)
        for (std::size_t from = 0; from < vertices; ++from)
            for (std::size_t to = 0; to < vertices; ++to)
                distance[from][to] = std::min(distance[from][to], distance[from][via] + distance[via][to]);
    std::int64_t largest = 0;
    for (const std::vector<std::int64_t>& row : distance)
        for (const std::int64_t each : row)
            if (each < kFar) largest = std::max(largest, each);
    return largest;
}

/// Edges between random vertices; with few of them there are several components, loops and parallel edges.
Pairs random_edges(std::mt19937& random, std::size_t vertices, std::size_t edges)
{
    std::uniform_int_distribution<Vertex> vertex(0, static_cast<Vertex>(vertices) - 1);
    Pairs made;
    for (std::size_t i = 0; i < edges; ++i) made.emplace_back(vertex(random), vertex(random));
    return made;
}

TEST(Diameter, OfRandomGraphsIsThatOfAllDistances)
{
    std::mt19937 random(1);  // NOLINT: the same graphs in every run
    for (int i = 0; i < 120; ++i) {
        const std::size_t vertices = 1 + random() % 60;
        const Pairs edges = random_edges(random, vertices, random() % (2 * vertices));
        const int heaviest = i % 3 == 2 ? 1 << 30 : 9;
        std::uniform_int_distribution<std::int64_t> weight(0, heaviest);
        std::vector<std::int64_t> weights(i % 3 == 0 ? 0 : edges.size());
        for (std::int64_t& each : weights) each = weight(random);
        const bool directed = i % 4 == 3;
        const LoadOptions options{.direction = directed ? EdgeDirection::directed : EdgeDirection::undirected};
        const auto vertex_count = static_cast<Vertex>(vertices);
        const Graph graph = weights.empty() ? Graph::from_edges(vertex_count, edges, options)
                                            : Graph::from_edges(vertex_count, edges, weights, options);
        AllPairs pairs(graph, {.engine = Engine::cpu});
        EXPECT_EQ(pairs.diameter(), static_cast<double>(expected_diameter(vertices, edges, weights, directed)))
            << "graph " << i;
    }
}

TEST(Diameter, OfNegativeWeightsFloatsAndSomeSourcesIsThatOfTheSummary)
{
    const Pairs path{{0, 1}, {1, 2}, {2, 3}};
    const std::vector<std::int64_t> negative{-1, 5, 2};
    EXPECT_EQ(AllPairs(Graph::from_edges(4, path, negative)).diameter(), 7);
    const std::vector<double> floats{0.5, 0.25, 2};
    const LoadOptions undirected{.direction = EdgeDirection::undirected};
    EXPECT_EQ(AllPairs(Graph::from_edges(4, path, floats, undirected)).diameter(), 2.75);
    EXPECT_EQ(AllPairs(Graph::from_edges(4, path, undirected), {.sources = {1, 2}}).diameter(), 2);
    EXPECT_THROW(static_cast<void>(AllPairs(Graph::from_edges(4, path, undirected), {.targets = {1}}).diameter()),
                 InputError);
}

/// The searches for a diameter, and the rows if searches did not suffice.
std::pair<std::uint64_t, std::uint64_t> work_of(const char* graph, double diameter)
{
    std::pair<std::uint64_t, std::uint64_t> work;
    const OnProgress receive = [&work](std::string_view step, std::uint64_t done, std::uint64_t) {
        (step == "search" ? work.first : work.second) = done;
    };
    AllPairs pairs(Graph::load(graph), {.engine = Engine::cpu, .on_progress = receive});
    EXPECT_EQ(pairs.diameter(), diameter) << graph;
    return work;
}

TEST(Diameter, TakesFewSearchesOrAllRows)
{
    const auto [searches, rows] = work_of("grid:40x50", 88);
    EXPECT_LE(searches, 16U);
    EXPECT_EQ(rows, 0U);
    // All eccentricities of a ring are equal, so that the bounds say little.
    EXPECT_EQ(work_of("ring:2001", 1000).second, 2001U);
}

}  // namespace
}  // namespace wayfront
