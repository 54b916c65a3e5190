#include "session/output/matrix_file.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "algo/apsp/row_loop.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "graph/io/unfinished_files.hpp"
#include "session/output/array_text.hpp"
#include "session/output/matrix_text.hpp"
#include "session/output/row_hash.hpp"

namespace wayfront::session {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMostAtOnceBytes = std::size_t{1} << 30;  // Linux writes at most 2 GiB a call
constexpr mode_t kPermissions = 0777;
constexpr mode_t kDefaultMode = 0666;
constexpr int kMostNames = 100;

const char* npy_type(MatrixContent content, algo::DistanceType type, bool wide_parents)
{
    if (content == MatrixContent::parents) return wide_parents ? "<i8" : "<i4";
    switch (type) {
        case algo::DistanceType::uint16:
            return "<u2";
        case algo::DistanceType::int32:
            return "<i4";
        case algo::DistanceType::float32:
            return "<f4";
        case algo::DistanceType::float64:
            break;
    }
    return "<f8";
}

/// The name, without an ending, of a file for the numbers of a matrix that is written to a pipe or to
/// standard output.
std::string scratch_name()
{
    const char* const folder = std::getenv("TMPDIR");
    return std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/wayfront-matrix";
}

}  // namespace

/// An open file. While remove_at_end() is in force, the file is removed when it is closed or a
/// signal ends the program.
class MatrixFile::Descriptor
{
public:
    /// Opens no file yet: after a file has been created, no allocation may fail before it is known
    /// to be removed.
    explicit Descriptor(std::string path) : path_(std::move(path)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (file_ >= 0) ::close(file_);
        if (removes_) ::unlink(path_.c_str());
    }

    /// Creates a file beside `target` under a name that no other job has taken. Throws
    /// ResourceError.
    static std::unique_ptr<Descriptor> create(const std::string& name, const std::string& target, mode_t mode)
    {
        UnfinishedFiles unfinished_files;
        for (int attempt = 0;; ++attempt) {
            auto descriptor = std::make_unique<Descriptor>(
                fmt::format("{}.part-{}{}", target, ::getpid(), attempt == 0 ? "" : fmt::format("-{}", attempt)));
            descriptor->file_ = ::open(descriptor->path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (descriptor->file_ < 0 && errno == EEXIST && attempt < kMostNames) continue;
            if (descriptor->file_ < 0) fail_writing(name, errno);
            descriptor->remove_at_end(unfinished_files);
            return descriptor;
        }
    }

    /// Opens a file that jobs go on with, for this job alone; null if it does not exist and
    /// `flags` do not create it. Throws ResourceError.
    static std::unique_ptr<Descriptor> open_alone(const std::string& name, const std::string& path, int flags,
                                                  mode_t mode)
    {
        UnfinishedFiles unfinished_files;
        auto descriptor = std::make_unique<Descriptor>(path);
        const int file = descriptor->file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, mode);
        if (file < 0 && errno == ENOENT && flags == 0) return nullptr;
        if (file < 0) fail_writing(name, errno);
        // Not all file systems have locks.
        const bool locked_by_other = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (locked_by_other || !descriptor->has_its_name())
            throw ResourceError(fmt::format("{}: another job is writing {}", name, path));
        if (flags != 0) descriptor->remove_at_end(unfinished_files);
        return descriptor;
    }

    /// Opens the file that the first rank has created. Throws ResourceError.
    static std::unique_ptr<Descriptor> open_of_first_rank(const std::string& name, const std::string& path)
    {
        auto descriptor = std::make_unique<Descriptor>(path);
        descriptor->file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor->file_ < 0) fail_writing(name, errno);
        return descriptor;
    }

    void remove_at_end(UnfinishedFiles& unfinished_files)
    {
        if (removes_) return;
        removes_ = true;
        unfinished_ = unfinished_files.add(path_);
    }
    [[nodiscard]] int get() const { return file_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(status().st_size); }
    void keep()
    {
        removes_ = false;
        unfinished_ = {};
    }

private:
    [[nodiscard]] struct stat status() const
    {
        struct stat status
        {
        };
        ::fstat(file_, &status);
        return status;
    }
    /// Whether the name still leads to this file: another job may have finished and renamed it.
    [[nodiscard]] bool has_its_name() const
    {
        struct stat named
        {
        };
        const struct stat own = status();
        return ::stat(path_.c_str(), &named) == 0 && named.st_ino == own.st_ino && named.st_dev == own.st_dev;
    }

    std::string path_;
    int file_ = -1;
    bool removes_ = false;
    UnfinishedFile unfinished_;
};

std::string unfinished_name(const std::string& path)
{
    return path + ".unfinished";
}

void check_matrix_extension(const std::string& option, const std::string& path)
{
    if (ends_with_any_case(path, ".npy") || ends_with_any_case(path, ".raw") || is_text(path)) return;
    throw InputError(
        fmt::format("{}: {}: expected a file extension of .npy, .csv or .raw, or - for standard output", option, path));
}

