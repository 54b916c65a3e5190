#include "app/thread_waiting.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::app {
namespace {

/// The environment that is left of `entries` when a program with the options has chosen how its
/// threads wait.
std::vector<std::string> chosen(std::vector<std::string> entries, std::vector<std::string> words)
{
    words.insert(words.begin(), {"wayfront", "info"});
    std::vector<char*> arguments;
    std::vector<char*> environment;
    for (std::string& word : words) arguments.push_back(word.data());
    for (std::string& entry : entries) environment.push_back(entry.data());
    arguments.push_back(nullptr);
    environment.push_back(nullptr);
    choose_how_threads_wait(static_cast<int>(words.size()), arguments.data(), environment.data());
    std::vector<std::string> left;
    for (char* const* entry = environment.data(); *entry != nullptr; ++entry) left.emplace_back(*entry);
    return left;
}

using Entries = std::vector<std::string>;

TEST(ThreadWaiting, ThreadsWithoutCoresSleepAtOnce)
{
    EXPECT_EQ(chosen({"PATH=/bin", "OLDPWD=/x", "HOME=/root"}, {"--threads", "4096"}),
              (Entries{"PATH=/bin", "OMP_WAIT_POLICY=passive", "HOME=/root"}));
    EXPECT_EQ(chosen({"OMP_NUM_THREADS=4096", "SHLVL=1"}, {}),
              (Entries{"OMP_NUM_THREADS=4096", "OMP_WAIT_POLICY=passive"}));
    EXPECT_EQ(chosen({"OMPI_COMM_WORLD_LOCAL_SIZE=4096", "SHLVL=1"}, {"--threads=2"}),
              (Entries{"OMPI_COMM_WORLD_LOCAL_SIZE=4096", "OMP_WAIT_POLICY=passive"}));
}

TEST(ThreadWaiting, TheEnvironmentStaysIfNothingIsToBeChosen)
{
    for (const Entries& entries :
         {Entries{}, Entries{"PATH=/bin", "LD_LIBRARY_PATH=/lib"}, Entries{"OLDPWD=/x", "OMP_WAIT_POLICY=active"},
          Entries{"OLDPWD=/x", "GOMP_SPINCOUNT=7"}})
        EXPECT_EQ(chosen(entries, {"--threads", "4096"}), entries);
    EXPECT_EQ(chosen({"OLDPWD=/x"}, {"--threads", "1"}), Entries{"OLDPWD=/x"});
}

TEST(ThreadWaiting, TheVariableWhosePlaceWasTakenIsSetAgain)
{
    std::string entry = "OLDPWD=/before";
    std::string program = "wayfront";
    std::string threads = "--threads=4096";
    char* arguments[] = {program.data(), threads.data(), nullptr};
    char* environment[] = {entry.data(), nullptr};
    choose_how_threads_wait(2, arguments, environment);
    EXPECT_EQ(std::string(environment[0]), "OMP_WAIT_POLICY=passive");
    restore_environment();
    ASSERT_NE(std::getenv("OLDPWD"), nullptr);
    EXPECT_EQ(std::string(std::getenv("OLDPWD")), "/before");
    ::unsetenv("OLDPWD");
}

}  // namespace
}  // namespace wayfront::app
