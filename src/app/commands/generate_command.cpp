// wayfront generate: writes a generated graph to a file, window by window, so that the graph may be
// larger than the memory.

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "app/cli/subcommand.hpp"
#include "app/options/graph_options.hpp"
#include "base/counted.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "session/input/generated_edges.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/graph_output.hpp"
#include "session/output/graph_target.hpp"
#include "session/output/named_files.hpp"
#include "session/output/written_graph.hpp"

namespace wayfront::app {

namespace {

constexpr EdgeCount kWindowEdges = EdgeCount{1} << 22;  // the edges that each rank generates at once

class GenerateCommand final : public Subcommand
{
public:
    GenerateCommand()
        : Subcommand({.name = "generate",
                      .arguments_usage = "SPEC OUTPUT",
                      .summary = "Write a generated graph to a file",
                      .examples = "  wayfront generate grid:100x100 grid.el\n"
                                  "  wayfront generate kron:12 --output kron.tuples\n"})
    {
    }

    std::string notes() const override;
    std::vector<Argument> arguments() override { return {{"spec", &graph_.graph}, {"output", &target_.path}}; }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void run(job::Job& job) override;

private:
    session::GraphOptions graph_;
    bool no_weights_ = false;
    session::GraphTarget target_;
};

std::vector<OptionGroup> GenerateCommand::options()
{
    OptionGroup output("Output");
    add_target(output, target_);
    output.flag("no-weights", no_weights_, "leave out the weights that the generator makes");
    return {output, generated_graph_group(graph_)};
}

std::string GenerateCommand::notes() const
{
    return "SPEC is the name of a generated graph, as below. Only kron has weights of its own, floats in [0, 1). They "
           "are written to .tuples "
           "(NAME.tuples.weights), .wel and .mtx files, and to .wsg files as whole numbers, 1 + floor(255 w). Files "
           "with other extensions "
           "have no weights unless --weights is given. The extension of OUTPUT selects its format: .gr (DIMACS), .mtx "
           "(Matrix Market), "
           ".txt .el .wel .edges .tsv (edge list), .csv, .graph (METIS), .sg .wsg (GAPBS) or .tuples (Graph500); "
           ".gz, .xz or .zst after the extension of a text format compresses the file.\n\n" +
           generator_notes();
}

void GenerateCommand::check() const
{
    if (!looks_like_spec(graph_.graph))
        throw InputError(fmt::format(
            "'{}' is not the spec of a generated graph, such as kron:20; to read a file use convert", graph_.graph));
    graph_.check(&target_);
    static_cast<void>(target_.format());
    if (no_weights_ && !graph_.weights.empty()) throw InputError("--weights and --no-weights do not go together");
}

void GenerateCommand::run(job::Job& job)
{
    session::check_outputs(job, {target_.named("--output")}, {{"--config", common.config}});
    const comm::Communicator& world = job.world();
    const session::GeneratedEdges source(job, graph_, target_, !no_weights_);
    const WeightKind kind = source.weight_kind();
    const EdgeCount edges = source.edges();
    const bool directed = source.directed() && !graph_.undirected;
    const GraphHeader header{
        .vertex_count = source.vertices(),
        .edge_count = edges,
        .directed = directed,
        .weights = graph_.weights.empty() ? session::kind_in_file(job, kind, graph_.graph, target_) : kind,
        .first_vertex = graph_.first_vertex_in(target_.format())};
    session::GraphOutput output(job, target_, header);
    const EdgeCount window = kWindowEdges * world.size();
    require_memory(job,
                   static_cast<double>(std::min(window, edges)) / world.size() *
                       (sizeof(PackedEdge) + static_cast<double>(bytes_of(kind))),
                   "generating " + graph_.graph);
    {
        job::Progress progress(job, "generate");
        progress.begin("", static_cast<std::uint64_t>(edges));
        for (EdgeCount first = 0; first < edges; first += window)
            output.append(run_agreed(world, [&] { return source.share_of(first, std::min(window, edges - first)); }),
                          progress);
        output.commit(progress);
    }
    session::note_format_changes(job, {graph_.graph, 0, target_, header, output.largest_vertex()});
    if (job.first() && !common.quiet)
        std::cout << fmt::format("{}: {}, {}, {}{}\n", target_.path, counted(source.vertices(), "vertex", "vertices"),
                                 counted(edges, "edge", "edges"), directed ? "directed" : "undirected",
                                 kind == WeightKind::none ? "" : ", weighted");
}

}  // namespace

std::unique_ptr<Subcommand> make_generate_command()
{
    return std::make_unique<GenerateCommand>();
}

}  // namespace wayfront::app
