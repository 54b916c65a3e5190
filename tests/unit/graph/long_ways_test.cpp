// The sample tells graphs whose searches have many levels from others.
#include "graph/long_ways.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"

namespace wayfront {
namespace {

Csr lists_of(const std::string& spec)
{
    const EdgeList list = generate_share(*make_edge_source(spec, {}), 0, 1, false);
    std::vector<std::vector<std::uint32_t>> neighbours(static_cast<std::size_t>(list.vertex_count));
    for (const PackedEdge edge : list.edges) {
        neighbours[static_cast<std::size_t>(edge.source())].push_back(static_cast<std::uint32_t>(edge.target()));
        if (!list.directed) neighbours[static_cast<std::size_t>(edge.target())].push_back(static_cast<std::uint32_t>(edge.source()));
    }
    std::vector<std::uint32_t> degrees;
    for (const auto& each : neighbours) degrees.push_back(static_cast<std::uint32_t>(each.size()));
    Csr lists{std::span<const std::uint32_t>(degrees)};
    auto place = lists.neighbours().begin();
    for (const auto& each : neighbours) place = std::ranges::copy(each, place).out;
    return lists;
}

class LongWays : public testing::TestWithParam<std::string>
{
};
class ShortWays : public testing::TestWithParam<std::string>
{
};

TEST_P(LongWays, AreSeen)
{
    EXPECT_TRUE(has_long_ways(lists_of(GetParam()).view()));
}

TEST_P(ShortWays, AreSeen)
{
    EXPECT_FALSE(has_long_ways(lists_of(GetParam()).view()));
}

INSTANTIATE_TEST_SUITE_P(Graphs, LongWays, testing::Values("grid:500x500", "path:200", "ring:100000", "grid:60x60", "grid:4x2000"));
INSTANTIATE_TEST_SUITE_P(Graphs, ShortWays,
                         testing::Values("kron:14", "random:100000,200000", "random:1000,500", "star:70000", "complete:200", "path:1", "path:20",
                                         "random:20000,100000,directed=1"));

TEST(LongWaysOfParts, ASmallComponentSaysNothing)
{
    // The first list is a triangle's; a path of 300 vertices follows.
    std::vector<std::uint32_t> degrees{2, 2, 2, 1};
    degrees.insert(degrees.end(), 298, 2);
    degrees.push_back(1);
    Csr lists{std::span<const std::uint32_t>(degrees)};
    const CsrView view = lists.view();
    const auto set = [&](std::uint32_t list, std::vector<std::uint32_t> neighbours) {
        std::ranges::copy(neighbours, lists.neighbours().begin() + static_cast<std::ptrdiff_t>(view.begin(list)));
    };
    set(0, {1, 2});
    set(1, {0, 2});
    set(2, {0, 1});
    set(3, {4});
    for (std::uint32_t i = 4; i < 302; ++i) set(i, {i - 1, i + 1});
    set(302, {301});
    EXPECT_TRUE(has_long_ways(lists.view()));
}

TEST(LongWaysOfParts, NoListsAreShort)
{
    EXPECT_FALSE(has_long_ways(Csr(std::span<const std::uint32_t>()).view()));
}

}  // namespace
}  // namespace wayfront
