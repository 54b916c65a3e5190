// The file that a graph is written to: its name and its format.
#pragma once

#include <string>

#include "graph/io/file_format.hpp"
#include "session/output/named_files.hpp"

namespace wayfront::session {

/// The format of files with the extension `extension`, the value of the option --`option`, for the
/// file `path`. Throws InputError.
FileFormat format_of_extension(const std::string& option, const std::string& extension, const std::string& path);

struct GraphTarget
{
    std::string path;
    std::string extension;  // from --output-format; if empty, the extension of the path

    /// Throws InputError if neither the option nor the path determines the format, or if the format is
    /// not written.
    [[nodiscard]] FileFormat format() const;

    /// Whether the format is the one of files with the extension `other`, such as ".wel".
    [[nodiscard]] bool has_extension(const std::string& other) const;

    /// For check_outputs(). `role`: the option or argument that names the file.
    [[nodiscard]] NamedFile named(const std::string& role) const { return {role, path, format()}; }

private:
    [[nodiscard]] FileFormat named_format() const;
};

}  // namespace wayfront::session
