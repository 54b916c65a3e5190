// Sparse rows of distances as a file that all ranks write at their positions.
//
// The form is determined by the file extension:
//   .npz    a compressed sparse row array, as scipy.sparse.load_npz reads it: row i is that of source i,
//           column j the j-th vertex; a ZIP file of NumPy arrays, not compressed, among which `sources`
//           and `targets` have the input's numbers of the rows and columns
//   .mtx    the same as a Matrix Market file of coordinates, counted from 1
//   .csv    the header `source,target,distance` and a line for each entry, with the input's numbers;
//           standard output (-) gets this form, too
// Every entry that was found is in the file, also one of distance 0, such as that of a source itself. An
// entry that is missing was not found.
//
// The rows of a rank are encoded twice, piece by piece in their order. The first pass counts entries and bytes of
// text, so that the file has its full size before anything is written. The second pass writes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/sparse_rows.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "graph/vertex_numbers.hpp"
#include "job/job.hpp"
#include "session/output/npz_layout.hpp"
#include "session/output/part_file.hpp"
#include "session/output/zip_checksum.hpp"

namespace wayfront::session {

struct SparseShape
{
    std::span<const Vertex> sources;  // the source of each row; outlives the file
    Vertex vertices = 0;              // the number of vertices of the graph
    VertexNumbers numbers{};          // the input's numbers of the vertices
    algo::DistanceType type = algo::DistanceType::float64;
    bool whole = false;  // whether distances are whole numbers
};

/// Some rows as they are written.
struct SparsePiece
{
    std::size_t rows = 0;
    std::uint64_t entries = 0;
    algo::SparseRows arrays{};        // in .npz
    std::vector<std::string> text{};  // in the other forms

    [[nodiscard]] std::uint64_t text_bytes() const;
    /// The memory that the piece takes.
    [[nodiscard]] std::uint64_t bytes() const;
};

/// The sizes of a rank's part of the file.
struct SparseSize
{
    std::uint64_t rows = 0;
    std::uint64_t entries = 0;
    std::uint64_t text_bytes = 0;

    void add(const SparsePiece& piece);
};

/// Throws InputError for another extension; `option` names the file's option.
void check_sparse_extension(const std::string& option, const std::string& path);

class SparseFile
{
public:
    /// Throws an AgreedError if the name is not that of a file that can be written. Collective.
    SparseFile(const job::Job& job, std::string path, const SparseShape& shape);

    /// The rows as they are written, on all threads. `first`: the position of the first one. Local.
    [[nodiscard]] SparsePiece encode(algo::SparseRows rows, std::size_t first) const;

    /// Creates the file in its full size, in which each rank writes `own`, in the order of ranks. Throws
    /// an AgreedError if the disk is too small. Collective.
    void begin(const job::Job& job, const SparseSize& own);

    /// Writes the rank's next rows. Throws ResourceError. Local.
    void write(const SparsePiece& piece);

    /// Gives the file its name. Pre: all ranks have written all rows. Collective.
    void commit(const job::Job& job);

    /// The entries of all ranks. Pre: begin().
    [[nodiscard]] std::uint64_t entries() const { return all_.entries; }

private:
    enum class Form { npz, coordinates, lines };
    /// The arrays of a .npz file that ranks share, by their numbers in the layout.
    enum Array : std::size_t { indptr, indices, data, kArrays };
    /// The position in an array at which the rank writes next, and the checksum of its elements before.
    struct Cursor
    {
        std::uint64_t position = 0;
        ZipChecksum checksum{};
    };

    /// The checksum of the part of an array that a rank has written.
    struct RankChecksum
    {
        std::uint32_t checksum = 0;
        std::uint64_t bytes = 0;
    };

    [[nodiscard]] static Form form_of(const std::string& path);
    [[nodiscard]] bool is_text() const { return form_ != Form::npz; }
    void append_entries(std::string& text, const algo::SparseRows& rows, IndexRange range, std::size_t first) const;
    [[nodiscard]] std::string text_header() const;
    void plan_arrays();
    [[nodiscard]] std::size_t element_bytes(Array array) const;
    void begin_arrays(bool first_rank);
    void write_array(Array array, std::span<const std::byte> bytes);
    /// On rank 0: the rest of a .npz file. `of_ranks`: the checksums of each rank, by array.
    void complete_arrays(std::span<const RankChecksum> of_ranks);
    /// On rank 0: copies the text to an output that is written in place.
    void copy_text() const;

    std::string path_;
    Form form_;
    SparseShape shape_;
    PartPlace place_;
    std::unique_ptr<PartFile> file_;
    SparseSize all_;     // the size of the rows of all ranks
    SparseSize before_;  // the size of the rows of the ranks before this one, and of rows written so far

    std::uint64_t text_position_ = 0;  // where the rank writes its next text

    // A .npz file after begin():
    NpzLayout arrays_;
    bool wide_indptr_ = false;  // whether the entries of indptr have 64 bits
    std::array<Cursor, kArrays> cursors_{};
};

}  // namespace wayfront::session
