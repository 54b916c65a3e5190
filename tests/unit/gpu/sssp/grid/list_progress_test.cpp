// Progress in lists by weight, against a walk along the list.
#include "gpu/sssp/grid/list_progress.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_numbers.hpp"

namespace wayfront::gpu::sssp {
namespace {

template <typename D, typename W>
void compare(const std::vector<W>& weights, std::uint32_t pushed, D distance, D bound)
{
    ListProgress<D> expected{pushed, algo::unreached<D>()};
    D sum{};
    const auto length = static_cast<std::uint32_t>(weights.size());
    while (expected.pushed < length &&
           algo::sum_is_below(distance, weights[expected.pushed], bound, sum, expected.overflow))
        ++expected.pushed;
    const bool has_bound = bound != algo::unreached<D>();
    if (expected.pushed < length && has_bound) expected.next = algo::saturated_sum(distance, weights[expected.pushed]);
    const ListProgress<D> found = advance(weights.data(), pushed, length, distance, bound);
    EXPECT_EQ(found.pushed, expected.pushed);
    EXPECT_EQ(found.next, expected.next);
    EXPECT_EQ(found.overflow, expected.overflow);
}

/// Lists of weights below `most`, and distances and bounds of the same size.
template <typename D, typename W>
void compare_random(std::uint32_t most)
{
    RandomNumbers random(3);
    for (int i = 0; i < 2000; ++i) {
        std::vector<W> weights(random.below(70));
        for (W& weight : weights) weight = static_cast<W>(random.below(most));
        std::ranges::sort(weights);
        const auto pushed = random.below(static_cast<std::uint32_t>(weights.size()) + 1);
        const D bound = random.chance(0.2) ? algo::unreached<D>() : static_cast<D>(random.below(most));
        compare<D, W>(weights, pushed, static_cast<D>(random.below(most)), bound);
    }
}

TEST(GpuListProgress, EqualsAWalk)
{
    compare_random<std::uint32_t, std::uint32_t>(100);
    compare_random<std::uint32_t, std::uint32_t>(0xFFFFFFFF);
    compare_random<std::int64_t, std::uint32_t>(0xFFFFFFFF);
    compare_random<float, float>(1 << 20);
    compare_random<double, double>(50);
}

TEST(GpuListProgress, SumsThatDoNotFit)
{
    compare<std::uint32_t, std::uint32_t>({1, 2, 0xFFFFFFF0}, 0, 100, algo::unreached<std::uint32_t>());
    compare<std::int64_t, std::int64_t>({1, 2, std::numeric_limits<std::int64_t>::max() - 5}, 1, 100,
                                        algo::unreached<std::int64_t>());
    compare<float, float>({1.0F, std::numeric_limits<float>::max()}, 0, std::numeric_limits<float>::max(),
                          algo::unreached<float>());
}

}  // namespace
}  // namespace wayfront::gpu::sssp
