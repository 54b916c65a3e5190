// A matrix as a file: rows of distances, or of parents, that all ranks write at their positions.
//
// The form is determined by the file extension:
//   .npy    a rows x columns array of distances (uint16, int32, float32 or float64) or parents (int32)
//   .raw    the same elements, little endian, without a header
//   .csv    the header `source,V1,V2,...` and a line for each source; a vertex that is not reached
//           has the distance inf
// Vertices have the input's numbers. In .npy and .raw a vertex that is not reached has the largest
// number of whole-number types (65535, 2147483647), or infinity. A parent that is missing is -1.
//
// The elements are written to a file beside the one that was named, which gets the name when it is
// whole. A file that is kept for --resume has the name NAME.unfinished, and stays if the job ends
// early; any other is removed. Text is made from it at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algo/apsp/rows.hpp"
#include "app/job.hpp"

namespace wayfront::app {

struct MatrixShape
{
    std::span<const Vertex> sources;  // of each row; outlive the file
    std::size_t columns = 0;
    Vertex first_vertex = 0;  // the input's number of vertex 0

    [[nodiscard]] double elements() const { return static_cast<double>(sources.size()) * static_cast<double>(columns); }
};

enum class MatrixContent { distances, parents };

/// How a file that is not finished is kept.
enum class Unfinished {
    removed,
    kept,     // begins anew
    resumed,  // goes on with the file that an earlier job left
};

/// Throws InputError for an extension that is none of these; `option` names the file's option.
void check_matrix_extension(const std::string& option, const std::string& path);

class MatrixFile final : public algo::RowConsumer
{
public:
    /// Creates the file in its full size. Throws an AgreedError if the disk is too small, if the name
    /// is not that of a regular file, or if there is no file to go on with. Collective.
    MatrixFile(const Job& job, std::string path, MatrixContent content, algo::DistanceType type, const MatrixShape& shape, Unfinished unfinished);
    MatrixFile(const MatrixFile&) = delete;
    MatrixFile& operator=(const MatrixFile&) = delete;
    ~MatrixFile() override;

    /// Writes rows at their positions. Throws ResourceError.
    void take(const algo::RowBatch& batch) override;

    /// Makes what this rank has written last through a failure of the machine. Throws ResourceError.
    void sync();

    /// When all ranks have written all rows: gives the file its name. Collective.
    void commit(const Job& job);

private:
    class Descriptor;

    void write(std::span<const std::byte> bytes, std::uint64_t position);
    void write_text();

    std::string path_;
    MatrixContent content_;
    algo::DistanceType type_;
    MatrixShape shape_;
    std::size_t element_bytes_;
    std::uint64_t header_bytes_ = 0;
    std::string final_path_;    // with links followed
    std::string written_path_;  // until commit()
    std::unique_ptr<Descriptor> file_;
};

}  // namespace wayfront::app
