#include "session/output/zip_archive.hpp"

#include <cstdint>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "session/output/zip_checksum.hpp"

namespace wayfront::session {
namespace {

std::uint32_t checksum_of(const std::string& text)
{
    ZipChecksum checksum;
    checksum.add(std::as_bytes(std::span(text)));
    EXPECT_EQ(checksum.bytes(), text.size());
    return checksum.value();
}

TEST(ZipChecksumTest, IsTheOneOfZipFiles)
{
    EXPECT_EQ(checksum_of("123456789"), 0xCBF43926U);  // the check value of CRC-32
    EXPECT_EQ(checksum_of(""), 0U);
}

TEST(ZipChecksumTest, PartsAreJoined)
{
    std::string whole;
    for (int i = 0; i < 300; ++i) whole += static_cast<char>(i * 37 % 251);
    for (std::size_t first = 0; first <= whole.size(); ++first)
        EXPECT_EQ(joined_checksum(checksum_of(whole.substr(0, first)), checksum_of(whole.substr(first)),
                                  whole.size() - first),
                  checksum_of(whole))
            << first;
}

TEST(ZipArchiveTest, MembersFollowEachOther)
{
    ZipArchive archive;
    EXPECT_EQ(archive.add("a", 5), 0U);
    EXPECT_EQ(archive.add("long name", std::uint64_t{1} << 40), 1U);
    EXPECT_EQ(archive.content_of(0), archive.header_text(0).size());
    EXPECT_EQ(archive.members()[1].position, archive.content_of(0) + 5);
    EXPECT_EQ(archive.directory(), archive.content_of(1) + (std::uint64_t{1} << 40));
    EXPECT_EQ(archive.bytes(), archive.directory() + archive.directory_text().size());
    const std::uint64_t before = archive.bytes();
    archive.set_checksum(1, 0x12345678);
    EXPECT_EQ(archive.bytes(), before);
    EXPECT_NE(archive.header_text(1).find("\x78\x56\x34\x12"), std::string::npos);
}

}  // namespace
}  // namespace wayfront::session
