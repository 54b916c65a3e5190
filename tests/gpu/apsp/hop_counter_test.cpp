// Compares the counts of pairs at each number of edges, by each method of counting, with
// breadth-first search from each vertex.
#include "gpu/apsp/hops/hop_counter.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/apsp/hops/bit_parallel.hpp"
#include "gpu/apsp/hops/hop_graph.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "support/gpu_guard.hpp"
#include "support/hop_testing.hpp"

namespace wayfront {
namespace {

using gpu::apsp::HopPlan;

class HopCounts : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }

    /// Whether the pairs that are farther apart than `depth` are too many for the list of missing
    /// pairs. Pre: `all` has the levels of all sources.
    [[nodiscard]] static bool are_too_many(const DistributedGraph& graph, const ExpectedHops& all, std::uint32_t depth)
    {
        const auto places = static_cast<std::uint64_t>(graph.connected_vertices);
        std::uint64_t pairs = places * (places - 1);
        for (std::size_t i = 0; i < std::min<std::size_t>(depth, all.levels.size()); ++i) pairs -= all.levels[i];
        constexpr std::uint64_t least_room = 4096;
        return pairs / (graph.block.symmetric ? 2 : 1) > places * places / gpu::apsp::kPairsOfMissing + least_room;
    }

    /// Checks that the counter has used the plan of the options. Without memory for the sets of all
    /// batches, the counter uses only sets.
    static void check_plan(const DistributedGraph& graph, const ExpectedHops& all, const gpu::apsp::HopOptions& options,
                           const std::optional<HopPlan>& used)
    {
        ASSERT_EQ(used.has_value(), graph.connected_vertices > 0);
        if (!used || (!options.plan && options.spare_bytes > 0)) return;
        const HopPlan wanted = options.spare_bytes > 0 ? *options.plan : HopPlan{};
        EXPECT_EQ(used->searches_only, wanted.searches_only);
        EXPECT_EQ(used->matrix, wanted.matrix);
        EXPECT_EQ(used->first_depth, wanted.first_depth);
        EXPECT_EQ(used->last_depth, are_too_many(graph, all, wanted.last_depth) ? 0 : wanted.last_depth);
    }

    /// Counts twice with each plan. The second count uses the sample of the first count.
    static void check(const Arcs& arcs, const std::vector<std::uint32_t>& sources)
    {
        const gpu::Stream stream;
        const DistributedGraph graph = construct_alone(arcs);
        const ExpectedHops expected = search_each(arcs, sources);
        const ExpectedHops expected_of_all =
            sources == all_vertices(arcs) ? expected : search_each(arcs, all_vertices(arcs));
        const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
        const auto matrix = [](std::uint32_t first_depth, std::uint32_t last_depth) {
            return HopPlan{false, true, first_depth, last_depth};
        };
        std::vector<gpu::apsp::HopOptions> all{
            {}, {.spare_bytes = 0, .plan = {}}, {.spare_bytes = 0, .plan = matrix(2, 4)}};
        for (const HopPlan& plan : {HopPlan{.searches_only = true}, HopPlan{}, matrix(0, 0), matrix(0, 1), matrix(0, 3),
                                    matrix(1, 2), matrix(2, 0), matrix(2, 4), matrix(2, 5), matrix(9, 10)})
            all.push_back({.plan = plan});
        for (std::size_t i = 0; i < all.size(); ++i) {
            SCOPED_TRACE(testing::Message() << "options " << i);
            gpu::apsp::BitParallelSearch search(graph, all[i]);
            for (int repetition = 0; repetition < 2; ++repetition) {
                gpu::apsp::BitParallelSearch::Found found = search.count(on_device.data(), sources.size(), stream);
                while (!found.levels.empty() && found.levels.back() == 0) found.levels.pop_back();
                EXPECT_EQ(found.levels, expected.levels);
                for (std::size_t s = 0; s < sources.size(); ++s) {
                    ASSERT_EQ(found.facts[s].reached, expected.facts[s].reached) << s;
                    ASSERT_EQ(found.facts[s].sum, expected.facts[s].sum) << s;
                    ASSERT_EQ(found.facts[s].eccentricity, expected.facts[s].eccentricity) << s;
                }
            }
            check_plan(graph, expected_of_all, all[i], search.count_plan());
        }
    }
    static void check(const Arcs& arcs) { check(arcs, all_vertices(arcs)); }
};

TEST_F(HopCounts, RandomGraphs)
{
    for (const std::uint32_t n : {1U, 2U, 31U, 32U, 33U, 1000U, 1025U, 2049U})
        for (const std::uint32_t degree : {1U, 3U, 20U})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                check(random_arcs(n, degree, directed, n + degree));
            }
}

