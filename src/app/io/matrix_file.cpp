#include "app/io/matrix_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.hpp"
#include "app/io/array_text.hpp"
#include "base/host_buffer.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront::app {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMostAtOnceBytes = std::size_t{1} << 30;  // Linux writes at most 2 GiB a call
constexpr mode_t kPermissions = 0777;
constexpr mode_t kDefaultMode = 0666;

bool is_text(const std::string& path)
{
    return path.ends_with(".csv");
}

const char* npy_type(MatrixContent content, algo::DistanceType type)
{
    if (content == MatrixContent::parents) return "<i4";
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

template <typename T>
void append_element(std::string& text, T value, MatrixContent content)
{
    if (content == MatrixContent::distances && value == unreached<T>())
        text += "inf";
    else
        append_number(text, value);
}

}  // namespace

/// An open file. If it is not to be kept, it is removed on rank 0 when it is closed or a signal ends
/// the program.
class MatrixFile::Descriptor
{
public:
    Descriptor(const std::string& path, int flags, mode_t mode, bool removes) : path_(path), removes_(removes)
    {
        UnfinishedFiles unfinished_files;
        file_ = ::open(path.c_str(), flags | O_CLOEXEC, mode);
        if (file_ >= 0 && removes) unfinished_ = unfinished_files.add(path);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (file_ < 0) return;
        ::close(file_);
        if (removes_) ::unlink(path_.c_str());
    }

    [[nodiscard]] int get() const { return file_; }
    void keep()
    {
        removes_ = false;
        unfinished_ = {};
    }

private:
    std::string path_;
    bool removes_;
    int file_ = -1;
    UnfinishedFile unfinished_;
};

void check_matrix_extension(const std::string& option, const std::string& path)
{
    if (path.ends_with(".npy") || path.ends_with(".raw") || is_text(path)) return;
    throw InputError(fmt::format("{}: {}: expected a file extension of .npy, .csv or .raw", option, path));
}

MatrixFile::MatrixFile(const Job& job, std::string path, MatrixContent content, algo::DistanceType type, const MatrixShape& shape,
                       Unfinished unfinished)
    : path_(std::move(path)),
      content_(content),
      type_(type),
      shape_(shape),
      element_bytes_(content == MatrixContent::parents ? sizeof(std::int32_t) : bytes_of(type))
{
    const std::string header = path_.ends_with(".npy") ? npy_header(npy_type(content, type), shape.sources.size(), shape.columns) : "";
    header_bytes_ = header.size();
    const std::uint64_t bytes = header_bytes_ + static_cast<std::uint64_t>(shape.sources.size()) * shape.columns * element_bytes_;
    const std::string suffix = unfinished == Unfinished::removed ? fmt::format(".part-{}", ::getpid()) : std::string(".unfinished");
    const std::string common_suffix = job.world().broadcast(suffix, 0);
    run_agreed(job.world(), [&] {
        const OutputTarget target(path_);
        if (target.kind != OutputTarget::Kind::renamed) throw InputError(path_ + ": a matrix can be written to a regular file only");
        target.require_permission(path_);
        final_path_ = target.path;
        written_path_ = target.path + common_suffix;
        if (!job.first()) return;
        struct stat left
        {
        };
        if (unfinished == Unfinished::resumed && (::stat(written_path_.c_str(), &left) != 0 || static_cast<std::uint64_t>(left.st_size) != bytes))
            throw InputError(
                fmt::format("--resume: {}, which has the rows that the checkpoint counts as done, is missing or has another size; "
                            "remove the checkpoint to begin anew",
                            written_path_));
        if (unfinished != Unfinished::resumed) OutputFile::require_space(path_, static_cast<double>(bytes));
        const int flags = unfinished == Unfinished::removed ? O_RDWR | O_CREAT | O_EXCL
                          : unfinished == Unfinished::kept  ? O_RDWR | O_CREAT | O_TRUNC
                                                            : O_RDWR;
        const mode_t mode = target.old ? target.old->st_mode & kPermissions : kDefaultMode;
        file_ = std::make_unique<Descriptor>(written_path_, flags, mode, unfinished == Unfinished::removed);
        if (file_->get() < 0) fail_writing(path_, errno);
        // Reserves the disk space, if the file system can; otherwise a full disk is found later.
        if (bytes > 0 && ::fallocate(file_->get(), 0, 0, static_cast<off_t>(bytes)) != 0 && errno == ENOSPC) fail_writing(path_, errno);
        if (::ftruncate(file_->get(), static_cast<off_t>(bytes)) != 0) fail_writing(path_, errno);
        write(std::as_bytes(std::span(header)), 0);
    });
    run_agreed(job.world(), [&] {
        if (job.first()) return;
        file_ = std::make_unique<Descriptor>(written_path_, O_RDWR, 0, false);
        if (file_->get() < 0) fail_writing(path_, errno);
    });
}

