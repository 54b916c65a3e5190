// Checkpoints of a job that computes the whole matrix in steps before its first row is done.
//
// The tiles are saved to two files in turn, whose names are that of the checkpoint followed by
// ".matrix-0" and ".matrix-1" (io/tile_file.hpp). The checkpoint names both, with the steps that
// each has gone through, so that the older one can be used if the newer one is damaged.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algo/apsp/matrix_checkpoints.hpp"
#include "base/phase.hpp"
#include "job/job.hpp"
#include "session/output/row_checkpoint.hpp"
#include "session/output/tile_file.hpp"

namespace wayfront::session {

class MatrixSaver final : public algo::MatrixCheckpoints
{
public:
    struct Options
    {
        std::string checkpoint;          // the file's name
        std::string subject;             // describes graph and job
        double seconds = 0;              // between two checkpoints
        std::vector<SavedMatrix> saved;  // the matrices that an earlier job saved
        /// Writes the checkpoint that names these matrices. Throws an AgreedError. Collective.
        std::function<void(std::span<const SavedMatrix> saved)> write_checkpoint;
    };
    /// The job outlives the saver.
    MatrixSaver(const job::Job& job, Options options) : job_(job), options_(std::move(options)) {}

    /// Throws an AgreedError if the disk is too small for the files, or if the saved files are
    /// damaged.
    [[nodiscard]] std::size_t restore(algo::TileEngine& engine) override;
    [[nodiscard]] bool due() override;
    /// If a file cannot be written, the job continues with a note. If a stop is requested
    /// (job/stop_request.hpp), throws an AgreedError with ExitCode::stopped.
    void save(algo::TileEngine& engine, std::size_t steps) override;

    /// Saves the matrix after its last step, unless that was done or there is none. Collective.
    void save_whole();

    [[nodiscard]] std::span<const SavedMatrix> saved() const { return options_.saved; }
    /// The steps that an earlier job has done.
    [[nodiscard]] std::size_t steps_before() const { return steps_before_; }

private:
    void require_space(const algo::TileEngine& engine) const;
    [[nodiscard]] TileFile file_of(algo::TileEngine& engine, std::uint64_t number) const;
    /// Returns why the files could not be written; empty if they were.
    [[nodiscard]] std::string try_to_save(std::size_t steps);

    const job::Job& job_;
    Options options_;
    algo::TileEngine* engine_ = nullptr;
    std::size_t steps_before_ = 0;
    Clock::time_point last_ = Clock::now();
};

}  // namespace wayfront::session
