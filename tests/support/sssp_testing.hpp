// Searches small graphs for shortest paths, and compares with Dijkstra's algorithm.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algo/sssp/sssp_search.hpp"
#include "graph/construction.hpp"
#include "oracle/dijkstra.hpp"
#include "oracle/nearest.hpp"
#include "support/graphs.hpp"
#include "support/random_numbers.hpp"

namespace wayfront {

/// The type of the oracle's weights that corresponds to weights of type W.
template <typename W>
using OracleWeight = std::conditional_t<std::is_floating_point_v<W>, W, std::int64_t>;

/// A rank's share of a graph: the edges whose numbers, modulo the number of ranks, are the rank.
template <typename W>
class ShareFeed final : public EdgeFeed
{
public:
    ShareFeed(const oracle::WeightedGraph<OracleWeight<W>>& graph, int rank, int ranks)
        : vertices_(graph.vertices), directed_(graph.directed)
    {
        for (std::size_t i = static_cast<std::size_t>(rank); i < graph.edges.size();
             i += static_cast<std::size_t>(ranks)) {
            edges_.push_back(PackedEdge::pack(graph.edges[i].source, graph.edges[i].target));
            words_.push_back(to_ordered(static_cast<W>(graph.edges[i].weight)));
        }
    }

    [[nodiscard]] Vertex vertex_count() const override { return vertices_; }
    [[nodiscard]] bool directed() const override { return directed_; }
    [[nodiscard]] EdgeCount size() const override { return static_cast<EdgeCount>(edges_.size()); }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> /*scratch*/) const override
    {
        return std::span<const PackedEdge>(edges_).subspan(static_cast<std::size_t>(first), count);
    }
    [[nodiscard]] WeightType weight_type() const override
    {
        if constexpr (std::is_same_v<W, std::uint32_t>)
            return WeightType::uint32;
        else if constexpr (std::is_same_v<W, std::int64_t>)
            return WeightType::int64;
        else
            return std::is_same_v<W, float> ? WeightType::float32 : WeightType::float64;
    }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override { copy_words(first, out); }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override { copy_words(first, out); }

private:
    template <typename Word>
    void copy_words(EdgeCount first, std::span<Word> out) const
    {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<Word>(words_[static_cast<std::size_t>(first) + i]);
    }

    Vertex vertices_;
    bool directed_;
    std::vector<PackedEdge> edges_;
    std::vector<OrderedWord<W>> words_;
};

/// The distances of all vertices. Collective; the result is the same on all ranks.
template <typename W>
std::vector<W> gather_distances(const comm::Communicator& world, std::int64_t vertices,
                                const algo::Distances& distances)
{
    return std::visit(
        [&](const auto& own) {
            using D = typename std::decay_t<decltype(own)>::value_type;
            const std::vector<std::int64_t> bits = gather_by_vertex(world, vertices, [&](std::size_t i) {
                if constexpr (std::is_floating_point_v<D>)
                    return std::bit_cast<std::int64_t>(static_cast<double>(own[i]));
                else
                    return own[i] == algo::unreached<D>() ? oracle::infinity<std::int64_t>()
                                                          : static_cast<std::int64_t>(own[i]);
            });
            std::vector<W> all;
            for (const std::int64_t word : bits) {
                if constexpr (std::is_floating_point_v<D>)
                    all.push_back(static_cast<W>(std::bit_cast<double>(word)));
                else
                    all.push_back(static_cast<W>(word));
            }
            return all;
        },
        distances);
}

