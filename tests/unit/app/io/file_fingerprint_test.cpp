// Fingerprints of equal files are equal, and those of files that differ in a place that is looked
// at are not.
#include "app/io/file_fingerprint.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace wayfront::app {
namespace {

class FileFingerprint : public testing::Test
{
protected:
    std::string of(const std::string& content)
    {
        std::ofstream(path_, std::ios::binary) << content;
        return fingerprint_of_file(path_);
    }
    ~FileFingerprint() override { std::filesystem::remove(path_); }

    std::string path_ = testing::TempDir() + "wayfront-fingerprint";
};

TEST_F(FileFingerprint, TellsSizesAndBytesApart)
{
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{5000}, std::size_t{1} << 20}) {
        const std::string content(bytes, 'a');
        const std::string whole = of(content);
        EXPECT_EQ(of(content), whole);
        EXPECT_NE(of(content + 'a'), whole);
        std::string other = content;
        other.front() = 'b';
        EXPECT_NE(of(other), whole) << bytes;
        other = content;
        other.back() = 'b';
        EXPECT_NE(of(other), whole) << bytes;
    }
    EXPECT_EQ(of("").substr(0, 7), "0 bytes");
}

TEST_F(FileFingerprint, SaysIfThereIsNoFile)
{
    EXPECT_EQ(fingerprint_of_file(path_ + ".missing"), "there is no such file");
    EXPECT_EQ(fingerprint_of_file("/dev/null"), "");
}

}  // namespace
}  // namespace wayfront::app
