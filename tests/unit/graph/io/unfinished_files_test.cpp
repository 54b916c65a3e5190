#include "graph/io/unfinished_files.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace wayfront {
namespace {

/// Creates a file while two other threads get a signal each.
void create_during_signals(const std::string& path)
{
    remove_unfinished_files_on_signals();
    std::array<std::thread, 2> threads;
    for (std::thread& thread : threads)
        thread = std::thread([] { std::this_thread::sleep_for(std::chrono::minutes(1)); });
    UnfinishedFile file;
    {
        UnfinishedFiles files;
        std::ofstream(path) << "unfinished";
        for (std::thread& thread : threads)
            // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread): as launchers do
            ::pthread_kill(thread.native_handle(), SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        file = files.add(path);
        std::ofstream(path + ".listed") << "";
    }
    wait_if_ending();
}

/// Writes to a pipe that nobody reads while a file is unfinished.
void write_without_a_reader(const std::string& path)
{
    remove_unfinished_files_on_signals();
    UnfinishedFile file;
    {
        UnfinishedFiles files;
        std::ofstream(path) << "unfinished";
        file = files.add(path);
    }
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return;
    ::close(ends[0]);
    static_cast<void>(!::write(ends[1], "x", 1));
}

class UnfinishedFilesTest : public testing::Test
{
protected:
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string folder_ = [] {
        std::string name = testing::TempDir() + "unfinished-XXXXXX";
        return std::string(::mkdtemp(name.data()));
    }();
    std::string path_ = folder_ + "/file";
};

TEST_F(UnfinishedFilesTest, AreRemovedIfSignalsComeWhileTheyAreCreated)
{
    EXPECT_EXIT(create_during_signals(path_), testing::KilledBySignal(SIGTERM), "");
    EXPECT_TRUE(std::filesystem::exists(path_ + ".listed"));
    EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(UnfinishedFilesTest, AreRemovedIfTheReaderOfAPipeIsGone)
{
    EXPECT_EXIT(write_without_a_reader(path_), testing::KilledBySignal(SIGPIPE), "");
    EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace wayfront
