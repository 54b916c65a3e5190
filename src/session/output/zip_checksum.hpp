// The CRC-32 of parts of a file that different ranks write, and of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <boost/crc.hpp>

namespace wayfront::session {

/// Bytes that follow each other, and their checksum as ZIP files have it.
class ZipChecksum
{
public:
    void add(std::span<const std::byte> bytes)
    {
        own_.process_bytes(bytes.data(), bytes.size());
        bytes_ += bytes.size();
    }
    [[nodiscard]] std::uint32_t value() const { return own_.checksum(); }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    boost::crc_32_type own_;
    std::uint64_t bytes_ = 0;
};

/// The checksum of bytes with checksum `first` that are followed by `bytes` bytes with checksum
/// `second`. A checksum is a remainder of polynomials over GF(2), so that more bytes behind it multiply it
/// by a power of x.
[[nodiscard]] std::uint32_t joined_checksum(std::uint32_t first, std::uint32_t second, std::uint64_t bytes);

}  // namespace wayfront::session