MatrixFile::~MatrixFile() = default;

void MatrixFile::write(std::span<const std::byte> bytes, std::uint64_t position)
{
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(file_->get(), bytes.data(), std::min(bytes.size(), kMostAtOnceBytes), static_cast<off_t>(position));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_writing(path_, errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        position += static_cast<std::uint64_t>(written);
    }
}

void MatrixFile::take(const algo::RowBatch& batch)
{
    const std::uint64_t position = header_bytes_ + static_cast<std::uint64_t>(batch.first) * shape_.columns * element_bytes_;
    if (content_ == MatrixContent::distances) {
        std::visit([&](const auto& distances) { write(std::as_bytes(distances), position); }, batch.distances);
        return;
    }
    if (shape_.first_vertex == 0) {
        write(std::as_bytes(batch.parents), position);
        return;
    }
    HostBuffer<std::int32_t> outside(batch.parents.size());
    const auto shift = static_cast<std::int32_t>(shape_.first_vertex);
    std::ranges::transform(batch.parents, outside.begin(),
                           [shift](std::int32_t parent) { return parent == algo::kNoParent ? parent : parent + shift; });
    write(std::as_bytes(outside.span()), position);
}

void MatrixFile::sync()
{
    const SignalsToOtherThreads during_this_call;
    if (::fsync(file_->get()) != 0) fail_writing(path_, errno);
}

void MatrixFile::write_text()
{
    OutputFile text_file(path_);
    std::string text = "source";
    for (std::size_t column = 0; column < shape_.columns; ++column) {
        text += ',';
        append_number(text, static_cast<Vertex>(column) + shape_.first_vertex);
    }
    text += '\n';
    const auto write_rows = [&]<typename T>(T) {
        HostBuffer<T> row(shape_.columns);
        for (std::size_t i = 0; i < shape_.sources.size(); ++i) {
            std::span<std::byte> rest = std::as_writable_bytes(row.span());
            auto position = static_cast<off_t>(static_cast<std::uint64_t>(i) * shape_.columns * element_bytes_);
            while (!rest.empty()) {
                const ssize_t got = ::pread(file_->get(), rest.data(), std::min(rest.size(), kMostAtOnceBytes), position);
                if (got < 0 && errno == EINTR) continue;
                if (got <= 0) throw ResourceError(fmt::format("{}: cannot be read again", written_path_));
                rest = rest.subspan(static_cast<std::size_t>(got));
                position += got;
            }
            append_number(text, shape_.sources[i] + shape_.first_vertex);
            for (const T element : row) {
                text += ',';
                append_element(text, element, content_);
            }
            text += '\n';
            text_file.write(text);
            text.clear();
        }
    };
    if (content_ == MatrixContent::parents)
        write_rows(std::int32_t{});
    else
        algo::with_distance_type(type_, write_rows);
    text_file.write(text);
    text_file.commit();
}

void MatrixFile::commit(const Job& job)
{
    run_agreed(job.world(), [&] { sync(); });
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        if (is_text(path_)) {
            write_text();
            if (::unlink(written_path_.c_str()) != 0) fail_writing(path_, errno);
        } else if (::rename(written_path_.c_str(), final_path_.c_str()) != 0) {
            fail_writing(path_, errno);
        }
        file_->keep();
    });
}

}  // namespace wayfront::app
