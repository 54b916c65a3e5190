// wayfront plan: what a job takes on a cluster, before anybody runs it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/subcommand.hpp"
#include "app/options/graph_options.hpp"
#include "app/report/cluster_plan.hpp"
#include "app/report/run_facts.hpp"
#include "base/agreed.hpp"
#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "graph/partition.hpp"
#include "model/job_plan.hpp"
#include "plan/rates.hpp"
#include "plan/search_options.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/output/named_files.hpp"
#include "session/prepared_graph.hpp"
#include "session/random_vertices.hpp"

namespace wayfront::app {

namespace {

constexpr int kMostRanks = 1 << 20;
constexpr double kGibibyte = 1 << 30;
constexpr double kMostGpuVertices = 2147483648.0;
constexpr double kUsableMemory = 0.95;  // of a GPU

enum class Work { bfs, graph500, sssp, apsp };

/// A graph whose searches can be timed.
struct KnownGraph
{
    model::PlannedGraph planned;
    model::SearchClock clock;
    std::optional<Vertex> key;  // of --source
    std::optional<model::VertexClasses> classes;
    std::optional<model::VertexClasses> twice;  // the same kind of graph, twice as large
    std::string counted;
    session::PreparedGraph prepared;  // of a graph that was loaded
};

class PlanCommand final : public Subcommand
{
public:
    std::string_view name() const override { return "plan"; }
    std::string_view arguments_usage() const override { return "GRAPH"; }
    std::string_view summary() const override
    {
        return "Estimate what a job takes on a cluster: memory, messages, time, and what limits it";
    }
    std::string_view examples() const override
    {
        return "  wayfront plan kron:31 --ranks 8 --gpu h200\n"
               "  wayfront plan kron:30 --ranks 64 --cores 24 --network cpu-nodes --designs\n"
               "  wayfront plan grid:300x300 --ranks 4 --grid 2x2 --json plan.json\n";
    }
    std::string notes() const override;
    void check() const override;
    std::vector<Argument> arguments() override { return {{"graph", &graph_.graph}}; }
    std::vector<OptionGroup> options() override;
    void run(job::Job& job) override;

private:
    [[nodiscard]] model::Machine machine() const;
    [[nodiscard]] algo::DirectionPolicy policy() const;
    [[nodiscard]] bool in_classes() const;
    void describe_classes(KnownGraph& known) const;
    void load(const job::Job& job, KnownGraph& known) const;
    [[nodiscard]] model::SearchDesign design(const model::Machine& machine, int ranks) const;
    [[nodiscard]] std::string obstacle(const model::PlannedGraph& graph, const model::Machine& machine, int ranks,
                                       const model::SearchDesign& design) const;
    [[nodiscard]] std::string advice(const model::PlannedGraph& graph, const model::Machine& machine) const;
    void time(const KnownGraph& known, ClusterPlan& plan) const;
    void compare_designs(const KnownGraph& known, ClusterPlan& plan) const;
    void plan_all_pairs(ClusterPlan& plan) const;

