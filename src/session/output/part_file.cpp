#include "session/output/part_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "graph/io/output_target.hpp"

namespace wayfront::session {

namespace {

constexpr std::size_t kMostAtOnceBytes = std::size_t{1} << 30;  // Linux writes at most 2 GiB a call
constexpr mode_t kPermissions = 0777;
constexpr mode_t kDefaultMode = 0666;
constexpr int kMostNames = 100;

/// The name, without an ending, of a file in the folder for temporary files.
std::string scratch_name(const std::string& content)
{
    const char* const folder = std::getenv("TMPDIR");
    return std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/wayfront-" + content;
}

}  // namespace

PartPlace place_of_part(const job::Job& job, const std::string& path, const std::string& content, bool is_text)
{
    const OutputTarget target(path);
    PartPlace place;
    place.in_place = target.kind != OutputTarget::Kind::renamed;
    if (place.in_place && !is_text)
        throw InputError(fmt::format("{}: a {} can be written to a regular file only", path, content));
    if (place.in_place && job.ranks_a_host() < job.world().size())
        throw InputError(path + ": ranks on several hosts write to a regular file, on a disk that they share, only");
    if (!place.in_place) target.require_permission(path);
    place.final_path = place.in_place ? scratch_name(content) : target.path;
    place.mode = target.old ? target.old->st_mode & kPermissions : kDefaultMode;
    return place;
}

PartFile::PartFile(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}

PartFile::~PartFile()
{
    if (file_ >= 0) ::close(file_);
    if (removes_) ::unlink(path_.c_str());
}

std::unique_ptr<PartFile> PartFile::create(const std::string& name, const std::string& target, mode_t mode)
{
    UnfinishedFiles unfinished_files;
    for (int attempt = 0;; ++attempt) {
        auto part = std::make_unique<PartFile>(
            name, fmt::format("{}.part-{}{}", target, ::getpid(), attempt == 0 ? "" : fmt::format("-{}", attempt)));
        part->file_ = ::open(part->path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (part->file_ < 0 && errno == EEXIST && attempt < kMostNames) continue;
        // A file for temporary use may be in another folder than the output.
        if (part->file_ < 0) fail_writing(target == name ? name : part->path_, errno);
        part->remove_at_end(unfinished_files);
        return part;
    }
}

std::unique_ptr<PartFile> PartFile::open_alone(const std::string& name, const std::string& path, int flags, mode_t mode)
{
    UnfinishedFiles unfinished_files;
    auto part = std::make_unique<PartFile>(name, path);
    const int file = part->file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, mode);
    if (file < 0 && errno == ENOENT && flags == 0) return nullptr;
    if (file < 0) fail_writing(name, errno);
    // Not all file systems have locks.
    const bool locked_by_other = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (locked_by_other || !part->has_its_name())
        throw ResourceError(fmt::format("{}: another job is writing {}", name, path));
    if (flags != 0) part->remove_at_end(unfinished_files);
    return part;
}

std::unique_ptr<PartFile> PartFile::open_of_first_rank(const std::string& name, const std::string& path)
{
    auto part = std::make_unique<PartFile>(name, path);
    part->file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (part->file_ < 0) fail_writing(name, errno);
    return part;
}

void PartFile::reserve(std::uint64_t bytes)
{
    if (::ftruncate(file_, 0) != 0) fail_writing(name_, errno);
    if (bytes > 0 && ::fallocate(file_, 0, 0, static_cast<off_t>(bytes)) != 0 && errno == ENOSPC)
        fail_writing(name_, errno);
    if (::ftruncate(file_, static_cast<off_t>(bytes)) != 0) fail_writing(name_, errno);
}

void PartFile::write(std::span<const std::byte> bytes, std::uint64_t position)
{
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(file_, bytes.data(), std::min(bytes.size(), kMostAtOnceBytes), static_cast<off_t>(position));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail_writing(name_, written < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        position += static_cast<std::uint64_t>(written);
    }
}

void PartFile::read(std::span<std::byte> bytes, std::uint64_t position) const
{
    while (!bytes.empty()) {
        const ssize_t got =
            ::pread(file_, bytes.data(), std::min(bytes.size(), kMostAtOnceBytes), static_cast<off_t>(position));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw ResourceError(fmt::format("{}: cannot be read again: {}", path_,
                                            got == 0 ? "it has become shorter" : std::strerror(errno)));
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        position += static_cast<std::uint64_t>(got);
    }
}

void PartFile::sync()
{
    const SignalsToOtherThreads during_this_call;
    if (::fsync(file_) != 0) fail_writing(name_, errno);
}

void PartFile::rename_to(const std::string& path)
{
    if (::rename(path_.c_str(), path.c_str()) != 0) fail_writing(name_, errno);
    keep();
    sync_folder_of(path);
}

void PartFile::remove_at_end(UnfinishedFiles& unfinished_files)
{
    if (removes_) return;
    removes_ = true;
    unfinished_ = unfinished_files.add(path_);
}

void PartFile::keep()
{
    removes_ = false;
    unfinished_ = {};
}

struct stat PartFile::status() const
{
    struct stat status
    {
    };
    ::fstat(file_, &status);
    return status;
}

bool PartFile::has_its_name() const
{
    struct stat named
    {
    };
    const struct stat own = status();
    return ::stat(path_.c_str(), &named) == 0 && named.st_ino == own.st_ino && named.st_dev == own.st_dev;
}

}  // namespace wayfront::session
