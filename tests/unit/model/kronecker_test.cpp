// Graphs of classes, compared with generated graphs of the same kind: their degrees, the levels of
// searches, and what ranks inspect and send in them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/hub_rules.hpp"
#include "base/bitmap.hpp"
#include "model/field_search.hpp"
#include "model/partition_work.hpp"
#include "model/search_time.hpp"
#include "model/vertex_classes.hpp"
#include "support/kronecker_levels.hpp"

namespace wayfront::model {
namespace {

/// Keys whose searches reach most of the graph, and their work on a grid.
std::vector<SearchWork> counted_searches(comm::GridShape shape, bool rotate_blocks = false)
{
    std::vector<SearchWork> searches;
    const DistributedGraph& graph = kronecker_graph();
    for (Vertex key = 3; searches.size() < 40; key += 401) {
        SearchWork work = count_bfs(graph, shape, key % graph.partition.vertex_count(),
                                    {.direction = kPolicy, .rotate_blocks = rotate_blocks});
        if (work.reached * 2 > static_cast<std::uint64_t>(graph.connected_vertices))
            searches.push_back(std::move(work));
    }
    return searches;
}

TEST(KroneckerClasses, SumsAreThoseOfTheGraph)
{
    const VertexClasses classes = kronecker_classes(20, 16);
    expect_near(1 << 20, classes.vertices(), 1e-9, "vertices");
    expect_near(32.0 * (1 << 20), classes.arcs(), 1e-9, "arcs");
    for (std::size_t k = 0; k < classes.count(); ++k) {
        EXPECT_NEAR(std::accumulate(classes.ends[k].begin(), classes.ends[k].end(), 0.0), 1, 1e-9);
        if (k > 0) {
            EXPECT_LT(classes.degrees[k], classes.degrees[k - 1]);
        }
        // As many arcs lead from class k to class j as from class j to class k.
        for (std::size_t j = 0; j < k; ++j) {
            const double there = classes.sizes[k] * classes.degrees[k] * classes.ends[k][j];
            expect_near(there, classes.sizes[j] * classes.degrees[j] * classes.ends[j][k], 1e-9,
                        "arcs between classes");
        }
    }
}

TEST(KroneckerClasses, DegreesAreThoseOfAGeneratedGraph)
{
    const DistributedGraph& graph = kronecker_graph();
    const VertexClasses classes = kronecker_classes(kScale, 16);
    expect_near(static_cast<double>(graph.connected_vertices), classes.connected(), 0.01, "vertices with edges");
    expect_near(static_cast<double>(graph.directed_edges), classes.arcs() * classes.distinct, 0.01, "distinct arcs");
    const CsrView lists = graph.block.in_edges.view();
    double leaves = 0;
    for (std::uint32_t slot = 0; slot < lists.lists; ++slot) leaves += lists.degree(slot) == 1 ? 1 : 0;
    expect_near(leaves, classes.leaves(), 0.03, "leaves");
}

TEST(UniformClasses, DegreesAreThoseOfAGeneratedGraph)
{
    const DistributedGraph graph = generated("random:20000,60000");
    const VertexClasses classes = uniform_classes(20000, 60000);
    expect_near(static_cast<double>(graph.connected_vertices), classes.connected(), 0.01, "vertices with edges");
    expect_near(static_cast<double>(graph.directed_edges), classes.arcs() * classes.distinct, 0.01, "distinct arcs");
}

TEST(HubShares, AreOfTheLargestDegrees)
{
    const VertexClasses classes = kronecker_classes(10, 16);
    const std::vector<double> shares = hub_shares(classes, 1 + 5);
    EXPECT_EQ(shares[0], 1);  // the vertex without one-bits
    EXPECT_NEAR(shares[1], 0.5, 1e-9);
    EXPECT_EQ(shares[2], 0);
}

/// Sums over the levels of a search.
struct Sums
{
    double reached = 0;
    double arcs = 0;
    double pairs = 0;
    double received = 0;  // of all ranks, without the results
    double steps = 0;     // of a rank
};

Sums mean_of_counts(comm::GridShape shape)
{
    Sums sums;
    const std::vector<SearchWork> searches = counted_searches(shape);
    const double share = 1 / static_cast<double>(searches.size());
    for (const SearchWork& search : searches) {
        sums.reached += static_cast<double>(search.reached) * share;
        for (const LevelWork& level : search.levels) {
            sums.steps += static_cast<double>(level.ranks.front().received().steps) * share;
            for (const RankWork& rank : level.ranks) {
                sums.arcs += static_cast<double>(rank.arcs) * share;
                sums.pairs += static_cast<double>(rank.found) * share;
                sums.received += static_cast<double>(rank.received().bytes) * share;
            }
        }
    }
    return sums;
}

Sums mean_of_field(comm::GridShape shape)
{
    const VertexClasses classes = kronecker_classes(kScale, 16);
    const auto searches = sample_searches(classes, kPolicy, 200, 7);
    const auto stride = static_cast<std::uint32_t>(
        round_up_to_word(static_cast<std::size_t>(classes.connected() / shape.size() * 1.01)));
    Sums sums;
    const double share = 1 / static_cast<double>(searches.size());
    for (const auto& search : searches)
        for (const FieldLevel& level : search) {
            const GridWork work = grid_work(classes, level, shape.columns);
            const RankWork rank = mean_rank_work(work, level, shape, stride);
            sums.reached += level.vertices * share;
            sums.arcs += work.arcs * share;
            sums.pairs += work.pairs * share;
            sums.received += static_cast<double>(rank.received().bytes) * shape.size() * share;
            sums.steps += static_cast<double>(rank.received().steps) * share;
        }
    return sums;
}

TEST(FieldSearch, WorkIsThatOfCountedSearches)
{
    for (const comm::GridShape shape : {comm::GridShape{1, 1}, {4, 1}, {1, 4}, {4, 4}, {8, 2}}) {
        SCOPED_TRACE(testing::Message() << shape.rows << "x" << shape.columns);
        const Sums counted = mean_of_counts(shape);
        const Sums field = mean_of_field(shape);
        expect_near(counted.reached, field.reached, 0.02, "reached");
        expect_near(counted.arcs, field.arcs, 0.15, "arcs");
        expect_near(counted.pairs, field.pairs, 0.1, "pairs");
        if (shape.size() == 1) continue;
        expect_near(counted.received, field.received, 0.15, "bytes");
        expect_near(counted.steps, field.steps, 0.15, "steps");
    }
}

TEST(HubWork, IsThatOfCountedSearches)
{
    const VertexClasses classes = kronecker_classes(kScale, 16);
    const auto searches = sample_searches(classes, kPolicy, 300, 11);
    for (const std::uint32_t hubs : {1U << 9, 1U << 11, 1U << 13}) {
        SCOPED_TRACE(testing::Message() << hubs << " hubs");
        HubWork counted;
        constexpr double keys = 60;
        const auto rows = static_cast<std::uint32_t>(kronecker_graph().connected_vertices);
        const auto add = [](HubWork& sum, const HubWork& level, double share) {
            sum.hub_arcs += level.hub_arcs * share;
            sum.found += level.found * share;
            sum.found_hubs += level.found_hubs * share;
            sum.open_rows += level.open_rows * share;
            sum.queries += level.queries * share;
            sum.pushes += level.pushes * share;
        };
        for (int key = 0; key < static_cast<int>(keys); ++key) {
            const std::vector<std::int32_t> levels = levels_from(static_cast<std::uint32_t>(key * 277) % rows);
            const std::int32_t deepest = *std::ranges::max_element(levels);
            for (std::int32_t level = 0; level <= deepest; ++level)
                add(counted, counted_hub_level(levels, level, hubs), 1 / keys);
        }
        HubWork field;
        for (const auto& search : searches)
            for (const FieldLevel& level : search)
                add(field, hub_work(classes, level, hubs, hubs), 1 / static_cast<double>(searches.size()));
        expect_near(counted.hub_arcs, field.hub_arcs, 0.15, "arcs to hubs");
        expect_near(counted.found, field.found, 0.05, "rows found by hubs");
        expect_near(counted.found_hubs, field.found_hubs, 0.05, "hubs found");
        expect_near(counted.queries, field.queries, 0.3, "queries");
        expect_near(counted.pushes, field.pushes, 0.25, "pushes");
    }
}

TEST(Rotation, MeanArcsAreThoseOfCountedSearches)
{
    const VertexClasses classes = kronecker_classes(kScale, 16);
    const auto searches = sample_searches(classes, kPolicy, 200, 7);
    double field = 0;
    for (const auto& search : searches)
        for (const FieldLevel& level : search)
            if (level.direction == algo::Direction::bottom_up)
                field += rotation_arcs(classes, level, 4) / static_cast<double>(searches.size());
    double counted = 0;
    const std::vector<SearchWork> of_graph = counted_searches({2, 4}, true);
    for (const SearchWork& search : of_graph)
        for (const LevelWork& level : search.levels)
            if (level.visits_rows)
                counted += sum_of_ranks(level, [](const RankWork& rank) { return rank.arcs; }) /
                           static_cast<double>(of_graph.size());
    expect_near(counted, field, 0.15, "arcs");
}

TEST(HubWork, ArcsOfHubsAreListedOrPushed)
{
    const VertexClasses classes = kronecker_classes(37, 16);
    const double hubs = std::exp2(26);
    for (const auto& search : sample_searches(classes, kPolicy, 3, 2))
        for (const FieldLevel& level : search) {
            const HubWork all = hub_work(classes, level, hubs, hubs);
            const HubWork some = hub_work(classes, level, hubs, std::exp2(20));
            EXPECT_EQ(all.unlisted_pushes, 0);
            EXPECT_LE(some.listed_arcs, all.listed_arcs);
            EXPECT_LE(all.listed_arcs, level.distinct_out_arcs * (1 + 1e-9));
            EXPECT_EQ(some.pushes, all.pushes);
            EXPECT_LE(some.unlisted_pushes, level.out_arcs);
        }
}

TEST(HubRules, HubsTravelInTheFewerBytes)
{
    constexpr std::uint64_t hubs = 1 << 20;
    constexpr std::uint64_t ranks = 8;
    EXPECT_EQ(algo::hub_stride(hubs, ranks), hubs / ranks);
    EXPECT_EQ(algo::hub_stride(65, ranks), 64U);
    EXPECT_TRUE(algo::hubs_travel_as_list(hubs / 32 - 1, hubs, ranks));
    EXPECT_FALSE(algo::hubs_travel_as_list(hubs / 32, hubs, ranks));
    EXPECT_FALSE(algo::prefers_rows(10, 1000));
    EXPECT_TRUE(algo::prefers_rows(251, 1000));
}

TEST(HubWork, TheRuleChoosesTheFewerBytes)
{
    for (const int scale : {31, 37, 41}) {
        const VertexClasses classes = kronecker_classes(scale, 16);
        const auto searches = sample_searches(classes, {algo::DirectionChoice::automatic, 20, 1000}, 8, 1);
        double fewest = 0;
        double chosen = 0;
        double pushed = 0;
        double asked = 0;
        for (const auto& search : searches)
            for (const FieldLevel& level : search) {
                const HubWork work = hub_work(classes, level, std::exp2(26), std::exp2(26));
                const double push = work.pushes * algo::kPushBytes;
                const double ask = work.queries * algo::kQueryBytes;
                fewest += std::min(push, ask);
                chosen += algo::prefers_pushes(work.pushes, work.open_arcs) ? push : ask;
                pushed += push;
                asked += ask;
            }
        SCOPED_TRACE(testing::Message() << "scale " << scale);
        expect_near(fewest, chosen, 0.01, "bytes");
        // Either alone sends hundreds of times as much.
        EXPECT_GT(pushed, 100 * fewest);
        EXPECT_GT(asked, 100 * fewest);
    }
}

}  // namespace
}  // namespace wayfront::model
