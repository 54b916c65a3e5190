#include "app/commands/apsp_command.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/subcommand.hpp"
#include "app/commands/apsp_summary.hpp"
#include "app/commands/search_summary.hpp"
#include "app/options/source_options.hpp"
#include "app/report/run_facts.hpp"
#include "app/report/trace_file.hpp"
#include "base/counted.hpp"
#include "job/progress.hpp"
#include "job/stop_request.hpp"
#include "session/apsp/row_job.hpp"
#include "session/apsp/vertex_figures.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/output/matrix_file.hpp"
#include "session/output/matrix_text.hpp"
#include "session/output/named_files.hpp"
#include "session/output/parquet_table.hpp"
#include "session/output/row_checkpoint.hpp"
#include "session/output/text_output.hpp"
#include "session/output/vertex_text.hpp"
#include "session/prepared_graph.hpp"
#include "session/rates_file.hpp"

namespace wayfront::app {

namespace {

/// The distance of a vertex that is not reached, in the file `path`.
session::Json not_reached(const std::string& path, algo::DistanceType type)
{
    if (session::is_text(path)) return "inf";
    if (session::is_parquet(path)) return nullptr;
    return algo::with_distance_type(type, []<typename T>(T) {
        return std::is_integral_v<T> ? session::Json(unreached<T>()) : session::Json("inf");
    });
}

}  // namespace

void ApspCommand::load(const job::Job& job, const session::GraphOptions& graph, Run& run) const
{
    run.load_seconds = session::seconds_of(job.world(), &run.log, "load", [&] {
        run.input = session::load_graph(job, graph, true);
        if (!run.input.list.weighted())
            job.note(fmt::format("{} has no weights: each edge has length 1; --weights SPEC sets other weights",
                                 run.input.name));
    });
    for (const std::string& path : {distances_, predecessors_}) session::note_order(job, graph, run.input, path);
    run.sources = named_vertices(job, sources_, run.input);
    if (targets_.given()) run.targets = named_vertices(job, targets_, run.input);
    run.gather_seconds =
        session::seconds_of(job.world(), &run.log, "gather", [&] { session::gather_pairs(job, method_, run); });
    if (!checkpoint_.empty()) run.edges_fingerprint = session::fingerprint_of_edges(run.input.list);
    if (resume_) resume(job, run);
    if (validate_) session::require_pairs_validation_memory(job, run);
}

/// Constructs the graph, and chooses sources.
void ApspCommand::take_sources(const job::Job& job, Run& run) const
{
    session::construct_pairs(job, run, &run.log);
    if (sources_.are_random())
        std::ranges::copy(random_vertices(run.whole.grid->world(), sources_, *run.whole.graph, graph_.seeds.seed),
                          std::back_inserter(run.sources));
    else if (!sources_.given())
        session::take_all_sources(run);
}

/// Constructs the graph, and chooses sources, targets and method.
void ApspCommand::choose(const job::Job& job, Run& run) const
{
    take_sources(job, run);
    if (targets_.are_random())
        std::ranges::copy(random_vertices(run.whole.grid->world(), targets_, *run.whole.graph, graph_.seeds.seed),
                          std::back_inserter(*run.targets));
    plan::ApspMethodOptions options = method_;
    // Another amount of free memory could lead to another choice than in the earlier job.
    const bool chosen_before = run.resumed && options.is_automatic();
    if (chosen_before)
        options.method = run_agreed(job.world(), [&] { return plan::checked_method_name(run.resumed->algorithm); });
    const session::PairsUse use{.done = run.resumed ? run.resumed->done : std::vector<IndexRange>(),
                                .rows = !distances_.empty() || !predecessors_.empty(),
                                .full_summary = !figures_.empty(),
                                .parents = !predecessors_.empty(),
                                .checkpoint = !checkpoint_.empty(),
                                .in_bulk_job = !bulk_.empty(),
                                .validate = validate_};
    const Clock::time_point begin = Clock::now();
    const double seconds = session::seconds_of(job.world(), nullptr, "choose method",
                                               [&] { session::plan_pairs(job, options, use, run); });
    // The elimination is a part of the choice, but a phase of its own.
    const Clock::time_point end = Clock::now();
    const auto eliminated =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(run.plan.elimination_seconds));
    run.log.add({.name = "choose method", .begin = begin, .end = std::max(begin, end - eliminated)});
    if (run.plan.elimination != nullptr)
        run.log.add({.name = "eliminate", .begin = std::max(begin, end - eliminated), .end = end});
    run.choice_seconds = std::max(0.0, seconds - run.plan.elimination_seconds);
    session::release_edges(run);
    if (chosen_before) run.plan.reason = "the job that is resumed has begun with it";
    const session::EngineFacts facts{
        .engine = run.plan.engine.on_device() ? "gpu" : "cpu",
        .device = run.plan.engine.device,
        .transport = run.plan.shares_tiles() ? std::string(run.plan.panel_transport()) : ""};
    run.in_words = search_in_words(job, run.plan.offer.matrix_grid, facts, run.plan.in_words());
}