MatrixFile::MatrixFile(const job::Job& job, std::string path, MatrixContent content, algo::DistanceType type,
                       const MatrixShape& shape, Unfinished unfinished, const std::optional<FinishedFile>& finished)
    : path_(std::move(path)),
      content_(content),
      type_(type),
      shape_(shape),
      unfinished_(unfinished),
      element_bytes_(content == MatrixContent::distances ? bytes_of(type)
                     : shape.wide_parents()              ? sizeof(std::int64_t)
                                                         : sizeof(std::int32_t))
{
    const std::string header =
        ends_with_any_case(path_, ".npy")
            ? npy_header(npy_type(content, type, shape.wide_parents()), shape.sources.size(), shape.columns())
            : "";
    header_bytes_ = header.size();
    const std::uint64_t bytes =
        header_bytes_ + static_cast<std::uint64_t>(shape.sources.size()) * shape.columns() * element_bytes_;
    run_agreed(job.world(), [&] {
        const OutputTarget target(path_);
        in_place_ = target.kind != OutputTarget::Kind::renamed;
        if (in_place_ && (!is_text(path_) || unfinished != Unfinished::removed))
            throw InputError(path_ + ": " +
                             (is_text(path_) ? "--checkpoint needs a regular file"
                                             : "a matrix can be written to a regular file only"));
        if (in_place_ && job.ranks_a_host() < job.world().size())
            throw InputError(path_ +
                             ": ranks on several hosts write to a regular file, on a disk that they share, only");
        if (!in_place_) target.require_permission(path_);
        final_path_ = in_place_ ? scratch_name() : target.path;
        if (!job.first()) return;
        if (unfinished == Unfinished::resumed)
            go_on(bytes, finished);
        else
            begin(bytes, target.old ? target.old->st_mode & kPermissions : kDefaultMode, header);
    });
    const std::string written_path = job.world().broadcast(file_ ? file_->path() : "", 0);
    run_agreed(job.world(), [&] {
        if (job.first() || written_path.empty()) return;
        file_ = Descriptor::open_of_first_rank(path_, written_path);
    });
}

MatrixFile::~MatrixFile() = default;

double MatrixFile::bytes_of_text() const
{
    return file_ && is_text(path_) && !in_place_ ? text_bytes(shape_, content_, type_) : 0;
}

void MatrixFile::require_space(double bytes) const
{
    try {
        OutputFile::require_space(in_place_ ? final_path_ : path_, bytes);
    } catch (const ResourceError& error) {
        throw ResourceError(fmt::format(
            "{}{}; --sources and --targets write some rows and columns only, and --summary needs no file", error.what(),
            is_text(path_) ? ", since numbers are stored until the end, and then written as text beside them" : ""));
    }
}

void MatrixFile::begin(std::uint64_t bytes, mode_t mode, std::string_view header)
{
    require_space(static_cast<double>(bytes));
    file_ = unfinished_ == Unfinished::removed
                ? Descriptor::create(path_, final_path_, mode)
                : Descriptor::open_alone(path_, unfinished_name(final_path_), O_CREAT, mode);
    if (::ftruncate(file_->get(), 0) != 0) fail_writing(path_, errno);
    // Reserves the disk space, if the file system can; otherwise a full disk is found later.
    if (bytes > 0 && ::fallocate(file_->get(), 0, 0, static_cast<off_t>(bytes)) != 0 && errno == ENOSPC)
        fail_writing(path_, errno);
    if (::ftruncate(file_->get(), static_cast<off_t>(bytes)) != 0) fail_writing(path_, errno);
    write(std::as_bytes(std::span(header)), 0);
}

void MatrixFile::go_on(std::uint64_t bytes, const std::optional<FinishedFile>& finished)
{
    const std::string written_path = unfinished_name(final_path_);
    file_ = Descriptor::open_alone(path_, written_path, 0, 0);
    if (file_ && file_->bytes() == bytes) return;
    // The earlier job gave the file its name.
    if (!file_ && finished && facts_of(final_path_) == finished) return;
    throw InputError(fmt::format(
        "--resume: {}, which has the rows that the checkpoint counts as done, is missing or has another size; "
        "remove the checkpoint to begin anew",
        written_path));
}

void MatrixFile::write(std::span<const std::byte> bytes, std::uint64_t position)
{
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(file_->get(), bytes.data(), std::min(bytes.size(), kMostAtOnceBytes),
                                         static_cast<off_t>(position));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail_writing(path_, written < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        position += static_cast<std::uint64_t>(written);
    }
}

std::uint64_t MatrixFile::hash_of_rows(std::span<const std::byte> bytes, std::size_t first) const
{
    if (row_bytes() == 0) return 0;
    std::atomic<std::uint64_t> sum = 0;
    parallel_for(bytes.size() / row_bytes(), 2, [&](std::size_t row) {
        sum += hash_of_row(first + row, bytes.subspan(row * row_bytes(), row_bytes()));
    });
    return sum;
}

