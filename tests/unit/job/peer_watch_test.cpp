// Whether find_process() finds processes that exist, and none that have ended.
#include "job/peer_watch.hpp"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wayfront::job {
namespace {

TEST(FindProcess, KnowsAProcessAgain)
{
    const std::optional<ProcessId> own = find_process(::getpid());
    ASSERT_TRUE(own.has_value());
    EXPECT_EQ(own->number, ::getpid());
    EXPECT_EQ(find_process(::getpid()), own);
}

TEST(FindProcess, AStoppedProcessExists)
{
    const pid_t child = ::fork();
    if (child == 0) {
        for (;;) ::pause();
    }
    const std::optional<ProcessId> before = find_process(child);
    ASSERT_EQ(::kill(child, SIGSTOP), 0);
    ASSERT_EQ(::waitpid(child, nullptr, WUNTRACED), child);
    EXPECT_TRUE(before.has_value());
    EXPECT_EQ(find_process(child), before);
    EXPECT_TRUE(is_stopped(child));
    EXPECT_FALSE(is_stopped(::getpid()));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

TEST(FindProcess, TakesAProcessThatHasEndedForGoneBeforeItsParentNotices)
{
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(find_process(child), std::nullopt);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(find_process(child), std::nullopt);
    EXPECT_FALSE(is_stopped(child));
}

}  // namespace
}  // namespace wayfront::job
