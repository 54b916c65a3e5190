// Makes one system call of the program fail, or ends the program right after it. To be preloaded.
//
// Environment variables:
//   WAYFRONT_CALL  "NAME:PATH:NUMBER" selects a call of the function NAME: pwrite, rename, remove,
//                  fsync, statvfs or memfd_create. Only calls on files whose path ends in PATH are counted,
//                  from 1; if PATH ends in *, those whose path contains the text before the *. The
//                  path of a call of statvfs is that of a folder, that of memfd_create a name.
//   WAYFRONT_FATE  the fate of this call: "full" (the disk is full), "nothing" (0 bytes are
//                  written), "killed" and "terminated" (the program gets SIGKILL or SIGTERM after
//                  the call), "counted" (the number of calls so far is written to the file
//                  WAYFRONT_COUNT).
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string path_of(int file)
{
    std::array<char, PATH_MAX> path{};
    const ssize_t length = ::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path.data(), path.size());
    return {path.data(), length < 0 ? 0 : static_cast<std::size_t>(length)};
}

enum class Fate { none, full, nothing, killed, terminated };

/// The fate of the call of `name` on `path`.
Fate fate_of(std::string_view name, std::string_view path)
{
    static const std::string call = variable("WAYFRONT_CALL");
    static const std::string fate = variable("WAYFRONT_FATE");
    static int count = 0;
    const std::size_t first = call.find(':');
    const std::size_t last = call.rfind(':');
    if (first == std::string::npos || call.substr(0, first) != name) return Fate::none;
    std::string part = call.substr(first + 1, last - first - 1);
    const bool anywhere = part.ends_with('*');
    if (anywhere) part.pop_back();
    if (anywhere ? path.find(part) == std::string_view::npos : !path.ends_with(part)) return Fate::none;
    ++count;
    if (fate == "counted") std::ofstream(variable("WAYFRONT_COUNT")) << count;
    if (count != std::atoi(call.c_str() + last + 1)) return Fate::none;
    return fate == "full"         ? Fate::full
           : fate == "nothing"    ? Fate::nothing
           : fate == "killed"     ? Fate::killed
           : fate == "terminated" ? Fate::terminated
                                  : Fate::none;
}

template <typename F>
F next(const char* name)
{
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

/// Calls f(), unless the call is to fail.
template <typename F>
auto with_fate(std::string_view name, std::string_view path, F&& f) -> decltype(f())
{
    const Fate fate = fate_of(name, path);
    if (fate == Fate::nothing) return 0;
    if (fate == Fate::full) {
        errno = ENOSPC;
        return -1;
    }
    const auto result = f();
    if (fate == Fate::killed) ::raise(SIGKILL);
    if (fate == Fate::terminated) ::kill(::getpid(), SIGTERM);
    return result;
}

}  // namespace

extern "C" {

// The C library's own names of these parameters are reserved.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t position)
{
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
    return with_fate("pwrite", path_of(file), [&] { return real(file, bytes, count, position); });
}

int rename(const char* from, const char* to)
{
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    return with_fate("rename", to, [&] { return real(from, to); });
}

int remove(const char* path)
{
    static const auto real = next<int (*)(const char*)>("remove");
    return with_fate("remove", path, [&] { return real(path); });
}

int fsync(int file)
{
    static const auto real = next<int (*)(int)>("fsync");
    return with_fate("fsync", path_of(file), [&] { return real(file); });
}

int memfd_create(const char* name, unsigned flags) noexcept
{
    static const auto real = next<int (*)(const char*, unsigned)>("memfd_create");
    return with_fate("memfd_create", name, [&] { return real(name, flags); });
}

/// A full disk has no free blocks.
int statvfs(const char* path, struct statvfs* disk)
{
    static const auto real = next<int (*)(const char*, struct statvfs*)>("statvfs");
    const int result = real(path, disk);
    if (fate_of("statvfs", path) == Fate::full) disk->f_bfree = disk->f_bavail = 0;
    return result;
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)

}  // extern "C"
