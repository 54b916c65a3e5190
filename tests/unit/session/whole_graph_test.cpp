#include "session/whole_graph.hpp"

#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

namespace wayfront::session {
namespace {

template <typename W>
EdgeList list_of(W first, W second, bool swapped = false)
{
    EdgeList list;
    list.vertex_count = 3;
    list.directed = true;
    list.edges = HostBuffer<PackedEdge>(2);
    list.edges[swapped ? 1 : 0] = PackedEdge::pack(0, 1);
    list.edges[swapped ? 0 : 1] = PackedEdge::pack(1, 2);
    HostBuffer<W> weights(2);
    weights[swapped ? 1 : 0] = first;
    weights[swapped ? 0 : 1] = second;
    list.weights = std::move(weights);
    return list;
}

TEST(FingerprintOfEdgesTest, DependsOnEveryBitOfAWeight)
{
    constexpr std::int64_t large = std::int64_t{1} << 53;
    const std::uint64_t fingerprint = fingerprint_of_edges(list_of<std::int64_t>(large, 5));
    EXPECT_NE(fingerprint_of_edges(list_of<std::int64_t>(large + 1, 5)), fingerprint);
    EXPECT_NE(fingerprint_of_edges(list_of<std::int64_t>(large, 6)), fingerprint);
    EXPECT_NE(fingerprint_of_edges(list_of<std::int64_t>(5, large)), fingerprint);
    EXPECT_NE(fingerprint_of_edges(list_of<float>(0.5F, 1)), fingerprint_of_edges(list_of<float>(0.25F, 1)));
}

TEST(FingerprintOfEdgesTest, DependsNeitherOnTheOrderNorOnTheWidth)
{
    const std::uint64_t fingerprint = fingerprint_of_edges(list_of<std::int32_t>(-7, 5));
    EXPECT_EQ(fingerprint_of_edges(list_of<std::int32_t>(-7, 5, true)), fingerprint);
    EXPECT_EQ(fingerprint_of_edges(list_of<std::int64_t>(-7, 5)), fingerprint);
}

}  // namespace
}  // namespace wayfront::session
