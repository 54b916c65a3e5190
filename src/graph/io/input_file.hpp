// The bytes of an input file in memory.
//
// A plain file is mapped read-only, and its pages come and go with the page cache; a compressed file, and anything that can be read only once (a
// pipe), is read whole into a buffer that grows with what arrives. Move-only.
//
// A mapped file that another process cuts short while it is read ends the program with SIGBUS, as in every program that maps its input.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/host_buffer.hpp"
#include "graph/io/file_format.hpp"

namespace wayfront {

class InputFile
{
public:
    /// Maps `path`. Throws InputError with the cause where the file is missing, a directory, not readable.
    explicit InputFile(const std::string& path);
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&&) = delete;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    /// False for a pipe: no other process can read the same bytes.
    [[nodiscard]] bool shareable() const noexcept { return mapped_ || bytes_.empty(); }

private:
    std::string_view bytes_;
    bool mapped_ = false;
    HostBuffer<char> buffer_;
};

/// Unpacks a whole compressed file. Throws InputError that names `path` where the file is damaged, cut short, or of another kind than its
/// ending says. Several members one behind the other are one file, as for gunzip, unxz and unzstd.
HostBuffer<char> decompress(std::string_view packed, Compression compression, const std::string& path,
                            const std::function<void(std::size_t)>& before_memory = {});

}  // namespace wayfront
