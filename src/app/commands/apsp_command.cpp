#include "app/commands/apsp_command.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "algo/apsp/row_validator.hpp"
#include "algo/apsp/summary.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/subcommand.hpp"
#include "app/commands/apsp_summary.hpp"
#include "app/failure.hpp"
#include "app/io/graph_input.hpp"
#include "app/io/matrix_file.hpp"
#include "app/io/named_files.hpp"
#include "app/io/row_checkpoint.hpp"
#include "app/io/run_facts.hpp"
#include "app/machine/host_memory.hpp"
#include "app/machine/stop_request.hpp"
#include "app/search/apsp_plan.hpp"
#include "app/search/negative_cycles.hpp"
#include "app/search/negative_weights.hpp"
#include "app/search/prepared_graph.hpp"
#include "app/search/row_job.hpp"
#include "app/search/sources.hpp"
#include "app/search/whole_graph.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::app {

using Json = nlohmann::ordered_json;

std::vector<OptionGroup> ApspCommand::options()
{
    OptionGroup apsp("All pairs");
    apsp.text(
        "bulk", bulk_, "DIR|FILE",
        "compute many graphs, each by itself, in place of GRAPH: those of a folder, or those that a text file lists, one path or spec per line; "
        "threads and ranks share them, or GPUs compute many at once");
    method_.add_to(apsp);
    sources_.add_to(apsp);
    apsp.flag("summary", summary_,
              "print n, reachable pairs, average shortest path length, diameter, radius, closeness and a histogram of the distances, without "
              "keeping the matrix; the default if no output is named");
    apsp.flag("validate", validate_, "check each row against the edges; exit code 1 if a check fails");
    OptionGroup output("Output");
    output.text("output,o", distances_, "FILE",
                "write the distances, a row for each source; the extension selects the format: .npy, .csv or .raw (the elements alone); not reached: "
                "inf, or the largest number of a whole-number type; with --bulk, a folder, which gets a file GRAPH.npy for each graph");
    output.text(
        "predecessors", predecessors_, "FILE",
        "write the predecessor of each vertex on a shortest path from each source, in the same formats, as int32; -1 if there is none; with --bulk, "
        "another folder");
    output.text("json", json_, "FILE", "write facts of the run as JSON: graph, machine, times, and the summary with the figures of each source");
    output.text("checkpoint", checkpoint_, "FILE", "save the state of a long job from time to time, and at SIGTERM, which ends it then");
    output.flag("resume", resume_, "go on from --checkpoint FILE, if it exists; the results are the same as without an interruption");
    apsp.advanced();
    method_.add_advanced_to(apsp);
    output.advanced();
    output.whole("checkpoint-every", checkpoint_seconds_, 0, 86400, "SECONDS", "time between two checkpoints; 0: after each step or batch");
    return {apsp, graph_.group(true), output};
}

void ApspCommand::check() const
{
    method_.check();
    if (sources_.given()) sources_.check();
    if (!bulk_.empty()) {
        check_bulk();
        return;
    }
    if (graph_.graph.empty()) throw InputError(fmt::format("GRAPH is missing: wayfront {} {} [options]", name(), arguments_usage()));
    graph_.check();
    if (!distances_.empty()) check_matrix_extension("--output", distances_);
    if (!predecessors_.empty()) check_matrix_extension("--predecessors", predecessors_);
    if (resume_ && checkpoint_.empty()) throw InputError("--resume: requires --checkpoint FILE");
    if (resume_ && validate_)
        throw InputError("--validate and --resume do not go together: rows that an earlier job made are not there to be checked");
}

void ApspCommand::load(const Job& job, const GraphOptions& graph, Run& run) const
{
    run.load_seconds = seconds_of(job.world(), nullptr, "load", [&] {
        run.input = load_graph(job, graph, true);
        if (!run.input.list.weighted()) job.note(fmt::format("{} has no weights: each edge has length 1; --weights gives others", run.input.name));
    });
    run.weights = weights_for(job, method_, run.input.name, choose_weight_type(job.world(), run.input.list));
    run.negative_weights = has_negative_weights(job.world(), ListFeed(run.input.list, run.weights));
    run.sources = named_sources(job, sources_, run.input);
    run.input.list = gather_edges(job, std::move(run.input.list));
    run_agreed(job.world(), [&] {
        if (run.input.list.vertex_count > std::numeric_limits<std::int32_t>::max())
            throw InputError(
                fmt::format("{} has {} vertices; all pairs are for graphs of fewer than 2^31", run.input.name, run.input.list.vertex_count));
        if (!run.negative_weights) return;
        if (const std::vector<Vertex> cycle = find_negative_cycle(run.input.list); !cycle.empty())
            throw ResultError(
                fmt::format("there are no shortest paths: {} has a cycle of negative length, {}", run.input.name, cycle_in_words(run.input, cycle)));
    });
    if (!checkpoint_.empty()) run.edges_fingerprint = fingerprint_of_edges(run.input.list);
    if (resume_) resume(job, run);
    if (validate_)
        require_memory(job,
                       algo::RowValidator::bytes(static_cast<double>(run.input.list.vertex_count),
                                                 (run.input.list.directed ? 1 : 2) * static_cast<double>(run.input.list.edges.size()), job.threads()),
                       "validating all pairs of " + run.input.name);
}

