// Rows of all pairs by the elimination of vertices, in cases that other engines do not have.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/apsp_testing.hpp"

namespace wayfront::all_pairs {
namespace {

TEST(EliminationRows, WithoutWeights)
{
    for (const auto& [name, graph] : families<std::uint32_t>(130, [](std::uint64_t) { return std::int64_t{1}; })) {
        SCOPED_TRACE(name);
        const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, false);
        check<std::uint32_t>(elimination_rows(constructed, DistanceType::uint16), graph,
                             oracle_matrix<std::uint32_t>(graph), {}, false);
    }
}

/// Bins as wide as those of distances from 2^30 on, and vertices that are not reached.
TEST(EliminationRows, OfLargeDistances)
{
    Graph<std::uint32_t> graph{6, false, {{0, 1, 1100000000}, {2, 3, 7}, {3, 4, 900}}};
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    check<std::uint32_t>(elimination_rows(constructed, DistanceType::int32), graph,
                         oracle_matrix<std::uint32_t>(graph));
}

TEST(EliminationRows, FindsDistancesThatDoNotFit)
{
    Graph<std::uint32_t> graph{3, true, {{0, 1, 65000}, {1, 2, 600}}};
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const Producer rows = elimination_rows(constructed, DistanceType::uint16);
    const std::vector<Vertex> sources = all_vertices(3);
    rows->launch(sources);
    EXPECT_THROW(static_cast<void>(rows->collect()), InputError);
}

}  // namespace
}  // namespace wayfront::all_pairs
