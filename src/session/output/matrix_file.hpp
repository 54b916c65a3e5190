// A matrix as a file: rows of distances, or of parents, that all ranks write at their positions.
//
// The form is determined by the file extension:
//   .npy    a rows x columns array of distances (uint16, int32, float32 or float64) or parents
//           (int32, or int64 if a vertex has a number that needs it)
//   .raw    the same elements, little endian, without a header
//   .npz    the same array, named `distances` or `predecessors`, with the arrays `sources` and `targets`
//           of the vertices of its rows and columns (int64), in a ZIP file without compression
//   .csv    the header `source,V1,V2,...` and a line for each source, or `source,target,distance` and a
//           line for each pair; a vertex that is not reached has the distance inf; standard output (-)
//           gets this form, too
//   .parquet a row of `source`, `target` and `distance` or `predecessor` for each pair (parquet_table.hpp), in
//           which distances are int64 or float64; null if a vertex is not reached
// Vertices have the input's numbers. In .npy, .npz and .raw the distance of a vertex that is not reached
// is the largest number of a whole-number type (65535, 2147483647), or infinity. A missing parent
// is -1.
//
// The elements are written to a second file beside the named one. The second file gets the name
// when all elements are written; text and .parquet are made from it at the end, beside it. For text that goes to a
// pipe or to standard output it is in the folder for temporary files. If the file is kept for
// --resume, its name is NAME.unfinished, the job that writes it locks it, and it stays if the job ends
// early, from the first save() on. Any other second file is removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "algo/apsp/rows.hpp"
#include "base/parallel.hpp"
#include "graph/vertex_numbers.hpp"
#include "job/job.hpp"
#include "session/output/npz_layout.hpp"
#include "session/output/part_file.hpp"

namespace wayfront::session {

struct MatrixShape
{
    std::span<const Vertex> sources;  // the source of each row; outlives the file
    Vertex vertices = 0;              // the number of vertices of the graph
    // The vertices of the columns, which outlive the file; no value: all vertices.
    std::optional<std::span<const Vertex>> targets = std::nullopt;
    VertexNumbers numbers{};  // the input's numbers of the vertices
    // An upper bound of the magnitudes of whole distances; 0 if distances are floats.
    double most_distance = 0;
    bool long_form = false;  // whether text has a line for each pair

    /// The largest number of a vertex; 0 if there is none.
    [[nodiscard]] Vertex largest_number() const { return vertices == 0 ? 0 : numbers[vertices - 1]; }
    [[nodiscard]] std::size_t columns() const { return targets ? targets->size() : static_cast<std::size_t>(vertices); }
    /// The vertex of a column, and its number in the input.
    [[nodiscard]] Vertex vertex_of_column(std::size_t column) const
    {
        return targets ? (*targets)[column] : static_cast<Vertex>(column);
    }
    [[nodiscard]] Vertex number_of_column(std::size_t column) const { return numbers[vertex_of_column(column)]; }
    /// Whether parents have 64 bits.
    [[nodiscard]] bool wide_parents() const { return largest_number() > std::numeric_limits<std::int32_t>::max(); }
    [[nodiscard]] double elements() const
    {
        return static_cast<double>(sources.size()) * static_cast<double>(columns());
    }
};

enum class MatrixContent { distances, parents };

/// Whether an unfinished file is kept, and whether the job continues the file of an earlier job.
enum class Unfinished {
    removed,
    kept,     // kept; the job begins a new file
    resumed,  // kept; the job continues the file of an earlier job
};

/// Identifies a finished file after it has been renamed.
struct FinishedFile
{
    std::int64_t bytes = 0;
    std::int64_t modified_nanoseconds = 0;

