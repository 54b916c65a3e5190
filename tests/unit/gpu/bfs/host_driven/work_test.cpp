// The small functions that the GPU engine of BFS shares with its kernels.
#include "gpu/bfs/host_driven/work.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu::bfs {
namespace {

TEST(GpuWork, BitsOfHalfWordsAreThoseOfTheHostsWords)
{
    const std::vector<std::uint64_t> words{0x8000000100000001, 0x0000000280000000};
    const auto* const halves = reinterpret_cast<const std::uint32_t*>(words.data());
    for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(has_bit(halves, i), ((words[i / 64] >> (i % 64)) & 1U) != 0) << i;
}

TEST(GpuWork, TheFormOfFewerBytes)
{
    EXPECT_TRUE(shorter_as_list(0, 64));
    EXPECT_TRUE(shorter_as_list(1, 64));
    EXPECT_FALSE(shorter_as_list(2, 64));
    EXPECT_FALSE(shorter_as_list(0, 0));
    EXPECT_TRUE(shorter_as_list((1U << 27) - 1, std::uint64_t{1} << 32));
    EXPECT_FALSE(shorter_as_list(1U << 27, std::uint64_t{1} << 32));
}

}  // namespace
}  // namespace wayfront::gpu::bfs
