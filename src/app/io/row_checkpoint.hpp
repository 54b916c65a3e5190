// The checkpoint of a job that makes rows of all pairs: which rows are done, and their summary.
//
// The rows themselves are in the unfinished output (matrix_file.hpp). A checkpoint is written beside
// its name and renamed; the one before is kept as NAME.before. Little endian:
//   "wayfront rows 1\n", the length of the rest in 8 bytes and its CRC-32 in 4
//   the description of the graph, and that of the job (length in 8 bytes, text)
//   the number of ranges of positions that are done, and the first and the last + 1 of each
//   the exponent of the histogram's bins, and the two lists of its counts
//   the facts of the rows that are done, by position; none without a summary
//   if all rows are done: size and time of change of each output, by which it is recognised when it
//   has its name
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algo/apsp/summary.hpp"
#include "app/io/matrix_file.hpp"
#include "app/job.hpp"
#include "base/parallel.hpp"

namespace wayfront::app {

struct RowCheckpoint
{
    std::string graph;  // describes its content
    std::string job;    // the options that determine the results
    std::vector<IndexRange> done;
    int exponent = 0;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> negative_counts;
    std::vector<algo::RowFacts> facts;
    std::vector<FinishedFile> outputs;  // only if all rows are done

    [[nodiscard]] std::size_t done_rows() const;
};

/// The content of a checkpoint file, and back. decode() has no value if the text is damaged.
[[nodiscard]] std::string encode(const RowCheckpoint& checkpoint);
[[nodiscard]] std::optional<RowCheckpoint> decode(const std::string& text);

/// The name of the checkpoint that was written before the one at `path`.
[[nodiscard]] std::string before(const std::string& path);

/// Replaces the checkpoint at `path`, and keeps the old one as before(path). Throws ResourceError.
void write_checkpoint(const std::string& path, const RowCheckpoint& checkpoint);

/// Reads the checkpoint at `path`. If it is damaged or missing, reads the one before, with a note.
/// No value if neither exists. Throws an AgreedError if none of those that exist can be used.
/// Collective.
[[nodiscard]] std::optional<RowCheckpoint> read_checkpoint(const Job& job, const std::string& path);

/// Whether there is a checkpoint at `path`, or one before it.
[[nodiscard]] bool checkpoint_exists(const std::string& path);

/// Removes both. Throws nothing.
void remove_checkpoints(const std::string& path);

}  // namespace wayfront::app