/// Constructs the graph, chooses sources and method, and makes the engine.
void ApspCommand::choose(const Job& job, Run& run) const
{
    LoadedGraph& input = run.input;
    EnginePlan on_cores;
    run.construction_seconds = seconds_of(job.world(), nullptr, "construct", [&] {
        require_construction_memory(job, {1, 1}, input, on_cores, run.weights);
        run.whole = construct_whole(job, input.list, run.weights);
    });
    if (sources_.are_random()) {
        std::ranges::copy(random_sources(run.whole.grid->world(), sources_, *run.whole.graph, graph_.seeds.seed), std::back_inserter(run.sources));
    } else if (!sources_.given()) {
        run.sources.resize(static_cast<std::size_t>(input.list.vertex_count));
        std::iota(run.sources.begin(), run.sources.end(), Vertex{0});
    }
    run.work = {.name = input.name,
                .weights = run.weights,
                .negative_weights = run.negative_weights,
                .sources = run.sources.size(),
                .source_list = run.sources,
                .done = run.resumed ? run.resumed->done : std::vector<IndexRange>(),
                .rows = !distances_.empty() || !predecessors_.empty() || validate_,
                .parents = !predecessors_.empty(),
                .checkpoint = !checkpoint_.empty(),
                .one_of_many = !bulk_.empty()};
    ApspMethodOptions options = method_;
    // Free memory may lead to another choice than before.
    const bool chosen_before = run.resumed && options.method == ApspMethod::automatic;
    if (chosen_before) options.method = run_agreed(job.world(), [&] { return method_named(run.resumed->algorithm); });
    run.plan = plan_apsp(job, options, run.engine, run.work, *run.whole.graph);
    if (chosen_before) run.plan.reason = "the job that is resumed has begun with it";
    job.note(fmt::format("--algorithm {}: {}", name_of(method_.method), run.plan.in_words()));
    if (validate_)
        run.validator =
            run_agreed(job.world(), [&] { return std::make_unique<algo::RowValidator>(input.list, input.first_vertex, run.plan.roundings); });
    input.list.edges = {};  // only validation reads them, and it has a copy
    input.list.weights = {};
}

std::string ApspCommand::graph_of_checkpoint(const Run& run) const
{
    return fmt::format("{} vertices and {} edges with checksum {:016x}", run.input.list.vertex_count, run.input.edges, run.edges_fingerprint);
}

/// Reads the checkpoint of an earlier job, if there is one.
void ApspCommand::resume(const Job& job, Run& run) const
{
    run.resumed = read_checkpoint(job, checkpoint_);
    if (!run.resumed) job.note(fmt::format("--resume: there is no checkpoint {} yet; the job begins", checkpoint_));
    run_agreed(job.world(), [&] {
        if (run.resumed && run.resumed->graph != graph_of_checkpoint(run))
            throw InputError(fmt::format("--resume: {} is the checkpoint of another graph: it has {}, {} has {}", checkpoint_, run.resumed->graph,
                                         run.input.name, graph_of_checkpoint(run)));
    });
}

/// Describes the job such that its checkpoint can be told from that of another job.
RowCheckpoint ApspCommand::checkpoint_of(const Run& run) const
{
    std::uint64_t sources = run.sources.size();
    for (const Vertex source : run.sources) sources = sources * 0x9E3779B97F4A7C15 + static_cast<std::uint64_t>(source);
    RowCheckpoint checkpoint;
    checkpoint.graph = graph_of_checkpoint(run);
    checkpoint.algorithm = name_of(run.plan.method);
    checkpoint.job = fmt::format("{} sources with checksum {:016x}, {} with distances as {}{}, --output '{}', --predecessors '{}'",
                                 run.sources.size(), sources, name_of(run.plan.method), algo::name_of(run.plan.type),
                                 wants_summary() || !json_.empty() ? ", summary" : "", distances_, predecessors_);
    return checkpoint;
}

