// wayfront convert: reads a graph file and writes it in another format.

#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "app/cli/subcommand.hpp"
#include "app/options/graph_options.hpp"
#include "app/report/run_facts.hpp"
#include "base/agreed.hpp"
#include "job/progress.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/graph_output.hpp"
#include "session/output/graph_target.hpp"
#include "session/output/named_files.hpp"
#include "session/output/written_graph.hpp"

namespace wayfront::app {

namespace {

class ConvertCommand final : public Subcommand
{
public:
    ConvertCommand()
        : Subcommand({.name = "convert",
                      .arguments_usage = "INPUT OUTPUT",
                      .summary = "Read a graph and write it in another format",
                      .examples = "  wayfront convert grid:100x100 grid.sg\n"
                                  "  wayfront convert grid:100x100 grid.mtx.gz --weights uniform:1..100\n"})
    {
    }

    std::string notes() const override
    {
        return "INPUT is a GRAPH as below, OUTPUT a file or - (standard output). The extensions determine the\n"
               "formats, or --format and --output-format do. All ranks read, rank 0 writes. A graph that the\n"
               "format cannot store (directed in METIS, floats in DIMACS, ...) is an error; --undirected and\n"
               "--no-weights help.\n\n" +
               graph_notes();
    }
    std::vector<Argument> arguments() override { return {{"input", &graph_.graph}, {"output", &target_.path}}; }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void run(job::Job& job) override;

private:
    session::GraphOptions graph_;
    bool no_weights_ = false;
    session::GraphTarget target_;
};

std::vector<OptionGroup> ConvertCommand::options()
{
    OptionGroup output("Output");
    add_target(output, target_);
    output.flag("no-weights", no_weights_, "leave out the input's weights");
    OptionGroup graph = graph_group(graph_, true);
    add_precision(graph, graph_);
    return {output, graph};
}

void ConvertCommand::check() const
{
    graph_.check(&target_);
    if (no_weights_ && !graph_.weights.empty()) throw InputError("--weights and --no-weights do not go together");
    static_cast<void>(target_.format());
}

void ConvertCommand::run(job::Job& job)
{
    session::check_outputs(job, {target_.named("OUTPUT"), graph_.named_numbers()},
                           {graph_.named("INPUT"), {"--config", common.config}});
    session::GraphOptions input = graph_;
    // From text to text, weights keep their digits.
    if (!input.precision_given && !looks_like_spec(input.graph) && is_text(input.format()) && is_text(target_.format()))
        input.double_precision = true;
    session::LoadedGraph graph = session::load_graph(job, input, !no_weights_);
    if (no_weights_) graph.list.weights = {};
    const GraphHeader header{.vertex_count = graph.list.vertex_count,
                             .edge_count = graph.edges,
                             .directed = graph.list.directed,
                             .weights = graph_.weights.empty()
                                            ? session::fit_weights(job, graph.list.weights, graph_.graph, target_)
                                            : weight_kind(graph.list.weights),
                             .first_vertex = graph_.first_vertex_in(target_.format())};
    std::optional<session::GraphOutput> output;
    try {
        output.emplace(job, target_, header);
    } catch (const AgreedError& error) {
        const bool too_large =
            error.code() == ExitCode::resources || header.vertex_count > std::numeric_limits<std::int32_t>::max();
        throw AgreedError(error.code(), error.what() + (too_large ? session::advice_on_gaps(job, graph) : ""));
    }
    {
        job::Progress progress(job, "write");
        progress.begin("", static_cast<std::uint64_t>(graph.edges));
        output->append(graph.list, progress);
        output->commit(progress);
    }
    if (graph.has_list() && graph_.vertex_numbers.empty())
        job.note(
            fmt::format("{} numbers the vertices from {} without gaps, in {} order of their {} in {}, "
                        "which --vertex-numbers FILE writes",
                        target_.path, header.first_vertex, graph.named ? "the" : "ascending",
                        graph.named ? "names" : "numbers", graph.name));
    session::note_format_changes(job, {graph_.graph, graph.has_list() ? header.first_vertex : graph.first_vertex,
                                       target_, header, output->largest_vertex()});
    if (job.first() && !common.quiet)
        std::cout << fmt::format("{}: {}{}\n", target_.path, graph_in_words(graph),
                                 graph.list.weighted() ? ", weighted" : "");
}

}  // namespace

std::unique_ptr<Subcommand> make_convert_command()
{
    return std::make_unique<ConvertCommand>();
}

}  // namespace wayfront::app
