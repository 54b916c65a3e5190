// Compares the counts of pairs at each number of edges, which several ranks find together, each on
// a GPU, by each method of counting, with breadth-first search from each vertex.
#include "gpu/apsp/hops/hop_counter.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/row_loop.hpp"
#include "algo/apsp/summary.hpp"
#include "gpu/apsp/hops/bit_parallel.hpp"
#include "gpu/apsp/row_engines.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "support/gpu_guard.hpp"
#include "support/hop_testing.hpp"
#include "support/shapes.hpp"

namespace wayfront {
namespace {

using gpu::apsp::HopPlan;

class HopCountsTogether : public GridTest
{
protected:
    void SetUp() override { require_gpu(world.split_by_host().rank()); }

    [[nodiscard]] IndexRange own_part(std::size_t count) const
    {
        return part_of(count, static_cast<std::size_t>(rank), static_cast<std::size_t>(ranks));
    }

    /// The sum over all ranks of the number of pairs at each distance.
    [[nodiscard]] std::vector<std::uint64_t> sum_over_ranks(std::vector<std::uint64_t> levels) const
    {
        levels.resize(world.all_reduce(static_cast<std::uint64_t>(levels.size()), comm::Reduction::max));
        world.all_reduce(std::span(levels), comm::Reduction::sum);
        while (!levels.empty() && levels.back() == 0) levels.pop_back();
        return levels;
    }

    /// Counts twice with each plan. The second count uses the sample of the first count.
    void check(const Arcs& arcs, const std::vector<std::uint32_t>& sources, const std::vector<HopPlan>& plans) const
    {
        const gpu::Stream stream;
        const DistributedGraph graph = construct_alone(arcs);
        const ExpectedHops expected = search_each(arcs, sources);
        const IndexRange own = own_part(sources.size());
        const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
        std::vector<gpu::apsp::HopOptions> all{{.plan = {}, .ranks = &world},
                                               {.spare_bytes = 0, .plan = {}, .ranks = &world}};
        // Only the last rank has no memory for searches, so that no rank may plan searches.
        gpu::apsp::HopOptions uneven{.plan = {}, .ranks = &world};
        if (rank == ranks - 1) uneven.spare_bytes = 0;
        all.push_back(uneven);
        for (const HopPlan& plan : plans) all.push_back({.plan = plan, .ranks = &world});
        for (std::size_t i = 0; i < all.size(); ++i) {
            SCOPED_TRACE(testing::Message() << "options " << i);
            gpu::apsp::BitParallelSearch search(graph, all[i]);
            EXPECT_EQ(search.can_count_together(sources.size()), ranks > 1 && graph.connected_vertices > 0);
            if (!search.can_count_together(sources.size())) continue;
            for (int repetition = 0; repetition < 2; ++repetition) {
                const gpu::apsp::BitParallelSearch::Found found =
                    search.count_together(on_device.data(), sources.size(), stream);
                EXPECT_EQ(sum_over_ranks(found.levels), expected.levels);
                ASSERT_EQ(found.facts.size(), own.size());
                std::size_t wrong = 0;
                for (std::size_t s = 0; s < own.size(); ++s) {
                    const gpu::apsp::HopFacts& facts = found.facts[s];
                    const gpu::apsp::HopFacts& wanted = expected.facts[own.first + s];
                    if (facts.reached == wanted.reached && facts.sum == wanted.sum &&
                        facts.eccentricity == wanted.eccentricity)
                        continue;
                    if (++wrong == 1)
                        ADD_FAILURE() << "source " << sources[own.first + s] << ": reached " << facts.reached
                                      << ", not " << wanted.reached << "; sum " << facts.sum << ", not " << wanted.sum
                                      << "; eccentricity " << facts.eccentricity << ", not " << wanted.eccentricity;
                }
                EXPECT_EQ(wrong, 0U);
            }
            if (all[i].plan && search.count_plan()) {
                EXPECT_EQ(search.count_plan()->searches_only, all[i].plan->searches_only);
                EXPECT_EQ(search.count_plan()->matrix, all[i].plan->matrix);
                EXPECT_EQ(search.count_plan()->first_depth, all[i].plan->first_depth);
            }
        }
    }
    void check(const Arcs& arcs) const { check(arcs, all_vertices(arcs), all_plans()); }

