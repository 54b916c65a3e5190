// wayfront info: prints the properties of a graph.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <type_traits>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/subcommand.hpp"
#include "app/options/graph_options.hpp"
#include "app/report/run_facts.hpp"
#include "base/counted.hpp"
#include "session/degree_distribution.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/output/named_files.hpp"
#include "session/output/text_output.hpp"
#include "session/output/vertex_text.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

namespace {

/// A weight; null if there is none.
using AnyWeight = std::variant<std::nullptr_t, std::int64_t, double>;

/// Properties of the edges of all ranks.
struct EdgeFacts
{
    EdgeCount self_loops = 0;
    WeightKind weights = WeightKind::none;
    AnyWeight least_weight = nullptr;
    AnyWeight largest_weight = nullptr;
};

class InfoCommand final : public Subcommand
{
public:
    InfoCommand()
        : Subcommand({.name = "info",
                      .arguments_usage = "GRAPH",
                      .summary = "Print facts about a graph: size, weights, degrees, isolated vertices",
                      .examples = "  wayfront info kron:12\n"
                                  "  wayfront info grid:100x100 --json facts.json\n"})
    {
    }

    std::string notes() const override { return graph_notes(); }
    void check() const override { graph_.check(); }
    std::vector<Argument> arguments() override { return {{"graph", &graph_.graph}}; }
    std::vector<OptionGroup> options() override;
    void run(job::Job& job) override;

private:
    session::GraphOptions graph_;
    std::string json_;
};

std::vector<OptionGroup> InfoCommand::options()
{
    OptionGroup output("Output");
    output.text("json", json_, "FILE", "write the facts as JSON");
    return {graph_group(graph_, true), output};
}

EdgeFacts edge_facts(const comm::Communicator& world, const EdgeList& list)
{
    EdgeFacts facts;
    facts.weights = weight_kind(list.weights);
    for (const PackedEdge edge : list.edges) facts.self_loops += edge.source() == edge.target() ? 1 : 0;
    facts.self_loops = world.all_reduce(facts.self_loops, comm::Reduction::sum);
    visit_weights(list.weights, [&]<typename T>(const HostBuffer<T>& weights) {
        using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
        Wide least = std::numeric_limits<Wide>::max();
        Wide largest = std::numeric_limits<Wide>::lowest();
        for (const T weight : weights) {
            least = std::min(least, static_cast<Wide>(weight));
            largest = std::max(largest, static_cast<Wide>(weight));
        }
        least = world.all_reduce(least, comm::Reduction::min);
        largest = world.all_reduce(largest, comm::Reduction::max);
        if (least > largest) return;  // no rank has edges
        facts.least_weight = least;
        facts.largest_weight = largest;
    });
    return facts;
}

std::string range_text(std::size_t bin)
{
    if (bin <= 1) return fmt::format("{}", bin);
    return fmt::format("{}-{}", std::uint64_t{1} << (bin - 1), (std::uint64_t{1} << bin) - 1);
}

session::Json to_json(const AnyWeight& weight)
{
    return std::visit([](const auto& value) { return session::Json(value); }, weight);
}

std::string in_words(const EdgeFacts& edges, const AnyWeight& weight)
{
    return edges.weights == WeightKind::float32 ? fmt::format("{}", static_cast<float>(std::get<double>(weight)))
                                                : to_json(weight).dump();
}

void print(const session::LoadedGraph& graph, const EdgeFacts& edges, EdgeCount duplicates, std::int64_t isolated,
           const session::DegreeDistribution& degrees)
{
    const auto line = [](std::string_view key, const std::string& value) {
        std::cout << fmt::format("{:<14} {}\n", key, value);
    };
    const Vertex n = graph.list.vertex_count;
    line("graph", graph.name);
    line("format", graph.format);
    line("vertices", n == 0        ? "0"
                     : graph.named ? fmt::format("{}, named {} to {}", n, session::vertex_in_words(graph.numbers(), 0),
                                                 session::vertex_in_words(graph.numbers(), n - 1))
                                   : fmt::format("{}, numbered {} to {}{}", n, graph.input_number(0),
                                                 graph.input_number(n - 1), graph.compact ? " with gaps" : ""));
    line("edges", fmt::format("{}, {}", graph.edges, direction_in_words(graph)));
    line("self-loops", fmt::format("{}", edges.self_loops));
    line("duplicates", fmt::format("{}", duplicates));
    line("isolated", fmt::format("{} (no edges but self-loops)", isolated));
    const std::string kind(name_of(edges.weights));
    line("weights", edges.weights == WeightKind::none || graph.edges == 0
                        ? kind
                        : fmt::format("{}, {} to {}", kind, in_words(edges, edges.least_weight),
                                      in_words(edges, edges.largest_weight)));
    line(graph.list.directed ? "out-degree" : "degree",
         fmt::format("min {}, median {}, mean {:.6g}, max {} (duplicates counted, self-loops not)", degrees.min,
                     degrees.median, degrees.mean, degrees.max));
    for (std::size_t bin = 0; bin < degrees.log2_histogram.size(); ++bin)
        if (degrees.log2_histogram[bin] > 0)
            line("  " + range_text(bin), counted(degrees.log2_histogram[bin], "vertex", "vertices"));
}

void InfoCommand::run(job::Job& job)
{
    const comm::Communicator& world = job.world();
    session::check_outputs(job, {{"--json", json_}, graph_.named_numbers()},
                           {graph_.named("GRAPH"), {"--config", common.config}});
    session::PreparedGraph prepared;
    prepared.input = session::load_graph(job, graph_, true);
    const session::LoadedGraph& graph = prepared.input;
    const EdgeFacts edges = edge_facts(world, graph.list);

    prepared.grid.emplace(world, comm::GridShape{world.size(), 1});
    session::require_construction_memory(job, prepared.grid->shape(), graph, prepared.plan);
    // Construction drops self-loops and duplicates; the number of the remaining edges gives the
    // number of duplicates.
    session::construct_on_hosts(job, prepared);
    const DistributedGraph& constructed = *prepared.graph;
    const EdgeCount distinct = constructed.directed_edges / (graph.list.directed ? 1 : 2);
    const EdgeCount duplicates = graph.edges - edges.self_loops - distinct;
    const std::int64_t isolated = graph.list.vertex_count - constructed.connected_vertices;
    const session::DegreeDistribution degrees = session::degree_distribution(world, constructed);
    if (job.first()) print(graph, edges, duplicates, isolated, degrees);

    session::Json document = json_head(job, *this);
    document["graph"] = graph_facts(graph);
    document["self_loops"] = edges.self_loops;
    document["duplicates"] = duplicates;
    document["isolated"] = isolated;
    if (edges.weights == WeightKind::none)
        document["weights"] = nullptr;
    else
        document["weights"] = {{"kind", name_of(edges.weights)},
                               {"min", to_json(edges.least_weight)},
                               {"max", to_json(edges.largest_weight)}};
    document["degree"] = {{"min", degrees.min},
                          {"median", degrees.median},
                          {"mean", degrees.mean},
                          {"max", degrees.max},
                          {"log2_histogram", degrees.log2_histogram}};
    session::write_json(job, json_, document);
}

}  // namespace

std::unique_ptr<Subcommand> make_info_command()
{
    return std::make_unique<InfoCommand>();
}

}  // namespace wayfront::app
