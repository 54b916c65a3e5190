#include "base/lone_threads.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "base/parallel.hpp"
#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

TEST(LoneThreadsTest, EachCallIsAloneOnItsThread)
{
    for (const int threads : {1, 3}) {
        const ThreadGuard guard(threads);
        for (const std::size_t count : {std::size_t{0}, std::size_t{2}, std::size_t{100}}) {
            std::vector<std::atomic<int>> calls(count);
            for_each_single_threaded(count, [&](std::size_t i) {
                ++calls[i];
                EXPECT_EQ(thread_count(), 1);
                EXPECT_EQ(omp_get_thread_num(), 0);
                parallel_ranges(count, 0, [&](IndexRange range) { EXPECT_EQ(range.size(), count); });
            });
            for (const std::atomic<int>& each : calls) EXPECT_EQ(each, 1);
        }
        EXPECT_EQ(thread_count(), threads);
    }
}

TEST(LoneThreadsTest, TheCallingThreadEndsTheWork)
{
    const std::thread::id caller = std::this_thread::get_id();
    for (const int threads : {1, 3}) {
        const ThreadGuard guard(threads);
        constexpr std::size_t count = 1000;
        std::atomic<std::size_t> calls = 0;
        std::atomic<int> running = 0;
        const auto work = [&](std::size_t) {
            ++running;
            ++calls;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            --running;
        };
        int looks = 0;
        const auto look = [&] {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            if (++looks == 2) throw std::out_of_range("enough");
        };
        EXPECT_THROW(for_each_single_threaded(count, work, look), std::out_of_range);
        EXPECT_EQ(running, 0);
        EXPECT_GT(calls, 0U);
        EXPECT_LT(calls, count / 2);
        looks = 2;
        calls = 0;
        for_each_single_threaded(10, work, look);
        EXPECT_EQ(calls, 10U);
    }
}

}  // namespace
}  // namespace wayfront
