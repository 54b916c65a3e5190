// Tests of the layout of vertices among ranks in the validator.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/types.hpp"
#include "gpu/kron/validation_layout.hpp"

namespace wayfront::gpu::kron {
namespace {

TEST(RankMajorLayout, IsABijection)
{
    for (const int ranks : {1, 2, 3, 5, 7, 8, 9, 64}) {
        for (const Vertex n : {1, 2, 31, 32, 1024, 4096}) {
            const RankMajorLayout layout = RankMajorLayout::of(n, ranks);
            std::vector<bool> taken(layout.indices(), false);
            for (std::uint32_t v = 0; v < n; ++v) {
                const std::uint32_t i = layout.index(v);
                ASSERT_EQ(i, v % static_cast<unsigned>(ranks) * layout.stride + v / static_cast<unsigned>(ranks));
                ASSERT_FALSE(taken[i]);
                taken[i] = true;
                ASSERT_EQ(layout.vertex(i), v);
            }
            for (std::uint32_t i = 0; i < layout.indices(); ++i)
                ASSERT_EQ(taken[i], layout.vertex(i) < static_cast<std::uint64_t>(n));
            std::uint64_t owned = 0;
            for (int rank = 0; rank < ranks; ++rank) owned += layout.owned_by(static_cast<std::uint32_t>(rank));
            EXPECT_EQ(owned, static_cast<std::uint64_t>(n));
            EXPECT_EQ(layout.stride % 64, 0U);
        }
    }
}

TEST(RankMajorLayout, DividesLargeVertices)
{
    std::mt19937 random(7);
    for (std::uint32_t ranks = 1; ranks <= 300; ++ranks) {
        const RankMajorLayout layout = RankMajorLayout::of(Vertex{1} << 31, static_cast<int>(ranks));
        const auto check = [&](std::uint32_t v) {
            ASSERT_EQ(layout.index(v), v % ranks * layout.stride + v / ranks) << v << " of " << ranks;
        };
        for (int i = 0; i < 1000; ++i) {
            const std::uint32_t v = random() >> 1;
            check(v);
            check(v / ranks * ranks);
            check(v / ranks * ranks + ranks - 1 < 1U << 31 ? v / ranks * ranks + ranks - 1 : v);
        }
        check((1U << 31) - 1);
    }
}

}  // namespace
}  // namespace wayfront::gpu::kron
