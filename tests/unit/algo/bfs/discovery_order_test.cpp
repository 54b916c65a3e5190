#include "algo/bfs/discovery_order.hpp"

#include <array>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::algo {
namespace {

using Entry = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;

/// Two trees, of slots 4 and 1:
///
///     4 - 0 - 5
///       \ 3
///     1 - 2 - 6
DiscoveryOrder two_trees(DiscoveryOrder order)
{
    order.begin(std::array{4U, 1U});
    const std::array parents{0U, 0U, 1U};
    std::ranges::copy(parents, order.parents_of_next_level());
    order.add(std::array{0U, 3U, 2U});
    const std::array parents_of_last{0U, 2U};
    std::ranges::copy(parents_of_last, order.parents_of_next_level());
    order.add(std::array{5U, 6U});
    return order;
}

TEST(DiscoveryOrder, EachSlotHasItsParentAndLevel)
{
    const DiscoveryOrder order = two_trees(DiscoveryOrder(7));
    EXPECT_EQ(order.size(), 7);
    std::vector<Entry> found;
    order.for_each(
        [&](std::uint32_t slot, std::uint32_t parent, std::int32_t level) { found.emplace_back(slot, parent, level); });
    const std::vector<Entry> expected{{4, 4, 0}, {1, 1, 0}, {0, 4, 1}, {3, 4, 1}, {2, 1, 1}, {5, 0, 2}, {6, 2, 2}};
    EXPECT_EQ(found, expected);
}

TEST(DiscoveryOrder, TakesVerticesWithTheirRoots)
{
    DiscoveryOrder order(7);
    const std::array<std::int32_t, 7> vertices{10, 11, 12, 13, 14, 15, 16};
    for (int search = 0; search < 2; ++search) {
        order = two_trees(std::move(order));
        std::vector<std::array<std::uint32_t, 3>> found;
        std::vector<std::int32_t> levels;
        order.take_each(
            std::span<const std::int32_t>(vertices), [](std::int32_t) {},
            [&](std::uint32_t vertex, std::uint32_t parent, std::uint32_t root, std::int32_t level) {
                found.push_back({vertex, parent, root});
                levels.push_back(level);
            });
        const std::vector<std::array<std::uint32_t, 3>> expected{{14, 14, 14}, {11, 11, 11}, {10, 14, 14}, {13, 14, 14},
                                                                 {12, 11, 11}, {15, 10, 14}, {16, 12, 11}};
        EXPECT_EQ(found, expected);
        EXPECT_EQ(levels, (std::vector{0, 0, 1, 1, 1, 2, 2}));
        EXPECT_EQ(order.size(), 0);
    }
}

}  // namespace
}  // namespace wayfront::algo