    session::GraphOptions graph_;
    Work work_ = Work::bfs;
    int ranks_ = 1;
    int ranks_per_host_ = 0;  // 0: as the network says
    int cores_ = 1;
    std::string gpu_;
    std::string network_ = "infiniband-400";
    std::optional<comm::GridShape> grid_;
    double processor_factor_ = 1;
    bool by_stores_ = true;   // GPUs of one host
    double host_memory_ = 0;  // in GiB; 0: not known
    int keys_ = 16;
    std::optional<std::int64_t> source_;
    bool designs_ = false;
    std::string json_;
};

std::string PlanCommand::notes() const
{
    std::string names;
    for (const model::NamedText& network : model::built_in_networks()) names += fmt::format("  {}\n", network.name);
    return "Graphs of kron: and random: are described by classes of vertices, of any size; any other graph is loaded, "
           "as "
           "each is with --source, and its searches are counted on as many ranks as the job would have. Neither a GPU "
           "nor other hosts are "
           "needed. Times are estimates: the numbers in brackets are what the uncertainty of links and processor "
           "leaves open.\n"
           "\n"
           "--network names a file, or one of these:\n" +
           names + "\n" + graph_notes();
}

std::vector<OptionGroup> PlanCommand::options()
{
    OptionGroup cluster("Cluster");
    cluster.whole("ranks", ranks_, 1, kMostRanks, "N", "plan for N ranks; a rank has a GPU, or some cores");
    cluster.parsed("gpu", "h100|h200", "each rank has such a GPU", [this](const std::string& text) {
        if (text != "h100" && text != "h200") throw InputError("--gpu: expected h100 or h200, found '" + text + "'");
        gpu_ = text;
    });
    cluster.whole("cores", cores_, 1, 1 << 16, "N", "each rank has N cores, if it has no GPU");
    cluster.parsed(
        "processor-factor", "X",
        "the processor takes X times as long as planned: what a search on one rank takes, by what its plan says",
        [this](const std::string& text) { processor_factor_ = parse_positive_real("processor-factor", text); });
    cluster.text("network", network_, "NAME|FILE", "the links between the ranks (default: infiniband-400)");
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
        constexpr std::array<std::pair<std::string_view, Work>, 4> works{
            {{"bfs", Work::bfs}, {"graph500", Work::graph500}, {"sssp", Work::sssp}, {"apsp", Work::apsp}}};
        const auto* const found = std::ranges::find(works, text, &std::pair<std::string_view, Work>::first);
        if (found == works.end()) throw InputError("--for: expected bfs, graph500, sssp or apsp, found '" + text + "'");
        work_ = found->second;
    });
    job.parsed("grid", "RxC", "the grid of ranks (default: as the program chooses)",
               [this](const std::string& text) { grid_ = comm::parse_grid_shape(text); });
    job.whole("keys", keys_, 1, 10000, "K", "the mean of K searches from random vertices");
    job.parsed("source", "VERTEX", "count the search from VERTEX on the graph itself",
               [this](const std::string& text) { source_ = parse_whole("source", text, 0, kMaxVertices); });
    job.flag("designs", designs_, "compare the ways to divide the graph, those that the program does not have too");
    OptionGroup output("Output");
    output.text("json", json_, "FILE", "write the plan as JSON");
    return {cluster, job, graph_group(graph_, false), output};
}

void PlanCommand::check() const
{
    graph_.check();
    if (grid_ && grid_->size() != ranks_)
        throw InputError(
            fmt::format("--grid: {} has {} ranks, but --ranks is {}", to_string(*grid_), grid_->size(), ranks_));
    if (!gpu_.empty() && cores_ != 1) throw InputError("--cores: a rank has a GPU (--gpu) or cores, not both");
    if (work_ == Work::graph500 && !graph_.graph.starts_with("kron:"))
        throw InputError("--for graph500: the benchmark searches a Kronecker graph, such as kron:28");
}

model::Machine PlanCommand::machine() const
{
    model::Machine machine;
    machine.processor = model::find_processor(gpu_.empty() ? "core" : gpu_);
    const int cores = gpu_.empty() ? cores_ : 1;
    machine.processor = model::scaled(machine.processor, processor_factor_ / cores);
    const auto networks = model::built_in_networks();
    const auto built_in = std::ranges::find(networks, network_, &model::NamedText::name);
    if (built_in != networks.end()) {
        machine.network = model::network_from_text(std::string(built_in->text), network_);
    } else {
        std::ifstream file(network_);
        std::stringstream text;
        text << file.rdbuf();
        if (!file)
            throw InputError("--network: '" + network_ + "' is neither a file that can be read nor a known network");
        machine.network = model::network_from_text(text.str(), network_);
    }
    if (ranks_per_host_ > 0) machine.network.ranks_per_host = ranks_per_host_;
    return machine;
}

algo::DirectionPolicy PlanCommand::policy() const
{
    return gpu_.empty() ? plan::policy_on_cpu() : plan::policy_on_gpus(true, ranks_);
}

bool PlanCommand::in_classes() const
{
    return !source_ && (graph_.graph.starts_with("kron:") || graph_.graph.starts_with("random:"));
}

void PlanCommand::describe_classes(KnownGraph& known) const
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(graph_.graph, graph_.seeds);
    const auto vertices = static_cast<double>(source->vertex_count());
    const auto edges = static_cast<double>(source->edge_count());
    const auto of_size = [&](double factor) {
        if (graph_.graph.starts_with("kron:"))
            return model::kronecker_classes(static_cast<int>(std::lround(std::log2(vertices * factor))),
                                            edges / vertices);
        return model::uniform_classes(vertices * factor, edges * factor);
    };
    model::VertexClasses classes = of_size(1);
    known.planned = {vertices, edges, classes.connected(), classes.distinct, source->directed(), 0};
    known.counted = fmt::format("in the mean of graphs of this kind, {} searches", keys_);
    if (edges == 0) return;
    known.twice = of_size(2);
    known.clock = model::clock_of_classes(classes, policy(), keys_);
    known.classes = std::move(classes);
}