std::string ApspCommand::graph_of_checkpoint(const Run& run) const
{
    return fmt::format("{} vertices and {} edges{} with checksum {:016x}", run.input.list.vertex_count, run.input.edges,
                       run.input.reversed ? ", reversed," : "", run.edges_fingerprint);
}

/// Reads the checkpoint of an earlier job, if there is one.
void ApspCommand::resume(const job::Job& job, Run& run) const
{
    run.resumed = session::read_checkpoint(job, checkpoint_);
    if (!run.resumed) job.note(fmt::format("--resume: there is no checkpoint {} yet; the job begins", checkpoint_));
    run_agreed(job.world(), [&] {
        if (run.resumed && run.resumed->graph != graph_of_checkpoint(run))
            throw InputError(fmt::format("--resume: {} is the checkpoint of another graph: it has {}, {} has {}",
                                         checkpoint_, run.resumed->graph, run.input.name, graph_of_checkpoint(run)));
    });
}

/// The checkpoint's descriptions of graph and job. Those of two different jobs differ.
session::RowCheckpoint ApspCommand::checkpoint_of(const Run& run) const
{
    const auto checksum_of = [](const auto& list) {
        std::uint64_t checksum = list.size();
        for (const auto element : list) checksum = checksum * 0x9E3779B97F4A7C15 + static_cast<std::uint64_t>(element);
        return checksum;
    };
    session::RowCheckpoint checkpoint;
    checkpoint.graph = graph_of_checkpoint(run);
    checkpoint.algorithm = run.plan.method->name;
    const std::string numbering =
        run.input.named ? fmt::format("whose names have checksum {:016x}",
                                      checksum_of(run.input.names->bytes()) ^ checksum_of(run.input.names->ends()))
        : run.input.compact
            ? fmt::format("whose numbers have checksum {:016x}", checksum_of(run.input.listed_numbers.span()))
            : fmt::format("from {} on", run.input.first_vertex);
    checkpoint.job = fmt::format(
        "{} sources with checksum {:016x},{} vertices {}, {} with distances as {}{}, --output '{}', --predecessors "
        "'{}'",
        run.sources.size(), checksum_of(run.sources),
        run.targets ? fmt::format(" {} targets with checksum {:016x},", run.targets->size(), checksum_of(*run.targets))
                    : "",
        numbering, run.plan.method->name, algo::name_of(run.plan.type),
        !figures_.empty() ? ", figures of vertices"
        : makes_summary() ? ", summary"
                          : "",
        distances_, predecessors_);
    return checkpoint;
}

/// The checkpoint with which the job begins: that of an earlier job, or one without rows.
session::RowCheckpoint ApspCommand::first_checkpoint(const job::Job& job, Run& run) const
{
    session::RowCheckpoint begin = checkpoint_of(run);
    if (!run.resumed) return begin;
    run_agreed(job.world(), [&] {
        if (run.resumed->job != begin.job)
            throw InputError(fmt::format("--resume: {} is the checkpoint of another job: {}; this job has {}",
                                         checkpoint_, run.resumed->job, begin.job));
    });
    run.rows_before = run.resumed->done_rows();
    if (run.rows_before > 0 || run.resumed->matrices.empty())
        job.note(fmt::format("{} of {} rows are done; the job goes on", run.rows_before, run.sources.size()));
    return *run.resumed;
}

/// Opens the files of rows, which `begin` may have rows of.
void ApspCommand::open_files(const job::Job& job, const session::RowCheckpoint& begin, session::Unfinished unfinished,
                             Run& run) const
{
    session::MatrixShape shape = run.shape();
    shape.long_form = long_form_;
    const auto open = [&](const std::string& path, session::MatrixContent content) {
        if (path.empty()) return;
        const std::size_t number = run.files.size();
        const std::optional<session::FinishedFile> finished =
            number < begin.outputs.size() ? std::optional(begin.outputs[number]) : std::nullopt;
        run.files.push_back(std::make_unique<session::MatrixFile>(
            job, session::MatrixFileOptions{path, content, run.plan.type, unfinished, finished}, shape));
        if (unfinished == session::Unfinished::resumed)
            run.files.back()->verify(job, begin.done, begin.checksums.at(number));
    };
    open(distances_, session::MatrixContent::distances);
    if (!distances_.empty() && !session::is_made_at_end(distances_))
        job.note(fmt::format("{} has {} as the distance of a vertex that is not reached", distances_,
                             not_reached(distances_, run.plan.type).dump()));
    open(predecessors_, session::MatrixContent::parents);
    run_agreed(job.world(), [&] {
        double bytes = 0;
        for (const auto& file : run.files) bytes += file->bytes_at_end();
        for (const auto& file : run.files)
            if (job.first() && file->bytes_at_end() > 0) file->require_space(bytes);
    });
}