void MatrixFile::write_rows(std::span<const std::byte> bytes, std::size_t first)
{
    if (unfinished_ != Unfinished::removed) checksum_ += hash_of_rows(bytes, first);
    write(bytes, header_bytes_ + static_cast<std::uint64_t>(first) * row_bytes());
}

void MatrixFile::read(std::span<std::byte> bytes, std::uint64_t position) const
{
    while (!bytes.empty()) {
        const ssize_t got =
            ::pread(file_->get(), bytes.data(), std::min(bytes.size(), kMostAtOnceBytes), static_cast<off_t>(position));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw ResourceError(fmt::format("{}: cannot be read again: {}", file_->path(),
                                            got == 0 ? "it has become shorter" : std::strerror(errno)));
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        position += static_cast<std::uint64_t>(got);
    }
}

void MatrixFile::verify(const job::Job& job, std::span<const IndexRange> done, std::uint64_t checksum) const
{
    if (!file_ || row_bytes() == 0) return;
    constexpr std::size_t piece_bytes = std::size_t{16} << 20;
    const std::size_t most_rows = std::max<std::size_t>(1, piece_bytes / row_bytes());
    const std::uint64_t own = run_agreed(job.world(), [&] {
        HostBuffer<std::byte> piece;
        std::uint64_t sum = 0;
        for (const IndexRange part : algo::part_of_ranges(done, static_cast<std::size_t>(job.world().rank()),
                                                          static_cast<std::size_t>(job.world().size()))) {
            for (std::size_t first = part.first; first < part.last; first += most_rows) {
                const std::size_t bytes = std::min(most_rows, part.last - first) * row_bytes();
                if (piece.size() < bytes) piece = HostBuffer<std::byte>(bytes);
                read(piece.span().first(bytes), header_bytes_ + static_cast<std::uint64_t>(first) * row_bytes());
                sum += hash_of_rows(std::as_const(piece).span().first(bytes), first);
            }
        }
        return sum;
    });
    if (job.world().all_reduce(own, comm::Reduction::sum) != checksum)
        throw AgreedError(
            ExitCode::bad_input,
            fmt::format("--resume: {} is damaged: rows differ from those that the earlier job wrote; remove the "
                        "checkpoint to begin anew",
                        file_->path()));
}

void MatrixFile::take(const algo::RowBatch& batch)
{
    if (content_ == MatrixContent::distances) {
        if (static_cast<std::size_t>(type_) != batch.distances.index())
            throw std::logic_error("rows of another type than that of " + path_);
        std::visit([&](const auto& distances) { write_rows(std::as_bytes(distances), batch.first); }, batch.distances);
        return;
    }
    if (shape_.numbers.are_same()) {
        write_rows(std::as_bytes(batch.parents), batch.first);
        return;
    }
    const auto write_numbers = [&]<typename T>(T no_parent) {
        HostBuffer<T> outside(batch.parents.size());
        std::ranges::transform(batch.parents, outside.begin(), [&](std::int32_t parent) {
            return parent == algo::kNoParent ? no_parent : static_cast<T>(shape_.numbers[parent]);
        });
        write_rows(std::as_bytes(std::as_const(outside).span()), batch.first);
    };
    if (shape_.wide_parents())
        write_numbers(std::int64_t{algo::kNoParent});
    else
        write_numbers(std::int32_t{algo::kNoParent});
}

void MatrixFile::save()
{
    if (!file_) return;
    {
        const SignalsToOtherThreads during_this_call;
        if (::fsync(file_->get()) != 0) fail_writing(path_, errno);
    }
    if (unfinished_ != Unfinished::removed) file_->keep();
}

void MatrixFile::remove_if_job_ends()
{
    if (!file_ || unfinished_ == Unfinished::removed) return;
    UnfinishedFiles unfinished_files;
    file_->remove_at_end(unfinished_files);
}

std::optional<FinishedFile> MatrixFile::facts_of(const std::string& path)
{
    // The file is opened because network file systems update its facts only then.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    struct stat status
    {
    };
    const bool good = ::fstat(file, &status) == 0;
    ::close(file);
    if (!good) return std::nullopt;
    constexpr std::int64_t nanoseconds = 1'000'000'000;
    return FinishedFile{status.st_size, status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec};
}

FinishedFile MatrixFile::facts() const
{
    return facts_of(file_ ? file_->path() : final_path_).value_or(FinishedFile{});
}

void MatrixFile::commit(const job::Job& job)
{
    run_agreed(job.world(), [&] { save(); });
    run_agreed(job.world(), [&] {
        if (!job.first() || !file_) return;
        if (is_text(path_)) {
            write_matrix_text(path_, shape_, content_, type_,
                              [this](std::size_t row, std::span<std::byte> bytes) { read(bytes, row * row_bytes()); });
            return;
        }
        if (::rename(file_->path().c_str(), final_path_.c_str()) != 0) fail_writing(path_, errno);
        file_->keep();
        sync_folder_of(final_path_);
    });
}

void MatrixFile::remove_unfinished()
{
    if (file_ && is_text(path_)) ::unlink(file_->path().c_str());
}

}  // namespace wayfront::session