    friend bool operator==(const FinishedFile&, const FinishedFile&) = default;
};

struct MatrixFileOptions
{
    std::string path;
    MatrixContent content = MatrixContent::distances;
    algo::DistanceType type = algo::DistanceType::float64;
    Unfinished unfinished = Unfinished::removed;
    /// With Unfinished::resumed, the facts() of the file if the earlier job had written all rows.
    std::optional<FinishedFile> finished = std::nullopt;
};

/// The name of the file that is kept for --resume, beside the file `path`.
[[nodiscard]] std::string unfinished_name(const std::string& path);

/// Throws InputError for another extension; `option` names the file's option.
void check_matrix_extension(const std::string& option, const std::string& path);

class MatrixFile final : public algo::RowConsumer
{
public:
    /// Creates the file in its full size, or opens the file of an earlier job. Throws an AgreedError
    /// if the disk is too small, if the name is not that of a regular file, if another job is
    /// writing the file, or if the earlier job's file is missing. Pre: a .npz file, which has checksums
    /// of all rows, is not kept. Collective.
    MatrixFile(const job::Job& job, const MatrixFileOptions& options, const MatrixShape& shape);
    MatrixFile(const MatrixFile&) = delete;
    MatrixFile& operator=(const MatrixFile&) = delete;
    ~MatrixFile() override;

    /// Writes rows at their positions. Throws ResourceError.
    void consume(const algo::RowBatch& batch) override;

    /// Waits until the disk has all rows that this rank has written. From now on a file for
    /// --resume stays if the job ends. Throws ResourceError.
    void save();
    /// On rank 0: from now on a file for --resume is removed if the job ends, until the next save().
    void remove_if_job_ends();

    /// Upper bound of the size of the text or .parquet file that is written when all rows are stored as numbers;
    /// 0 if the file of numbers is the result.
    [[nodiscard]] double bytes_at_end() const;
    /// Throws ResourceError if the disk of the file has less free space than `bytes`.
    void require_space(double bytes) const;

    /// The sum of the hashes of the rows that this rank has written (row_hash.hpp), of a file for
    /// --resume.
    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
    /// Reads the rows in `done` and throws an AgreedError if the sum of their hashes is not
    /// `checksum`. Does nothing if an earlier job finished and renamed the file. Collective.
    void verify(const job::Job& job, std::span<const IndexRange> done, std::uint64_t checksum) const;

    /// The size and time of the file, on rank 0, after all ranks have written and saved all rows.
    [[nodiscard]] FinishedFile facts() const;

    /// Renames the file to its final name, unless an earlier job did so. Text and .parquet are written to
    /// another file, and the unfinished file stays. Pre: all ranks have written all rows. Collective.
    void commit(const job::Job& job);

    /// After commit(), on rank 0: removes the unfinished file, if there is one.
    void remove_unfinished();

private:
    /// The checksum of rows that are written together.
    struct PartChecksum
    {
        std::uint64_t first_row = 0;
        std::uint64_t bytes = 0;
        std::uint32_t checksum = 0;
    };

    /// Creates the file. Only on rank 0.
    void begin(std::uint64_t bytes, mode_t mode, std::string_view header);
    /// The layout of a .npz file with the vertices of rows and columns.
    void plan_arrays();
    [[nodiscard]] bool is_npz() const;
    /// Writes all of a .npz file but its rows. Collective.
    void complete_arrays(const job::Job& job);
    /// Opens the file of an earlier job, which has `bytes` bytes. Only on rank 0.
    void resume(std::uint64_t bytes, const std::optional<FinishedFile>& finished);
    /// The size and time of a file; no value if it cannot be opened.
    static std::optional<FinishedFile> facts_of(const std::string& path);
    void write_rows(std::span<const std::byte> bytes, std::size_t first);
    [[nodiscard]] std::size_t row_bytes() const { return shape_.columns() * element_bytes_; }
    [[nodiscard]] std::uint64_t hash_of_rows(std::span<const std::byte> bytes, std::size_t first) const;

    std::string path_;
    MatrixContent content_;
    algo::DistanceType type_;
    MatrixShape shape_;
    Unfinished unfinished_;
    std::size_t element_bytes_;
    std::uint64_t header_bytes_ = 0;
    std::uint64_t checksum_ = 0;
    NpzLayout arrays_;                 // the arrays of a .npz file
    std::vector<PartChecksum> parts_;  // of the rows of a .npz file that this rank has written
    bool in_place_ = false;            // whether text goes to a pipe, a device or standard output
    std::string final_path_;  // with links followed; if in place, the beginning of the name of the file of numbers
    std::unique_ptr<PartFile> file_;  // null if an earlier job finished it
};

}  // namespace wayfront::session
