#include "session/input/file_fingerprint.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <boost/crc.hpp>
#include <fmt/format.h>

namespace wayfront::session {

std::string fingerprint_of_file(const std::string& path)
{
    constexpr std::uintmax_t pieces = 64;
    constexpr std::uintmax_t piece_bytes = 4096;
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) return "there is no such file";
    if (status.type() != std::filesystem::file_type::regular) return "";
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || !file) return error ? error.message() : std::strerror(errno);
    boost::crc_32_type checksum;
    std::array<char, piece_bytes> piece{};
    const std::uintmax_t last_begin = bytes - std::min(bytes, piece_bytes);
    for (std::uintmax_t i = 0; i < pieces; ++i) {
        file.seekg(
            static_cast<std::streamoff>(last_begin / (pieces - 1) * i + last_begin % (pieces - 1) * i / (pieces - 1)));
        file.read(piece.data(), static_cast<std::streamsize>(std::min(bytes, piece_bytes)));
        checksum.process_bytes(piece.data(), static_cast<std::size_t>(file.gcount()));
        if (bytes <= piece_bytes) break;
    }
    return fmt::format("{} bytes with checksum {:08x}", bytes, checksum.checksum());
}

}  // namespace wayfront::session
