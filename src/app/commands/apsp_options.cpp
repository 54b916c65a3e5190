// The options of wayfront apsp, and which of them go together.

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands/apsp_command.hpp"
#include "app/options/cutoff_option.hpp"
#include "app/options/graph_options.hpp"
#include "app/options/method_options.hpp"
#include "app/options/search_outputs.hpp"
#include "app/options/source_options.hpp"
#include "session/apsp/vertex_figures.hpp"
#include "session/output/matrix_file.hpp"
#include "session/output/matrix_text.hpp"

namespace wayfront::app {

OptionGroup ApspCommand::pair_options()
{
    OptionGroup apsp("All pairs");
    apsp.text("bulk", bulk_, "DIR|FILE",
              "compute many graphs, each by itself, instead of GRAPH: the graphs of a folder, or of a text file with "
              "one path or spec per line; "
              "threads and ranks share them, or GPUs compute many at once");
    add_apsp_method(apsp, method_);
    sources_.add_to(apsp);
    targets_.add_to(apsp, "write the distances to");
    apsp.parsed("within", "D",
                "find only the vertices at distances of at most D from each source, by searches that end there; "
                "--output gets them as sparse rows: .npz, .mtx, or .csv",
                [this](const std::string& text) { within_ = parse_cutoff("within", text); });
    add_reverse(apsp, graph_);
    apsp.flag("summary", summary_,
              "print n, reachable pairs, average shortest path length, diameter, radius, closeness and a histogram of "
              "the distances, without "
              "keeping the matrix; of all sources also center, periphery, Wiener index and global efficiency; the "
              "default if no output is named");
    apsp.flag("validate", validate_, "check each row against the edges; exit code 1 if a check fails");
    apsp.advanced();
    add_apsp_advanced(apsp, method_);
    apsp.text(
        "rates", rates_, "FILE",
        "estimate times by the rates in FILE, which wayfront tune has written, instead of those found or built in");
    return apsp;
}

OptionGroup ApspCommand::output_options()
{
    OptionGroup output("Output");
    output.text(
        "output,o", distances_, "FILE",
        "write the distances, a row for each source; the extension selects the format: .npy, .npz (with the vertices "
        "of rows and columns), .csv, .raw (the elements alone), .parquet (a row for each pair; if the build has Apache "
        "Arrow), or - for standard "
        "output, as .csv; not reached: inf, null in .parquet, or in .npy, .npz and .raw the largest number of a "
        "whole-number type; "
        "with --bulk, a folder, which gets a file "
        "GRAPH.npy for each graph");
    output.text("predecessors", predecessors_, "FILE",
                "write the predecessor of each vertex on a shortest path from each source, in the same formats, as "
                "int32, or with --compact as int64 "
                "if a number needs it; -1 if there is none; with --bulk, "
                "another folder");
    output.flag("long", long_form_,
                "write a line for each pair in .csv, source,target,distance, instead of one for each source");
    output.text(
        "vertices", figures_, "FILE",
        "write the figures of each source, without keeping the matrix: vertices reached, sum of distances, "
        "eccentricity, closeness, harmonic closeness; as .csv, .npy or .json, or - for standard output, as .csv");
    output.text(
        "json", json_, "FILE",
        "write facts of the run as JSON: graph, machine, times, and the summary with the figures of each source");
    output.text("checkpoint", checkpoint_, "FILE",
                "save the state of a long job every two minutes, and at SIGTERM, which also ends the job");
    output.flag("resume", resume_,
                "go on from --checkpoint FILE, if it exists; the results are the same as without an interruption");
    output.advanced();
    output.parsed("checkpoint-every", "SECONDS",
                  fmt::format("time between two checkpoints; 0: after each step or batch [{}]", kCheckpointSeconds),
                  [this](const std::string& text) {
                      checkpoint_seconds_ = static_cast<int>(parse_whole("checkpoint-every", text, 0, 86400));
                  });
    add_verbose(output, common.verbose);
    return output;
}

std::vector<OptionGroup> ApspCommand::options()
{
    return {pair_options(), graph_group(graph_, true), output_options()};
}

void ApspCommand::check() const
{
    method_.check();
    if (sources_.given()) sources_.check(bulk_.empty() && graph_.may_have_names());
    if (within_) check_within();
    check_long_form();
    check_targets();
    if (checkpoint_seconds_ && checkpoint_.empty()) throw InputError("--checkpoint-every: requires --checkpoint FILE");
    if (!bulk_.empty()) {
        check_bulk();
        return;
    }
    if (graph_.graph.empty())
        throw InputError(fmt::format("GRAPH is missing: wayfront {} {} [options]", name(), words().arguments_usage));
    graph_.check();
    if (!distances_.empty() && !within_) session::check_matrix_extension("--output", distances_);
    if (!predecessors_.empty()) session::check_matrix_extension("--predecessors", predecessors_);
    for (const std::string& path : {distances_, predecessors_})
        if (!checkpoint_.empty() && ends_with_any_case(path, ".npz"))
            throw InputError(
                fmt::format("--checkpoint: {}: .npz has checksums of all rows, so that a job cannot go on "
                            "with it; .npy has the same rows",
                            path));
    if (!figures_.empty()) session::check_figures_extension("--vertices", figures_);
    if (resume_ && checkpoint_.empty()) throw InputError("--resume: requires --checkpoint FILE");
    if (validate_ && !checkpoint_.empty())
        throw InputError(
            "--validate and --checkpoint do not go together: a job that is resumed cannot validate the rows of the "
            "earlier job");
}

void ApspCommand::check_long_form() const
{
    if (!long_form_) return;
    if (!bulk_.empty()) throw InputError("--long and --bulk do not go together: the files of --bulk are .npy");
    const auto is_given_text = [](const std::string& path) { return !path.empty() && session::is_made_at_end(path); };
    if (!is_given_text(distances_) && !is_given_text(predecessors_))
        throw InputError("--long: requires --output or --predecessors with .csv, or - for standard output");
}

void ApspCommand::check_targets() const
{
    targets_.check(bulk_.empty() && graph_.may_have_names());
    if (!targets_.given()) return;
    const char* const option = targets_.each.empty() ? "--targets" : "--target";
    if (!bulk_.empty()) throw InputError(fmt::format("{} and --bulk do not go together", option));
    if (distances_.empty() && predecessors_.empty() && figures_.empty())
        throw InputError(fmt::format("{}: requires --output FILE or --predecessors FILE", option));
    for (const auto& [given, other] : {std::pair(summary_, "--summary"), std::pair(!figures_.empty(), "--vertices")})
        if (given)
            throw InputError(fmt::format("{} and {} do not go together: a summary needs the distances to all vertices",
                                         option, other));
}

}  // namespace wayfront::app
