#include "session/output/sparse_file.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "session/output/array_text.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::session {

namespace {

std::span<const std::byte> bytes_of(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

/// The exclusive sums over the ranks, and the sums of all.
std::pair<SparseSize, SparseSize> sums_over_ranks(const comm::Communicator& world, const SparseSize& own)
{
    SparseSize before;
    SparseSize all;
    int rank = 0;
    for (const SparseSize& size : world.all_gather(own)) {
        if (rank++ == world.rank()) before = all;
        all.rows += size.rows;
        all.entries += size.entries;
        all.text_bytes += size.text_bytes;
    }
    return {before, all};
}

}  // namespace

std::uint64_t SparsePiece::text_bytes() const
{
    std::uint64_t bytes = 0;
    for (const std::string& part : text) bytes += part.size();
    return bytes;
}

std::uint64_t SparsePiece::bytes() const
{
    std::uint64_t bytes = arrays.bytes();
    for (const std::string& part : text) bytes += part.capacity();
    return bytes;
}

void SparseSize::add(const SparsePiece& piece)
{
    rows += piece.rows;
    entries += piece.entries;
    text_bytes += piece.text_bytes();
}

void check_sparse_extension(const std::string& option, const std::string& path)
{
    for (const char* const extension : {".npz", ".mtx", ".csv"})
        if (ends_with_any_case(path, extension)) return;
    if (is_standard_output(path)) return;
    throw InputError(
        fmt::format("{}: {}: expected a file extension of .npz, .mtx or .csv, or - for standard output", option, path));
}

SparseFile::Form SparseFile::form_of(const std::string& path)
{
    if (ends_with_any_case(path, ".npz")) return Form::npz;
    return ends_with_any_case(path, ".mtx") ? Form::coordinates : Form::lines;
}

SparseFile::SparseFile(const job::Job& job, std::string path, const SparseShape& shape)
    : path_(std::move(path)), form_(form_of(path_)), shape_(shape)
{
    place_ = run_agreed(job.world(), [&] { return place_of_part(job, path_, "sparse array", is_text()); });
}

void SparseFile::append_entries(std::string& text, const algo::SparseRows& rows, IndexRange range,
                                std::size_t first) const
{
    const char separator = form_ == Form::coordinates ? ' ' : ',';
    std::visit(
        [&](const auto& distances) {
            for (std::size_t row = range.first; row < range.last; ++row)
                for (std::uint64_t entry = rows.begins[row]; entry < rows.begins[row + 1]; ++entry) {
                    const auto target = static_cast<Vertex>(rows.targets[entry]);
                    const std::size_t position = first + row;
                    const bool coordinates = form_ == Form::coordinates;
                    if (coordinates)
                        append_number(text, static_cast<Vertex>(position) + 1);
                    else
                        append_vertex(text, shape_.numbers, shape_.sources[position], NameForm::csv);
                    text += separator;
                    if (coordinates)
                        append_number(text, target + 1);
                    else
                        append_vertex(text, shape_.numbers, target, NameForm::csv);
                    text += separator;
                    append_number(text, distances[entry]);
                    text += '\n';
                }
        },
        rows.distances);
}

SparsePiece SparseFile::encode(algo::SparseRows rows, std::size_t first) const
{
    SparsePiece piece{.rows = rows.rows(), .entries = rows.entries()};
    if (!is_text()) {
        piece.arrays = std::move(rows);
        return piece;
    }
    const auto parts = static_cast<std::size_t>(thread_count());
    piece.text.resize(parts);
    parallel_parts(parts, [&](std::size_t part) {
        append_entries(piece.text[part], rows, part_of(rows.rows(), part, parts), first);
    });
    return piece;
}

std::string SparseFile::text_header() const
{
    if (form_ == Form::lines) return "source,target,distance\n";
    return fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n", shape_.whole ? "integer" : "real",
                       shape_.sources.size(), shape_.vertices, all_.entries);
}

void SparseFile::plan_arrays()
{
    const std::uint64_t rows = shape_.sources.size();
    const auto vertices = static_cast<std::size_t>(shape_.vertices);
    wide_indptr_ = all_.entries > std::uint64_t{std::numeric_limits<std::int32_t>::max()};
    arrays_.add_small("format", {.type = "'|S3'", .shape = "()"}, "csr");
    const std::array<std::int64_t, 2> shape{static_cast<std::int64_t>(rows), shape_.vertices};
    arrays_.add_numbers("shape", shape.size(), [&](std::size_t i) { return shape.at(i); });
    arrays_.add_numbers("sources", rows, [this](std::size_t i) { return shape_.numbers[shape_.sources[i]]; });
    arrays_.add_numbers("targets", vertices, [this](std::size_t i) { return shape_.numbers[static_cast<Vertex>(i)]; });
    arrays_.add_shared("indptr", npy_list(wide_indptr_ ? "<i8" : "<i4", rows + 1), (rows + 1) * element_bytes(indptr));
    arrays_.add_shared("indices", npy_list("<i4", all_.entries), all_.entries * element_bytes(indices));
    arrays_.add_shared("data", npy_list(npy_type(shape_.type), all_.entries), all_.entries * element_bytes(data));
}

