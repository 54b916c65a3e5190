// An output file that exists whole or not at all.
//
// Bytes go to a file without a name in the same folder (Linux: O_TMPFILE), which disappears however
// the process ends. File systems that have no such files, NFS among them, get one with the name
// NAME.part-<process>[-<number>], which is removed if the OutputFile is destroyed without commit()
// and by signals that end the program (unfinished_files.hpp); SIGKILL leaves it behind. commit()
// flushes the bytes to the disk and renames the file, which replaces the one that had the name and
// takes over its mode; a file that may not be written is not replaced. Links are followed. Pipes,
// devices and standard output (`-`) are written in place (output_target.hpp). Move-only.
//
// All errors (the folder is missing, no permission, disk full, quota) are ResourceErrors that name
// the file and the cause.
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
    /// Opens the file beside `path`. Writing compresses the data.
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

    /// Flushes everything to the disk, not yet under its real name. Nothing can be written
    /// afterwards.
    void complete();

    /// complete(), and then gives the file its real name.
    void commit();

    /// Removes the file that has the real name before commit() replaces it.
    void remove_old();

    /// Throws ResourceError if the disk that `path` is on has less free space than `bytes`. Pipes
    /// and devices take any number.
    static void require_space(const std::string& path, double bytes);

    /// Throws if no file can be made under the name `path`. Neither opens nor changes a file of
    /// this name: the reader of a pipe would see the end of the pipe.
    static void check(const std::string& path);

private:
    class Sink;
    std::unique_ptr<Sink> sink_;
};

}  // namespace wayfront
