#include "session/apsp/matrix_saver.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph/io/output_file.hpp"
#include "job/stop_request.hpp"

namespace wayfront::session {

TileFile MatrixSaver::file_of(algo::TileEngine& engine, std::uint64_t number) const
{
    return {matrix_path(options_.checkpoint, number), engine, options_.subject};
}

/// The files of an earlier job are overwritten, so only the bytes beyond their size need free
/// space.
void MatrixSaver::require_space(const algo::TileEngine& engine) const
{
    double bytes = 0;
    for (std::uint64_t number = 0; number < kMatrixFiles; ++number) {
        std::error_code missing;
        const std::string path = matrix_path(options_.checkpoint, number);
        const std::uintmax_t old_bytes = std::filesystem::file_size(path, missing);
        const auto needed = static_cast<double>(TileFile::bytes(engine));
        bytes += std::max(0.0, needed - (missing ? 0 : static_cast<double>(old_bytes)));
    }
    try {
        OutputFile::require_space(options_.checkpoint, bytes);
    } catch (const ResourceError& error) {
        throw ResourceError(
            fmt::format("--checkpoint: {}; Floyd-Warshall keeps two saved copies of the matrix", error.what()));
    }
}

std::size_t MatrixSaver::restore(algo::TileEngine& engine)
{
    engine_ = &engine;
    run_agreed(job_.world(), [&] {
        if (job_.first()) require_space(engine);
    });
    last_ = Clock::now();
    std::string trouble;  // the files that could not be read
    while (!options_.saved.empty()) {
        const SavedMatrix matrix = options_.saved.front();
        const bool good = run_agreed(job_.world(), [&] { return file_of(engine, matrix.file).read(matrix.steps); });
        if (job_.world().all(good)) {
            steps_before_ = matrix.steps;
            if (!trouble.empty())
                job_.note(fmt::format("{}: the job goes on from the previously saved matrix", trouble));
            job_.note(fmt::format("{} of {} steps are done; the job goes on", steps_before_, engine.tiles().tiles));
            return steps_before_;
        }
        trouble += fmt::format("{}{} is damaged or missing", trouble.empty() ? "" : ", and ",
                               matrix_path(options_.checkpoint, matrix.file));
        options_.saved.erase(options_.saved.begin());
    }
    if (!trouble.empty())
        throw AgreedError(ExitCode::bad_input,
                          fmt::format("--resume: {}; remove the checkpoint to begin anew", trouble));
    return 0;
}

bool MatrixSaver::due()
{
    return job_.world().any(job::StopRequest::requested() || seconds_between(last_, Clock::now()) >= options_.seconds);
}

std::string MatrixSaver::try_to_save(std::size_t steps)
{
    const SavedMatrix matrix{steps, options_.saved.empty() ? 0 : (options_.saved.front().file + 1) % kMatrixFiles};
    const TileFile file = file_of(*engine_, matrix.file);
    std::vector<SavedMatrix> saved{matrix};
    if (!options_.saved.empty()) saved.push_back(options_.saved.front());
    std::string trouble;
    try {
        run_agreed(job_.world(), [&] {
            if (job_.first()) file.create();
        });
        run_agreed(job_.world(), [&] { file.write(steps); });
        options_.write_checkpoint(saved);
        options_.saved = saved;
    } catch (const AgreedError& error) {
        if (error.code() != ExitCode::resources) throw;
        trouble = error.what();
        std::error_code ignored;
        // Other jobs may need the space.
        if (job_.first()) std::filesystem::remove(matrix_path(options_.checkpoint, matrix.file), ignored);
    }
    last_ = Clock::now();
    return trouble;
}

void MatrixSaver::save(algo::TileEngine& engine, std::size_t steps)
{
    const std::string trouble = try_to_save(steps);
    const bool stops = job_.world().any(job::StopRequest::requested());
    if (!stops) {
        if (!trouble.empty())
            job_.note(fmt::format("no checkpoint after step {}, the job goes on: {}", steps, trouble));
        return;
    }
    const std::string done = fmt::format("stopped by SIGTERM after {} of {} steps", steps, engine.tiles().tiles);
    if (options_.saved.empty())
        throw AgreedError(ExitCode::resources, fmt::format("{}, without a checkpoint: {}", done, trouble));
    throw AgreedError(
        ExitCode::stopped,
        fmt::format("{}; the same command with --resume goes on from {}{}", done, options_.checkpoint,
                    trouble.empty() ? "" : fmt::format(" after step {}: {}", options_.saved.front().steps, trouble)));
}

void MatrixSaver::save_whole()
{
    if (engine_ == nullptr) return;
    const std::size_t steps = engine_->tiles().tiles;
    if (!options_.saved.empty() && options_.saved.front().steps == steps) return;
    if (const std::string trouble = try_to_save(steps); !trouble.empty())
        job_.note(fmt::format("the whole matrix could not be saved: {}", trouble));
}

}  // namespace wayfront::session