/// Checks the result of a search from `source`. Collective.
template <typename W>
void check_sssp(const comm::Communicator& world, const oracle::WeightedGraph<OracleWeight<W>>& graph,
                std::int64_t source, double cutoff, const algo::SsspResult& result)
{
    using O = OracleWeight<W>;
    const std::vector<O> distances = gather_distances<O>(world, graph.vertices, result.distances);
    const std::vector<std::int64_t> parents =
        gather_by_vertex(world, graph.vertices, [&](std::size_t i) { return result.parents[i]; });
    EXPECT_TRUE(result.negative_cycle.empty());
    if (world.rank() != 0) return;
    std::vector<O> expected = oracle::dijkstra(graph, source);
    std::uint64_t reached = 0;
    bool fits = true;
    for (O& distance : expected) {
        if (static_cast<double>(distance) > cutoff) distance = oracle::infinity<O>();
        if (distance == oracle::infinity<O>()) continue;
        ++reached;
        fits = fits && static_cast<double>(distance) < 4294967295.0;
    }
    EXPECT_EQ(distances, expected);
    EXPECT_EQ(result.reached, reached);
    EXPECT_EQ(oracle::parents_fault(graph, source, expected, parents), "");
    if constexpr (!std::is_floating_point_v<W>) {
        EXPECT_EQ(std::holds_alternative<HostBuffer<std::uint32_t>>(result.distances), fits);
    }
}

/// Some vertices of a graph, with `source` among them: distinct and ascending.
inline std::vector<Vertex> several_sources(std::int64_t vertices, std::int64_t source)
{
    std::set<Vertex> sources{source};
    for (const std::int64_t step : {1, 7, 50, 51, 1000}) sources.insert((source * 3 + step) % vertices);
    return {sources.begin(), sources.end()};
}

/// Checks the result of a search from the nearest of several sources. Collective.
template <typename W>
void check_nearest(const comm::Communicator& world, const oracle::WeightedGraph<OracleWeight<W>>& graph,
                   const std::vector<Vertex>& sources, double cutoff, const algo::SsspResult& result)
{
    using O = OracleWeight<W>;
    const std::vector<O> distances = gather_distances<O>(world, graph.vertices, result.distances);
    const auto gathered = [&](const VertexArray& own) {
        return gather_by_vertex(world, graph.vertices, [&](std::size_t i) { return own[i]; });
    };
    const std::vector<std::int64_t> parents = gathered(result.parents);
    const std::vector<std::int64_t> nearest = gathered(result.nearest);
    if (world.rank() != 0) return;
    const oracle::Nearest<O> expected = oracle::nearest_sources(graph, sources, cutoff);
    EXPECT_EQ(distances, expected.distances);
    EXPECT_EQ(nearest, expected.sources);
    EXPECT_EQ(oracle::parents_fault(graph, expected, parents), "");
    EXPECT_EQ(result.reached, static_cast<std::uint64_t>(std::ranges::count_if(
                                  nearest, [](std::int64_t source) { return source != kUnreached; })));
}

/// A random graph whose weights are random numbers in [low, high]: whole numbers, or their
/// quotients by high + 1. Some edges occur twice.
template <typename W>
oracle::WeightedGraph<OracleWeight<W>> random_weighted_graph(std::int64_t vertices, std::size_t edges, bool directed,
                                                             std::int64_t low, std::int64_t high, std::uint64_t seed)
{
    oracle::WeightedGraph<OracleWeight<W>> graph{vertices, directed, {}};
    RandomNumbers random(seed);
    const auto below = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(limit));
    };
    for (std::size_t i = 0; i < edges; ++i) {
        const std::int64_t whole = low + below(high - low + 1);
        auto weight = static_cast<OracleWeight<W>>(whole);
        if constexpr (std::is_floating_point_v<W>) weight /= static_cast<W>(high + 1);
        graph.edges.push_back({below(vertices), below(vertices), weight});
    }
    return graph;
}

/// A dense directed core of 2000 vertices, and vertices with one arc each: `leaves` from the core, as many to it, and
/// `pairs` pairs of which one leads to the other, in the order of their numbers.
inline oracle::WeightedGraph<OracleWeight<std::uint32_t>> directed_core_with_leaves(std::size_t core_arcs,
                                                                                    std::int64_t leaves,
                                                                                    std::int64_t pairs)
{
    constexpr std::int64_t core = 2000;
    auto graph = random_weighted_graph<std::uint32_t>(core, core_arcs, true, 1, 255, 7);
    const std::int64_t first_to_core = core + leaves;
    const std::int64_t first_pair = first_to_core + leaves;
    graph.vertices = first_pair + 2 * pairs;
    for (std::int64_t v = core; v < first_to_core; ++v) graph.edges.push_back({v % (core - 1), v, 3});
    for (std::int64_t v = first_to_core; v < first_pair; ++v) graph.edges.push_back({v, v % (core - 1), 5});
    for (std::int64_t v = first_pair; v < graph.vertices; v += 2) graph.edges.push_back({v, v + 1, 7});
    return graph;
}

