#include "base/lone_threads.hpp"

#include <atomic>
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
            for_each_alone(count, [&](std::size_t i) {
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

}  // namespace
}  // namespace wayfront
