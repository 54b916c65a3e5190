// A file mapped read-only, which another process may truncate at any time.
//
// Reading a page that the file no longer has raises SIGBUS. A handler replaces this page and all
// later ones with zeros and records the event. cut_short() returns true from then on, and the
// reader throws an error when it has finished reading. SIGBUS at any other address is handled as
// before.
#pragma once

#include <cstddef>
#include <string_view>

namespace wayfront {

class FileMapping
{
public:
    /// Maps the first `bytes` > 0 bytes of an open file. Throws std::system_error.
    FileMapping(int file, std::size_t bytes);
    FileMapping(const FileMapping&) = delete;
    FileMapping& operator=(const FileMapping&) = delete;
    ~FileMapping();

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    /// Whether a part of bytes() was missing from the file when it was read.
    [[nodiscard]] bool cut_short() const noexcept;

private:
    std::string_view bytes_;
    int place_ = -1;  // in the handler's table
};

}  // namespace wayfront