void PlanCommand::load(const job::Job& job, KnownGraph& known) const
{
    session::PreparedGraph& prepared = known.prepared;
    prepared.input = session::load_graph(job, graph_, false);
    prepared.grid.emplace(job.world(), comm::GridShape{1, 1});
    session::require_construction_memory(job, prepared.grid->shape(), prepared.input, prepared.plan);
    const EdgeList& list = prepared.input.list;
    const auto edges = static_cast<double>(prepared.input.edges);
    const auto vertices = static_cast<double>(list.vertex_count);
    const bool directed = list.directed;
    session::construct_on_hosts(job, prepared, session::VertexCount::given, nullptr);
    const DistributedGraph& graph = *prepared.graph;
    const double entries = std::max(1.0, edges * (directed ? 1 : 2));
    known.planned = {vertices,
                     edges,
                     static_cast<double>(graph.connected_vertices),
                     static_cast<double>(graph.directed_edges) / entries,
                     directed,
                     0};
    if (source_) {
        known.key = prepared.input.inside("--source", *source_);
        known.counted = fmt::format("counted on {} ranks, from vertex {}", ranks_, *source_);
        known.clock = model::clock_of_counts(graph, known.planned, {*known.key}, policy());
        return;
    }
    const auto keys = std::min<std::int64_t>(keys_, graph.connected_vertices);
    if (keys == 0) return;
    known.counted = fmt::format("counted on {} ranks, {} searches", ranks_, keys);
    session::RandomVertices wanted;
    wanted.count = static_cast<std::size_t>(keys);
    wanted.seed = graph_.seeds.seed;
    wanted.option = "--keys";
    known.clock =
        model::clock_of_counts(graph, known.planned, session::draw_vertices(job.world(), graph, wanted), policy());
}

model::SearchDesign PlanCommand::design(const model::Machine& machine, int ranks) const
{
    model::SearchDesign design;
    const int a_host = std::min(ranks, machine.network.ranks_per_host);
    design.shape = machine.processor.gpu ? comm::GridShape{ranks, 1} : comm::default_grid_shape(ranks, a_host);
    if (grid_ && ranks == ranks_) design.shape = *grid_;
    design.by_stores = by_stores_ && machine.processor.gpu && ranks > 1 && ranks == a_host && design.shape.columns == 1;
    return design;
}

std::string PlanCommand::obstacle(const model::PlannedGraph& graph, const model::Machine& machine, int ranks,
                                  const model::SearchDesign& design) const
{
    if (machine.processor.gpu && graph.vertices > kMostGpuVertices)
        return "searches on GPUs have at most 2^31 vertices";
    try {
        const Partition partition(static_cast<Vertex>(graph.vertices), design.shape.rows, design.shape.columns);
    } catch (const InputError& error) {
        return error.what();
    }
    const double ranks_a_host = std::min(ranks, machine.network.ranks_per_host);
    for (const model::PhaseMemory& phase : model::memory_of(graph, design, machine.processor)) {
        if (machine.processor.gpu && phase.device_bytes > machine.processor.memory_bytes * kUsableMemory)
            return fmt::format("the memory of a GPU does not suffice for the phase of {}, which takes {}", phase.phase,
                               bytes_in_words(phase.device_bytes));
        if (host_memory_ > 0 && phase.host_bytes * ranks_a_host > host_memory_ * kGibibyte)
            return fmt::format("the memory of a host does not suffice for the phase of {}, which takes {}", phase.phase,
                               bytes_in_words(phase.host_bytes * ranks_a_host));
    }
    return {};
}

std::string PlanCommand::advice(const model::PlannedGraph& graph, const model::Machine& machine) const
{
    for (int ranks = 2 * ranks_; ranks <= kMostRanks; ranks *= 2)
        if (obstacle(graph, machine, ranks, design(machine, ranks)).empty())
            return fmt::format("; {} ranks would do", ranks);
    return {};
}

void PlanCommand::time(const KnownGraph& known, ClusterPlan& plan) const
{
    if (!known.clock) return;
    plan.search = model::range_of(known.clock, plan.design, plan.machine);
    plan.levels = model::typical(known.clock(plan.design, plan.machine)).levels;
    if (ranks_ > kMostRanks / 2) return;
    const model::SearchDesign larger = design(plan.machine, 2 * ranks_);
    plan.on_twice_as_many = model::range_of(known.clock, larger, plan.machine);
    if (known.twice)
        plan.twice_on_twice_as_many =
            model::range_of(model::clock_of_classes(*known.twice, policy(), keys_), larger, plan.machine);
}

