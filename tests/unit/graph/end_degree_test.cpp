// The mean degree at the ends of edges: exact if all edges are looked at, close to it from a sample.
#include "graph/end_degree.hpp"

#include <map>

#include <gtest/gtest.h>

#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"

namespace wayfront {
namespace {

EdgeList edges_of(const char* spec)
{
    return generate_share(*make_edge_source(spec, {}), 0, 1, false);
}

double estimate(const EdgeList& list)
{
    return estimate_end_degree(comm::Communicator::self(), ListFeed(list));
}

double by_counting(const EdgeList& list)
{
    std::map<Vertex, double> degrees;
    for (const PackedEdge edge : list.edges) {
        if (edge.source() == edge.target()) continue;
        ++degrees[edge.source()];
        ++degrees[edge.target()];
    }
    double sum = 0;
    double squares = 0;
    for (const auto& [vertex, degree] : degrees) {
        sum += degree;
        squares += degree * degree;
    }
    return squares / sum;
}

TEST(EndDegree, OfShapes)
{
    EXPECT_DOUBLE_EQ(estimate(edges_of("ring:100")), 2);
    EXPECT_DOUBLE_EQ(estimate(edges_of("complete:50")), 49);
    EXPECT_DOUBLE_EQ(estimate(edges_of("star:1001")), 500.5);
    EXPECT_DOUBLE_EQ(estimate(edges_of("path:1")), 0);
    const EdgeList kron = edges_of("kron:10");
    EXPECT_DOUBLE_EQ(estimate(kron), by_counting(kron));
}

TEST(EndDegree, FromASample)
{
    for (const char* spec : {"random:20000,400000", "random:100000,1600000", "kron:16", "rmat:15", "complete:1000"}) {
        const EdgeList list = edges_of(spec);
        const double exact = by_counting(list);
        EXPECT_NEAR(estimate(list), exact, 0.05 * exact) << spec;
    }
}

TEST(EndDegree, FromASampleOfManyEdgesOfFewEndsEach)
{
    EXPECT_NEAR(estimate(edges_of("ring:65537")), 2, 0.05);
    EXPECT_NEAR(estimate(edges_of("ring:1000000")), 2, 0.5);  // some 60 pairs of sampled ends are the same vertex
    EXPECT_NEAR(estimate(edges_of("grid:300x300")), 4, 0.3);
}

TEST(EndDegree, OfAFeedThatGenerates)
{
    const auto source = make_edge_source("kron:14", {});
    const SourceFeed feed(*source, 0, 1);
    EXPECT_DOUBLE_EQ(estimate_end_degree(comm::Communicator::self(), feed), estimate(edges_of("kron:14")));
}

TEST(EndDegree, SelfLoopsDoNotCount)
{
    EdgeList list{3, false, HostBuffer<PackedEdge>(2), {}};
    list.edges[0] = PackedEdge::pack(1, 1);
    list.edges[1] = PackedEdge::pack(1, 2);
    EXPECT_DOUBLE_EQ(estimate(list), 1);
    list.edges[1] = PackedEdge::pack(2, 2);
    EXPECT_DOUBLE_EQ(estimate(list), 0);
}

}  // namespace
}  // namespace wayfront
