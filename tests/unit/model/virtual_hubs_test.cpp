// Levels of 1.5D searches, and of blocks in turn, counted on virtual ranks of a real graph.
#include "model/virtual_hubs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/hub_rules.hpp"
#include "model/virtual_blocks.hpp"
#include "support/kronecker_levels.hpp"

namespace wayfront::model {
namespace {

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

/// The first level of a search from a hub, with a list of its own on each rank and without.
TEST(VirtualHubs, HubsWithoutListsPushOrRowsAreVisited)
{
    const DistributedGraph& graph = kronecker_graph();
    const auto first_level = [&](std::uint32_t slot, std::uint32_t listed) {
        const auto vertex = std::ranges::find(graph.slot_of_local.span(), slot) - graph.slot_of_local.span().begin();
        return count_hub_bfs(graph, 4, vertex, {kPolicy, 1 << 11, listed}).levels.front();
    };
    const auto pushed = [](const RankWork& rank) { return rank.pushed; };
    constexpr std::uint32_t large = 0;
    constexpr std::uint32_t small = (1 << 11) - 1;
    for (const std::uint32_t hub : {large, small}) {
        EXPECT_FALSE(first_level(hub, 1 << 11).visits_rows);
        EXPECT_EQ(sum_of_ranks(first_level(hub, 1 << 11), pushed), 0);
    }
    EXPECT_TRUE(first_level(large, 0).visits_rows);
    EXPECT_FALSE(first_level(small, 0).visits_rows);
    // Hubs that are next to it know that it is in the frontier.
    const CsrView lists = graph.block.in_edges.view();
    const std::span ends(lists.neighbours + lists.begin(small), lists.degree(small));
    EXPECT_EQ(sum_of_ranks(first_level(small, 0), pushed),
              std::ranges::count_if(ends, [](std::uint32_t end) { return end > small; }));
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
    options.rotate_blocks = true;
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

}  // namespace
}  // namespace wayfront::model
