// Compares searches over all grids of the ranks, with any engine and in all ways of the loop, with
// Dijkstra's algorithm on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algo/sssp/grid_sssp.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"
#include "support/weighted_shapes.hpp"

namespace wayfront::algo {

inline constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

struct Way
{
    std::string name;
    SsspMethod method;
    ListOrder order;
    std::optional<double> delta;
    bool by_second;             // whether the second engine searches
    bool shares_memory = true;  // whether ranks share memory if the grid and the engine allow it
};

inline std::vector<Way> ways()
{
    return {{"BellmanFord", SsspMethod::bellman_ford, ListOrder::neighbours, {}, false},
            {"BellmanFordBySecond", SsspMethod::bellman_ford, ListOrder::weights, {}, true, false},
            {"DeltaStepping", SsspMethod::delta_stepping, ListOrder::neighbours, {}, false, false},
            {"DeltaSteppingBySecond", SsspMethod::delta_stepping, ListOrder::weights, 3.0, true},
            {"PushPull", SsspMethod::push_pull, ListOrder::weights, {}, false},
            {"PushPullByMessages", SsspMethod::push_pull, ListOrder::weights, {}, false, false},
            {"PushPullBySecond", SsspMethod::push_pull, ListOrder::weights, {}, true},
            {"PushPullBySecondAndMessages", SsspMethod::push_pull, ListOrder::weights, {}, true, false},
            {"PushPullWide", SsspMethod::push_pull, ListOrder::weights, 1e12, true}};
}

/// The Bellman-Ford algorithm in its simplest form. Returns no value if there is a negative cycle.
inline std::vector<std::int64_t> bellman_ford(const oracle::WeightedGraph<std::int64_t>& graph, std::int64_t source)
{
    const std::int64_t far = oracle::infinity<std::int64_t>();
    std::vector<std::int64_t> distance(static_cast<std::size_t>(graph.vertices), far);
    distance[static_cast<std::size_t>(source)] = 0;
    for (std::int64_t round = 0; round <= graph.vertices; ++round) {
        bool changed = false;
        graph.for_each_arc([&](std::int64_t u, std::int64_t v, std::int64_t weight) {
            const std::int64_t from = distance[static_cast<std::size_t>(u)];
            if (u == v || from == far || from + weight >= distance[static_cast<std::size_t>(v)]) return;
            distance[static_cast<std::size_t>(v)] = from + weight;
            changed = true;
        });
        if (!changed) return distance;
    }
    return {};
}

/// A function that makes a search of a graph.
using GridSsspMaker = std::function<std::unique_ptr<SsspSearch>(const comm::ProcessGrid& grid,
                                                                const DistributedGraph& graph, const SsspOptions&)>;

class GridSsspTest : public GridTest
{
protected:
    /// `first`, `second`: two forms of searches, such as one that works on all threads and one that
    /// does not.
    GridSsspTest(GridSsspMaker first, GridSsspMaker second) : first_(std::move(first)), second_(std::move(second)) {}

    [[nodiscard]] std::unique_ptr<SsspSearch> make_search(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                          const SsspOptions& options = {}, bool second = false) const
    {
        return (second ? second_ : first_)(grid, graph, options);
    }

    template <typename W>
    DistributedGraph construct_by(const comm::ProcessGrid& grid, const oracle::WeightedGraph<OracleWeight<W>>& graph,
                                  ListOrder order)
    {
        ConstructionOptions options;
        options.list_order = order;
        return construct(grid, ShareFeed<W>(graph, rank, ranks), options);
    }

    /// Searches in all ways on all grids. Collective.
    template <typename W>
    void check(const std::string& name, const oracle::WeightedGraph<OracleWeight<W>>& graph,
               const std::vector<std::int64_t>& sources, double cutoff = kNoCutoff)
    {
        const ThreadGuard threads(2);
        for (const comm::GridShape shape : shapes_of(ranks)) {
            const comm::ProcessGrid grid(world, shape);
            const DistributedGraph by_neighbour = construct_by<W>(grid, graph, ListOrder::neighbours);
            const DistributedGraph by_weight = construct_by<W>(grid, graph, ListOrder::weights);
            for (const Way& way : ways()) {
                // Without shared memory, the search would send the same messages in any case.
                if (!way.shares_memory && way.method == SsspMethod::push_pull && (shape.columns > 1 || ranks == 1))
                    continue;
                SCOPED_TRACE(testing::Message() << name << " on " << to_text(shape));
                search_in<W>(grid, way.order == ListOrder::weights ? by_weight : by_neighbour, graph, way, sources,
                             cutoff);
            }
        }
    }

    template <typename W>
    void search_in(const comm::ProcessGrid& grid, const DistributedGraph& distributed,
                   const oracle::WeightedGraph<OracleWeight<W>>& graph, const Way& way,
                   const std::vector<std::int64_t>& sources, double cutoff)
    {
        SsspOptions options;
        options.method = way.method;
        options.delta = way.delta;
        options.cutoff = cutoff;
        options.shares_memory = way.shares_memory;
        const auto search = make_search(grid, distributed, options, way.by_second);
        for (const std::int64_t source : sources) {
            SCOPED_TRACE(testing::Message() << way.name << ", from " << source);
            search->run(source);
            check_sssp<W>(world, graph, source, cutoff, search->result());
            EXPECT_EQ(search->result().method, way.method);
        }
        const std::vector<Vertex> several = several_sources(graph.vertices, sources.front());
        search->run_nearest(several);
        check_nearest<W>(world, graph, several, cutoff, search->result());
    }