void ApspCommand::search(job::Job& job, Run& run)
{
    session::RowCheckpoint begin = first_checkpoint(job, run);
    // A checkpoint without rows may have a saved matrix, which needs no output.
    const session::Unfinished unfinished = checkpoint_.empty()   ? session::Unfinished::removed
                                           : run.rows_before > 0 ? session::Unfinished::resumed
                                                                 : session::Unfinished::kept;
    // Between the first output and the last, SIGTERM is a request. While the program loads, reads the
    // rows of an earlier job or reports, SIGTERM ends the program at once.
    std::optional<job::StopRequest> stop_request;
    if (unfinished == session::Unfinished::kept) stop_request.emplace();
    open_files(job, begin, unfinished, run);
    if (unfinished == session::Unfinished::resumed) stop_request.emplace();
    if (makes_summary())
        run.summary.emplace(run.sources.size(), run.plan.whole,
                            figures_.empty() ? algo::SummaryDetail::brief : algo::SummaryDetail::full);
    if (!figures_.empty())
        session::require_figures_space(job, figures_, run.sources.size(),
                                       session::most_vertex_bytes(run.input.numbers(), run.input.list.vertex_count));

    job::Progress progress(job, "all pairs");
    run.prepare_seconds = run.plan.elimination_seconds;
    run.prepare_seconds += session::seconds_of(job.world(), &run.log, "prepare search", [&] {
        run.producer = session::make_pair_rows(job, run, progress.listener());
    });
    run.search_seconds = session::seconds_of(job.world(), &run.log, "search", [&] {
        session::RowJob rows{
            .sources = run.sources,
            .producer = *run.producer,
            .summary = run.summary ? &*run.summary : nullptr,
            .targets = run.targets,
            .files = {},
            .consumers = {},
            .validator = run.validator.get(),
            .progress = progress,
            .share = session::pair_rows_of(job, run),
            .checkpoint = checkpoint_,
            .checkpoint_seconds = static_cast<double>(checkpoint_seconds_.value_or(kCheckpointSeconds)),
            .begin = std::move(begin)};
        std::ranges::transform(run.files, std::back_inserter(rows.files), [](const auto& file) { return file.get(); });
        session::run_rows(job, rows);
        run.steps_before = rows.steps_before;
        progress.begin("write", 0);
        for (const auto& file : run.files) file->commit(job);
        if (!figures_.empty())
            session::write_figures(job, figures_,
                                   {*run.summary, run.sources, run.input.list.vertex_count, run.input.numbers()});
    });
}

/// Whether to print the summary. A quiet job that writes the summary or its figures to a file prints the summary only
/// on demand.
bool ApspCommand::prints_summary() const
{
    return summary_ || (wants_summary() && !(common.quiet && (!json_.empty() || !figures_.empty())));
}

/// The graph of which the sources are a random sample; no value if they are none, or if estimates
/// would not be bounded.
std::optional<algo::SampledGraph> ApspCommand::sampled_graph(const Run& run) const
{
    if (!sources_.are_random() || !sources_.each.empty() || run.negative_weights) return std::nullopt;
    return session::sampled_graph(run);
}

void ApspCommand::print_choice(const job::Job& job, const Run& run) const
{
    if (job.first() && !common.quiet)
        print_preparation(run.input, run.in_words, run.load_seconds, run.construction_seconds);
}

