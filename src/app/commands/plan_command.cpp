// wayfront plan: an estimate of the time and memory of a job on a cluster.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/subcommand.hpp"
#include "app/commands/compared_designs.hpp"
#include "app/commands/planned_graph.hpp"
#include "app/options/graph_options.hpp"
#include "app/report/cluster_plan.hpp"
#include "app/report/run_facts.hpp"
#include "base/agreed.hpp"
#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "model/job_plan.hpp"
#include "model/vertex_classes.hpp"
#include "session/input/graph_input.hpp"
#include "session/input/text_file.hpp"
#include "session/kron_memory.hpp"
#include "session/output/json.hpp"
#include "session/output/named_files.hpp"
#include "session/output/text_output.hpp"

namespace wayfront::app {

namespace {

constexpr double kGibibyte = 1 << 30;
constexpr int kMostCountedRanks = 4096;
constexpr double kMostVerticesOfAllPairs = 1 << 20;  // smaller graphs of classes are loaded
constexpr int kKeys = 16;
constexpr int kCountedKeys = 4;

enum class Work { bfs, graph500, sssp, apsp };
constexpr std::array<std::pair<std::string_view, Work>, 4> kWorks{
    {{"bfs", Work::bfs}, {"graph500", Work::graph500}, {"sssp", Work::sssp}, {"apsp", Work::apsp}}};

class PlanCommand final : public Subcommand
{
public:
    PlanCommand()
        : Subcommand({.name = "plan",
                      .arguments_usage = "GRAPH",
                      .summary = "Estimate what a job takes on a cluster: memory, messages, time, and what limits it",
                      .examples = "  wayfront plan kron:31 --ranks 8 --gpu h200\n"
                                  "  wayfront plan kron:30 --ranks 64 --cores 24 --network cpu-nodes --designs\n"
                                  "  wayfront plan grid:300x300 --ranks 4 --grid 2x2 --json plan.json\n"})
    {
    }

    std::string notes() const override;
    void check() const override;
    void check_given(std::span<const std::string> names) const override;
    std::vector<Argument> arguments() override { return {{"graph", &graph_.graph}}; }
    std::vector<OptionGroup> options() override;
    void run(job::Job& job) override;

private:
    [[nodiscard]] model::Network network(const comm::Communicator& world) const;
    [[nodiscard]] model::Machine machine(const comm::Communicator& world) const;
    [[nodiscard]] algo::DirectionPolicy policy(const model::SearchDesign& design) const;
    [[nodiscard]] int keys() const
    {
        return keys_ > 0 ? keys_ : !plans_shortest_paths() && in_classes() ? kKeys : kCountedKeys;
    }
    [[nodiscard]] bool plans_shortest_paths() const
    {
        return work_ == Work::sssp || (work_ == Work::graph500 && plans_shortest_paths_);
    }
    [[nodiscard]] bool in_classes() const { return is_in_classes(graph_, source_.has_value()); }
    [[nodiscard]] model::SearchDesign design(const model::Machine& machine, int ranks) const;
    [[nodiscard]] std::vector<model::PhaseMemory> memory(const model::PlannedGraph& graph,
                                                         const model::Machine& machine, comm::GridShape shape) const;
    [[nodiscard]] std::string obstacle(const model::PlannedGraph& graph, const model::Machine& machine,
                                       comm::GridShape shape) const;
    [[nodiscard]] std::string advice(const model::PlannedGraph& graph, const model::Machine& machine) const;
    [[nodiscard]] std::string smaller_graph(const model::PlannedGraph& graph, const model::Machine& machine) const;
    void time(const KnownGraph& known, ClusterPlan& plan) const;
    [[nodiscard]] std::vector<plan::MethodTime> all_pairs(const job::Job& job, const model::Machine& machine,
                                                          KnownGraph& known) const;
    void fill(const KnownGraph& known, ClusterPlan& plan) const;

