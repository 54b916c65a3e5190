// A file beside an output, which all ranks write at positions, and which gets the output's name when it
// is complete.
//
// Rank 0 creates it in its full size, so that a disk that is too small is found before the work. The
// other ranks open it. While remove_at_end() is in force, the file is removed when it is closed or a
// signal ends the program. All errors are ResourceErrors that name the output and the cause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <sys/stat.h>
#include <sys/types.h>

#include "graph/io/unfinished_files.hpp"
#include "job/job.hpp"

namespace wayfront::session {

/// How an output is written by way of a part file.
struct PartPlace
{
    bool in_place = false;   // whether the output is a pipe, a device or standard output, which gets text at the end
    std::string final_path;  // with links followed; if in place, the beginning of the part file's name
    mode_t mode = 0;         // the permissions of the file
};

/// Throws InputError if the output is not a regular file, unless it is text that one host writes;
/// `content`: "matrix". Throws ResourceError if the file that has the name may not be replaced.
[[nodiscard]] PartPlace place_of_part(const job::Job& job, const std::string& path, const std::string& content,
                                      bool is_text);

class PartFile
{
public:
    /// Opens no file yet: after a file has been created, no allocation may fail before it is known
    /// to be removed. `name`: of the output, for messages.
    PartFile(std::string name, std::string path);
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    ~PartFile();

    /// Creates a file beside `target` under a name that no other job has taken.
    static std::unique_ptr<PartFile> create(const std::string& name, const std::string& target, mode_t mode);

    /// Opens the unfinished file that later jobs may resume, for this job alone. Null if it does not exist and
    /// `flags` do not create it.
    static std::unique_ptr<PartFile> open_alone(const std::string& name, const std::string& path, int flags,
                                                mode_t mode);

    /// Opens the file that the first rank has created.
    static std::unique_ptr<PartFile> open_of_first_rank(const std::string& name, const std::string& path);

    /// Empties the file and gives it this size, with the disk space if the file system can reserve it;
    /// otherwise write() finds a full disk.
    void reserve(std::uint64_t bytes);
    void write(std::span<const std::byte> bytes, std::uint64_t position);
    void read(std::span<std::byte> bytes, std::uint64_t position) const;
    /// Waits until the disk has all that this process has written.
    void sync();
    /// Gives the file its name. It is no longer removed.
    void rename_to(const std::string& path);

    void remove_at_end(UnfinishedFiles& unfinished_files);
    void keep();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(status().st_size); }

private:
    [[nodiscard]] struct stat status() const;
    /// Whether the name still leads to this file: another job may have finished and renamed it.
    [[nodiscard]] bool has_its_name() const;

    std::string name_;
    std::string path_;
    int file_ = -1;
    bool removes_ = false;
    UnfinishedFile unfinished_;
};

}  // namespace wayfront::session