void ApspCommand::report(job::Job& job, Run& run) const
{
    const std::optional<algo::SampledGraph> sampled =
        run_agreed(job.world(), [&] { return job.first() && run.summary ? sampled_graph(run) : std::nullopt; });
    const SummarySubject subject{run.input, run.sources, run.all_sources(), run.plan.whole, sampled};
    const std::size_t checked =
        run.validator
            ? job.world().all_reduce(static_cast<std::uint64_t>(run.validator->checked_rows()), comm::Reduction::sum)
            : 0;
    if (job.first()) {
        if (!common.quiet) {
            std::cout << fmt::format("preparation    {:.6g} s\n", run.prepare_seconds);
            const std::size_t rows = run.sources.size() - run.rows_before;
            std::cout << fmt::format(
                "computed {} by {} in {:.4g} s{}{}\n", counted(rows, "row", "rows"), run.producer->description(),
                run.search_seconds,
                run.rows_before > 0 ? fmt::format("; {} done before", counted(run.rows_before, "was", "were"))
                : run.steps_before > 0
                    ? fmt::format("; {} done before", counted(run.steps_before, "step was", "steps were"))
                    : "",
                run.validator ? fmt::format(", {} valid", checked) : "");
        }
        if (prints_summary()) std::cout << summary_in_words(subject, *run.summary);
    }
    if (common.verbose) print_phases(job, run.log);
    if (json_.empty()) return;
    session::Json document = json_head(job, *this);
    document["graph"] = graph_facts(run.input);
    document["search"] = {{"ranks", job.world().size()},
                          {"threads", job.threads()},
                          {"engine", run.engine.on_device() ? "gpu" : "cpu"},
                          {"algorithm", run.plan.method->name},
                          {"description", run.producer->description()},
                          {"dtype", algo::name_of(run.plan.type)},
                          {"in_words", run.in_words}};
    if (run.engine.on_device()) document["search"]["device"] = run.engine.device;
    if (run.plan.shares_tiles()) document["search"]["transport"] = run.plan.panel_transport();
    if (!distances_.empty()) document["not_reached"] = not_reached(distances_, run.plan.type);
    add_phases(run, document);
    document["resumed_rows"] = run.rows_before;
    document["resumed_steps"] = run.steps_before;
    document["validated_rows"] = checked;
    document["sources"] = run.sources.size();
    if (run.targets) document["targets"] = run.targets->size();
    if (job.first() && run.summary) document["summary"] = summary_facts(subject, *run.summary);
    session::write_json(job, json_, document);
}

void ApspCommand::add_phases(const Run& run, session::Json& document)
{
    document["load_seconds"] = run.load_seconds;
    document["gather_seconds"] = run.gather_seconds;
    document["construction_seconds"] = run.construction_seconds;
    document["choice_seconds"] = run.choice_seconds;
    if (run.plan.elimination != nullptr) document["elimination_seconds"] = run.plan.elimination_seconds;
    document["prepare_seconds"] = run.prepare_seconds;
    document["search_seconds"] = run.search_seconds;
}

void ApspCommand::run(job::Job& job)
{
    graph_.double_precision = method_.type == algo::DistanceType::float64;
    method_.rates = session::rates_of(job, rates_);
    if (!bulk_.empty()) {
        run_bulk_job(job);
        return;
    }
    session::NamedFiles outputs{{"--output", distances_},
                                {"--predecessors", predecessors_},
                                {"--vertices", figures_},
                                {"--json", json_},
                                graph_.named_numbers()};
    if (!checkpoint_.empty()) {
        for (const std::string& file : session::checkpoint_files(checkpoint_))
            outputs.push_back({"--checkpoint", file});
        if (!distances_.empty()) outputs.push_back({"--output", session::unfinished_name(distances_)});
        if (!predecessors_.empty()) outputs.push_back({"--predecessors", session::unfinished_name(predecessors_)});
    }
    session::NamedFiles inputs = search_inputs(graph_, sources_, common.config);
    inputs.push_back(targets_.named_file());
    inputs.push_back({"--rates", rates_});
    session::check_outputs(job, outputs, inputs);
    run_agreed(job.world(), [&] {
        if (!checkpoint_.empty() && !resume_ && job.first() && session::checkpoint_exists(checkpoint_))
            throw InputError(fmt::format(
                "--checkpoint: {} exists; add --resume to go on from it, or remove it to begin anew", checkpoint_));
    });
    if (within_) {
        run_within(job);
        return;
    }
    Run run;
    run.engine = plan::choose_apsp_engine(job, method_);
    load(job, graph_, run);
    choose(job, run);
    print_choice(job, run);
    search(job, run);
    report(job, run);
    if (!job.first()) return;
    // The checkpoint is removed last, so that a job that ends earlier can be resumed.
    if (!checkpoint_.empty()) session::remove_checkpoints(checkpoint_);
    for (const auto& file : run.files) file->remove_unfinished();
}

std::unique_ptr<Subcommand> make_apsp_command()
{
    return std::make_unique<ApspCommand>();
}

}  // namespace wayfront::app
