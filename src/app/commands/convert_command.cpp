// wayfront convert: a graph from one file into another format.

#include <iostream>

#include <fmt/format.h>

#include "app/cli/subcommand.hpp"
#include "app/io/graph_input.hpp"
#include "app/io/graph_output.hpp"
#include "app/io/run_facts.hpp"
#include "graph/io/file_format.hpp"

namespace wayfront::app {

namespace {

class ConvertCommand final : public Subcommand
{
public:
    std::string_view name() const override { return "convert"; }
    std::string_view arguments_usage() const override { return "INPUT OUTPUT"; }
    std::string_view summary() const override { return "Read a graph and write it in another format"; }
    std::string notes() const override
    {
        return "INPUT is a GRAPH as below, OUTPUT a file; the extensions determine the formats. All ranks read, rank 0 writes. A format that cannot\n"
               "hold the graph (directed in METIS, floats in DIMACS, ...) is an error; --undirected and --no-weights help.\n\n" +
               graph_notes();
    }
    std::vector<Argument> arguments() override { return {{"input", &graph_.graph}, {"output", &output_}}; }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void run(Job& job) override;

private:
    GraphOptions graph_;
    bool no_weights_ = false;
    std::string output_;
};

std::vector<OptionGroup> ConvertCommand::options()
{
    OptionGroup weights("Output");
    weights.flag("no-weights", no_weights_, "leave out the input's weights");
    return {weights, graph_.group(true)};
}

void ConvertCommand::check() const
{
    graph_.check();
    if (no_weights_ && !graph_.weights.empty()) throw InputError("--weights and --no-weights do not go together");
    format_of(output_);
}

void ConvertCommand::run(Job& job)
{
    check_writable(job, {output_});
    LoadedGraph graph = load_graph(job, graph_, !no_weights_);
    if (no_weights_) graph.list.weights = {};
    GraphOutput output(job, output_,
                       {.vertex_count = graph.list.vertex_count,
                        .edge_count = graph.edges,
                        .directed = graph.list.directed,
                        .weights = weight_kind(graph.list.weights),
                        .first_vertex = graph.first_vertex});
    output.append(graph.list);
    output.commit();
    if (job.first() && !job.quiet())
        std::cout << fmt::format("{}: {}{}\n", output_, graph_in_words(graph), graph.list.weighted() ? ", weighted" : "");
}

}  // namespace

std::unique_ptr<Subcommand> make_convert_command()
{
    return std::make_unique<ConvertCommand>();
}

}  // namespace wayfront::app