    template <typename W>
    void check_random(std::int64_t low, std::int64_t high, std::uint64_t seed, int graphs)
    {
        for (int i = 0; i < graphs; ++i) {
            RandomNumbers random(seed + static_cast<std::uint64_t>(i));
            const std::int64_t vertices = 1 + random.below(i % 4 == 0 ? 12 : 300);
            const std::size_t edges = random.below(static_cast<std::uint32_t>(vertices) * 6 + 1);
            const bool directed = random.below(2) == 0;
            const auto graph = random_weighted_graph<W>(vertices, edges, directed, low, high, random.next());
            const auto source = static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(vertices)));
            check<W>("graph " + std::to_string(i), graph, {source, 0, source});
        }
    }

    /// Checks graphs of all shapes with weights of all kinds. Each graph is searched in another way
    /// and on another grid.
    template <typename W>
    void check_shapes(std::uint64_t seed, int rounds)
    {
        const ThreadGuard threads(2);
        const std::vector<comm::GridShape> shapes = shapes_of(ranks);
        const std::vector<Way> all_ways = ways();
        RandomNumbers random(seed);
        for (int i = 0; i < rounds * static_cast<int>(kShapes.size() * kWeightRanges.size()); ++i) {
            const auto number = static_cast<std::size_t>(i);
            const Shape shape = kShapes[number % kShapes.size()];
            const auto graph = shaped_graph<W>(random, shape, 150, kWeightRanges[number % kWeightRanges.size()]);
            const Way& way = all_ways[random.below(static_cast<std::uint32_t>(all_ways.size()))];
            const comm::ProcessGrid grid(world, shapes[random.below(static_cast<std::uint32_t>(shapes.size()))]);
            SCOPED_TRACE(testing::Message() << "graph " << i << ", " << kShapeNames[number % kShapes.size()] << ", on "
                                            << to_text(grid.shape()));
            search_in<W>(grid, construct_by<W>(grid, graph, way.order), graph, way,
                         {random.below(static_cast<std::uint32_t>(graph.vertices))}, kNoCutoff);
        }
    }

    /// Searches random graphs with negative weights for each of the seeds up to `seeds`.
    void check_negative_weights(std::uint64_t seeds)
    {
        const ThreadGuard threads(2);
        int cycles = 0;
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            RandomNumbers random(seed);
            oracle::WeightedGraph<std::int64_t> graph{150, true, {}};
            std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> weights;
            for (int i = 0; i < 400; ++i) {
                const std::int64_t u = random.below(150);
                const std::int64_t v = random.below(150);
                const std::int64_t weight =
                    static_cast<std::int64_t>(random.below(1000)) - (seed % 2 == 0 ? 60 : 25) - (u < v ? 100 : 0);
                graph.edges.push_back({u, v, weight});
                const auto [entry, is_new] = weights.try_emplace({u, v}, weight);
                entry->second = std::min(entry->second, weight);
            }
            const std::vector<std::int64_t> expected = bellman_ford(graph, 0);
            for (const comm::GridShape shape : shapes_of(ranks)) {
                SCOPED_TRACE(testing::Message() << "seed " << seed << " on " << to_text(shape));
                const comm::ProcessGrid grid(world, shape);
                const DistributedGraph distributed = construct_by<std::int64_t>(grid, graph, ListOrder::neighbours);
                const auto search = make_search(grid, distributed, {}, seed % 3 == 0);
                search->run(0);
                const SsspResult& result = search->result();
                EXPECT_EQ(result.method, SsspMethod::bellman_ford);
                EXPECT_EQ(result.negative_cycle.empty(), !expected.empty());
                if (!expected.empty()) {
                    EXPECT_EQ(gather_distances<std::int64_t>(world, 150, result.distances), expected);
                    continue;
                }
                ++cycles;
                std::int64_t length = 0;
                for (std::size_t i = 0; i < result.negative_cycle.size(); ++i) {
                    const std::pair edge{result.negative_cycle[i],
                                         result.negative_cycle[(i + 1) % result.negative_cycle.size()]};
                    ASSERT_TRUE(weights.contains(edge)) << edge.first << " to " << edge.second;
                    length += weights.at(edge);
                }
                EXPECT_LT(length, 0);
            }
        }
        EXPECT_GT(cycles, 0);
    }

    /// Bellman-Ford detects negative cycles as cycles of parents. Parents of an earlier search must
    /// not be taken for such a cycle.
    void check_parents_of_earlier_searches()
    {
        const ThreadGuard threads(2);
        constexpr std::int64_t vertices = 300;
        oracle::WeightedGraph<std::int64_t> graph{vertices, true, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}}};
        for (std::int64_t v = 2; v + 1 < vertices; ++v) graph.edges.push_back({v, v + 1, v == 2 ? -1 : 1});
        for (const comm::GridShape shape : shapes_of(ranks)) {
            const comm::ProcessGrid grid(world, shape);
            const DistributedGraph distributed = construct_by<std::int64_t>(grid, graph, ListOrder::neighbours);
            const auto search = make_search(grid, distributed);
            for (const std::int64_t source : {0, 1, 2}) {
                SCOPED_TRACE(testing::Message() << "source " << source << " on " << to_text(shape));
                search->run(source);
                EXPECT_TRUE(search->result().negative_cycle.empty());
                EXPECT_EQ(gather_distances<std::int64_t>(world, vertices, search->result().distances),
                          bellman_ford(graph, source));
            }
        }
    }

private:
    GridSsspMaker first_;
    GridSsspMaker second_;
};

}  // namespace wayfront::algo
