// Graphs of classes, compared with generated graphs of the same kind: their degrees, the levels of
// searches, and what ranks inspect and send in them.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/hub_rules.hpp"
#include "base/bitmap.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"
#include "model/field_search.hpp"
#include "model/partition_work.hpp"
#include "model/search_time.hpp"
#include "model/vertex_classes.hpp"
#include "model/virtual_bfs.hpp"
#include "model/virtual_blocks.hpp"
#include "model/virtual_hubs.hpp"

namespace wayfront::model {
namespace {

constexpr int kScale = 15;
const algo::DirectionPolicy kPolicy{};

DistributedGraph generated(const char* spec)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(spec);
    const comm::ProcessGrid grid(comm::Communicator::alone(), {1, 1});
    return construct(grid, SourceFeed(*source, 0, 1));
}

const DistributedGraph& kronecker_graph()
{
    static const DistributedGraph graph = generated("kron:15");
    return graph;
}

/// Keys whose searches reach most of the graph, and their work on a grid.
std::vector<SearchWork> counted_searches(comm::GridShape shape, bool in_turn = false)
{
    std::vector<SearchWork> searches;
    const DistributedGraph& graph = kronecker_graph();
    for (Vertex key = 3; searches.size() < 40; key += 401) {
        SearchWork work =
            count_bfs(graph, shape, key % graph.partition.vertex_count(), {.direction = kPolicy, .in_turn = in_turn});
        if (work.reached * 2 > static_cast<std::uint64_t>(graph.connected_vertices))
            searches.push_back(std::move(work));
    }
    return searches;
}

void expect_near(double expected, double found, double tolerance, const char* what)
{
    EXPECT_NEAR(found / expected, 1, tolerance) << what << ": expected " << expected << ", found " << found;
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

/// Counts a level of a 1.5D search of a real graph, whose slots are in descending order of degrees.
HubWork counted_hub_level(const std::vector<std::int32_t>& levels, std::int32_t level, std::uint32_t hubs)
{
    const CsrView lists = kronecker_graph().block.in_edges.view();
    HubWork work;
    std::vector<std::uint8_t> found_by_hub(lists.lists, 0);
    for (std::uint32_t row = 0; row < lists.lists; ++row) {
        if (lists.degree(row) == 0 || (levels[row] >= 0 && levels[row] <= level)) continue;
        ++work.rows;
        double others = 0;
        bool asks = true;
        double queries = 0;
        for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i) {
            const std::uint32_t end = lists.neighbours[i];
            if (end < hubs) {
                if (found_by_hub[row] != 0) continue;
                ++work.hub_arcs;
                if (levels[end] == level) found_by_hub[row] = 1;
            } else {
                ++others;
                if (asks) ++queries;
                if (levels[end] == level) asks = false;
            }
        }
        work.found += found_by_hub[row];
        if (row < hubs) work.found_hubs += levels[row] == level + 1 ? 1 : 0;
        if (found_by_hub[row] != 0 || others == 0 || lists.degree(row) == 1) continue;
        ++work.open_rows;
        work.open_arcs += others;
        work.queries += queries;
    }
    for (std::uint32_t row = hubs; row < lists.lists; ++row) {
        if (levels[row] != level) continue;
        bool has_parent = level == 0;  // the arc to one parent, which is a hub if there is one, is not pushed
        for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i) {
            const std::uint32_t end = lists.neighbours[i];
            if (!has_parent && levels[end] == level - 1) {
                has_parent = true;
                continue;
            }
            const bool open = levels[end] < 0 || levels[end] > level;
            if (end >= hubs || (open && found_by_hub[end] == 0)) ++work.pushes;
        }
    }
    return work;
}

std::vector<std::int32_t> levels_from(std::uint32_t key)
{
    const CsrView lists = kronecker_graph().block.in_edges.view();
    std::vector<std::int32_t> levels(lists.lists, -1);
    std::vector<std::uint32_t> frontier{key};
    levels[key] = 0;
    for (std::int32_t level = 1; !frontier.empty(); ++level) {
        std::vector<std::uint32_t> next;
        for (const std::uint32_t row : frontier)
            for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i) {
                const std::uint32_t end = lists.neighbours[i];
                if (levels[end] >= 0) continue;
                levels[end] = level;
                next.push_back(end);
            }
        frontier = std::move(next);
    }
    return levels;
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

