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
// whole. A file that is kept for --resume has the name NAME.unfinished, is locked by the job that
// writes it, and stays if the job ends early, from its first save() on; any other is removed. Text
// is made from it at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

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

/// By what a file that is finished is recognised when it has its name.
struct FinishedFile
{
    std::int64_t bytes = 0;
    std::int64_t modified_nanoseconds = 0;

    friend bool operator==(const FinishedFile&, const FinishedFile&) = default;
};

/// Throws InputError for an extension that is none of these; `option` names the file's option.
void check_matrix_extension(const std::string& option, const std::string& path);

class MatrixFile final : public algo::RowConsumer
{
public:
    /// Creates the file in its full size, or goes on with that of an earlier job; `finished` has its
    /// facts() if that job had written all rows. Throws an AgreedError if the disk is too small, if
    /// the name is not that of a regular file, if another job is writing the file, or if there is no
    /// file to go on with. Collective.
    MatrixFile(const Job& job, std::string path, MatrixContent content, algo::DistanceType type, const MatrixShape& shape, Unfinished unfinished,
               const std::optional<FinishedFile>& finished = {});
    MatrixFile(const MatrixFile&) = delete;
    MatrixFile& operator=(const MatrixFile&) = delete;
    ~MatrixFile() override;

    /// Writes rows at their positions. Throws ResourceError.
    void take(const algo::RowBatch& batch) override;

    /// Makes what this rank has written last through a failure of the machine. From now on a file
    /// for --resume stays if the job ends. Throws ResourceError.
    void save();

    /// The facts of the file, on rank 0, after all ranks have written and saved all rows.
    [[nodiscard]] FinishedFile facts() const;

    /// When all ranks have written all rows: gives the file its name, unless an earlier job did so.
    /// Text is written beside the unfinished file, which stays. Collective.
    void commit(const Job& job);

    /// After commit(), on rank 0: removes the unfinished file, if there is one.
    void remove_unfinished();

private:
    class Descriptor;

    /// On rank 0.
    void begin(std::uint64_t bytes, mode_t mode, std::string_view header);
    void go_on(std::uint64_t bytes, const std::optional<FinishedFile>& finished);
    /// No value if the file cannot be opened.
    static std::optional<FinishedFile> facts_of(const std::string& path);
    void write(std::span<const std::byte> bytes, std::uint64_t position);
    void write_text();

    std::string path_;
    MatrixContent content_;
    algo::DistanceType type_;
    MatrixShape shape_;
    Unfinished unfinished_;
    std::size_t element_bytes_;
    std::uint64_t header_bytes_ = 0;
    std::string final_path_;            // with links followed
    std::unique_ptr<Descriptor> file_;  // null if an earlier job finished it
};

}  // namespace wayfront::app