/// Two vertices that 60000 others are joined to, some of them to both: lists that are too long for a
/// single warp of a GPU.
inline oracle::WeightedGraph<float> stars_of_many_rays()
{
    oracle::WeightedGraph<float> stars{60000, false, {}};
    RandomNumbers random(3);
    for (std::int64_t v = 2; v < stars.vertices; ++v) {
        const auto weight = [&] { return static_cast<float>(random.next() % 4096) / 4096; };
        stars.edges.push_back({v % 2, v, weight()});
        if (v % 5 == 0) stars.edges.push_back({(v + 1) % 2, v, weight()});
    }
    return stars;
}

/// Stars whose centres have as many arcs as the lanes of a GPU take in whole turns, or one less or
/// more: multiples of 64, with or without four before them, and of 2048, for which parts of 64 arcs
/// are counted in two steps. The rays of a star have lengths 1, 2, 3 and so on, and the centres, the
/// first vertices, are a chain of edges without length.
inline oracle::WeightedGraph<std::int64_t> stars_of_whole_turns()
{
    constexpr std::array<std::int64_t, 18> degrees{63,   64,   65,   127,  128,  129,  131,  132,  133,
                                                   1155, 1156, 1157, 2111, 2112, 2113, 2179, 2180, 2181};
    constexpr auto centres = static_cast<std::int64_t>(degrees.size());
    oracle::WeightedGraph<std::int64_t> stars{centres, false, {}};
    for (std::int64_t centre = 0; centre < centres; ++centre) {
        if (centre > 0) stars.edges.push_back({centre - 1, centre, 0});
        const int of_chain = (centre > 0 ? 1 : 0) + (centre + 1 < centres ? 1 : 0);
        for (std::int64_t ray = 1; ray + of_chain <= degrees[static_cast<std::size_t>(centre)]; ++ray)
            stars.edges.push_back({centre, stars.vertices++, ray});
    }
    return stars;
}

/// A path of edges of length 1, on which vertices improve one after the other, and a vertex, the last
/// one, that is a neighbour of all others at a distance of 20. Each vertex of the path also has
/// `branches` neighbours behind it, so that it has a list of some length, and these have an edge to
/// the last vertex, too.
inline oracle::WeightedGraph<float> path_and_hub(std::int64_t length, std::int64_t branches)
{
    oracle::WeightedGraph<float> graph{length * (branches + 1) + 1, false, {}};
    const std::int64_t hub = graph.vertices - 1;
    for (std::int64_t v = 0; v < length; ++v) {
        if (v > 0) graph.edges.push_back({v - 1, v, 1});
        for (std::int64_t branch = 0; branch < branches; ++branch)
            graph.edges.push_back({v, length + v * branches + branch, 2});
    }
    for (std::int64_t v = 0; v < hub; ++v) graph.edges.push_back({v, hub, 20});
    return graph;
}

/// A core of 300 vertices, 8000 leaves behind it, of which the first (vertex 300) has an arc of
/// `heavy`, and 20 pairs of vertices that only lead to each other: 8300 and 8301, and so on.
template <typename W>
oracle::WeightedGraph<OracleWeight<W>> core_with_leaves_and_pairs(OracleWeight<W> heavy)
{
    oracle::WeightedGraph<OracleWeight<W>> graph = random_weighted_graph<W>(300, 6000, false, 1, 1000, 31);
    for (std::int64_t v = 1; v < 300; ++v)
        graph.edges.push_back({0, v, graph.edges[static_cast<std::size_t>(v)].weight});
    graph.vertices = 8340;
    for (std::int64_t v = 300; v < 8300; ++v)
        graph.edges.push_back(
            {v % 300, v, v == 300 ? heavy : graph.edges[static_cast<std::size_t>(v - 300) % 6000].weight});
    for (std::int64_t v = 8300; v < 8340; v += 2)
        graph.edges.push_back({v, v + 1, graph.edges[static_cast<std::size_t>(v) % 6000].weight});
    return graph;
}

}  // namespace wayfront
