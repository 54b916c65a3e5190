// Weights of 16 bits, and the bounds that the two lightest arcs of a vertex allow.
#include "gpu/sssp/lightest_arcs.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/graph/arc_lists_plan.hpp"

namespace wayfront::gpu::sssp {
namespace {

/// Words around all powers of two, the smallest ones, and the largest ones.
std::vector<std::uint32_t> words(std::uint32_t most)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t word = 0; word < 2000; ++word) found.push_back(word);
    for (int bit = 11; bit < 32; ++bit)
        for (std::uint32_t near = 0; near < 2000; ++near)
            for (const std::uint32_t half : {0U, 1U << (bit - 1)}) found.push_back((1U << bit) + half - 1000 + near);
    for (std::uint32_t back = 0; back < 2000; ++back) found.push_back(most - back);
    std::erase_if(found, [&](std::uint32_t word) { return word > most; });
    std::ranges::sort(found);
    return found;
}

template <typename Weights>
void check_rounding(std::uint32_t most)
{
    std::uint32_t before = 0;
    for (const std::uint32_t weight : words(most)) {
        const std::uint32_t half = Weights::shortened(weight);
        ASSERT_LT(half, 1U << 16) << weight;
        ASSERT_GE(half, before) << weight;
        ASSERT_LE(Weights::lengthened(half), weight);
        // Rounded down to the nearest such weight, at most 1/256 less.
        ASSERT_EQ(Weights::shortened(Weights::lengthened(half)), half) << weight;
        ASSERT_GT(Weights::lengthened(half + 1), weight);
        before = half;
    }
}

TEST(LightestArcsTest, FloatsAreRoundedDown)
{
    check_rounding<FloatWeights>(kInfiniteFloat - 1);
    EXPECT_EQ(FloatWeights::lengthened(FloatWeights::shortened(kInfiniteFloat)), kInfiniteFloat);
    const float weight = 0.7F;
    const auto rounded =
        std::bit_cast<float>(FloatWeights::lengthened(FloatWeights::shortened(std::bit_cast<std::uint32_t>(weight))));
    EXPECT_GT(rounded, weight * (1 - 1.0F / 256));
}

TEST(LightestArcsTest, WholeNumbersAreRoundedDown)
{
    check_rounding<WholeWeights>((511U << 23) - 1);
    for (std::uint32_t weight = 0; weight < 512; ++weight)
        EXPECT_EQ(WholeWeights::lengthened(WholeWeights::shortened(weight)), weight);
    EXPECT_EQ(WholeWeights::lengthened(WholeWeights::shortened(~0U)), 511U << 23);
    EXPECT_EQ(WholeWeights::lengthened(WholeWeights::shortened(1000003)), 1000003U >> 11 << 11);
}

/// For each arc of a vertex, the bound of the others is at most the weight of each of them, and not
/// less than the lightest of them shortened.
template <typename Weights>
void check_others(std::vector<std::uint32_t> weights)
{
    std::ranges::sort(weights);
    const auto lightest = LightestArcs<Weights>::of(weights[0], weights[1]);
    for (std::size_t own = 0; own < weights.size(); ++own) {
        const std::uint32_t least = weights[own == 0 ? 1 : 0];
        EXPECT_EQ(lightest.other_than(weights[own]), Weights::lengthened(Weights::shortened(least))) << own;
    }
}

TEST(LightestArcsTest, BoundsTheOtherArcs)
{
    check_others<WholeWeights>({3, 9, 20, 1000});
    check_others<WholeWeights>({0, 0, 7});
    check_others<WholeWeights>({100000, 100001, 100002, 100600});  // the first three are shortened to the same
    check_others<WholeWeights>({100000, 101000, 101001});
    check_others<WholeWeights>({5, ~0U});
    check_others<FloatWeights>({std::bit_cast<std::uint32_t>(0.25F), std::bit_cast<std::uint32_t>(0.250001F),
                                std::bit_cast<std::uint32_t>(0.9F)});
    check_others<FloatWeights>({std::bit_cast<std::uint32_t>(0.25F), kInfiniteFloat});
}

}  // namespace
}  // namespace wayfront::gpu::sssp
