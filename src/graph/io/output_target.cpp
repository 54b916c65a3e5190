#include "graph/io/output_target.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront {

namespace {

constexpr int kMostLinks = 40;  // the limit of Linux
constexpr mode_t kAnyWrite = S_IWUSR | S_IWGRP | S_IWOTH;

/// The descriptor of the open file that `path` names; -1 if `path` is not such a name.
int descriptor_of(std::string_view path)
{
    if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder)) continue;
        const std::string_view digits = path.substr(folder.size());
        int number = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error == std::errc() && end == digits.data() + digits.size()) return number;
    }
    return -1;
}

/// The target of the link `path`; no value if `path` is not a link.
std::optional<std::string> link_target(const std::string& path)
{
    std::array<char, PATH_MAX> target;
    const ssize_t bytes = ::readlink(path.c_str(), target.data(), target.size());
    if (bytes < 0) return std::nullopt;
    std::string found(target.data(), static_cast<std::size_t>(bytes));
    const std::size_t slash = path.rfind('/');
    return found.starts_with('/') || slash == std::string::npos ? found : path.substr(0, slash + 1) + found;
}

}  // namespace

OutputTarget::OutputTarget(const std::string& name) : path(name)
{
    for (int links = 0; (descriptor = descriptor_of(path)) < 0; ++links) {
        std::optional<std::string> next = link_target(path);
        if (!next) break;
        if (links == kMostLinks) fail_writing(name, ELOOP);
        path = std::move(*next);
    }
    struct stat status
    {
    };
    if (descriptor >= 0) {
        kind = Kind::descriptor;
        if (::fstat(descriptor, &status) != 0) fail_writing(name, errno);
        old = status;
        return;
    }
    if (::stat(path.c_str(), &status) != 0) return;
    if (S_ISDIR(status.st_mode)) fail_writing(name, EISDIR);
    old = status;
    if (!S_ISREG(status.st_mode)) kind = Kind::in_place;
}

void OutputTarget::require_permission(const std::string& name) const
{
    if (kind == Kind::descriptor || !old) return;
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail_writing(name, errno);
    if (kind == Kind::renamed && (old->st_mode & kAnyWrite) == 0) fail_writing(name, EACCES);
}

bool is_standard_output(const std::string& name)
{
    return OutputTarget(name).descriptor == STDOUT_FILENO;
}

std::string folder_of(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

void sync_folder_of(const std::string& path)
{
    const SignalsToOtherThreads during_this_call;
    const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (folder < 0) return;
    ::fsync(folder);
    ::close(folder);
}

void fail_writing(const std::string& name, int error)
{
    throw ResourceError(name + ": cannot be written: " + std::strerror(error));
}

}  // namespace wayfront
