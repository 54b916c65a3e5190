#include "session/input/graph_list.hpp"

#include <gtest/gtest.h>

namespace wayfront::session {
namespace {

TEST(GraphListTest, ResultsAreNamedAfterTheGraph)
{
    EXPECT_EQ(result_name_of("a/b/roads.gr.gz"), "roads");
    EXPECT_EQ(result_name_of("roads.v2.mtx"), "roads.v2");
    EXPECT_EQ(result_name_of("roads"), "roads");
    EXPECT_EQ(result_name_of("random:64,256,seed=3"), "random:64,256,seed=3");
    EXPECT_EQ(result_name_of("rmat:8,a=1/2"), "rmat:8,a=1-2");
}

}  // namespace
}  // namespace wayfront::session
