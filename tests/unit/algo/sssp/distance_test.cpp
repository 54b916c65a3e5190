#include "algo/sssp/distance.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace wayfront::algo {
namespace {

template <typename D>
struct Outcome
{
    bool below;
    D sum;
    bool overflow;
    bool operator==(const Outcome&) const = default;
};

template <typename D, typename W>
Outcome<D> add(D distance, W weight, D bound = unreached<D>())
{
    Outcome<D> outcome{};
    outcome.below = sum_is_below(distance, weight, bound, outcome.sum, outcome.overflow);
    return outcome;
}

TEST(Distance, SumsOf32Bits)
{
    using D = std::uint32_t;
    EXPECT_EQ(add(D{5}, 7U), (Outcome<D>{true, 12, false}));
    EXPECT_FALSE(add(D{5}, 7U, D{12}).below);
    EXPECT_FALSE(add(D{5}, 7U, D{12}).overflow);
    EXPECT_EQ(add(D{4294967290}, 4U), (Outcome<D>{true, 4294967294, false}));
    EXPECT_TRUE(add(D{4294967290}, 5U).overflow);  // the largest number means "not reached"
    EXPECT_TRUE(add(D{4294967294}, 4294967295U).overflow);
    EXPECT_FALSE(add(D{4294967294}, 4294967295U).below);
}

TEST(Distance, SumsOf64Bits)
{
    using D = std::int64_t;
    constexpr D most = std::numeric_limits<D>::max();
    constexpr D least = std::numeric_limits<D>::min();
    EXPECT_EQ(add(D{-5}, D{7}), (Outcome<D>{true, 2, false}));
    EXPECT_EQ(add(most - 10, D{9}), (Outcome<D>{true, most - 1, false}));
    EXPECT_TRUE(add(most - 10, D{10}).overflow);
    EXPECT_TRUE(add(most - 10, most).overflow);
    EXPECT_FALSE(add(most - 10, most).below);
    EXPECT_EQ(add(least + 10, D{-9}), (Outcome<D>{true, least + 1, false}));
    EXPECT_EQ(add(least + 10, D{-11}), (Outcome<D>{true, least, false}));
    EXPECT_TRUE(is_too_small(add(least + 10, D{-11}).sum));
    EXPECT_FALSE(is_too_small(add(least + 10, D{-9}).sum));
}

TEST(Distance, SumsOfFloats)
{
    constexpr float most = std::numeric_limits<float>::max();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(add(1.0F, 0x1p-24F), (Outcome<float>{true, 1.0F, false}));  // rounded once
    EXPECT_TRUE(add(most, most).overflow);
    EXPECT_FALSE(add(most, most).below);
    EXPECT_FALSE(add(infinity, 1.0F).overflow);  // of a vertex that is not reached
    EXPECT_TRUE(add(-most, -most).below);
    EXPECT_TRUE(is_too_small(add(-most, -most).sum));
    EXPECT_FALSE(is_too_small(-most));
    EXPECT_FALSE(is_too_small(0.0));
}

TEST(Distance, UnsignedDistancesAreNeverTooSmall)
{
    EXPECT_FALSE(is_too_small(std::uint32_t{0}));
}

TEST(Distance, WindowsGrow)
{
    EXPECT_EQ(window_end(std::uint32_t{10}, 0.25, unreached<std::uint32_t>()), 11U);
    EXPECT_EQ(window_end(std::uint32_t{10}, 5.5, unreached<std::uint32_t>()), 15U);
    EXPECT_EQ(window_end(std::uint32_t{10}, 5.5, std::uint32_t{12}), 12U);
    EXPECT_GT(window_end(1.0F, 1e-30, unreached<float>()), 1.0F);
}

TEST(Distance, BoundsOfCutoffs)
{
    EXPECT_EQ(bound_of_cutoff<std::uint32_t>(7.9), 8U);
    EXPECT_EQ(bound_of_cutoff<std::uint32_t>(1e30), unreached<std::uint32_t>());
    EXPECT_EQ(bound_of_cutoff<std::int64_t>(-1e30), std::numeric_limits<std::int64_t>::min());
    EXPECT_LT(0.25F, bound_of_cutoff<float>(0.25));
    EXPECT_EQ(bound_of_cutoff<float>(0.25), std::nextafter(0.25F, 1.0F));
    // 0.1F is a little more than 0.1.
    EXPECT_EQ(bound_of_cutoff<float>(0.1), std::nextafter(0.1F, 1.0F));
    EXPECT_EQ(bound_of_cutoff<float>(1e39), unreached<float>());
    EXPECT_EQ(bound_of_cutoff<float>({}), unreached<float>());
    EXPECT_EQ(bound_of_cutoff<std::int64_t>({}), unreached<std::int64_t>());
    EXPECT_EQ(bound_of_cutoff<std::int64_t>(0x1p63), unreached<std::int64_t>());
    constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;  // no double is equal to it
    EXPECT_EQ(bound_of_cutoff<std::int64_t>(Cutoff::of_whole(odd)), odd + 1);
    EXPECT_EQ(bound_of_cutoff<std::uint32_t>(Cutoff::of_whole(odd)), unreached<std::uint32_t>());
}

}  // namespace
}  // namespace wayfront::algo
