// Compares the nearest of several sources on one GPU, by push-pull and near-far, with searches from
// each source.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cpu/sssp/one_rank_search.hpp"
#include "gpu/graph/nearest_sources.hpp"
#include "gpu/sssp/resident_sssp.hpp"
#include "gpu/sssp/search.hpp"
#include "support/gpu_guard.hpp"
#include "support/random_numbers.hpp"
#include "support/search_sources.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

using gpu::sssp::ResidentSssp;
using gpu::sssp::SsspTuning;

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

class NearestSsspTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

algo::SsspOptions host_options(const SsspTuning& tuning)
{
    algo::SsspOptions options;
    options.method = algo::SsspMethod::dijkstra;
    if (tuning.cutoff) options.cutoff = *tuning.cutoff;
    return options;
}

SsspTuning push_pull(std::optional<double> width, std::optional<double> pull_from)
{
    SsspTuning tuning;
    tuning.width = width;
    tuning.pull_from = pull_from;
    tuning.near_far = false;
    return tuning;
}

SsspTuning near_far(std::optional<double> width, bool in_device_memory)
{
    SsspTuning tuning;
    tuning.width = width;
    tuning.near_far = true;
    tuning.near_far_in_device_memory = in_device_memory;
    return tuning;
}

/// Searches from each set of sources, and then from a single source.
template <typename W>
void check_tuned(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::vector<Vertex>>& sets,
                 const SsspTuning& tuning)
{
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const ShareFeed<W> feed(graph, 0, 1);
    const DistributedGraph distributed = construct(grid, feed, {.list_order = ListOrder::weights});
    ResidentSssp search(grid, distributed, tuning,
                        [&] { return cpu::make_one_rank_search(distributed, host_options(tuning)); });
    for (const std::vector<Vertex>& sources : sets) {
        SCOPED_TRACE(search.description() + ": " + std::to_string(sources.size()) + " sources from " +
                     std::to_string(sources.front()));
        search.run_nearest(sources);
        check_nearest<W>(grid.world(), graph, sources, tuning.cutoff.value_or(kNoCutoff), search.result());
        search.run(sources.back());
        check_sssp<W>(grid.world(), graph, sources.back(), tuning.cutoff.value_or(kNoCutoff), search.result());
    }
}

/// Searches in all ways: with choices by the graph; with narrow and wide windows; with early pulls,
/// late pulls and no pulls; and by near-far.
template <typename W>
void check_all_ways(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::vector<Vertex>>& sets)
{
    double mean = 0;
    for (const auto& edge : graph.edges)
        mean += static_cast<double>(edge.weight) / static_cast<double>(graph.edges.size());
    check_tuned<W>(graph, sets, {});
    for (const double width : {0.02, 0.5, 20.0})
        for (const double pull_from : {0.0, 0.3, 2.0}) {
            SCOPED_TRACE("width " + std::to_string(width * mean) + ", pulls from " + std::to_string(pull_from));
            SsspTuning tuning = push_pull(width * mean, pull_from);
            check_tuned<W>(graph, sets, tuning);
            tuning.single_block_vertices = 0;
            tuning.hubs = 16;
            tuning.open_for_push = 0;
            check_tuned<W>(graph, sets, tuning);
        }
    for (const bool in_device_memory : {false, true}) check_tuned<W>(graph, sets, near_far(mean, in_device_memory));
}

std::vector<std::vector<Vertex>> sets_of(std::int64_t vertices, std::uint64_t seed)
{
    return {random_sources(vertices, 1, seed), random_sources(vertices, 2, seed + 1),
            random_sources(vertices, 15, seed + 2), random_sources(vertices, 150, seed + 3)};
}

/// Some whole weights are 0, and many paths are equally long. Some vertices have no edges.
TEST_F(NearestSsspTest, SmallRandomGraphs)
{
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto vertices = static_cast<std::int64_t>(2 + seed * seed / 2);
        const auto edges = static_cast<std::size_t>(vertices) * (1 + seed % 6);
        const bool directed = seed % 3 == 0;
        check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, edges, directed, 0, 3, seed),
                                      sets_of(vertices, seed));
        check_all_ways<float>(random_weighted_graph<float>(vertices, edges, directed, 0, 7, seed),
                              sets_of(vertices, seed + 50));
    }
}

