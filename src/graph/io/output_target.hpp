// The kind of file that the name of an output leads to, which determines how it is written.
//
// Symbolic links are followed. A regular file, or a name that does not exist yet, is written under
// a temporary name beside it and renamed (OutputFile). A pipe or a device is opened and written in
// place. "-", /dev/stdout, /dev/stderr and /dev/fd/N are already open: opening /dev/stdout a second
// time would overwrite what was written to the file through the first descriptor.
#pragma once

#include <optional>
#include <string>

#include <sys/stat.h>

namespace wayfront {

struct OutputTarget
{
    enum class Kind { renamed, in_place, descriptor };

    Kind kind = Kind::renamed;
    std::string path;                  // with links followed; as given for a descriptor
    int descriptor = -1;               // for Kind::descriptor
    std::optional<struct stat> old{};  // the status of the file that has the name now

    /// Throws ResourceError for a folder, and for links that form a circle.
    explicit OutputTarget(const std::string& name);

    /// Throws ResourceError if the file that has the name now may not be written. A file without
    /// any permission to write is refused to root, too.
    void require_permission(const std::string& name) const;
};

/// Whether `name` is the standard output of this process.
bool is_standard_output(const std::string& name);

/// The folder of a file, "." if its name has none.
std::string folder_of(const std::string& path);

/// Makes the names of files in the folder of `path` durable, so that they survive a power failure.
/// Not all file systems can do this.
void sync_folder_of(const std::string& path);

/// Throws "NAME: cannot be written: CAUSE". `error` is a value of errno.
[[noreturn]] void fail_writing(const std::string& name, int error);

}  // namespace wayfront
