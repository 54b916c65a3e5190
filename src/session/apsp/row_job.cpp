#include "session/apsp/row_job.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "algo/apsp/row_loop.hpp"
#include "algo/apsp/target_columns.hpp"
#include "base/phase.hpp"
#include "comm/agreement.hpp"
#include "job/stop_request.hpp"
#include "session/apsp/matrix_saver.hpp"

namespace wayfront::session {

namespace {

constexpr double kRoundSeconds = 0.5;

/// The elements of all ranks, in the order of ranks.
template <typename T>
std::vector<T> gather(const comm::Communicator& world, std::span<const T> own)
{
    const std::vector<std::size_t> sizes = world.all_gather(own.size());
    std::vector<T> all(std::reduce(sizes.begin(), sizes.end()));
    world.all_gather_v(own, sizes, std::span<T>(all));
    return all;
}

/// The rows of the whole job that are done, in order.
std::vector<IndexRange> gather_done(const comm::Communicator& world, const RowJob& rows, const algo::RowLoop& loop)
{
    std::vector<IndexRange> all = gather(world, std::span<const IndexRange>(loop.done_ranges()));
    std::ranges::copy(rows.begin.done, std::back_inserter(all));
    return algo::joined_ranges(std::move(all));
}

/// The rows whose facts a rank's summary has: the rows that this rank has done, and on rank 0 the rows of
/// the earlier job.
std::vector<IndexRange> summarised_rows(const comm::Communicator& world, const RowJob& rows, const algo::RowLoop& loop)
{
    std::vector<IndexRange> own = loop.done_ranges();
    if (world.rank() == 0) std::ranges::copy(rows.begin.done, std::back_inserter(own));
    return own;
}

/// Gathers the facts of the rows that each rank has.
void gather_facts(const comm::Communicator& world, const algo::Summary& own, std::span<const IndexRange> ranges,
                  algo::Summary& all)
{
    const std::vector<IndexRange> gathered = gather(world, ranges);
    const auto one_each = static_cast<std::size_t>(world.size()) == gathered.size() && world.all(ranges.size() == 1);
    const auto apart = [](IndexRange range, IndexRange next) { return range.last != next.first; };
    if (one_each && std::ranges::adjacent_find(gathered, apart) == gathered.end()) {
        std::vector<std::size_t> sizes;
        std::ranges::transform(gathered, std::back_inserter(sizes), &IndexRange::size);
        const std::size_t first = gathered.front().first;
        world.all_gather_v(own.rows().subspan(ranges[0].first, ranges[0].size()), sizes,
                           all.rows().subspan(first, gathered.back().last - first));
        return;
    }
    std::vector<algo::RowFacts> own_facts;
    for (const IndexRange range : ranges)
        std::ranges::copy(own.rows().subspan(range.first, range.size()), std::back_inserter(own_facts));
    const std::vector<algo::RowFacts> facts = gather(world, std::span<const algo::RowFacts>(own_facts));
    auto next = facts.begin();
    for (const IndexRange range : gathered)
        for (std::size_t position = range.first; position < range.last; ++position) all.set_row(position, *next++);
}

/// The summary of all ranks. Each has the facts of the rows in its `ranges`.
algo::Summary gather_summary(const comm::Communicator& world, const algo::Summary& own,
                             std::span<const IndexRange> ranges)
{
    if (world.size() == 1) return own;
    algo::Summary all(own.rows().size(), own.whole(), own.detail());
    gather_facts(world, own, ranges, all);

    const algo::DistanceHistogram& histogram = own.histogram();
    const std::int64_t exponent = world.all_reduce(std::int64_t{histogram.exponent()}, comm::Reduction::max);
    algo::DistanceHistogram merged(own.whole());
    merged.restore(static_cast<int>(exponent), {}, {});
    merged.merge(histogram);
    const auto sum_over_ranks = [&world](std::span<const std::uint64_t> counts) {
        std::vector<std::uint64_t> sums(counts.begin(), counts.end());
        sums.resize(world.all_reduce(static_cast<std::uint64_t>(sums.size()), comm::Reduction::max));
        world.all_reduce(std::span<std::uint64_t>(sums), comm::Reduction::sum);
        return sums;
    };
    std::vector<std::uint64_t> counts = sum_over_ranks(merged.counts());
    std::vector<std::uint64_t> negative_counts = sum_over_ranks(merged.negative_counts());
    all.histogram().restore(static_cast<int>(exponent), std::move(counts), std::move(negative_counts));
    return all;
}

/// The checkpoint of the rows that are done, without the facts of outputs. Collective.
RowCheckpoint checkpoint_of_done_rows(const job::Job& job, const RowJob& rows, const algo::RowLoop& loop,
                                      std::span<const SavedMatrix> matrices)
{
    RowCheckpoint checkpoint = rows.begin;
    checkpoint.matrices.assign(matrices.begin(), matrices.end());
    checkpoint.done = gather_done(job.world(), rows, loop);
    checkpoint.checksums.resize(rows.files.size(), 0);
    for (std::size_t i = 0; i < rows.files.size(); ++i)
        checkpoint.checksums[i] += job.world().all_reduce(rows.files[i]->checksum(), comm::Reduction::sum);
    if (rows.summary == nullptr) return checkpoint;
    const algo::Summary all = gather_summary(job.world(), *rows.summary, summarised_rows(job.world(), rows, loop));
    checkpoint.exponent = all.histogram().exponent();
    checkpoint.counts.assign(all.histogram().counts().begin(), all.histogram().counts().end());
    checkpoint.negative_counts.assign(all.histogram().negative_counts().begin(),
                                      all.histogram().negative_counts().end());
    checkpoint.facts.clear();
    for (const IndexRange range : checkpoint.done)
        std::ranges::copy(all.rows().subspan(range.first, range.size()), std::back_inserter(checkpoint.facts));
    return checkpoint;
}

/// Saves the outputs, and then the checkpoint, which names `matrices`. Collective.
void save(const job::Job& job, RowJob& rows, const algo::RowLoop& loop, std::span<const SavedMatrix> matrices)
{
    try {
        run_agreed(job.world(), [&] {
            for (MatrixFile* const file : rows.files) file->save();
        });
        RowCheckpoint checkpoint = checkpoint_of_done_rows(job, rows, loop, matrices);
        run_agreed(job.world(), [&] {
            if (!job.first()) return;
            if (checkpoint.done_rows() == rows.sources.size())
                std::ranges::transform(rows.files, std::back_inserter(checkpoint.outputs),
                                       [](const MatrixFile* file) { return file->facts(); });
            write_checkpoint(rows.checkpoint, checkpoint);
        });
    } catch (const AgreedError&) {
        // Without a checkpoint, no job can resume with the unfinished files.
        if (job.first() && !checkpoint_exists(rows.checkpoint))
            for (MatrixFile* const file : rows.files) file->remove_if_job_ends();
        throw;
    }
}

/// Gives rank 0's summary the rows that were done before.
void restore_summary(const job::Job& job, const RowJob& rows)
{
    if (!job.first() || rows.summary == nullptr || rows.begin.done.empty()) return;
    std::size_t next = 0;
    for (const IndexRange range : rows.begin.done)
        for (std::size_t position = range.first; position < range.last; ++position)
            rows.summary->set_row(position, rows.begin.facts[next++]);
    rows.summary->histogram().restore(rows.begin.exponent, rows.begin.counts, rows.begin.negative_counts);
}

/// The summary of the rows in `left`, by a method that the ranks carry out together, if the producer has one.
/// Collective.
void summarise_together(const job::Job& job, RowJob& rows, const std::vector<IndexRange>& left, algo::RowLoop& loop)
{
    if (job.world().any(job::StopRequest::requested())) return;
    if (!rows.producer.summarise_together(rows.sources, left, *rows.summary)) return;
    loop.finish();
    run_agreed(job.world(), [&] {
        for (const IndexRange done : loop.done_ranges()) algo::require_fit(*rows.summary, done, rows.producer.type());
    });
    rows.progress.advance(algo::positions_in(loop.done_ranges()));
}

/// Throws an AgreedError that says how to resume from the rows that are done. Collective.
[[noreturn]] void stop_at_checkpoint(const job::Job& job, const RowJob& rows, const algo::RowLoop& loop)
{
    RowCheckpoint done;
    done.done = gather_done(job.world(), rows, loop);
    throw AgreedError(
        ExitCode::stopped,
        fmt::format("stopped by SIGTERM after {} of {} rows; the same command with --resume goes on from {}",
                    done.done_rows(), rows.sources.size(), rows.checkpoint));
}

/// Makes the rows of the loop, in rounds of kRoundSeconds. If the job has a checkpoint, writes it from time to
/// time, and when the job is asked to stop. `matrix`: null if no rows were left. Collective.
void make_rows(const job::Job& job, RowJob& rows, algo::RowLoop& loop, MatrixSaver* matrix)
{
    const comm::Communicator& world = job.world();
    Clock::time_point saved = Clock::now();
    for (bool finished = false; !finished;) {
        run_agreed(world, [&] {
            const Clock::time_point begin = Clock::now();
            while (!loop.done() && !job::StopRequest::requested() &&
                   seconds_between(begin, Clock::now()) < kRoundSeconds)
                rows.progress.advance(loop.make_batch());
        });
        finished = world.all(loop.done());
        if (rows.checkpoint.empty() || matrix == nullptr) continue;
        const bool stop = !finished && world.any(job::StopRequest::requested());
        if (finished || stop || world.any(seconds_between(saved, Clock::now()) >= rows.checkpoint_seconds)) {
            if (stop) matrix->save_whole();
            save(job, rows, loop, matrix->saved());
            saved = Clock::now();
        }
        if (stop) stop_at_checkpoint(job, rows, loop);
    }
}

}  // namespace

void run_rows(const job::Job& job, RowJob& rows)
{
    const comm::Communicator& world = job.world();
    restore_summary(job, rows);
    const std::vector<IndexRange> left = algo::ranges_between(rows.begin.done, rows.sources.size());
    std::vector<algo::RowConsumer*> consumers(rows.files.begin(), rows.files.end());
    consumers.insert(consumers.end(), rows.consumers.begin(), rows.consumers.end());
    std::optional<algo::TargetColumns> columns;
    run_agreed(world, [&] {
        if (rows.targets && (rows.validator != nullptr || !rows.producer.make_columns(*rows.targets)))
            consumers = {&columns.emplace(*rows.targets, std::move(consumers))};
        if (rows.validator != nullptr) consumers.push_back(rows.validator);
    });
    std::vector<IndexRange> own = rows.share ? *rows.share
                                             : algo::part_of_ranges(left, static_cast<std::size_t>(world.rank()),
                                                                    static_cast<std::size_t>(world.size()));
    const bool consumes_nothing = consumers.empty();
    const std::size_t own_rows = algo::positions_in(own);
    algo::RowLoop loop(rows.producer, rows.sources, std::move(own), std::move(consumers), rows.summary);

    MatrixSaver matrix(job,
                       {.checkpoint = rows.checkpoint,
                        .subject = rows.begin.graph + '\n' + rows.begin.job,
                        .seconds = rows.checkpoint_seconds,
                        .saved = rows.begin.matrices,
                        .write_checkpoint = [&](std::span<const SavedMatrix> saved) { save(job, rows, loop, saved); }});
    if (!left.empty()) {
        if (!rows.checkpoint.empty()) rows.producer.save_to(matrix);
        rows.producer.prepare();
        rows.steps_before = matrix.steps_before();
    }

    rows.progress.begin("rows", own_rows);
    const bool summary_only = consumes_nothing && rows.summary != nullptr && !rows.summary->is_full();
    if (summary_only && world.size() > 1 && !left.empty()) summarise_together(job, rows, left, loop);
    make_rows(job, rows, loop, left.empty() ? nullptr : &matrix);
    if (rows.summary != nullptr)
        *rows.summary = gather_summary(world, *rows.summary, summarised_rows(world, rows, loop));
}

}  // namespace wayfront::session
