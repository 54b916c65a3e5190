// wayfront graph500: the benchmark's protocol, from the generator to the report.
//
// Specification: Graph 500 Benchmark Specification, version 3 (graph500.org). As the specification
// demands, these times are measured:
//   - the generation of the edge list;
//   - kernel 1, from the edge list to the structures that searches need. Kernel 1 also finds the
//     number of vertices. On GPUs the tuples are made inside kernel 1, and their number of vertices
//     is known (session/kernel1.hpp);
//   - each search, on the slowest rank and between two barriers, from before its key is visited
//     until all parents, and distances of kernel 3, are in memory: in the GPUs' memory if GPUs
//     search.
// Each search is validated after it has ended; the time of validation is reported apart. As in the
// benchmark's reference implementation, one search from the first key runs before the others and is
// not timed; --warmup sets the number of such searches. --kernel both runs all breadth-first
// searches (kernel 2), and then searches for shortest paths (kernel 3) from the same keys.

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/subcommand.hpp"
#include "app/cli/version.hpp"
#include "app/options/method_options.hpp"
#include "app/options/search_outputs.hpp"
#include "app/report/run_facts.hpp"
#include "app/report/trace_file.hpp"
#include "session/graph500_searches.hpp"
#include "session/input/graph_input.hpp"
#include "session/kernel1.hpp"
#include "session/output/json.hpp"
#include "session/output/named_files.hpp"
#include "session/output/text_output.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

namespace {

session::Kernels parse_kernels(const std::string& text)
{
    if (text == "bfs") return {.bfs = true, .sssp = false};
    if (text == "sssp") return {.bfs = false, .sssp = true};
    if (text == "both") return {.bfs = true, .sssp = true};
    throw InputError("--kernel: expected bfs, sssp or both, found '" + text + "'");
}

/// Describes the searches of the kernels. If both kernels search, they may use different engines,
/// and the keys for the engine of shortest paths begin with "sssp_". Collective.
session::Json search_json(const job::Job& job, const session::Kernel1& kernel1)
{
    const comm::GridShape grid = kernel1.grid->shape();
    if (!kernel1.sssp) return search_facts(job, grid, kernel1.bfs->facts());
    const session::SsspFacts sssp = kernel1.sssp->facts();
    session::Json json = search_facts(job, grid, sssp, session::Json::object(), sssp.algorithm);
    if (kernel1.bfs) {
        const session::Json of_sssp = std::exchange(json, search_facts(job, grid, kernel1.bfs->facts()));
        for (const std::string key : {"engine", "in_words", "device", "transport", "graph_bytes", "state_bytes"})
            if (of_sssp.contains(key)) json["sssp_" + key] = of_sssp[key];
    }
    json["sssp_algorithm"] = sssp.algorithm;
    json["list_order"] = kernel1.list_order == ListOrder::weights ? "by weight" : "by neighbour";
    return json;
}

class Graph500Command final : public Subcommand
{
public:
    Graph500Command()
        : Subcommand({.name = "graph500",
                      .arguments_usage = "--scale S",
                      .summary = "The Graph500 benchmark: construction, searches, validation, the official report",
                      .examples = "  wayfront graph500 --scale 14 --keys 8\n"
                                  "  wayfront graph500 kron:12,ef=32 --keys 4 --json report.json\n"})
    {
    }

    std::string notes() const override;
    std::string advanced_notes() const override { return search_notes(); }
    std::vector<Argument> arguments() override { return {{"graph", &graph_.graph, false}}; }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void check_given(std::span<const std::string> names) const override;
    std::string_view hint_for(std::string_view option) const override;
    void run(job::Job& job) override;

private:
    [[nodiscard]] session::Json kernel_json(const std::vector<graph500::SearchRecord>& records) const;
    void add_extra_lines(const session::Kernel1& kernel1, const session::Json& search, graph500::Report& report) const;
    void write_json_report(const job::Job& job, const session::Kernel1& kernel1, const session::Json& search,
                           const graph500::Report& report) const;