void ApspCommand::search(Job& job, Run& run)
{
    RowCheckpoint begin = checkpoint_of(run);
    if (run.resumed) {
        run_agreed(job.world(), [&] {
            if (run.resumed->job != begin.job)
                throw InputError(
                    fmt::format("--resume: {} is the checkpoint of another job: {}; this job has {}", checkpoint_, run.resumed->job, begin.job));
        });
        begin = *run.resumed;
        run.rows_before = begin.done_rows();
        if (run.rows_before > 0 || begin.matrices.empty())
            job.note(fmt::format("{} of {} rows are done; the job goes on", run.rows_before, run.sources.size()));
    }
    const Unfinished unfinished = checkpoint_.empty() ? Unfinished::removed : run.resumed ? Unfinished::resumed : Unfinished::kept;
    const MatrixShape shape{run.sources, static_cast<std::size_t>(run.input.list.vertex_count), run.input.first_vertex};
    const auto open = [&](const std::string& path, MatrixContent content) {
        if (path.empty()) return;
        const std::size_t number = run.files.size();
        const std::optional<FinishedFile> finished = number < begin.outputs.size() ? std::optional(begin.outputs[number]) : std::nullopt;
        run.files.push_back(std::make_unique<MatrixFile>(job, path, content, run.plan.type, shape, unfinished, finished));
    };
    open(distances_, MatrixContent::distances);
    open(predecessors_, MatrixContent::parents);
    if (wants_summary() || !json_.empty()) run.summary.emplace(run.sources.size(), run.plan.whole);

    // Ends with the last output: whoever wants to end the program while it loads or reports need not wait.
    std::optional<StopRequest> stop_request;
    Progress progress(job, "all pairs");
    run.search_seconds = seconds_of(job.world(), nullptr, "search", [&] {
        run.producer = make_rows(job, run.plan, run.work, *run.whole.graph, progress.listener());
        RowJob rows{.sources = run.sources,
                    .producer = *run.producer,
                    .summary = run.summary ? &*run.summary : nullptr,
                    .files = {},
                    .validator = run.validator.get(),
                    .progress = progress,
                    .checkpoint = checkpoint_,
                    .checkpoint_seconds = static_cast<double>(checkpoint_seconds_),
                    .begin = std::move(begin)};
        std::ranges::transform(run.files, std::back_inserter(rows.files), [](const auto& file) { return file.get(); });
        if (!checkpoint_.empty()) stop_request.emplace();
        run_rows(job, rows);
        run.steps_before = rows.steps_before;
        progress.begin("write", 0);
        for (const auto& file : run.files) file->commit(job);
    });
}

void ApspCommand::report(Job& job, Run& run) const
{
    const SummarySubject subject{run.input, run.sources, run.all_sources(), run.plan.whole};
    const std::size_t checked =
        run.validator ? job.world().all_reduce(static_cast<std::uint64_t>(run.validator->checked_rows()), comm::Reduction::sum) : 0;
    if (job.first()) {
        if (!job.quiet()) {
            std::cout << fmt::format("graph    {}\nloaded   in {:.3g} s, constructed in {:.3g} s\n", graph_in_words(run.input), run.load_seconds,
                                     run.construction_seconds);
            const std::size_t rows = run.sources.size() - run.rows_before;
            std::cout << fmt::format("computed {} {} by {} in {:.4g} s{}{}\n", rows, rows == 1 ? "row" : "rows", run.producer->description(),
                                     run.search_seconds,
                                     run.rows_before > 0    ? fmt::format("; {} were done before", run.rows_before)
                                     : run.steps_before > 0 ? fmt::format("; {} steps were done before", run.steps_before)
                                                            : "",
                                     run.validator ? fmt::format(", {} valid", checked) : "");
        }
        if (wants_summary()) std::cout << summary_in_words(subject, *run.summary);
    }
    if (json_.empty()) return;
    Json document = json_head("apsp");
    document["graph"] = graph_facts(run.input);
    document["search"] = {{"ranks", job.world().size()},
                          {"threads", job.threads()},
                          {"engine", run.engine.on_device() ? "gpu" : "cpu"},
                          {"algorithm", name_of(run.plan.method)},
                          {"description", run.producer->description()},
                          {"dtype", algo::name_of(run.plan.type)}};
    if (run.engine.on_device()) document["search"]["device"] = run.engine.device;
    document["load_seconds"] = run.load_seconds;
    document["construction_seconds"] = run.construction_seconds;
    document["search_seconds"] = run.search_seconds;
    document["resumed_rows"] = run.rows_before;
    document["resumed_steps"] = run.steps_before;
    document["validated_rows"] = checked;
    if (job.first()) document["summary"] = summary_facts(subject, *run.summary);
    write_json(job, json_, document);
}

void ApspCommand::run(Job& job)
{
    graph_.double_precision = method_.type == algo::DistanceType::float64;
    if (!bulk_.empty()) {
        run_bulk_job(job);
        return;
    }
    NamedFiles outputs{{"--output", distances_}, {"--predecessors", predecessors_}, {"--json", json_}};
    if (!checkpoint_.empty()) {
        for (const std::string& file : checkpoint_files(checkpoint_)) outputs.push_back({"--checkpoint", file});
    }
    check_outputs(job, outputs, {graph_.named("GRAPH"), {"--sources", sources_.are_random() ? "" : sources_.many}, {"--config", common.config}});
    run_agreed(job.world(), [&] {
        if (!checkpoint_.empty() && !resume_ && job.first() && checkpoint_exists(checkpoint_))
            throw InputError(fmt::format("--checkpoint: {} exists; add --resume to go on from it, or remove it to begin anew", checkpoint_));
    });
    Run run;
    run.engine = choose_apsp_engine(job, method_);
    load(job, graph_, run);
    choose(job, run);
    search(job, run);
    report(job, run);
    if (!job.first()) return;
    // The last thing of all: whatever ended the job before, it can be resumed.
    if (!checkpoint_.empty()) remove_checkpoints(checkpoint_);
    for (const auto& file : run.files) file->remove_unfinished();
}

std::unique_ptr<Subcommand> make_apsp_command()
{
    return std::make_unique<ApspCommand>();
}

}  // namespace wayfront::app