TEST_F(HopCounts, Shapes)
{
    for (const bool directed : {false, true}) {
        Arcs ring{1500, directed, {}};
        Arcs path{1200, directed, {}};
        Arcs star{6000, directed, {}};
        Arcs complete{100, directed, {}};
        Arcs two_parts = random_arcs(1300, 4, directed, 5);
        for (std::uint32_t v = 0; v < ring.vertices; ++v) ring.pairs.emplace_back(v, (v + 1) % ring.vertices);
        for (std::uint32_t v = 1; v < path.vertices; ++v) path.pairs.emplace_back(v - 1, v);
        for (std::uint32_t v = 1; v < star.vertices; ++v) star.pairs.emplace_back(0, v);
        for (std::uint32_t v = 0; v < 10000; ++v) complete.pairs.emplace_back(v / 100, v % 100);
        for (auto& [from, to] : two_parts.pairs) to = to / 650 == from / 650 ? to : (to + 650) % 1300;
        for (const Arcs& arcs : {ring, path, star, complete, two_parts}) check(arcs);
    }
}

/// The graphs have hubs with long lists, and more vertices within a few edges of each other than the
/// queue in shared memory has entries. Some sources occur several times.
TEST_F(HopCounts, HubsAndRepeatedSources)
{
    for (const bool directed : {false, true}) {
        Arcs hubs = random_arcs(5000, 2, directed, 7);
        for (std::uint32_t v = 40; v < 5000; ++v) hubs.pairs.emplace_back(v % 40, v);
        std::vector<std::uint32_t> sources(5000);
        std::iota(sources.begin(), sources.end(), 0U);
        for (std::uint32_t i = 0; i < 300; ++i) sources[std::size_t{i} * 7] = 11;
        check(hubs, sources);
    }
}

/// In this graph, places have 32 bits.
TEST_F(HopCounts, ManyVertices)
{
    Arcs arcs{70000, false, {}};
    for (std::uint32_t v = 0; v + 1 < arcs.vertices; ++v)
        if (v % 100 != 99) arcs.pairs.emplace_back(v, v + 1);
    check(arcs);
}

/// In a graph that is not connected, most pairs are missing: the list overflows, and sets find all
/// pairs.
TEST_F(HopCounts, TooManyPairsForTheList)
{
    const gpu::Stream stream;
    const Arcs arcs = random_arcs(3000, 2, false, 3);
    const DistributedGraph graph = construct_alone(arcs);
    gpu::apsp::BitParallelSearch search(graph, {.plan = HopPlan{false, true, 1, 2}});
    const std::vector<std::uint32_t> sources = all_vertices(arcs);
    const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    (void)search.count(on_device.data(), sources.size(), stream);
    ASSERT_TRUE(search.count_plan().has_value());
    EXPECT_EQ(search.count_plan()->last_depth, 0U);
}

TEST(HopGraph, HasAllArcs)
{
    for (const bool directed : {false, true}) {
        Arcs arcs = random_arcs(2500, 6, directed, 1);
        for (std::uint32_t v = 1; v < 2500; ++v) arcs.pairs.emplace_back(v % 3, v);
        const DistributedGraph graph = construct_alone(arcs);
        const CsrView out = graph.block.out_edges().view();
        const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
        const auto made = gpu::apsp::make_hop_graph<std::uint16_t>(out, slots);
        const auto view = made.view();
        std::vector<bool> taken(slots);
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            const std::uint32_t place = made.place_of_slot[slot];
            EXPECT_FALSE(taken[place]);
            taken[place] = true;
            std::vector<std::uint32_t> expected;
            for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e)
                expected.push_back(made.place_of_slot[out.neighbours[e]]);
            std::vector<std::uint32_t> found;
            const auto add = [&](const std::uint16_t* entries) {
                for (std::uint32_t i = 0; i < gpu::apsp::kHopEntries; ++i)
                    if (entries[i] != place) found.push_back(entries[i]);
            };
            add(view.head(place));
            if (view.is_long(place))
                for (std::uint32_t chunk = view.rest(place)[0]; chunk < view.rest(place)[1]; ++chunk)
                    add(view.chunk(chunk));
            EXPECT_EQ(found, expected);
        }
    }
}

TEST(HopPlan, FollowsTheShapeOfTheGraph)
{
    // The sample of searches in a random graph of 65536 vertices of degree 10.
    const gpu::apsp::HopSample random{65533,
                                      655340,
                                      {9.7, 96.8, 958.8, 8700, 39578, 16103, 84.4, 0.06},
                                      {9.7, 107, 1065, 10537, 94897, 408039, 140201, 401}};
    gpu::apsp::HopMeans means{.searches = true, .matrix = true, .symmetric = true, .searches_at_once = 6};
    HopPlan plan = gpu::apsp::plan_hops(random, means);
    EXPECT_TRUE(plan.matrix);
    EXPECT_EQ(plan.first_depth, 4U);
    EXPECT_EQ(plan.last_depth, 6U);
    means.matrix = false;
    EXPECT_FALSE(gpu::apsp::plan_hops(random, means).matrix);
    EXPECT_FALSE(gpu::apsp::plan_hops(random, {}).searches_only);

    // If searches do not reach half of the vertices, no depth leaves few pairs.
    means.matrix = true;
    gpu::apsp::HopSample halves = random;
    halves.places *= 2;
    EXPECT_EQ(gpu::apsp::plan_hops(halves, means).last_depth, 0U);

    // A ring has many levels.
    const gpu::apsp::HopSample ring{65536, 131072, std::vector<double>(32768, 2), std::vector<double>(32768, 4)};
    EXPECT_TRUE(gpu::apsp::plan_hops(ring, means).searches_only);
}

}  // namespace
}  // namespace wayfront
