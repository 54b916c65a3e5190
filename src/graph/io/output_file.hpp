// An output file that is there whole or not at all.
//
// Bytes go to NAME.part-<process>[-<number>] in the same folder; commit() flushes them to the disk and gives the file its real name, in place of what
// bore it. Destroyed without commit(), the file leaves nothing behind. A name that is a device or a pipe is written directly. Move-only.
//
// All errors (folder missing or not writable, disk full, quota) are ResourceErrors that name the file and the cause.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "graph/io/file_format.hpp"

namespace wayfront {

class OutputFile
{
public:
    /// Opens the file beside `path`; what is written is packed on the way with `compression`.
    explicit OutputFile(std::string path, Compression compression = Compression::none);
    OutputFile(OutputFile&&) noexcept;
    OutputFile& operator=(OutputFile&&) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(std::string_view text);

    /// Writes elements as they lie in memory.
    template <typename T>
    void write_array(std::span<const T> elements)
    {
        write({reinterpret_cast<const char*>(elements.data()), elements.size_bytes()});
    }

    /// After it, the file is complete under its real name. Nothing can be written any more.
    void commit();

private:
    class Sink;
    std::unique_ptr<Sink> sink_;
};

}  // namespace wayfront