std::size_t SparseFile::element_bytes(Array array) const
{
    if (array == indptr) return wide_indptr_ ? sizeof(std::int64_t) : sizeof(std::int32_t);
    return array == indices ? sizeof(std::int32_t) : algo::bytes_of(shape_.type);
}

void SparseFile::begin(const job::Job& job, const SparseSize& own)
{
    std::tie(before_, all_) = sums_over_ranks(job.world(), own);
    run_agreed(job.world(), [&] {
        std::uint64_t bytes = 0;
        if (is_text()) {
            text_position_ = text_header().size() + before_.text_bytes;
            bytes = text_header().size() + all_.text_bytes;
        } else {
            plan_arrays();
            bytes = arrays_.bytes();
        }
        if (!job.first()) return;
        OutputFile::require_space(place_.in_place ? place_.final_path : path_, static_cast<double>(bytes));
        file_ = PartFile::create(path_, place_.final_path, place_.mode);
        file_->reserve(bytes);
        if (is_text()) file_->write(bytes_of(text_header()), 0);
    });
    const std::string written_path = job.world().broadcast(file_ ? file_->path() : "", 0);
    run_agreed(job.world(), [&] {
        if (!job.first()) file_ = PartFile::open_of_first_rank(path_, written_path);
        if (!is_text()) begin_arrays(job.first());
    });
}

void SparseFile::begin_arrays(bool first_rank)
{
    // Entry i of indptr is the end of row i - 1. The first one, 0, is written by rank 0.
    const std::array<std::uint64_t, kArrays> before{first_rank ? 0 : before_.rows + 1, before_.entries,
                                                    before_.entries};
    for (const Array array : {indptr, indices, data})
        cursors_[array].position = arrays_.elements_of(array) + before[array] * element_bytes(array);
    constexpr std::int64_t zero = 0;
    if (first_rank) write_array(indptr, std::as_bytes(std::span(&zero, 1)).first(element_bytes(indptr)));
}

void SparseFile::write_array(Array array, std::span<const std::byte> bytes)
{
    file_->write(bytes, cursors_[array].position);
    cursors_[array].position += bytes.size();
    cursors_[array].checksum.add(bytes);
}

void SparseFile::write(const SparsePiece& piece)
{
    if (is_text()) {
        for (const std::string& part : piece.text) {
            file_->write(bytes_of(part), text_position_);
            text_position_ += part.size();
        }
    } else {
        const auto write_ends = [&]<typename T>(T) {
            std::vector<T> ends;
            ends.reserve(piece.rows);
            for (std::size_t row = 1; row <= piece.rows; ++row)
                ends.push_back(static_cast<T>(before_.entries + piece.arrays.begins[row]));
            write_array(indptr, std::as_bytes(std::span(std::as_const(ends))));
        };
        if (wide_indptr_)
            write_ends(std::int64_t{});
        else
            write_ends(std::int32_t{});
        write_array(indices, std::as_bytes(std::span(piece.arrays.targets)));
        std::visit([this](const auto& distances) { write_array(data, std::as_bytes(std::span(distances))); },
                   piece.arrays.distances);
    }
    before_.add(piece);
}

void SparseFile::complete_arrays(std::span<const RankChecksum> of_ranks)
{
    std::array<std::uint32_t, kArrays> checksums{};  // the checksums of no bytes
    for (std::size_t part = 0; part < of_ranks.size(); ++part) {
        std::uint32_t& checksum = checksums[part % kArrays];
        checksum = joined_checksum(checksum, of_ranks[part].checksum, of_ranks[part].bytes);
    }
    arrays_.complete(*file_, checksums);
}

void SparseFile::copy_text() const
{
    constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
    OutputFile output(path_);
    std::string piece;
    const std::uint64_t bytes = file_->bytes();
    for (std::uint64_t position = 0; position < bytes; position += piece.size()) {
        piece.resize(std::min(piece_bytes, bytes - position));
        file_->read(std::as_writable_bytes(std::span(piece)), position);
        output.write(piece);
    }
    output.commit();
}

void SparseFile::commit(const job::Job& job)
{
    std::vector<RankChecksum> own;
    if (!is_text())
        for (const Cursor& cursor : cursors_) own.push_back({cursor.checksum.value(), cursor.checksum.bytes()});
    std::vector<RankChecksum> of_ranks(own.size() * static_cast<std::size_t>(job.world().size()));
    const std::vector<std::size_t> sizes(static_cast<std::size_t>(job.world().size()), own.size());
    job.world().all_gather_v(std::span<const RankChecksum>(own), sizes, std::span<RankChecksum>(of_ranks));
    run_agreed(job.world(), [&] {
        if (job.first() && !is_text()) complete_arrays(of_ranks);
        file_->sync();
    });
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        if (place_.in_place)
            copy_text();
        else
            file_->rename_to(place_.final_path);
    });
}

}  // namespace wayfront::session