/// Calls check(level, levels, work) for each level of searches over `ranks` ranks, of which `hubs` are hubs.
template <typename F>
void for_each_hub_level(int ranks, std::uint32_t hubs, F&& check)
{
    const DistributedGraph& graph = kronecker_graph();
    for (const Vertex key : {5, 777, 20000}) {
        const std::uint32_t slot = graph.slot_of_local[static_cast<std::size_t>(key)];
        if (slot == graph.block.slot_stride) continue;
        const std::vector<std::int32_t> levels = levels_from(slot);
        const SearchWork search = count_hub_bfs(graph, ranks, key, {kPolicy, hubs, hubs});
        EXPECT_EQ(search.reached,
                  static_cast<std::uint64_t>(std::ranges::count_if(levels, [](auto level) { return level >= 0; })));
        for (std::size_t level = 0; level < search.levels.size(); ++level)
            check(static_cast<std::int32_t>(level), levels, search.levels[level]);
    }
}

/// The sum of a number over the ranks of a level.
template <typename F>
double sum_of_ranks(const LevelWork& level, F&& number)
{
    double sum = 0;
    for (const RankWork& rank : level.ranks) sum += static_cast<double>(number(rank));
    return sum;
}

TEST(VirtualHubs, AreCountedAsLevelsSay)
{
    for (const std::uint32_t hubs : {1U << 6, 1U << 11, 1U << 20}) {
        SCOPED_TRACE(testing::Message() << hubs << " hubs");
        int asked = 0;
        int visited = 0;
        for_each_hub_level(6, hubs, [&](std::int32_t level, const auto& levels, const LevelWork& work) {
            SCOPED_TRACE(testing::Message() << "level " << level);
            const HubWork expected = counted_hub_level(levels, level, hubs);
            if (work.record.frontier.vertices == 0) return;
            visited += work.visits_rows ? 1 : 0;
            EXPECT_EQ(work.visits_rows, work.record.direction == algo::Direction::bottom_up);
            if (work.visits_rows) {
                EXPECT_EQ(sum_of_ranks(work, [](const RankWork& rank) { return rank.rows; }), expected.rows);
                EXPECT_EQ(sum_of_ranks(work, [](const RankWork& rank) { return rank.arcs; }), expected.hub_arcs);
                EXPECT_EQ(sum_of_ranks(work, [](const RankWork& rank) { return rank.found; }), expected.found);
            }
            const bool pushes = algo::prefers_pushes(expected.pushes, expected.open_arcs);
            asked += pushes ? 0 : 1;
            EXPECT_EQ(sum_of_ranks(work, [](const RankWork& rank) { return rank.pushed; }),
                      pushes ? expected.pushes : expected.queries);
            EXPECT_EQ(work.ranks.front().exchange.steps, pushes ? 2U : 3U);
            const bool list =
                algo::hubs_travel_as_list(static_cast<std::uint64_t>(expected.found_hubs),
                                          std::min(hubs, kronecker_graph().block.in_edges.view().lists), 6);
            if (list) {
                EXPECT_EQ(sum_of_ranks(work, [](const RankWork& rank) { return rank.hubs.bytes; }),
                          4 * 5 * expected.found_hubs);
            }
        });
        EXPECT_GT(visited, 0);
        if (hubs == 1U << 6) {
            EXPECT_GT(asked, 0);
        }
    }
}

/// A rank receives what others push to it, or ask it, and the answers to its own questions.
TEST(VirtualHubs, SendNothingToThemselves)
{
    constexpr std::uint32_t hubs = 1 << 9;
    constexpr int ranks = 4;
    const DistributedGraph& graph = kronecker_graph();
    const SlotOwners owners(graph, Partition(graph.partition.vertex_count(), ranks, 1));
    const CsrView lists = graph.block.in_edges.view();
    for_each_hub_level(ranks, hubs, [&](std::int32_t level, const auto& levels, const LevelWork& work) {
        if (work.ranks.front().exchange.steps != 3) return;  // not asked
        std::array<double, ranks> bytes{};
        for (std::uint32_t row = 0; row < lists.lists; ++row) {
            const bool open = levels[row] < 0 || levels[row] > level;
            if (!open || lists.degree(row) < 2) continue;
            const auto list = std::span(lists.neighbours + lists.begin(row), lists.degree(row));
            const auto reaches = [&](std::uint32_t end) { return levels[end] == level; };
            if (std::ranges::any_of(list, [&](std::uint32_t end) { return end < hubs && reaches(end); })) continue;
            for (const std::uint32_t end : list) {
                if (end < hubs) continue;
                if (owners.rank[end] != owners.rank[row]) {
                    bytes[owners.rank[end]] += 4;
                    bytes[owners.rank[row]] += 1.0 / 8;
                }
                if (reaches(end)) break;
            }
        }
        for (std::size_t rank = 0; rank < ranks; ++rank)
            EXPECT_EQ(static_cast<double>(work.ranks[rank].exchange.bytes), std::floor(bytes[rank])) << "rank " << rank;
    });
}

