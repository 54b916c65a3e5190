// Whether a rank that ends itself prints the reason and leaves no unfinished file.
#include "job/end_of_rank.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "graph/io/unfinished_files.hpp"

namespace wayfront::job {
namespace {

[[noreturn]] void end_while_a_file_is_unfinished(const std::filesystem::path& path)
{
    UnfinishedFile file;
    {
        UnfinishedFiles files;
        std::ofstream(path) << "unfinished";
        file = files.add(path.string());
    }
    end_rank("the host is silent");
}

TEST(EndRank, LeavesNoUnfinishedFile)
{
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "end_of_rank.part";
    EXPECT_EXIT(end_while_a_file_is_unfinished(path), testing::ExitedWithCode(3),
                "^wayfront: error: the host is silent\n$");
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace wayfront::job