    session::GraphOptions graph_;
    session::Kernel1Options options_;
    int scale_ = 0;
    EdgeCount edge_factor_ = 16;
    std::int64_t keys_ = 64;
    int warmups_ = 1;
    bool no_validate_ = false;
    std::string json_;
    std::string trace_;
};

std::vector<OptionGroup> Graph500Command::options()
{
    OptionGroup graph("Graph500");
    graph.parsed("scale", "S", "number of vertices: 2^S", [this](const std::string& text) {
        scale_ = static_cast<int>(parse_whole("scale", text, 1, session::kMostScale));
    });
    graph.whole("edgefactor", edge_factor_, {1, session::kMostEdgeFactor}, "E", "number of edge tuples: E * 2^S");
    graph.whole("keys", keys_, {1, session::kMostKeys}, "N",
                "number of search keys; fewer if the graph has fewer vertices with edges");
    graph.seed("seed1", graph_.seeds.seed1, "first seed of the generator and of the search keys");
    graph.seed("seed2", graph_.seeds.seed2, "second seed of the generator and of the search keys");
    graph.whole("warmup", warmups_, {0, session::kMostWarmups}, "N",
                "number of searches from the first key that run before the timed ones");
    graph.parsed("kernel", "bfs|sssp|both",
                 "the searches that run: breadth-first (kernel 2), shortest paths (kernel 3), or both in turn [bfs]",
                 [this](const std::string& text) { options_.kernels = parse_kernels(text); });
    graph.flag("no-validate", no_validate_,
               "do not validate the searches; the report says that they are not validated");

    OptionGroup output("Output");
    output.text("json", json_, "FILE", "write the report as JSON, with the key of each search");
    output.advanced();
    output.text(
        "trace", trace_, "FILE",
        "write the times of each rank's steps, in Chrome's trace event format (chrome://tracing, ui.perfetto.dev)");
    add_verbose(output, common.verbose);
    OptionGroup sssp("Shortest paths (--kernel sssp or both)");
    add_sssp_method(sssp, options_.sssp);
    return {graph, sssp, search_group(options_.search), output};
}

std::string Graph500Command::notes() const
{
    return plan::SsspMethodOptions::notes() +
           "\nInstead of --scale a GRAPH can be named: a tuple file (.tuples) of any generator, or the spec of an "
           "undirected graph (kron:20,ef=32).\n"
           "The report's times are in seconds. A search that fails its validation ends the run with exit code 1 and no "
           "TEPS.\n";
}

void Graph500Command::check() const
{
    if (scale_ == 0 && graph_.graph.empty())
        throw InputError("--scale is missing: wayfront graph500 --scale S [options]");
    if (scale_ != 0 && !graph_.graph.empty())
        throw InputError(fmt::format(
            "--scale and a GRAPH do not go together: write --scale {} alone or, as a spec, kron:{}", scale_, scale_));
    if (!graph_.graph.empty()) {
        if (std::ranges::all_of(graph_.graph, [](char c) { return c >= '0' && c <= '9'; }))
            throw InputError(
                fmt::format("'{}' is neither a graph file nor a generated graph; did you mean --scale {}? (see "
                            "'wayfront graph500 --help')",
                            graph_.graph, graph_.graph));
        graph_.check();
    }
    options_.search.check();
    options_.sssp.check();
    if (!options_.kernels.sssp && (!options_.sssp.is_automatic() || options_.sssp.delta))
        throw InputError("--algorithm and --delta are for shortest paths: add --kernel sssp or both");
    const std::string_view option = options_.search.engine.gpu_option();
    const plan::SsspTraits& method = options_.sssp.traits();
    if (options_.kernels.sssp && option == "--engine split")
        throw InputError(
            "--engine split: this is for --kernel bfs; shortest paths are searched on GPUs (--engine gpu) or on the "
            "CPU cores");
    if (options_.kernels.sssp && (method.needs_gpu() || !option.empty())) {
        const bool kron = graph_.graph.empty() || graph_.graph.starts_with("kron:");
        const bool push_pull = options_.sssp.is_automatic() || method.method == algo::SsspMethod::push_pull;
        if (options_.kernels.bfs && !(kron && push_pull))
            throw InputError(
                fmt::format("{}: search with --kernel bfs or --kernel sssp; both in one run on GPUs are for kron "
                            "graphs, and shortest paths by push-pull",
                            method.needs_gpu() ? fmt::format("--algorithm {}", method.name) : "--engine gpu"));
    }
}

void Graph500Command::check_given(std::span<const std::string> names) const
{
    constexpr std::array<std::string_view, 5> of_bfs{"direction", "alpha", "beta", "exchange", "overlap"};
    for (const std::string& name : names)
        if (!options_.kernels.bfs && std::ranges::find(of_bfs, std::string_view(name)) != of_bfs.end())
            throw InputError(fmt::format("--{} is for breadth-first searches: add --kernel bfs or both", name));
    if (!graph_.graph.empty() && std::ranges::find(names, "edgefactor") != names.end())
        throw InputError(fmt::format(
            "--edgefactor and a GRAPH do not go together: the spec contains the edge factor, for example kron:20,ef={}",
            edge_factor_));
}

std::string_view Graph500Command::hint_for(std::string_view option) const
{
    return option == "seed" ? "the seed of a GRAPH is part of its spec, for example rmat:11,seed=3; --seed1 and "
                              "--seed2 are for kron graphs and the search keys"
                            : "";
}

void Graph500Command::run(job::Job& job)
{
    plan::EnginePlan plan = session::choose_graph500_plan(job, options_);
    session::check_outputs(job, {{"--json", json_}, {"--trace", trace_}},
                           {graph_.named("GRAPH"), {"--config", common.config}});
    Trace trace(job, trace_, common.verbose);

    session::GraphOptions graph = graph_;
    if (scale_ != 0) graph.graph = fmt::format("kron:{},ef={}", scale_, edge_factor_);
    const std::unique_ptr<session::Kernel1> kernel1 =
        session::run_kernel1(job, graph, options_, std::move(plan), trace.log());
    graph500::Report report;
    report.scale = session::scale_of(*kernel1);
    report.edge_factor = session::edge_factor_of(*kernel1);
    report.processes = job.world().size();
    report.generation_seconds = kernel1->load_seconds;
    report.construction_seconds = kernel1->construction_seconds;
    const auto add_search = [&trace](std::string_view name, std::int64_t number, Vertex key, Clock::time_point begin) {
        trace.add_search(name, number, key, begin);
    };
    session::Graph500Records searches = session::run_graph500_searches(
        job, *kernel1, {keys_, warmups_, !no_validate_, graph_.seeds}, {trace.log(), add_search});
    report.bfs = std::move(searches.bfs);
    report.sssp = std::move(searches.sssp);
    const session::Json search = search_json(job, *kernel1);
    add_extra_lines(*kernel1, search, report);
    if (job.first()) graph500::write_report(std::cout, report);
    write_json_report(job, *kernel1, search, report);
    trace.write(job);
}

void Graph500Command::add_extra_lines(const session::Kernel1& kernel1, const session::Json& search,
                                      graph500::Report& report) const
{
    const auto add = [&](const char* key, std::string value) { report.extra.emplace_back(key, std::move(value)); };
    const std::size_t keys = first_kernel(report).size();
    const std::size_t searches = keys * (report.bfs && report.sssp ? 2 : 1);
    add("validation", no_validate_ ? "none: --no-validate" : fmt::format("all {} searches valid", searches));
    add("warmup_searches", fmt::format("{}, not timed", warmups_));
    if (static_cast<std::int64_t>(keys) < keys_)
        add("search_keys", fmt::format("{} of {}: the graph has no more vertices with edges", keys, keys_));
    add("graph", kernel1.input.name);
    add("seeds", fmt::format("{} {}", graph_.seeds.seed1, graph_.seeds.seed2));
    add("vertices", fmt::format("{}", kernel1.input.list.vertex_count));
    add("vertices_with_edges", fmt::format("{}", kernel1.connected_vertices()));
    add("edge_tuples", fmt::format("{}", kernel1.input.edges));
    for (const auto& [key, value] : search.items())
        add(key.c_str(), value.is_string() ? value.get<std::string>() : value.dump());
    const auto tuples = static_cast<double>(kernel1.input.edges);
    if (kernel1.on_gpus())
        add("construction", "on the GPUs; construction_time includes making the tuples, which are not stored");
    const std::string beside = kernel1.on_gpus() ? "of device memory"
                                                 : fmt::format("beside the edge list's {}",
                                                               sizeof(PackedEdge) + (report.sssp ? sizeof(float) : 0));
    add("construction_peak_memory",
        kernel1.peak_bytes
            ? fmt::format("{:.1f} bytes per edge tuple, {}", static_cast<double>(*kernel1.peak_bytes) / tuples, beside)
            : "unknown: the kernel does not allow the peak to be reset");
    add("wayfront", std::string(program_version()));
}

session::Json Graph500Command::kernel_json(const std::vector<graph500::SearchRecord>& records) const
{
    session::Json searches = session::Json::array();
    for (const graph500::SearchRecord& record : records) {
        searches.push_back({{"key", record.key}, {"seconds", record.seconds}, {"edges", record.edges}});
        if (!no_validate_) searches.back()["validate_seconds"] = record.validate_seconds;
    }
    const graph500::TepsStatistics teps = session::teps_of(records);
    return {{"harmonic_mean_teps", teps.harmonic_mean},
            {"harmonic_stddev_teps", teps.harmonic_stddev},
            {"median_teps", teps.median},
            {"min_teps", teps.min},
            {"max_teps", teps.max},
            {"searches", std::move(searches)}};
}

void Graph500Command::write_json_report(const job::Job& job, const session::Kernel1& kernel1,
                                        const session::Json& search, const graph500::Report& report) const
{
    session::Json document = json_head(job, *this);
    document["graph"] = graph_facts(kernel1.input);
    document["search"] = search;
    document["scale"] = report.scale;
    document["edgefactor"] = report.edge_factor;
    document["seeds"] = {graph_.seeds.seed1, graph_.seeds.seed2};
    document["generation_seconds"] = report.generation_seconds;
    document["construction_seconds"] = report.construction_seconds;
    if (kernel1.peak_bytes)
        document["construction_peak_bytes_per_edge"] =
            static_cast<double>(*kernel1.peak_bytes) / static_cast<double>(kernel1.input.edges);
    document["constructed_on"] = kernel1.on_gpus() ? "gpu" : "cpu";
    document["validated"] = !no_validate_;
    document["warmup_searches"] = warmups_;
    if (report.bfs) document["bfs"] = kernel_json(*report.bfs);
    if (report.sssp) document["sssp"] = kernel_json(*report.sssp);
    session::write_json(job, json_, document);
}

}  // namespace

std::unique_ptr<Subcommand> make_graph500_command()
{
    return std::make_unique<Graph500Command>();
}

}  // namespace wayfront::app
