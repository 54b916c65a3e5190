#include "base/least_seconds.hpp"

#include <chrono>
#include <cstddef>
#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LeastSeconds, IsThatOfTheFastestCall)
{
    constexpr std::chrono::milliseconds slow(200);
    std::vector<std::size_t> calls;
    const double least = least_seconds(3, kInfinity, [&](std::size_t i) {
        calls.push_back(i);
        if (i != 1) std::this_thread::sleep_for(slow);
    });
    EXPECT_EQ(calls, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_GE(least, 0);
    EXPECT_LT(least, std::chrono::duration<double>(slow).count());
}

TEST(LeastSeconds, NoCallBeginsAfterEnoughSeconds)
{
    std::size_t calls = 0;
    const double least = least_seconds(5, 15e-3, [&](std::size_t) {
        ++calls;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    });
    EXPECT_GE(calls, 1U);  // a call may take longer than it sleeps
    EXPECT_LE(calls, 2U);
    EXPECT_GE(least, 10e-3);
}

TEST(LeastSeconds, AreInfiniteWithoutACall)
{
    EXPECT_EQ(least_seconds(0, kInfinity, [](std::size_t) { FAIL(); }), kInfinity);
}

}  // namespace
}  // namespace wayfront
