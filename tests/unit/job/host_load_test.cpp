#include "job/host_load.hpp"

#include <gtest/gtest.h>

namespace wayfront::job {
namespace {

TEST(HostLoad, CountsWhatRunsNowAndRanBefore)
{
    EXPECT_EQ(threads_of_others("9.80 5.00 1.00 11/412 7431\n", 1), 9);
    EXPECT_EQ(threads_of_others("9.80 5.00 1.00 4/412 7431\n", 1), 3);
    EXPECT_EQ(threads_of_others("9.80 5.00 1.00 1/412 7431\n", 3), 0);
    EXPECT_EQ(threads_of_others("0.80 5.00 9.00 11/412 7431\n", 1), 0);
    for (const char* const nonsense : {"", "x", "1.0", "1.0 / 3", "a b c 3/4 5", "1 2 3 x/4 5"})
        EXPECT_EQ(threads_of_others(nonsense, 0), 0) << nonsense;
}

TEST(HostLoad, TheNoteIsForThreadsWithoutCores)
{
    EXPECT_EQ(note_of_load(10, 1, 2, 2),
              "other programs keep 2 of this host's 2 cores busy; threads wait for each other, so that fewer of them "
              "may be much faster (--threads 1)");
    EXPECT_EQ(note_of_load(8, 2, 8, 16).substr(0, 52), "other programs keep 8 of this host's 16 cores busy; ");
    EXPECT_NE(note_of_load(8, 2, 8, 16).find("(--threads 4)"), std::string::npos);
    EXPECT_EQ(note_of_load(10, 1, 1, 2), "");   // a thread alone
    EXPECT_EQ(note_of_load(0, 1, 4, 2), "");    // its own threads
    EXPECT_EQ(note_of_load(1, 1, 16, 16), "");  // bearable
    EXPECT_EQ(note_of_load(8, 1, 8, 16), "");   // there are cores for all
}

}  // namespace
}  // namespace wayfront::job