/// Hundreds of graphs, by push-pull and by near-far.
TEST_F(NearestSsspTest, ManyRandomGraphs)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto vertices = static_cast<std::int64_t>(3 + seed % 90);
        const auto edges = static_cast<std::size_t>(vertices) * (1 + seed % 12) / 2;
        const auto low = static_cast<std::int64_t>(seed / 3 % 2);
        const auto graph = random_weighted_graph<std::uint32_t>(vertices, edges, seed % 2 == 0, low,
                                                                1 + static_cast<std::int64_t>(seed % 4), seed);
        const std::vector<std::vector<Vertex>> sets{random_sources(vertices, 2 + seed % 9, seed)};
        check_tuned<std::uint32_t>(graph, sets, push_pull({}, 0.1));
        check_tuned<std::uint32_t>(graph, sets, near_far({}, false));
        const auto floats = random_weighted_graph<float>(vertices, edges, seed % 2 == 0, low, 3, seed);
        check_tuned<float>(floats, sets, push_pull({}, 0.1));
    }
}

TEST_F(NearestSsspTest, OneSmallSearchForSanitizers)
{
    const auto graph = random_weighted_graph<float>(3000, 24000, false, 0, 15, 8);
    const std::vector<std::vector<Vertex>> sets{random_sources(3000, 60, 1)};
    check_tuned<float>(graph, sets, push_pull(0.05, 0.3));
    check_tuned<float>(graph, sets, near_far(0.3, false));
}

TEST_F(NearestSsspTest, AllVerticesAreSources)
{
    for (const bool directed : {false, true}) {
        check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(400, 1600, directed, 0, 2, 4),
                                      {all_vertices(400)});
        check_all_ways<float>(random_weighted_graph<float>(400, 4000, directed, 1, 9, 4), {all_vertices(400)});
    }
}

/// Circles of arcs of length 0 are joined by other arcs. All vertices of a circle have the same
/// nearest sources.
TEST_F(NearestSsspTest, CirclesOfLengthZero)
{
    for (const bool directed : {false, true}) {
        oracle::WeightedGraph<std::int64_t> graph{600, directed, {}};
        for (std::int64_t v = 0; v < graph.vertices; ++v) {
            const std::int64_t first = v / 20 * 20;
            graph.edges.push_back({v, first + (v + 1 - first) % 20, 0});
            graph.edges.push_back({v, (v * 7 + 3) % graph.vertices, 1 + v % 3});
        }
        check_all_ways<std::uint32_t>(
            graph, {{0, 1, 2}, {19, 20, 21, 599}, random_sources(600, 60, 1), random_sources(600, 300, 2)});
    }
}

/// The graph has a dense core, and vertices with one arc each: from the core, to the core, and
/// between two such vertices. Vertices of each kind are sources.
TEST_F(NearestSsspTest, LeavesAsSources)
{
    for (const bool directed : {false, true}) {
        SCOPED_TRACE(directed ? "directed" : "undirected");
        auto graph = random_weighted_graph<std::uint32_t>(1000, 30000, directed, 1, 255, 7);
        for (std::int64_t v = 1000; v < 2000; ++v) graph.edges.push_back({v % 1000, v, 3 + v % 700});
        for (std::int64_t v = 2000; v < 3000; ++v) graph.edges.push_back({v, v % 1000, 5 + v % 500});
        for (std::int64_t v = 3000; v < 3200; v += 2) graph.edges.push_back({v, v + 1, 7});
        graph.vertices = 3210;
        const std::vector<std::vector<Vertex>> sets{
            {0, 1000, 1999},          {1001, 1500, 2001, 2999}, {2000, 3000, 3003, 3199, 3200},
            {3000, 3001, 3002, 3205}, {2500, 2501, 2502, 2503}, random_sources(3210, 100, 3)};
        check_tuned<std::uint32_t>(graph, sets, {});
        for (const double pull_from : {0.0, 0.01, 0.3, 0.9})
            for (const double width : {1.0, 20.0, 2000.0})
                check_tuned<std::uint32_t>(graph, sets, push_pull(width, pull_from));
        check_tuned<std::uint32_t>(graph, sets, near_far({}, false));
    }
}

/// After heavy arcs, light arcs are lost in rounding, so that many vertices have equal distances.
TEST_F(NearestSsspTest, SumsThatAreRounded)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        RandomNumbers random(seed);
        const auto below = [&](std::int64_t limit) {
            return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(limit));
        };
        oracle::WeightedGraph<float> graph{60, seed % 2 == 0, {}};
        for (int i = 0; i < 12; ++i) graph.edges.push_back({below(4), 4 + below(56), 33554432.0F});
        for (int i = 0; i < 250; ++i)
            graph.edges.push_back({4 + below(56), 4 + below(56), 1.0F + static_cast<float>(below(3)) / 2});
        SCOPED_TRACE("seed " + std::to_string(seed));
        check_all_ways<float>(graph, {{0, 1, 2, 3}, {1, 3}});
    }
}

