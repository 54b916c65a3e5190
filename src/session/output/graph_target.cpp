#include "session/output/graph_target.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace wayfront::session {

namespace {

std::string with_dot(const std::string& extension)
{
    return extension.starts_with('.') ? extension : '.' + extension;
}

}  // namespace

FileFormat format_of_extension(const std::string& option, const std::string& extension, const std::string& path)
{
    const std::string dotted = with_dot(extension);
    if (compression_of(dotted) != Compression::none)
        throw InputError(fmt::format(
            "--{}: expected an extension without .gz, .xz or .zst, which are determined by the file's name, found '{}'",
            option, extension));
    FileFormat format{};
    try {
        format = format_of(dotted);
    } catch (const InputError&) {
        throw InputError(
            fmt::format("--{}: expected the extension of a format, such as el, csv, gr, mtx or graph, found '{}'",
                        option, extension));
    }
    if (!is_text(format) && compression_of(path) != Compression::none)
        throw InputError(fmt::format("{}: {} files are not supported in compressed form", path, name_of(format)));
    return format;
}

FileFormat GraphTarget::format() const
{
    const FileFormat named = named_format();
    if (declares_names(named)) throw InputError(fmt::format("{}: {} is read, and not written", path, name_of(named)));
    return named;
}

FileFormat GraphTarget::named_format() const
{
    if (!extension.empty()) return format_of_extension("output-format", extension, path);
    if (path == "-" || path == "/dev/stdout")
        throw InputError(path + ": standard output has no extension; select a format, such as --output-format el");
    return format_of(path);
}

bool GraphTarget::has_extension(const std::string& other) const
{
    return wayfront::has_extension(extension.empty() ? path : with_dot(extension), other);
}

}  // namespace wayfront::session
