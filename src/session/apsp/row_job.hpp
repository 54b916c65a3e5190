// Runs the rows of all pairs over all ranks, with checkpoints.
//
// The positions that are not done are divided among the ranks. Ranks work on their own, in rounds of
// about half a second, after which they agree on whether to write a checkpoint and whether to stop.
// If the producer summarises the rows of all ranks together, all are done at once. If the producer
// computes the whole matrix before its first row, its steps have checkpoints, too
// (matrix_saver.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "job/job.hpp"
#include "job/progress.hpp"
#include "session/output/matrix_file.hpp"
#include "session/output/row_checkpoint.hpp"

namespace wayfront::session {

struct RowJob
{
    std::span<const Vertex> sources;  // the sources of all ranks, by position
    algo::RowProducer& producer;
    algo::Summary* summary = nullptr;  // may be null
    // The vertices of the columns that files and consumers get; no value: all vertices. There is no
    // summary then.
    std::optional<std::span<const Vertex>> targets = std::nullopt;
    std::vector<MatrixFile*> files = {};
    std::vector<algo::RowConsumer*> consumers = {};  // besides the files
    algo::RowConsumer* validator = nullptr;          // gets whole rows; may be null
    job::Progress& progress;
    // The positions of this rank, of those that are not done; no value: an even part. It must be the
    // even part if the producer summarises the rows of all ranks together.
    std::optional<std::vector<IndexRange>> share = std::nullopt;

    std::string checkpoint = {};  // the file's name; empty: none
    double checkpoint_seconds = 0;
    RowCheckpoint begin = {};  // describes graph, job, and the rows that an earlier job has done

    // Set by run_rows(): the steps of the matrix that an earlier job has done.
    std::size_t steps_before = 0;
};

/// Prepares the producer, makes all rows that are not done, and saves the last checkpoint.
/// Afterwards the summary of each rank has all rows. If a stop is requested while rows are left
/// (job/stop_request.hpp), finishes the batch or step in hand, saves the checkpoint, and throws
/// an AgreedError with ExitCode::stopped. Collective.
void run_rows(const job::Job& job, RowJob& rows);

}  // namespace wayfront::session