TEST_F(NearestSsspTest, LongListsOfTies)
{
    oracle::WeightedGraph<std::int64_t> graph{40003, false, {}};
    for (std::int64_t v = 2; v < 40002; ++v) {
        graph.edges.push_back({v % 3 == 0 ? 0 : 1, v, v / 10000});
        graph.edges.push_back({v % 3 == 0 ? 1 : 0, v, v / 10000});
    }
    const std::vector<std::vector<Vertex>> sets{{0, 1}, {0, 1, 40002}, {5, 30000}};
    check_tuned<std::uint32_t>(graph, sets, {});
    check_tuned<std::uint32_t>(graph, sets, push_pull(1, 0.3));
    check_tuned<std::uint32_t>(graph, sets, push_pull(1, 2));
    check_tuned<float>(stars_of_many_rays(), {{0, 1}, {0, 2, 59999}, random_sources(60000, 20, 1)}, {});
}

TEST_F(NearestSsspTest, ManyBlocks)
{
    const std::vector<std::vector<Vertex>> sets{random_sources(40000, 3, 1), random_sources(40000, 25, 2)};
    check_tuned<float>(random_weighted_graph<float>(40000, 600000, false, 0, 1 << 20, 7), sets, {});
    check_tuned<float>(random_weighted_graph<float>(40000, 600000, true, 0, 1 << 20, 7), sets, {});
    check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(40000, 600000, false, 1, 8, 7), sets, {});
    check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(40000, 600000, false, 0, 8, 7), sets,
                               push_pull(0.2, 0.3));
}

/// A rectangle, which near-far divides into parts.
TEST_F(NearestSsspTest, Roads)
{
    constexpr std::int64_t width = 200;
    constexpr std::int64_t height = 150;
    for (const std::uint64_t most_weight : {1U, 4U, 1000U}) {
        RandomNumbers random(most_weight);
        oracle::WeightedGraph<std::int64_t> graph{width * height + 2, false, {}};
        const auto weight = [&] { return static_cast<std::int64_t>(1 + random.next() % most_weight); };
        for (std::int64_t v = 0; v < width * height; ++v) {
            if ((v + 1) % width != 0) graph.edges.push_back({v, v + 1, weight()});
            if (v + width < width * height) graph.edges.push_back({v, v + width, weight()});
        }
        SCOPED_TRACE("weights up to " + std::to_string(most_weight));
        const std::vector<std::vector<Vertex>> sets{
            {0, width * height}, random_sources(width * height, 8, 1), random_sources(width * height + 2, 60, 2)};
        check_tuned<std::uint32_t>(graph, sets, {});
        check_tuned<std::uint32_t>(graph, sets, near_far({}, true));
        check_tuned<std::uint32_t>(graph, sets, push_pull({}, {}));
    }
}

TEST_F(NearestSsspTest, Cutoffs)
{
    for (const double cutoff : {0.0, 1.0, 2.5, 6.0})
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            SCOPED_TRACE("cutoff " + std::to_string(cutoff) + ", seed " + std::to_string(seed));
            const auto graph =
                random_weighted_graph<std::uint32_t>(300, 900, seed % 2 == 0, seed % 3 == 0 ? 0 : 1, 3, seed);
            for (SsspTuning tuning : {push_pull({}, {}), near_far({}, false)}) {
                tuning.cutoff = cutoff;
                check_tuned<std::uint32_t>(graph, sets_of(300, seed), tuning);
            }
        }
}

/// Distances exceed 32 bits, so that the search on the cores replaces the one on the GPU.
TEST_F(NearestSsspTest, DistancesThatDoNotFit)
{
    oracle::WeightedGraph<std::int64_t> path{60, false, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v) path.edges.push_back({v - 1, v, 1000000000});
    for (const SsspTuning& tuning : {SsspTuning{}, push_pull({}, 0.1), near_far({}, false)})
        check_tuned<std::uint32_t>(path, {{0, 1}, {0, 20, 40, 59}, all_vertices(60)}, tuning);
}

/// The allocated memory does not exceed the estimate.
TEST_F(NearestSsspTest, MemoryAsEstimated)
{
    const auto graph = random_weighted_graph<float>(5000, 60000, true, 0, 100, 3);
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const DistributedGraph distributed =
        construct(grid, ShareFeed<float>(graph, 0, 1), {.list_order = ListOrder::weights});
    gpu::sssp::DeviceSssp search(grid, distributed, {});
    const std::size_t before = search.state_bytes();
    search.run_nearest(all_vertices(5000));
    EXPECT_GT(search.state_bytes(), before);
    EXPECT_LE(search.state_bytes() - before,
              gpu::sssp::DeviceSssp::most_nearest_bytes(5000, gpu::sssp::listed_arcs(5000, 60000, true)));
}

}  // namespace
}  // namespace wayfront