TEST(VirtualHubs, HubsWithoutListsPushOrRowsAreVisited)
{
    const DistributedGraph& graph = kronecker_graph();
    const SearchWork listed = count_hub_bfs(graph, 4, 5, {kPolicy, 1 << 11, 1 << 11});
    const SearchWork unlisted = count_hub_bfs(graph, 4, 5, {kPolicy, 1 << 11, 0});
    ASSERT_EQ(listed.levels.size(), unlisted.levels.size());
    EXPECT_EQ(listed.reached, unlisted.reached);
    double pushed = 0;
    double pushed_of_unlisted = 0;
    for (std::size_t level = 0; level < listed.levels.size(); ++level) {
        pushed += sum_of_ranks(listed.levels[level], [](const RankWork& rank) { return rank.pushed; });
        pushed_of_unlisted += sum_of_ranks(unlisted.levels[level], [](const RankWork& rank) { return rank.pushed; });
        EXPECT_TRUE(unlisted.levels[level].visits_rows ||
                    listed.levels[level].visits_rows == unlisted.levels[level].visits_rows);
    }
    EXPECT_GE(pushed_of_unlisted, pushed);
}

/// The arcs of blocks in turn, by another count: each block's list up to the first hit, if no block before it had one.
TEST(Rotation, ArcsAreThoseOfBlocksUntilTheFirstHit)
{
    constexpr std::uint32_t columns = 4;
    constexpr std::size_t ranks = 8;
    const DistributedGraph& graph = kronecker_graph();
    const SlotOwners owners(graph, Partition(graph.partition.vertex_count(), 2, columns));
    const CsrView lists = graph.block.in_edges.view();
    const Vertex key = 5;
    const std::vector<std::int32_t> levels = levels_from(graph.slot_of_local[static_cast<std::size_t>(key)]);
    VirtualBfsOptions options{.direction = kPolicy};
    options.in_turn = true;
    const SearchWork search = count_bfs(graph, {2, columns}, key, options);
    int checked = 0;
    for (std::size_t i = 0; i < search.levels.size(); ++i) {
        const LevelWork& work = search.levels[i];
        if (!work.visits_rows) continue;
        const auto level = static_cast<std::int32_t>(i);
        std::array<std::uint64_t, ranks> arcs{};
        std::array<std::uint64_t, ranks> found{};
        for (std::uint32_t row = 0; row < lists.lists; ++row) {
            if (levels[row] >= 0 && levels[row] <= level) continue;
            const std::uint32_t grid_row = owners.rank[row] / columns;
            bool hit = false;
            for (std::uint32_t turn = 0; turn < columns && !hit; ++turn) {
                const std::uint32_t column = (owners.rank[row] + turn) % columns;
                std::vector<std::int32_t> of_block;
                for (std::uint64_t a = lists.begin(row); a < lists.end(row); ++a)
                    if (owners.rank[lists.neighbours[a]] % columns == column)
                        of_block.push_back(levels[lists.neighbours[a]]);
                const auto first = std::ranges::find(of_block, level);
                hit = first != of_block.end();
                arcs[grid_row * columns + column] +=
                    static_cast<std::uint64_t>(first - of_block.begin()) + (hit ? 1 : 0);
            }
            found[owners.rank[row]] += hit ? 1 : 0;
        }
        for (std::size_t rank = 0; rank < arcs.size(); ++rank) {
            EXPECT_EQ(work.ranks[rank].arcs, arcs[rank]) << "level " << i << ", rank " << rank;
            EXPECT_EQ(work.ranks[rank].fold, (MessageCount{2, 8 * found[rank]}));
            EXPECT_EQ(work.ranks[rank].turns, (MessageCount{columns, columns * owners.slot_stride / 8}));
            EXPECT_EQ(work.ranks[rank].refresh, MessageCount{});
        }
        ++checked;
    }
    EXPECT_GT(checked, 1);
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
