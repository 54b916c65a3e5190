// A file mapped read-only, which another process may cut short at any time.
//
// Reading a page that the file no longer has raises SIGBUS. A handler puts zeros in place of all
// pages from there on and notes it; cut_short() tells, and the reader throws an error when it is done
// with what it took for the file's bytes. SIGBUS for any other address does what it did before.
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
    /// Whether a part of bytes() was missing when it was read.
    [[nodiscard]] bool cut_short() const noexcept;

private:
    std::string_view bytes_;
    int place_ = -1;  // in the handler's table
};

}  // namespace wayfront
