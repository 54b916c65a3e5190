// The bytes of an input file in memory.
//
// A regular file is mapped read-only, and its pages come and go with the page cache. An input
// that can be read only once (a pipe) is read whole into a buffer that grows with it.
//
// Another process may cut a mapped file short while it is read. The missing bytes are then read as
// zeros, and require_whole() throws. It must be called before the bytes are used, and before an
// error is reported that the zeros may have caused.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/host_buffer.hpp"
#include "base/progress_listener.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/file_mapping.hpp"

namespace wayfront {

/// The name of standard input, as an input.
inline constexpr std::string_view kStandardInput = "-";

class InputFile
{
public:
    /// Maps `path`, or reads a pipe or standard input whole. If before_memory is set, it is called
    /// with the bytes that a buffer will take, at most, before the buffer is allocated or grows; an
    /// exception that it throws ends the reading. Throws InputError with the cause if the file is
    /// missing, a directory, or not readable, and ResourceError if it does not fit in the address
    /// space.
    explicit InputFile(const std::string& path, const std::function<void(std::size_t)>& before_memory = {});
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

    /// The bytes of the buffer; 0 if the file is mapped.
    [[nodiscard]] std::size_t buffer_bytes() const noexcept { return buffer_.size(); }

    /// Throws InputError if the file was cut short after it was opened.
    void require_whole() const;

private:
    struct Descriptor
    {
        int number;
        explicit Descriptor(int number_) : number(number_) {}
        Descriptor(const Descriptor&) = delete;
        Descriptor& operator=(const Descriptor&) = delete;
        ~Descriptor();
    };

    std::string path_;
    Descriptor file_;
    std::string_view bytes_;
    std::optional<FileMapping> mapping_;
    HostBuffer<char> buffer_;
};

/// Unpacks a whole compressed file, which may consist of several members one behind the other, as
/// for gunzip, unxz and unzstd. before_memory is that of InputFile. `progress` is informed of the
/// packed bytes. Throws InputError that names `path` if the file is damaged, cut short, or of
/// another kind than its extension says.
HostBuffer<char> decompress(std::string_view packed, Compression compression, const std::string& path,
                            const std::function<void(std::size_t)>& before_memory = {},
                            ProgressListener* progress = nullptr);

}  // namespace wayfront