void PlanCommand::compare_designs(const KnownGraph& known, ClusterPlan& plan) const
{
    if (!known.classes) throw InputError("--designs: needs a graph of kron: or random:");
    const auto bytes_of = [&](const model::SearchDesign& design) {
        if (design.scheme == model::Scheme::hubs) return model::hub_search_bytes(*known.classes, design);
        const model::PhaseMemory searches = model::memory_of(plan.graph, design, plan.machine.processor).back();
        return plan.machine.processor.gpu ? searches.device_bytes : searches.host_bytes;
    };
    const auto keep_best = [&](const std::vector<model::SearchDesign>& candidates) {
        std::optional<model::SearchDesign> best;
        double least = 0;
        for (const model::SearchDesign& candidate : candidates) {
            const double seconds = model::mean_of(known.clock(candidate, plan.machine)).seconds;
            if (best && seconds >= least) continue;
            best = candidate;
            least = seconds;
        }
        if (best) plan.designs.push_back({*best, model::range_of(known.clock, *best, plan.machine), bytes_of(*best)});
    };
    std::vector<model::SearchDesign> grids;
    std::vector<model::SearchDesign> rotations;
    for (int columns = 2; columns <= ranks_; columns *= 2) {
        if (ranks_ % columns != 0) continue;
        grids.push_back({model::Scheme::grid, {ranks_ / columns, columns}, 0, false});
        rotations.push_back({model::Scheme::rotation, {ranks_ / columns, columns}, 0, false});
    }
    std::vector<model::SearchDesign> hubs;
    for (double count = 1 << 16; count < known.planned.connected; count *= 4)
        hubs.push_back({model::Scheme::hubs, {ranks_, 1}, count, false});
    keep_best({{model::Scheme::grid, {ranks_, 1}, 0, plan.design.by_stores}});
    for (const auto& candidates : {grids, rotations, hubs}) keep_best(candidates);
    std::ranges::stable_sort(plan.designs, {}, [](const ComparedDesign& design) { return design.time.mean.seconds; });
}

void PlanCommand::plan_all_pairs(ClusterPlan& plan) const
{
    const double n = plan.graph.vertices;
    constexpr double bytes_a_distance = 4;
    const double matrix = n * n * bytes_a_distance / plan.ranks();
    plan.memory = {{"matrix", plan.machine.processor.gpu ? matrix : 0, matrix}};
    const plan::Rates rates;
    const double relaxation = plan.machine.processor.gpu ? rates.gpu.relaxation : rates.core.relaxation / cores_;
    plan.apsp_seconds = n * n * n * relaxation / plan.ranks();
}

void PlanCommand::run(job::Job& job)
{
    session::check_outputs(job, {{"--json", json_}, graph_.named_numbers()},
                           {graph_.named("GRAPH"), {"--config", common.config}});
    const model::Machine machine = run_agreed(job.world(), [&] {
        if (job.world().size() > 1)
            throw InputError(fmt::format("plan runs on one rank, but {} were started; --ranks is the job's number",
                                         job.world().size()));
        return this->machine();
    });
    KnownGraph known;
    if (in_classes())
        run_agreed(job.world(), [&] { describe_classes(known); });
    else
        load(job, known);
    if (work_ == Work::sssp || work_ == Work::apsp) known.planned.weight_bytes = sizeof(float);

    ClusterPlan plan;
    run_agreed(job.world(), [&] {
        plan.graph_name = graph_.graph;
        plan.counted = known.counted;
        plan.graph = known.planned;
        plan.machine = machine;
        plan.cores = cores_;
        plan.design = design(machine, ranks_);
        if (work_ == Work::apsp) {
            plan_all_pairs(plan);
            return;
        }
        plan.memory = model::memory_of(plan.graph, plan.design, machine.processor);
        plan.construction_seconds = model::construction_seconds(plan.graph, plan.design, machine);
        if (work_ == Work::sssp) return;  // their searches are not modelled
        time(known, plan);
        if (known.key)
            plan.messages =
                model::count_bfs(*known.prepared.graph, plan.design.shape, *known.key, {.direction = policy()});
        if (designs_) compare_designs(known, plan);
    });
    plan.obstacle = obstacle(plan.graph, machine, ranks_, plan.design);
    if (!plan.obstacle.empty()) plan.obstacle += advice(plan.graph, machine);
    if (!common.quiet && json_ != "-") print(plan);
    write_json(job, json_, to_json(plan));
    if (!plan.obstacle.empty() && !designs_)
        throw AgreedError(ExitCode::resources, graph_.graph + " does not fit: " + plan.obstacle);
}

}  // namespace

std::unique_ptr<Subcommand> make_plan_command()
{
    return std::make_unique<PlanCommand>();
}

}  // namespace wayfront::app
