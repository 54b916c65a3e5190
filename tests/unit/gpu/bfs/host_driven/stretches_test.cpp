// Stretches of a level: together they contain every word once.
#include "gpu/bfs/host_driven/stretches.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu::bfs {
namespace {

TEST(GpuStretches, HaveEveryWordOfEveryChunkOnce)
{
    for (const std::size_t chunks : {1U, 3U})
        for (const std::size_t chunk_words : {0U, 2U, 8U, 26U})
            for (const std::size_t stretch_words : {2U, 4U, 8U, 64U}) {
                SCOPED_TRACE(testing::Message()
                             << chunks << " chunks of " << chunk_words << ", stretches of " << stretch_words);
                const Stretches stretches{chunks, chunk_words, stretch_words};
                std::vector<int> taken(chunks * chunk_words, 0);
                for (std::size_t i = 0; i < stretches.count(); ++i) {
                    std::size_t chunk = 0;
                    stretches.for_each_range(i, [&](IndexRange words) {
                        EXPECT_EQ(words.first, chunk++ * chunk_words + i * stretch_words);
                        EXPECT_GT(words.size(), 0U);
                        EXPECT_LE(words.size(), stretch_words);
                        for (std::size_t w = words.first; w < words.last; ++w) ++taken.at(w);
                    });
                    EXPECT_EQ(chunk, chunks);
                }
                EXPECT_EQ(taken, std::vector<int>(taken.size(), 1));
            }
}

TEST(GpuStretches, AreNeitherManyNorSmall)
{
    constexpr std::uint32_t least = 1 << 20;
    for (const std::uint32_t stride : {0U, 64U, 1U << 10, (1U << 21) - 64, 1U << 21, 3000000U * 64, 0xFFFFFFC0U}) {
        const std::uint32_t slots = slots_per_stretch(stride, least);
        SCOPED_TRACE(testing::Message() << slots << " of " << stride);
        EXPECT_GT(slots, 0U);
        EXPECT_EQ(slots % 64, 0U);
        EXPECT_LE((std::uint64_t{stride} + slots - 1) / slots, kMostStretches);
        EXPECT_TRUE(slots >= least || slots >= stride);
    }
    EXPECT_EQ(slots_per_stretch(1 << 10, 64), 64U);
    EXPECT_EQ(slots_per_stretch(1 << 22, 64), 1U << 18);
    EXPECT_EQ(slots_per_stretch(5 << 20, 1 << 21), 5U << 19);
    EXPECT_EQ(slots_per_stretch(1 << 22, 1U << 31), 1U << 22);
}

}  // namespace
}  // namespace wayfront::gpu::bfs
