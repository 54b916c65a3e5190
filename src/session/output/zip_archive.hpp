// The layout of a ZIP archive whose members are stored without compression, and whose sizes are known
// before they are written: APPNOTE.TXT of PKWARE, version 6.3, with the 64-bit records of section 4.5.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wayfront::session {

struct ZipMember
{
    std::string name;
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;  // CRC-32
    std::uint64_t position = 0;  // the position of the member's header; set by ZipArchive
};

class ZipArchive
{
public:
    /// Appends a member to the archive, and returns its number.
    std::size_t add(std::string name, std::uint64_t bytes);

    /// The position of the member's content.
    [[nodiscard]] std::uint64_t content_of(std::size_t member) const;
    /// The position of the directory, which ends the archive.
    [[nodiscard]] std::uint64_t directory() const { return end_; }
    [[nodiscard]] std::uint64_t bytes() const { return end_ + directory_text().size(); }

    void set_checksum(std::size_t member, std::uint32_t checksum) { members_[member].checksum = checksum; }
    [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }

    /// The bytes before a member's content.
    [[nodiscard]] std::string header_text(std::size_t member) const;
    [[nodiscard]] std::string directory_text() const;

private:
    std::vector<ZipMember> members_;
    std::uint64_t end_ = 0;
};

}  // namespace wayfront::session
