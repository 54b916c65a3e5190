#include "session/output/matrix_file.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
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
#include "session/output/parquet_table.hpp"
#include "session/output/row_hash.hpp"
#include "session/output/zip_checksum.hpp"

namespace wayfront::session {

namespace {

static_assert(std::endian::native == std::endian::little);

const char* npy_type_of(MatrixContent content, algo::DistanceType type, bool wide_parents)
{
    if (content == MatrixContent::distances) return npy_type(type);
    return wide_parents ? "<i8" : "<i4";
}

}  // namespace

std::string unfinished_name(const std::string& path)
{
    return path + ".unfinished";
}

void check_matrix_extension(const std::string& option, const std::string& path)
{
    for (const char* const extension : {".npy", ".npz", ".raw"})
        if (ends_with_any_case(path, extension)) return;
    if (is_text(path)) return;
    if (is_parquet(path)) {
        require_parquet(option, path);
        return;
    }
    throw InputError(fmt::format(
        "{}: {}: expected a file extension of .npy, .npz, .csv or .raw, or - for standard output", option, path));
}

MatrixFile::MatrixFile(const job::Job& job, const MatrixFileOptions& options, const MatrixShape& shape)
    : path_(options.path),
      content_(options.content),
      type_(options.type),
      shape_(shape),
      unfinished_(options.unfinished),
      element_bytes_(content_ == MatrixContent::distances ? bytes_of(type_)
                     : shape.wide_parents()               ? sizeof(std::int64_t)
                                                          : sizeof(std::int32_t))
{
    const std::string header =
        ends_with_any_case(path_, ".npy")
            ? npy_header(npy_type_of(content_, type_, shape.wide_parents()), shape.sources.size(), shape.columns())
            : "";
    header_bytes_ = header.size();
    if (is_npz()) plan_arrays();
    const std::uint64_t bytes = is_npz() ? arrays_.bytes() : header_bytes_ + shape.sources.size() * row_bytes();
    run_agreed(job.world(), [&] {
        const PartPlace place = place_of_part(job, path_, "matrix", is_made_at_end(path_));
        in_place_ = place.in_place;
        if (in_place_ && unfinished_ != Unfinished::removed)
            throw InputError(path_ + ": --checkpoint needs a regular file");
        final_path_ = place.final_path;
        if (!job.first()) return;
        if (unfinished_ == Unfinished::resumed)
            resume(bytes, options.finished);
        else
            begin(bytes, place.mode, header);
    });
    const std::string written_path = job.world().broadcast(file_ ? file_->path() : "", 0);
    run_agreed(job.world(), [&] {
        if (job.first() || written_path.empty()) return;
        file_ = PartFile::open_of_first_rank(path_, written_path);
    });
}

MatrixFile::~MatrixFile() = default;

bool MatrixFile::is_npz() const
{
    return ends_with_any_case(path_, ".npz");
}

void MatrixFile::plan_arrays()
{
    arrays_.add_numbers("sources", shape_.sources.size(),
                        [this](std::size_t i) { return shape_.numbers[shape_.sources[i]]; });
    arrays_.add_numbers("targets", shape_.columns(), [this](std::size_t i) { return shape_.number_of_column(i); });
    arrays_.add_shared(content_ == MatrixContent::distances ? "distances" : "predecessors",
                       {.type = fmt::format("'{}'", npy_type_of(content_, type_, shape_.wide_parents())),
                        .shape = fmt::format("({}, {})", shape_.sources.size(), shape_.columns())},
                       shape_.sources.size() * row_bytes());
    header_bytes_ = arrays_.elements_of(0);
}

void MatrixFile::complete_arrays(const job::Job& job)
{
    const comm::Communicator& world = job.world();
    const std::vector<std::size_t> counts = world.all_gather(parts_.size());
    std::vector<PartChecksum> parts(std::reduce(counts.begin(), counts.end()));
    world.all_gather_v(std::span<const PartChecksum>(parts_), counts, std::span<PartChecksum>(parts));
    run_agreed(world, [&] {
        if (!job.first()) return;
        std::ranges::sort(parts, {}, &PartChecksum::first_row);
        std::uint32_t whole = 0;  // the checksum of no bytes
        for (const PartChecksum& part : parts) whole = joined_checksum(whole, part.checksum, part.bytes);
        arrays_.complete(*file_, std::span(&whole, 1));
        file_->sync();
    });
}

double MatrixFile::bytes_at_end() const
{
    if (!file_ || in_place_) return 0;
    if (is_parquet(path_)) return table_bytes(shape_);
    return is_text(path_) ? text_bytes(shape_, content_, type_) : 0;
}

void MatrixFile::require_space(double bytes) const
{
    try {
        OutputFile::require_space(in_place_ ? final_path_ : path_, bytes);
    } catch (const ResourceError& error) {
        throw ResourceError(fmt::format(
            "{}{}; --sources and --targets write some rows and columns only, and --summary needs no file", error.what(),
            is_text(path_)      ? ", since numbers are stored until the end, and then written as text beside them"
            : is_parquet(path_) ? ", since numbers are stored until the end, and then written as a table beside them"
                                : ""));
    }
}

void MatrixFile::begin(std::uint64_t bytes, mode_t mode, std::string_view header)
{
    require_space(static_cast<double>(bytes));
    file_ = unfinished_ == Unfinished::removed
                ? PartFile::create(path_, final_path_, mode)
                : PartFile::open_alone(path_, unfinished_name(final_path_), O_CREAT, mode);
    file_->reserve(bytes);
    file_->write(std::as_bytes(std::span(header)), 0);
}

void MatrixFile::resume(std::uint64_t bytes, const std::optional<FinishedFile>& finished)
{
    const std::string written_path = unfinished_name(final_path_);
    file_ = PartFile::open_alone(path_, written_path, 0, 0);
    if (file_ && file_->bytes() == bytes) return;
    // The earlier job may have renamed the finished file to its final name.
    if (!file_ && finished && facts_of(final_path_) == finished) return;
    throw InputError(fmt::format(
        "--resume: {}, which has the rows that the checkpoint counts as done, is missing or has another size; "
        "remove the checkpoint to begin anew",
        written_path));
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
    if (is_npz()) {
        ZipChecksum checksum;
        checksum.add(bytes);
        parts_.push_back({first, bytes.size(), checksum.value()});
    }
    file_->write(bytes, header_bytes_ + static_cast<std::uint64_t>(first) * row_bytes());
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
                file_->read(piece.span().first(bytes), header_bytes_ + static_cast<std::uint64_t>(first) * row_bytes());
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

void MatrixFile::consume(const algo::RowBatch& batch)
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
        HostBuffer<T> numbers(batch.parents.size());
        std::ranges::transform(batch.parents, numbers.begin(), [&](std::int32_t parent) {
            return parent == algo::kNoParent ? no_parent : static_cast<T>(shape_.numbers[parent]);
        });
        write_rows(std::as_bytes(std::as_const(numbers).span()), batch.first);
    };
    if (shape_.wide_parents())
        write_numbers(std::int64_t{algo::kNoParent});
    else
        write_numbers(std::int32_t{algo::kNoParent});
}

void MatrixFile::save()
{
    if (!file_) return;
    file_->sync();
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
    // The file is opened because network file systems update its size and time only then.
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
    if (is_npz()) complete_arrays(job);
    run_agreed(job.world(), [&] {
        if (!job.first() || !file_) return;
        if (is_made_at_end(path_)) {
            write_matrix_at_end(path_, shape_, content_, type_, [this](std::size_t row, std::span<std::byte> bytes) {
                file_->read(bytes, row * row_bytes());
            });
            return;
        }
        file_->rename_to(final_path_);
    });
}

void MatrixFile::remove_unfinished()
{
    if (file_ && is_made_at_end(path_)) ::unlink(file_->path().c_str());
}

}  // namespace wayfront::session
