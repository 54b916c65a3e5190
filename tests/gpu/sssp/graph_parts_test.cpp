// Tests of the parts of a graph for near-far, which the host makes, and of their shared memory.
// These tests need no GPU.
#include "gpu/sssp/graph_parts.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/sssp/near_far.hpp"

namespace wayfront {
namespace {

using gpu::Arc;
using gpu::ListPlace;

/// The parts are four paths of a ring. 8 arcs lead between the paths, and 4 arcs between the halves
/// of the ring.
TEST(GraphParts, OnlyIfFewArcsLeadFromPartToPart)
{
    constexpr std::uint32_t n = 4000;
    constexpr std::uint32_t count = 4;
    std::vector<ListPlace> lists;
    std::vector<Arc> arcs;
    for (std::uint32_t v = 0; v < n; ++v) {
        lists.push_back(ListPlace::make(arcs.size(), 2));
        arcs.push_back({(v + 1) % n, 1});
        arcs.push_back({(v + n - 1) % n, 1});
        while (arcs.size() % gpu::kListAlign != 0) arcs.push_back({0, gpu::kInfiniteWhole});
    }
    const auto parts = gpu::sssp::divide_graph(lists, arcs, count, 8);
    ASSERT_TRUE(parts.has_value());
    ASSERT_EQ(parts->parts.size(), count);
    for (const gpu::sssp::GraphPart& part : parts->parts) {
        EXPECT_EQ(part.vertices, n / count);
        EXPECT_EQ(part.ghosts, 2U);
        EXPECT_EQ(part.boundary, 2U);
    }
    EXPECT_FALSE(gpu::sssp::divide_graph(lists, arcs, count, 7).has_value());
    EXPECT_FALSE(gpu::sssp::divide_graph(lists, arcs, count, 3).has_value());
}

/// A round may read all boundary vertices while each of them is appended again.
TEST(NearFarLayout, RingsHaveRoomForAllThatTheyMayHold)
{
    for (const std::uint32_t boundary : {0U, 1U, 3U, 4U, 5U, 511U, 512U, 1000U}) {
        const gpu::sssp::NearFarLayout layout({1000, 1700, 700, boundary}, gpu::sssp::SharedPart::heads_and_distances);
        EXPECT_TRUE(std::has_single_bit(layout.incoming));
        EXPECT_TRUE(std::has_single_bit(layout.outgoing));
        EXPECT_GE(layout.incoming, 2 * boundary);
        EXPECT_GE(layout.outgoing, 700U);
        EXPECT_EQ(layout.seen() - layout.incoming_ring(), layout.incoming * sizeof(std::uint32_t));
        EXPECT_EQ(layout.bytes() - layout.seen(), boundary * sizeof(std::uint32_t));
    }
}

/// If the distances of a part do not fit shared memory, shared memory contains only the bitmap and
/// the rings.
TEST(NearFarLayout, DistancesAndListsMayBeInDeviceMemory)
{
    using gpu::sssp::NearFarLayout;
    using gpu::sssp::SharedPart;
    const gpu::sssp::LargestPart part{100000, 101000, 1000, 900};
    const NearFarLayout in_device(part, SharedPart::nothing);
    EXPECT_EQ(in_device.queued(), 0U);
    constexpr std::size_t bits = std::size_t{(101000 + 31) / 32} * sizeof(std::uint32_t);
    constexpr std::size_t rings = std::size_t{1024 + 2048 + 900} * sizeof(std::uint32_t);
    EXPECT_EQ(in_device.outgoing_ring(), bits);
    EXPECT_EQ(in_device.bytes(), bits + rings);
    EXPECT_EQ(in_device.device_words(), std::size_t{(101000 + 200000 + 31) / 32} * 32);
    EXPECT_TRUE(in_device.numbers_fit());
    const NearFarLayout in_shared(part, SharedPart::distances);
    EXPECT_EQ(in_shared.device_words(), 0U);
    EXPECT_FALSE(in_shared.numbers_fit());
    EXPECT_TRUE(NearFarLayout({60000, 65535, 5535, 5000}, SharedPart::distances).numbers_fit());
}

}  // namespace
}  // namespace wayfront
