// The mean degree at the ends of edges, over several ranks.
#include "graph/end_degree.hpp"

#include <cstddef>

#include <gtest/gtest.h>

#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"
#include "support/shapes.hpp"

namespace wayfront {
namespace {

class EndDegree : public GridTest
{
protected:
    [[nodiscard]] double estimate(const char* spec) const
    {
        const auto source = make_edge_source(spec, {});
        return estimate_end_degree(world, SourceFeed(*source, rank, ranks));
    }
};

TEST_F(EndDegree, DoesNotDependOnTheRanks)
{
    EXPECT_DOUBLE_EQ(estimate("ring:1000"), 2);
    EXPECT_DOUBLE_EQ(estimate("complete:60"), 59);
    EXPECT_DOUBLE_EQ(estimate("path:2"), 1);  // some ranks have no edges
    EXPECT_DOUBLE_EQ(estimate("path:1"), 0);
    EXPECT_NEAR(estimate("complete:1000"), 999, 50);
    EXPECT_NEAR(estimate("ring:200000"), 2, 0.2);
    EXPECT_NEAR(estimate("grid:300x300"), 4, 0.3);
}

TEST_F(EndDegree, OfUnequalShares)
{
    // All edges but the first are on the last rank.
    const EdgeList all = generate_share(*make_edge_source("kron:14", {}), 0, 1, false);
    const bool has_rest = rank == ranks - 1;
    const std::size_t first = ranks == 1 || rank == 0 ? 0 : 1;
    const std::size_t last = has_rest ? all.edges.size() : rank == 0 ? 1 : first;
    EdgeList own{all.vertex_count, false, HostBuffer<PackedEdge>(last - first), {}};
    for (std::size_t i = first; i < last; ++i) own.edges[i - first] = all.edges[i];
    const double alone = estimate_end_degree(comm::Communicator::self(), ListFeed(all));
    EXPECT_NEAR(estimate_end_degree(world, ListFeed(own)), alone, 0.05 * alone);
}

}  // namespace
}  // namespace wayfront
