// Lists by ascending weight, made of a graph whose lists have another order.
#include "graph/lists_by_weight.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

template <typename W>
using List = std::vector<std::pair<W, std::uint32_t>>;

template <typename W>
List<W> list_of(const Csr& lists, const BlockWeights& weights, std::uint32_t i)
{
    const CsrView view = lists.view();
    List<W> found;
    for (std::uint64_t e = view.begin(i); e < view.end(i); ++e)
        found.emplace_back(std::get<HostBuffer<W>>(weights)[e], view.neighbours[e]);
    return found;
}

template <typename W>
void expect_sorted(const Csr& lists, const BlockWeights& weights, const Csr& sorted, const BlockWeights& of_sorted)
{
    ASSERT_EQ(sorted.lists(), lists.lists());
    for (std::uint32_t i = 0; i < lists.lists(); ++i) {
        List<W> expected = list_of<W>(lists, weights, i);
        std::ranges::sort(expected);
        EXPECT_EQ(list_of<W>(sorted, of_sorted, i), expected) << "list " << i;
    }
}

template <typename W>
class ListsByWeight : public ::testing::Test
{
};

using WeightTypes = ::testing::Types<std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(ListsByWeight, WeightTypes);

/// Most edges lead to or from vertex 0, so that its list is longer than a part.
TYPED_TEST(ListsByWeight, AreThoseOfTheGraphInOrder)
{
    using W = TypeParam;
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    constexpr std::int64_t low = std::is_same_v<W, std::uint32_t> ? 0 : -40;
    for (const bool directed : {false, true}) {
        auto graph = random_weighted_graph<W>(20000, 30000, directed, low, 40, 7);
        for (std::int64_t v = 1; v < 20000; ++v) graph.edges.push_back({v, 0, static_cast<W>(v % 30)});
        const DistributedGraph plain = construct(grid, ShareFeed<W>(graph, 0, 1));
        const DistributedGraph sorted = with_lists_by_weight(plain);
        EXPECT_EQ(sorted.block.list_order, ListOrder::weights);
        expect_sorted<W>(plain.block.in_edges, plain.block.in_weights, sorted.block.in_edges, sorted.block.in_weights);
        if (directed)
            expect_sorted<W>(plain.block.out_edges(), plain.block.out_weights(), sorted.block.out_edges(),
                             sorted.block.out_weights());
        else
            EXPECT_EQ(&sorted.block.out_edges(), &sorted.block.in_edges);
    }
}

}  // namespace
}  // namespace wayfront
