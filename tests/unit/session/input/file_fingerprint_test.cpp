// The fingerprints of equal files are equal. They differ if files differ in a piece that the
// checksum covers.
#include "session/input/file_fingerprint.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace wayfront::session {
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

    // Tests run at the same time, each in a process of its own.
    std::string path_ = testing::TempDir() + "wayfront-fingerprint-" + std::to_string(::getpid());
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
}  // namespace wayfront::session
