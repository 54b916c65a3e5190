// The mean degree at the ends of edges, over several ranks.
#include "graph/end_degree.hpp"

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
        return estimate_end_degree(world, generate_share(*make_edge_source(spec, {}), rank, ranks, false));
    }
};

TEST_F(EndDegree, DoesNotDependOnTheRanks)
{
    EXPECT_DOUBLE_EQ(estimate("ring:1000"), 2);
    EXPECT_DOUBLE_EQ(estimate("complete:60"), 59);
    EXPECT_DOUBLE_EQ(estimate("path:2"), 1);  // some ranks have no edges
    EXPECT_DOUBLE_EQ(estimate("path:1"), 0);
    EXPECT_NEAR(estimate("complete:1000"), 999, 50);
}

}  // namespace
}  // namespace wayfront
