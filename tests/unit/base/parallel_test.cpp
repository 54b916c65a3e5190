#include "base/parallel.hpp"

#include <atomic>
#include <new>
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
                EXPECT_EQ(calls, threads == 1 || count < serial_below ? 1 : threads)
                    << count << " indices, " << threads << " threads";
            }
}

TEST(ParallelItems, EachItemOnce)
{
    for (const int threads : {1, 2, 4})
        for (const std::size_t count : {0U, 1U, 3U, 1001U})
            for (const std::size_t chunk : {1U, 64U}) {
                const ThreadGuard guard(threads);
                std::vector<int> visits(count, 0);
                parallel_items(
                    count, [&](std::size_t i) { ++visits[i]; }, chunk);
                EXPECT_EQ(visits, std::vector<int>(count, 1)) << threads << " threads, " << count << " items";
            }
}

TEST(ParallelParts, PartsAreDealtToThreadsInTurn)
{
    const ThreadGuard guard(3);
    std::vector<int> threads(7, -1);
    parallel_parts(threads.size(), 3, [&](std::size_t part) { threads[part] = omp_get_thread_num(); });
    EXPECT_EQ(threads, (std::vector<int>{0, 1, 2, 0, 1, 2, 0}));
}

/// An exception that a thread throws reaches the caller, and the other threads finish their work.
class ParallelFailures : public testing::TestWithParam<int>
{
protected:
    ThreadGuard guard_{GetParam()};
    std::atomic<int> done_ = 0;

    void work(std::size_t i)
    {
        if (i == 5) throw std::bad_alloc();
        ++done_;
    }
};

TEST_P(ParallelFailures, OfATeam)
{
    EXPECT_THROW(parallel_team(GetParam(), [&](std::size_t thread) { work(thread == 0 ? 5 : 1); }), std::bad_alloc);
    EXPECT_EQ(done_, GetParam() - 1);
}

TEST_P(ParallelFailures, OfItems)
{
    EXPECT_THROW(parallel_items(100, [&](std::size_t i) { work(i); }), std::bad_alloc);
    EXPECT_EQ(done_, GetParam() > 1 ? 99 : 5);
}

TEST_P(ParallelFailures, OfParts)
{
    EXPECT_THROW(parallel_parts(8, GetParam(), [&](std::size_t i) { work(i); }), std::bad_alloc);
    EXPECT_EQ(done_, GetParam() > 1 ? 7 : 5);
}

TEST_P(ParallelFailures, OfRanges)
{
    EXPECT_THROW(parallel_ranges(100, 0, [&](IndexRange range) { work(range.first == 0 ? 5 : 1); }), std::bad_alloc);
    EXPECT_EQ(done_, GetParam() - 1);
}

TEST_P(ParallelFailures, OfAFor)
{
    EXPECT_THROW(parallel_for(100, 0, [&](std::size_t i) { work(i); }), std::bad_alloc);
}

TEST_P(ParallelFailures, OneOfSeveralReachesTheCaller)
{
    EXPECT_THROW(parallel_items(100, [](std::size_t) { throw std::bad_alloc(); }), std::bad_alloc);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFailures, testing::Values(1, 2, 4));

}  // namespace
}  // namespace wayfront
