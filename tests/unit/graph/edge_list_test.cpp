#include "graph/edge_list.hpp"

#include <array>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

TEST(PackedEdge, HoldsAnyTwoVertices)
{
    const std::vector<Vertex> vertices{
        0, 1, 0xFFFF, 0x10000, 0xFFFFFFFF, 0x100000000, 0x123456789ABC, kMaxVertices - 1, kMaxVertices / 2};
    for (const Vertex source : vertices)
        for (const Vertex target : vertices) {
            const PackedEdge edge = PackedEdge::pack(source, target);
            EXPECT_EQ(edge.source(), source);
            EXPECT_EQ(edge.target(), target);
            EXPECT_EQ(edge.unpack(), (Edge{source, target}));
            EXPECT_EQ(PackedEdge::pack(Edge{source, target}), edge);
        }
}

TEST(PackedEdge, IsATupleOfGraph500ByteForByte)
{
    const PackedEdge edge = PackedEdge::pack(0x0A0B01020304, 0x0C0D05060708);
    std::array<unsigned char, 12> bytes{};
    std::memcpy(bytes.data(), &edge, bytes.size());
    EXPECT_EQ(bytes,
              (std::array<unsigned char, 12>{0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06, 0x05, 0x0B, 0x0A, 0x0D, 0x0C}));
}

TEST(EdgeList, IsWeightedIfItHasWeights)
{
    EdgeList list;
    EXPECT_FALSE(list.weighted());
    list.weights = HostBuffer<float>();
    EXPECT_TRUE(list.weighted());
    list.weights = HostBuffer<std::int32_t>();
    EXPECT_TRUE(list.weighted());
}

}  // namespace
}  // namespace wayfront
