#include "session/output/zip_archive.hpp"

#include <bit>
#include <utility>

namespace wayfront::session {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint16_t kVersion = 45;  // the first version of the format with 64-bit records
constexpr std::uint16_t kSizesRecord = 1;
constexpr std::uint32_t kIn64Bits32 = 0xFFFFFFFF;  // the value is in a 64-bit record
constexpr std::uint16_t kIn64Bits16 = 0xFFFF;
constexpr std::uint16_t kFirstDay = (1 << 5) | 1;  // 1 January 1980: equal contents are equal files

template <typename... Values>
void put(std::string& text, Values... values)
{
    (text.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}

/// The fields that the local header and the directory share: version to flags, method, time, checksum, sizes and
/// the lengths of name and extra fields.
void put_facts(std::string& text, const ZipMember& member, std::uint16_t extra_bytes)
{
    constexpr std::uint16_t flags = 0;
    constexpr std::uint16_t stored = 0;
    constexpr std::uint16_t midnight = 0;
    put(text, kVersion, flags, stored, midnight, kFirstDay, member.checksum, kIn64Bits32, kIn64Bits32,
        static_cast<std::uint16_t>(member.name.size()), extra_bytes);
}

}  // namespace

std::size_t ZipArchive::add(std::string name, std::uint64_t bytes)
{
    members_.push_back({std::move(name), bytes, 0, end_});
    end_ = content_of(members_.size() - 1) + bytes;
    return members_.size() - 1;
}

std::uint64_t ZipArchive::content_of(std::size_t member) const
{
    return members_[member].position + header_text(member).size();
}

std::string ZipArchive::header_text(std::size_t member) const
{
    const ZipMember& facts = members_[member];
    constexpr std::uint32_t magic = 0x04034B50;
    constexpr std::uint16_t sizes_bytes = 16;
    std::string text;
    put(text, magic);
    put_facts(text, facts, sizes_bytes + 4);
    text += facts.name;
    put(text, kSizesRecord, sizes_bytes, facts.bytes, facts.bytes);
    return text;
}

std::string ZipArchive::directory_text() const
{
    constexpr std::uint32_t magic = 0x02014B50;
    constexpr std::uint32_t end_magic_64 = 0x06064B50;
    constexpr std::uint32_t locator_magic = 0x07064B50;
    constexpr std::uint32_t end_magic = 0x06054B50;
    constexpr std::uint16_t sizes_bytes = 24;
    constexpr std::uint64_t rest_of_end_bytes = 44;
    constexpr std::uint16_t none_16 = 0;
    constexpr std::uint32_t none_32 = 0;
    std::string text;
    for (const ZipMember& member : members_) {
        put(text, magic, kVersion);
        put_facts(text, member, sizes_bytes + 4);
        // No comment, disk 0, no attributes.
        put(text, none_16, none_16, none_16, none_32, kIn64Bits32);
        text += member.name;
        put(text, kSizesRecord, sizes_bytes, member.bytes, member.bytes, member.position);
    }
    const std::uint64_t directory_bytes = text.size();
    const std::uint64_t end_of_directory = end_ + directory_bytes;
    const std::uint64_t count = members_.size();
    constexpr std::uint32_t one_disk = 1;
    put(text, end_magic_64, rest_of_end_bytes, kVersion, kVersion, none_32, none_32, count, count, directory_bytes,
        end_);
    put(text, locator_magic, none_32, end_of_directory, one_disk);
    put(text, end_magic, none_16, none_16, kIn64Bits16, kIn64Bits16, kIn64Bits32, kIn64Bits32, none_16);
    return text;
}

}  // namespace wayfront::session
