// The shapes of graphs, and which search they make the faster one.
#include "plan/search_times.hpp"

#include <string>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"

namespace wayfront::plan {
namespace {

SearchShape shape_of(const std::string& spec)
{
    const EdgeList list = generate_share(*make_edge_source(spec, {}), 0, 1, false);
    return search_shape(construct(comm::ProcessGrid(comm::Communicator::alone(), {1, 1}), ListFeed(list)));
}

/// The time of push-pull by that of Dijkstra's algorithm.
double ratio(const std::string& spec)
{
    const SearchShape shape = shape_of(spec);
    return push_pull_seconds({}, shape) / dijkstra_seconds({}, shape);
}

TEST(SearchShape, LeavesOfUndirectedGraphsAreApart)
{
    const SearchShape star = shape_of("star:1000");
    EXPECT_EQ(star.vertices, 1000);
    EXPECT_EQ(star.inner_vertices, 1);
    EXPECT_EQ(star.inner_arcs, 0);
    EXPECT_DOUBLE_EQ(star.end_degree, 500);
    const SearchShape path = shape_of("path:1000");
    EXPECT_EQ(path.inner_vertices, 998);
    EXPECT_EQ(path.inner_arcs, 2 * 999 - 4);
}

TEST(SearchShape, MeshesAreDeepAndRandomGraphsAreNot)
{
    for (const char* const spec : {"grid:100x100", "path:1000", "ring:5000", "grid:30x30"})
        EXPECT_TRUE(shape_of(spec).is_deep) << spec;
    for (const char* const spec :
         {"random:10000,40000", "kron:12", "star:1000", "complete:100", "random:100000,300000"})
        EXPECT_FALSE(shape_of(spec).is_deep) << spec;
    const SearchShape grid = shape_of("grid:300x300");
    EXPECT_GT(grid.levels, 300) << "further than the sample";
    EXPECT_LT(grid.levels, 3000);
}

TEST(SearchShape, SmallComponentsAreReachedAlone)
{
    // Of random graphs with half an edge a vertex, few components have more than some tens of vertices.
    EXPECT_LT(shape_of("random:20000,10000").reached, 0.2);
    EXPECT_EQ(shape_of("ring:100").reached, 1);
    EXPECT_EQ(shape_of("random:20000,100000").reached, 1);
}

// As measured (bench/results/apsp-search-times.json), where one of the two took at most two thirds of the time
// of the other.
TEST(SearchTimes, TheFasterSearchIsKnown)
{
    for (const char* const spec : {"kron:14", "rmat:12", "rmat:15", "random:20000,300000", "regular:20000,64",
                                   "complete:1000", "random:5000,100000"})
        EXPECT_LT(ratio(spec), 0.75) << spec;
    for (const char* const spec : {"ring:4608", "path:20000", "grid:300x300", "grid:100x100", "grid:30x30"})
        EXPECT_GT(ratio(spec), 1.3) << spec;
}

}  // namespace
}  // namespace wayfront::plan