    session::GraphOptions graph_;
    Work work_ = Work::bfs;
    bool plans_shortest_paths_ = false;  // whether graph500 runs its kernel of shortest paths
    int ranks_ = 1;
    int ranks_per_host_ = 0;  // 0: as the network says
    int cores_ = 1;
    std::string gpu_;
    std::string network_;  // empty: by the processor
    std::optional<comm::GridShape> grid_;
    double processor_factor_ = 1;
    bool by_stores_ = true;   // GPUs of one host
    double host_memory_ = 0;  // in GiB; 0: not known
    int keys_ = 0;            // 0: by the work
    std::optional<std::int64_t> source_;
    bool designs_ = false;
    std::string json_;
};

std::string PlanCommand::notes() const
{
    std::string names;
    for (const model::NamedText& network : model::built_in_networks()) names += fmt::format("  {}\n", network.name);
    return "Undirected graphs of kron: and random: are described by classes of vertices, so they may have any size; "
           "the "
           "plan is of searches from random vertices that reach at least a tenth of the graph. All other graphs are "
           "loaded, and so are these with --source; searches from random vertices with edges, or from the source, are "
           "then counted on as many ranks as the job would have. Searches for shortest paths (--for sssp) are counted "
           "on up to 256 ranks. Of graphs of kron: and random: with more than 2^16 vertices, those by push-pull with "
           "floats, or with many other weights that are equally likely, are followed in the mean, on any number of "
           "ranks; otherwise a smaller graph is counted, and scaled. Neither a GPU nor other hosts are needed. Times "
           "are estimates: the numbers in brackets are what the uncertainty of links and processor leaves open.\n"
           "\n"
           "--network names a file, or one of these:\n" +
           names + "\n" + graph_notes();
}

std::vector<OptionGroup> PlanCommand::options()
{
    OptionGroup cluster("Cluster");
    cluster.whole("ranks", ranks_, {1, kMostRanks}, "N", "plan for N ranks; a rank has a GPU, or some cores");
    cluster.parsed("gpu", "h100|h200", "each rank has such a GPU", [this](const std::string& text) {
        if (text != "h100" && text != "h200") throw InputError("--gpu: expected h100 or h200, found '" + text + "'");
        gpu_ = text;
    });
    cluster.whole("cores", cores_, {1, 1 << 16}, "N", "each rank has N cores, if it has no GPU");
    cluster.parsed(
        "processor-factor", "X",
        "the processor takes X times as long as the model says; measure a search on one rank, and divide by its plan",
        [this](const std::string& text) { processor_factor_ = parse_positive_real("processor-factor", text); });
    cluster.text("network", network_, "NAME|FILE",
                 "the links between the ranks (default: infiniband-400 for GPUs, cpu-nodes for cores)");
    for (const char* const name : {"ranks-per-host", "gpus-per-host"})
        cluster.parsed(name, "N", "N ranks on each host, instead of as many as the network says",
                       [this, name](const std::string& text) {
                           ranks_per_host_ = static_cast<int>(parse_whole(name, text, 1, kMostRanks));
                       });
    cluster.parsed("transport", "auto|p2p|nccl",
                   "between GPUs of one host: stores into each other's memory (p2p, auto), or NCCL",
                   [this](const std::string& text) {
                       if (text != "auto" && text != "p2p" && text != "nccl")
                           throw InputError("--transport: expected auto, p2p or nccl, found '" + text + "'");
                       by_stores_ = text != "nccl";
                   });
    cluster.parsed("host-memory", "GIB", "each host has GIB of memory; without it, the memory of hosts is not checked",
                   [this](const std::string& text) { host_memory_ = parse_positive_real("host-memory", text); });
    OptionGroup job("Job");
    job.parsed("for", "bfs|graph500|sssp|apsp", "what the job does (default: bfs)", [this](const std::string& text) {
        const auto* const found = std::ranges::find(kWorks, text, &std::pair<std::string_view, Work>::first);
        if (found == kWorks.end())
            throw InputError("--for: expected bfs, graph500, sssp or apsp, found '" + text + "'");
        work_ = found->second;
    });
    job.parsed("kernel", "bfs|sssp", "the searches of --for graph500: kernel 2 (bfs, the default), or kernel 3 (sssp)",
               [this](const std::string& text) {
                   if (text != "bfs" && text != "sssp")
                       throw InputError("--kernel: expected bfs or sssp, found '" + text + "'");
                   plans_shortest_paths_ = text == "sssp";
               });
    job.parsed("grid", "RxC", "the grid of ranks (default: as the program chooses)",
               [this](const std::string& text) { grid_ = comm::parse_grid_shape(text); });
    job.parsed("keys", "K",
               fmt::format("the mean of K searches from random vertices (default: {}; {} if they are counted)", kKeys,
                           kCountedKeys),
               [this](const std::string& text) { keys_ = static_cast<int>(parse_whole("keys", text, 1, 10000)); });
    job.parsed("source", "VERTEX", "load the graph, and count the search from VERTEX",
               [this](const std::string& text) { source_ = parse_whole("source", text, 0, kMaxVertices); });
    job.flag("designs", designs_, "compare the ways to divide the graph, those that the program does not have too");
    OptionGroup output("Output");
    output.text("json", json_, "FILE", "write the plan as JSON");
    return {cluster, job, graph_group(graph_, true), output};
}

void PlanCommand::check() const
{
    graph_.check();
    if (grid_ && grid_->size() != ranks_)
        throw InputError(
            fmt::format("--grid: {} has {} ranks, but --ranks is {}", to_string(*grid_), grid_->size(), ranks_));
    if (!gpu_.empty() && cores_ != 1) throw InputError("--cores: a rank has a GPU (--gpu) or cores, not both");
    if (!gpu_.empty() && host_memory_ > 0)
        throw InputError("--host-memory: is checked for ranks of cores, not with --gpu");
    if (work_ == Work::graph500 && !graph_.graph.starts_with("kron:"))
        throw InputError("--for graph500: the benchmark searches a Kronecker graph, such as kron:28");
    if (!graph_.weights.empty() && !plans_shortest_paths() && work_ != Work::apsp)
        throw InputError("--weights: has a meaning for shortest paths (--for sssp or apsp)");
    if (designs_ && work_ == Work::apsp)
        throw InputError("--designs: compares partitions of searches (--for bfs, graph500 or sssp)");
    if (!in_classes() && ranks_ > kMostCountedRanks)
        throw InputError(fmt::format("--ranks: searches of a graph that is loaded are counted on at most {} ranks",
                                     kMostCountedRanks));
}

void PlanCommand::check_given(std::span<const std::string> names) const
{
    const auto given = [names](const char* name) { return std::ranges::find(names, name) != names.end(); };
    if (given("kernel") && work_ != Work::graph500) throw InputError("--kernel: has a meaning for --for graph500");
    if (given("transport") && gpu_.empty()) throw InputError("--transport: has a meaning for GPUs (--gpu)");
    if (given("keys") && source_) throw InputError("--keys: has no meaning with --source");
    for (const char* const name : {"source", "keys", "grid"})
        if (given(name) && work_ == Work::apsp)
            throw InputError(fmt::format("--{}: has no meaning for all pairs (--for apsp)", name));
}

model::Network PlanCommand::network(const comm::Communicator& world) const
{
    const std::string usual = gpu_.empty() ? "cpu-nodes" : "infiniband-400";
    const std::string& name = network_.empty() ? usual : network_;
    const model::NamedText* const built_in = model::find_built_in_network(name);
    const std::string text =
        built_in != nullptr
            ? std::string(built_in->text)
            : session::read_whole_file(
                  world, name,
                  fmt::format("--network: '{}' is neither a file that can be read nor a known network", name));
    model::Network network = run_agreed(world, [&] { return model::network_from_text(text, name); });
    if (ranks_per_host_ > 0) network.ranks_per_host = ranks_per_host_;
    return network;
}

model::Machine PlanCommand::machine(const comm::Communicator& world) const
{
    model::Processor processor = model::find_processor(gpu_.empty() ? "core" : gpu_);
    if (gpu_.empty()) processor = model::several(processor, cores_);
    return {model::scaled(processor, processor_factor_), network(world)};
}

algo::DirectionPolicy PlanCommand::policy(const model::SearchDesign& design) const
{
    if (gpu_.empty()) return plan::policy_on_cpu();
    return plan::policy_on_gpus(design.by_stores || design.shape.size() == 1, design.shape.size());
}

model::SearchDesign PlanCommand::design(const model::Machine& machine, int ranks) const
{
    model::SearchDesign design;
    const int a_host = std::min(ranks, machine.network.ranks_per_host);
    design.shape = machine.processor.gpu ? comm::GridShape{ranks, 1} : comm::default_grid_shape(ranks, a_host);
    if (grid_ && ranks == ranks_) design.shape = *grid_;
    design.by_stores = by_stores_ && machine.processor.gpu && ranks > 1 && ranks <= plan::kMostRanksByStores &&
                       ranks == a_host && design.shape.columns == 1;
    return design;
}

std::vector<model::PhaseMemory> PlanCommand::memory(const model::PlannedGraph& graph, const model::Machine& machine,
                                                    comm::GridShape shape) const
{
    if (work_ != Work::apsp) {
        std::vector<model::PhaseMemory> phases = model::memory_of(graph, shape, machine.processor);
        if (machine.processor.gpu && graph_.graph.starts_with("kron:"))
            phases.front().device_bytes =
                session::kron_construction_bytes(std::ilogb(graph.vertices), static_cast<EdgeCount>(graph.edges),
                                                 graph.weight_bytes > 0, shape.size(), machine.processor.memory_bytes)
                    .value_or(phases.front().device_bytes);
        return phases;
    }
    constexpr double bytes_a_distance = 4;
    const double matrix = graph.vertices * graph.vertices * bytes_a_distance / shape.size();
    if (machine.processor.gpu || graph.rows_bytes == 0)
        return {{"matrix", machine.processor.gpu ? matrix : 0, machine.processor.gpu ? 0 : matrix}};
    // Each rank has the whole graph.
    std::vector<model::PhaseMemory> phases = model::memory_of(graph, {1, 1}, machine.processor);
    phases.back().host_bytes += graph.rows_bytes;
    return phases;
}

std::string PlanCommand::obstacle(const model::PlannedGraph& graph, const model::Machine& machine,
                                  comm::GridShape shape) const
{
    const auto vertices = static_cast<Vertex>(graph.vertices);
    if (machine.processor.gpu && !VertexArray::is_narrow(vertices))
        return "searches on GPUs have at most 2^31 vertices";
    try {
        const Partition partition(vertices, shape.rows, shape.columns);
    } catch (const InputError& error) {
        return error.what();
    }
    const double ranks_a_host = std::min(shape.size(), machine.network.ranks_per_host);
    for (const model::PhaseMemory& phase : memory(graph, machine, shape)) {
        if (machine.processor.gpu && phase.device_bytes > machine.processor.memory_bytes)
            return fmt::format("the memory of a GPU does not suffice for {}, which takes {}", phase.phase,
                               bytes_in_words(phase.device_bytes));
        if (host_memory_ > 0 && phase.host_bytes * ranks_a_host > host_memory_ * kGibibyte)
            return fmt::format("the memory of a host does not suffice for {}, which takes {}", phase.phase,
                               bytes_in_words(phase.host_bytes * ranks_a_host));
    }
    return {};
}

std::string PlanCommand::advice(const model::PlannedGraph& graph, const model::Machine& machine) const
{
    std::vector<std::string> would_do;
    for (int ranks = ranks_ + 1; ranks <= kMostRanks && would_do.empty();
         ranks = ranks < 16 * ranks_ ? ranks + std::max(1, ranks_ / 4) : 2 * ranks)
        if (obstacle(graph, machine, design(machine, ranks).shape).empty())
            would_do.push_back(fmt::format("{} ranks", ranks));
    model::Machine other = machine;
    if (gpu_ == "h100") {
        other.processor = model::find_processor("h200");
        if (obstacle(graph, other, design(other, ranks_).shape).empty()) would_do.emplace_back("H200 GPUs");
    }
    if (!gpu_.empty()) {
        other.processor = model::find_processor("core");
        const comm::GridShape shape = design(other, ranks_).shape;
        double bytes = 0;
        for (const model::PhaseMemory& phase : memory(graph, other, shape)) bytes = std::max(bytes, phase.host_bytes);
        if (obstacle(graph, other, shape).empty())
            would_do.push_back(fmt::format("cores in place of GPUs with {} of memory in each host",
                                           bytes_in_words(bytes * std::min(ranks_, machine.network.ranks_per_host))));
    }
    if (std::string smaller = smaller_graph(graph, machine); !smaller.empty()) would_do.push_back(std::move(smaller));
    if (would_do.empty()) return {};
    const std::string last = std::move(would_do.back());
    would_do.pop_back();
    return fmt::format("; {}{}{} would do", fmt::join(would_do, ", "), would_do.empty() ? "" : " or ", last);
}

/// The largest graph of this kind that these ranks can take, by halves: "scale 29", or its vertices.
std::string PlanCommand::smaller_graph(const model::PlannedGraph& graph, const model::Machine& machine) const
{
    const bool is_kronecker = graph_.graph.starts_with("kron:");
    const comm::GridShape shape = design(machine, ranks_).shape;
    model::PlannedGraph smaller = graph;
    while (smaller.vertices >= 2) {
        for (double* const number : {&smaller.vertices, &smaller.edges, &smaller.connected}) *number /= 2;
        if (is_kronecker) {
            const model::VertexClasses classes =
                model::kronecker_classes(std::ilogb(smaller.vertices), smaller.edges / smaller.vertices);
            smaller.connected = classes.connected();
            smaller.distinct = classes.distinct;
        }
        if (!obstacle(smaller, machine, shape).empty()) continue;
        if (is_kronecker) return fmt::format("scale {}", std::ilogb(smaller.vertices));
        return fmt::format("a graph like this one of {:.0f} vertices", std::floor(smaller.vertices));
    }
    return {};
}

void PlanCommand::time(const KnownGraph& known, ClusterPlan& plan) const
{
    if (!known.clock) {
        if (designs_) throw InputError("--designs: there is nothing to search in " + graph_.graph);
        return;
    }
    plan.search = model::range_of(known.clock, plan.design, plan.machine);
    plan.typical = model::typical(known.clock(plan.design, plan.machine));
    if (2 * ranks_ > known.most_ranks) return;
    const model::SearchDesign larger = design(plan.machine, 2 * ranks_);
    plan.on_twice_the_ranks = model::range_of(known.clock, larger, plan.machine);
    if (known.twice)
        plan.of_twice_the_graph_and_ranks = model::range_of(known.twice(policy(larger)), larger, plan.machine);
}

/// The times of all methods on cores, each with a copy of the graph on each rank, if the graph can be loaded. Otherwise
/// the time of Floyd-Warshall's algorithm with the matrix divided over all ranks.
std::vector<plan::MethodTime> PlanCommand::all_pairs(const job::Job& job, const model::Machine& machine,
                                                     KnownGraph& known) const
{
    if (gpu_.empty() && (!in_classes() || known.planned.vertices <= kMostVerticesOfAllPairs)) {
        plan::ApspMachine of_all;
        of_all.threads = static_cast<double>(ranks_) * cores_;
        of_all.threads_of_rank = cores_;
        if (host_memory_ > 0)
            of_all.bytes = host_memory_ * kGibibyte / std::min(ranks_, machine.network.ranks_per_host);
        of_all.wide_vectors = true;
        std::vector<plan::MethodTime> times = load_for_all_pairs(job, graph_, of_all, known);
        for (plan::MethodTime& each : times) each.seconds *= processor_factor_;
        if (!times.empty()) known.planned.rows_bytes = std::max(1.0, times.front().bytes);
        return times;
    }
    constexpr double bytes_a_distance = 4;
    const double pairs = known.planned.vertices * known.planned.vertices;
    const plan::Rates rates;
    const double relaxation = gpu_.empty() ? rates.core.wide_relaxation / cores_ : rates.gpu.relaxation;
    return {{"floyd-warshall", pairs * known.planned.vertices * relaxation * processor_factor_ / ranks_,
             pairs * bytes_a_distance / ranks_}};
}

void PlanCommand::run(job::Job& job)
{
    const bool reads_network = !network_.empty() && model::find_built_in_network(network_) == nullptr;
    session::check_outputs(
        job, {{"--json", json_}, graph_.named_numbers()},
        {graph_.named("GRAPH"), {"--network", reads_network ? network_ : ""}, {"--config", common.config}});
    ClusterPlan plan;
    run_agreed(job.world(), [&] {
        if (job.world().size() > 1)
            throw InputError(fmt::format("plan runs on one rank, but {} were started; --ranks is the job's number",
                                         job.world().size()));
    });
    plan.machine = machine(job.world());
    plan.design = design(plan.machine, ranks_);
    KnownGraph known;
    const PlannedSearches searches{graph_, policy(plan.design), ranks_, plan.machine.network.ranks_per_host, keys(),
                                   source_};
    if (work_ == Work::apsp) {
        if (in_classes()) run_agreed(job.world(), [&] { describe_classes(graph_, known); });
        plan.all_pairs = all_pairs(job, plan.machine, known);
    } else if (plans_shortest_paths())
        load_for_paths(job, searches, known);
    else if (in_classes())
        run_agreed(job.world(), [&] {
            describe_classes(graph_, known);
            follow_levels_in_mean(searches, known);
        });
    else
        load_for_levels(job, searches, known);
    // fill() calls a collective function. run_agreed() allows this because the world has one rank.
    run_agreed(job.world(), [&] { fill(known, plan); });
    if (json_ != "-") print(plan);
    session::write_json(job, json_, to_json(plan, json_head(job, *this)));
    if (!plan.obstacle.empty() && !designs_)
        throw AgreedError(ExitCode::resources, graph_.graph + " does not fit: " + plan.obstacle);
}

void PlanCommand::fill(const KnownGraph& known, ClusterPlan& plan) const
{
    plan.graph_name = graph_.graph;
    plan.counted = known.counted;
    plan.graph = known.planned;
    plan.in_classes = known.classes.has_value();
    plan.cores = cores_;
    plan.paths = plans_shortest_paths();
    plan.work = std::ranges::find(kWorks, work_, &std::pair<std::string_view, Work>::second)->first;
    plan.memory = memory(plan.graph, plan.machine, plan.design.shape);
    plan.obstacle = obstacle(plan.graph, plan.machine, plan.design.shape);
    if (!plan.obstacle.empty()) plan.obstacle += advice(plan.graph, plan.machine);
    if (work_ == Work::apsp) {
        if (gpu_.empty() && plan.graph.rows_bytes == 0)
            plan.no_search = "only Floyd-Warshall's algorithm is planned for graphs of more than 2^20 vertices";
        return;
    }
    plan.construction_seconds = model::construction_seconds(plan.graph, plan.design, plan.machine);
    if (ranks_ > known.most_ranks)
        plan.no_search =
            fmt::format("searches for shortest paths in this graph are counted on at most {} ranks", known.most_ranks);
    time(known, plan);
    if (source_ && known.messages) plan.messages = known.messages(plan.design);
    if (designs_ && plans_shortest_paths() && !known.twice)
        throw InputError(
            "--designs: compares searches for shortest paths in graphs of kron: or random: of more than 2^16 vertices, "
            "by push-pull, with floats or many other weights");
    if (designs_) compare_designs(known, plan);
}

}  // namespace

std::unique_ptr<Subcommand> make_plan_command()
{
    return std::make_unique<PlanCommand>();
}

}  // namespace wayfront::app
