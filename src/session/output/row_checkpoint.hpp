// The checkpoint of a job that computes rows of all pairs: the rows that are done, and their
// summary.
//
// The rows themselves are in the unfinished output (matrix_file.hpp). A method that computes the
// whole matrix before its first row saves it in files beside the checkpoint (tile_file.hpp). A
// checkpoint is written to another file, which is then renamed; the previous checkpoint is kept as
// NAME.before. Little endian:
//   - "wayfront rows 4\n", the length of the rest in 8 bytes and its CRC-32 in 4
//   - the description of the graph, that of the job, and the name of the algorithm (length in 8
//     bytes, text)
//   - the number of ranges of positions that are done, and the first and the last + 1 of each
//   - the exponent of the histogram's bins, and the two lists of its counts
//   - the facts of the rows that are done, by position; none without a summary
//   - for each output, the sum of the hashes of the rows that are done (row_hash.hpp)
//   - if all rows are done: size and time of change of each output, which identify it after it has
//     been renamed
//   - the steps and the number of each saved matrix
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algo/apsp/summary.hpp"
#include "base/parallel.hpp"
#include "job/job.hpp"
#include "session/output/matrix_file.hpp"

namespace wayfront::session {

/// A matrix after `steps` steps, in the file matrix_path(..., file).
struct SavedMatrix
{
    std::uint64_t steps = 0;
    std::uint64_t file = 0;
};

struct RowCheckpoint
{
    std::string graph;      // describes the graph's content
    std::string job;        // the options that determine the results
    std::string algorithm;  // the name of the algorithm that computes the rows
    std::vector<IndexRange> done;
    int exponent = 0;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> negative_counts;
    std::vector<algo::RowFacts> facts;
    std::vector<std::uint64_t> checksums;  // for each output, the checksum of the rows that are done
    std::vector<FinishedFile> outputs;     // only if all rows are done
    std::vector<SavedMatrix> matrices;     // at most kMatrixFiles, the newest first

    [[nodiscard]] std::size_t done_rows() const;
};

/// The content of a checkpoint file, and back. decode() has no value if the text is damaged.
[[nodiscard]] std::string encode(const RowCheckpoint& checkpoint);
[[nodiscard]] std::optional<RowCheckpoint> decode(const std::string& text);

/// The name of the checkpoint that was written before the one at `path`.
[[nodiscard]] std::string before(const std::string& path);

/// The number of files in which the matrices of a checkpoint are saved in turn.
inline constexpr std::uint64_t kMatrixFiles = 2;
[[nodiscard]] std::string matrix_path(const std::string& path, std::uint64_t number);

/// All files that belong to a checkpoint at `path`, itself first.
[[nodiscard]] std::vector<std::string> checkpoint_files(const std::string& path);

/// Replaces the checkpoint at `path`, and keeps the old one as before(path). Throws ResourceError.
void write_checkpoint(const std::string& path, const RowCheckpoint& checkpoint);

/// Reads the checkpoint at `path`. If it is damaged or missing, reads before(path), with a note. No
/// value if neither file exists. Throws an AgreedError if a file exists and none can be used.
/// Collective.
[[nodiscard]] std::optional<RowCheckpoint> read_checkpoint(const job::Job& job, const std::string& path);

/// Whether `path` or before(path) exists.
[[nodiscard]] bool checkpoint_exists(const std::string& path);

/// Removes checkpoint_files(path). Throws nothing.
void remove_checkpoints(const std::string& path);

}  // namespace wayfront::session