    [[nodiscard]] static std::vector<HopPlan> all_plans()
    {
        const auto matrix = [](std::uint32_t first_depth, std::uint32_t last_depth) {
            return HopPlan{false, true, first_depth, last_depth};
        };
        return {{.searches_only = true},
                {},
                matrix(0, 1),
                matrix(0, 3),
                matrix(1, 2),
                matrix(2, 0),
                matrix(2, 5),
                matrix(9, 10)};
    }
};

TEST_F(HopCountsTogether, RandomGraphs)
{
    for (const std::uint32_t n : {1U, 2U, 31U, 1025U, 3500U})
        for (const std::uint32_t degree : {3U, 10U})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                check(random_arcs(n, degree, directed, n + degree));
            }
}

TEST_F(HopCountsTogether, Shapes)
{
    for (const bool directed : {false, true}) {
        SCOPED_TRACE(directed ? "directed" : "undirected");
        Arcs path{1200, directed, {}};
        Arcs star{6000, directed, {}};
        Arcs two_parts = random_arcs(2600, 4, directed, 5);
        Arcs isolated = random_arcs(3000, 6, directed, 6);
        for (std::uint32_t v = 1; v < path.vertices; ++v) path.pairs.emplace_back(v - 1, v);
        for (std::uint32_t v = 1; v < star.vertices; ++v) star.pairs.emplace_back(0, v);
        for (auto& [from, to] : two_parts.pairs) to = to / 1300 == from / 1300 ? to : (to + 1300) % 2600;
        // Every third vertex has no edges.
        for (auto& [from, to] : isolated.pairs) {
            from -= from % 3 == 2 ? 1 : 0;
            to -= to % 3 == 2 ? 1 : 0;
        }
        for (const Arcs& arcs : {path, star, two_parts, isolated}) check(arcs);
    }
}

/// The graphs have long lists. Some sources occur several times or not at all.
TEST_F(HopCountsTogether, HubsAndSomeSources)
{
    for (const bool directed : {false, true}) {
        Arcs hubs = random_arcs(5000, 2, directed, 7);
        for (std::uint32_t v = 40; v < 5000; ++v) hubs.pairs.emplace_back(v % 40, v);
        std::vector<std::uint32_t> sources(4000);
        std::iota(sources.begin(), sources.end(), 500U);
        for (std::uint32_t i = 0; i < 300; ++i) sources[std::size_t{i} * 7] = 11;
        check(hubs, sources, all_plans());
    }
}

/// In these graphs, places have 32 bits. In the plan of one graph, searches, sets and a list follow
/// each other.
TEST_F(HopCountsTogether, ManyVertices)
{
    Arcs paths{70000, false, {}};
    for (std::uint32_t v = 0; v + 1 < paths.vertices; ++v)
        if (v % 100 != 99) paths.pairs.emplace_back(v, v + 1);
    check(paths, all_vertices(paths), {});
    const Arcs random = random_arcs(5200, 5, false, 9);
    check(random, all_vertices(random), {HopPlan{false, true, 3, 6}, HopPlan{false, true, 4, 0}});
}

/// A set of half of the vertices or more is counted together, and a smaller set is not.
TEST_F(HopCountsTogether, Summaries)
{
    const Arcs arcs = random_arcs(2100, 10, false, 4);
    const DistributedGraph graph = construct_alone(arcs);
    std::vector<Vertex> sources(arcs.vertices);
    std::iota(sources.begin(), sources.end(), Vertex{0});
    const ExpectedHops expected = search_each(arcs, all_vertices(arcs));
    const auto producer = gpu::apsp::make_row_engine(graph, {.method = &gpu::apsp::RowMethod::bit_parallel,
                                                             .type = algo::DistanceType::uint16,
                                                             .rows = false,
                                                             .spare_bytes = 1U << 28,
                                                             .ranks = &world});
    const std::vector<IndexRange> few{{100, 900}};
    algo::Summary none(sources.size(), true);
    EXPECT_FALSE(producer->summarise_together(sources, few, none));

    const std::vector<IndexRange> left{{0, 700}, {800, 2100}};
    algo::Summary summary(sources.size(), true);
    ASSERT_EQ(producer->summarise_together(sources, left, summary), ranks > 1);
    if (ranks == 1) return;
    std::vector<bool> own(sources.size(), false);
    for (const IndexRange range :
         algo::part_of_ranges(left, static_cast<std::size_t>(rank), static_cast<std::size_t>(ranks)))
        std::fill(own.begin() + static_cast<std::ptrdiff_t>(range.first),
                  own.begin() + static_cast<std::ptrdiff_t>(range.last), true);
    for (std::size_t position = 0; position < sources.size(); ++position) {
        EXPECT_EQ(summary.rows()[position].reached, own[position] ? expected.facts[position].reached : 0) << position;
        EXPECT_EQ(summary.rows()[position].sum, own[position] ? static_cast<double>(expected.facts[position].sum) : 0)
            << position;
    }
    std::vector<std::uint32_t> wanted;
    for (const IndexRange range : left)
        for (std::size_t position = range.first; position < range.last; ++position)
            wanted.push_back(static_cast<std::uint32_t>(position));
    // Bin d counts the pairs at distance d.
    std::vector<std::uint64_t> levels = search_each(arcs, wanted).levels;
    levels.insert(levels.begin(), 0);
    const std::span<const std::uint64_t> counts = summary.histogram().counts();
    EXPECT_EQ(sum_over_ranks({counts.begin(), counts.end()}), levels);
}

}  // namespace
}  // namespace wayfront
