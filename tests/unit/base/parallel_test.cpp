#include "base/parallel.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

TEST(PartOf, PartsFollowEachOtherAndDifferByOneAtMost)
{
    for (const std::size_t count : {0U, 1U, 2U, 7U, 64U, 100U, 1001U})
        for (const std::size_t parts : {1U, 2U, 3U, 7U, 64U, 101U}) {
            std::size_t next = 0;
            for (std::size_t part = 0; part < parts; ++part) {
                const IndexRange range = part_of(count, part, parts);
                EXPECT_EQ(range.first, next) << "part " << part << " of " << parts << " of " << count;
                EXPECT_GE(range.size(), count / parts);
                EXPECT_LE(range.size(), count / parts + 1);
                next = range.last;
            }
            EXPECT_EQ(next, count);
        }
}

TEST(ParallelRanges, CoverEachIndexOnce)
{
    for (const int threads : {1, 2, 3, 4})
        for (const std::size_t count : {0U, 1U, 3U, 100U, 1001U})
            for (const std::size_t serial_below : {0U, 50U, 5000U}) {
                const ThreadGuard guard(threads);
                std::vector<int> visits(count, 0);
                int calls = 0;
                parallel_ranges(count, serial_below, [&](IndexRange range) {
#pragma omp atomic
                    ++calls;
                    for (std::size_t i = range.first; i < range.last; ++i) ++visits[i];
                });
                for (const int n : visits) EXPECT_EQ(n, 1);
                EXPECT_EQ(calls, threads == 1 || count < serial_below ? 1 : threads) << count << " indices, " << threads << " threads";
            }
}

}  // namespace
}  // namespace wayfront
