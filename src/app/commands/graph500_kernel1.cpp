#include "app/commands/graph500_kernel1.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph/generators/kron.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "session/bfs/gpu_bfs.hpp"

namespace wayfront::app {

namespace {

/// The graph that the options name, if it is a Kronecker graph that GPUs construct; otherwise no
/// value. Collective.
std::optional<session::KronGraph> kron_graph(const job::Job& job, const session::GraphOptions& options)
{
    if (!looks_like_spec(options.graph)) return std::nullopt;
    return run_agreed(job.world(), [&]() -> std::optional<session::KronGraph> {
        const std::unique_ptr<EdgeSource> source = make_edge_source(options.graph, options.seeds);
        const auto* const kron = dynamic_cast<const KronSource*>(source.get());
        if (kron == nullptr) return std::nullopt;
        return session::KronGraph{kron->parameters(), kron->edge_count()};
    });
}

algo::BfsOptions search_options(const job::Job& job, const plan::SearchOptions& options, const plan::EnginePlan& plan,
                                PhaseLog* log)
{
    return {.direction = options.policy_on(plan, job.world().size()),
            .exchange = options.exchange,
            .stretches = options.overlaps(job),
            .log = log};
}

plan::Obstacle kron_obstacle(const job::Job& job, const plan::EnginePlan& plan, const session::KronGraph& kron)
{
    const plan::Obstacle obstacle = plan::graph_obstacle(session::bfs_requirements(), kron.vertices());
    return obstacle.words.empty() ? session::gpu_bfs::kron_obstacle(plan, kron, job.world().size()) : obstacle;
}

/// Decides whether GPUs construct the graph for all kernels that search it. If so, settles the plan
/// of breadth-first searches in kernel1.plan, and that of shortest paths in `sssp`. Collective.
bool settle_gpus(const job::Job& job, const session::KronGraph& kron, Kernels kernels, const SearchesOptions& options,
                 Kernel1& kernel1, std::optional<session::SsspPlan>& sssp)
{
    if (kernels.bfs) {
        if (!kernel1.plan.on_device()) return false;
        kernel1.plan =
            plan::settle_plan(job, options.search.engine, kernel1.plan, kron_obstacle(job, kernel1.plan, kron));
        if (!kernel1.plan.on_device()) return false;
    }
    if (kernels.sssp) sssp = session::plan_kron_sssp(job, options.sssp, options.asked_gpu, kron);
    return !kernels.sssp || sssp.has_value();
}

/// Prepares shortest paths in kernel1.sssp. `options.asked_gpu` and `plan` were determined before
/// the graph of breadth-first searches, if any, was constructed. Collective.
void construct_sssp_on_gpu(const job::Job& job, const session::KronGraph& kron, session::SsspPlan plan,
                           const SearchesOptions& options, PhaseLog* log, Kernel1& kernel1)
{
    if (kernel1.bfs) {
        std::optional<plan::EnginePlan> rest = plan.engine;
        rest->free_bytes = plan::free_for_each(job, rest->ranks_a_gpu);
        plan = session::plan_kron_sssp(job, options.sssp, rest, kron).value();
    }
    kernel1.sssp = session::prepare_kron_sssp(
        *kernel1.grid, kron, plan,
        {.method = plan.choice.method, .delta = options.sssp.delta, .phase_times = {}, .log = log});
    kernel1.list_order = plan.list_order();
}

/// The most bytes of device memory that this rank's construction took at a time.
std::size_t peak_bytes_of(const Kernel1& kernel1)
{
    std::size_t peak = 0;
    std::size_t lasting = 0;  // device memory that breadth-first searches keep
    if (kernel1.bfs) {
        const session::BfsFacts facts = kernel1.bfs->facts();
        peak = facts.construction_peak_bytes;
        lasting = facts.graph_bytes + facts.state_bytes;
    }
    return kernel1.sssp ? std::max(peak, lasting + kernel1.sssp->facts().construction_peak_bytes) : peak;
}

void construct_on_gpus(const job::Job& job, const session::KronGraph& kron, const std::string& name, Kernels kernels,
                       const std::optional<session::SsspPlan>& sssp, const SearchesOptions& options, PhaseLog* log,
                       Kernel1& kernel1)
{
    const comm::ProcessGrid& grid = kernel1.grid.emplace(job.world(), options.search.settled_grid(job, kernel1.plan));
    kernel1.input.name = name;
    kernel1.input.format = "generated";
    kernel1.input.edges = kron.tuples;
    kernel1.input.list.vertex_count = kron.vertices();
    kernel1.input.list.directed = false;
    kernel1.key_range = kron.vertices();
    kernel1.construction_seconds = session::seconds_of(job.world(), log, "construct", [&] {
        job::Progress progress(job, "construct");
        progress.begin("on the GPUs", 0);
        if (kernels.bfs)
            kernel1.bfs = session::gpu_bfs::make_kron(grid, kron, kernel1.plan,
                                                      search_options(job, options.search, kernel1.plan, log));
        if (kernels.sssp) construct_sssp_on_gpu(job, kron, sssp.value(), options, log, kernel1);
    });
    kernel1.peak_bytes =
        job.world().all_reduce(static_cast<std::int64_t>(peak_bytes_of(kernel1)), comm::Reduction::sum);
}

session::LoadedGraph edge_list(const job::Job& job, const session::GraphOptions& options, bool with_weights)
{
    session::LoadedGraph input = session::load_graph(job, options, with_weights);
    run_agreed(job.world(), [&] {
        if (input.list.directed)
            throw InputError(fmt::format("{}: is a directed graph; graph500 searches undirected ones", input.name));
        if (input.edges == 0) throw InputError(fmt::format("{}: has no edges", input.name));
        if (with_weights && !input.list.weighted())
            throw InputError(
                fmt::format("{}: has no weights, which shortest paths need; wayfront {} {} -o NAME.tuples --weights "
                            "float makes a file with "
                            "weights",
                            input.name, input.format == "generated" ? "generate" : "convert", input.name));
    });
    if (!with_weights) input.list.weights = {};
    return input;
}

/// Chooses the method and the processors of shortest paths. Throws an AgreedError if a weight is
/// negative. Collective.
session::SsspPlan plan_without_negative_weights(const job::Job& job, const SearchesOptions& options,
                                                const Kernel1& kernel1)
{
    session::SsspPlan plan = session::plan_sssp(job, options.sssp, options.asked_gpu, kernel1.input, *kernel1.feed);
    run_agreed(job.world(), [&] {
        if (plan.negative_weights)
            throw InputError(fmt::format(
                "{}: has negative weights; in an undirected graph, each of these edges is a cycle of negative length",
                kernel1.input.name));
    });
    return plan;
}

void construct_on_hosts(const job::Job& job, const session::GraphOptions& graph, Kernels kernels,
                        const SearchesOptions& options, PhaseLog* log, Kernel1& kernel1)
{
    const comm::Communicator& world = job.world();
    kernel1.load_seconds =
        session::seconds_of(world, log, "load", [&] { kernel1.input = edge_list(job, graph, kernels.sssp); });
    const session::LoadedGraph& input = kernel1.input;
    if (kernels.bfs)
        kernel1.plan =
            session::settle_bfs(job, options.search.engine, kernel1.plan, session::bfs_requirements(), input);
    const comm::ProcessGrid& grid = kernel1.grid.emplace(job.world(), options.search.settled_grid(job, kernel1.plan));
    const WeightType weights = kernels.sssp ? choose_weight_type(world, input.list) : WeightType::none;
    session::require_construction_memory(job, grid.shape(), input, kernel1.plan, weights);
    const bool tuples = input.format == "Graph500 tuples";
    kernel1.key_range = tuples ? static_cast<Vertex>(std::bit_ceil(static_cast<std::uint64_t>(input.list.vertex_count)))
                               : input.list.vertex_count;

    session::SsspPlan sssp;
    kernel1.feed = std::make_unique<ListFeed>(input.list, weights);
    if (kernels.sssp) {
        sssp = plan_without_negative_weights(job, options, kernel1);
        kernel1.list_order = sssp.list_order();
    }
    const job::PeakMemory memory;
    session::construct_on_hosts(
        job, kernel1, session::VertexCount::found, log,
        [&] {
            if (kernels.bfs)
                kernel1.bfs = session::prepare_bfs(grid, *kernel1.graph, *kernel1.feed, kernel1.plan,
                                                   search_options(job, options.search, kernel1.plan, log));
            if (kernels.sssp)
                kernel1.sssp = session::prepare_sssp(job, grid, *kernel1.graph, *kernel1.feed, sssp,
                                                     {.method = sssp.choice.method,
                                                      .delta = options.sssp.delta,
                                                      .phase_times = options.sssp.phase_times,
                                                      .log = log});
        },
        {.list_order = kernel1.list_order});
    const std::int64_t peak = memory.grown_bytes().value_or(-1);
    if (world.all(peak >= 0)) kernel1.peak_bytes = world.all_reduce(peak, comm::Reduction::sum);
}

}  // namespace

std::unique_ptr<Kernel1> run_kernel1(const job::Job& job, const session::GraphOptions& graph, Kernels kernels,
                                     const SearchesOptions& options, plan::EnginePlan plan, PhaseLog* log)
{
    auto kernel1 = std::make_unique<Kernel1>();
    kernel1->plan = std::move(plan);
    const bool gpus_may_construct = kernels.sssp ? !kernels.bfs || options.asked_gpu : kernel1->plan.on_device();
    if (gpus_may_construct) {
        std::optional<session::SsspPlan> sssp;
        const std::optional<session::KronGraph> kron = kron_graph(job, graph);
        if (kron && settle_gpus(job, *kron, kernels, options, *kernel1, sssp)) {
            construct_on_gpus(job, *kron, graph.graph, kernels, sssp, options, log, *kernel1);
            return kernel1;
        }
        run_agreed(job.world(), [&] {
            if (!kernels.bfs || !kernels.sssp) return;
            if (!kron)
                throw InputError(
                    fmt::format("--engine gpu: GPUs construct Kronecker graphs only for both kernels, but not {}; "
                                "search with --kernel bfs "
                                "or --kernel sssp",
                                graph.graph));
            if (const auto& grid = options.search.grid; grid && grid->columns > 1)
                throw InputError(
                    "--grid: for both kernels, GPUs construct the graph on a P x 1 grid; search with --kernel bfs or "
                    "--kernel sssp");
            throw ResourceError(
                fmt::format("--engine gpu: these GPUs cannot construct {} for both kernels; search with --kernel bfs "
                            "or --kernel sssp",
                            graph.graph));
        });
    }
    construct_on_hosts(job, graph, kernels, options, log, *kernel1);
    return kernel1;
}

}  // namespace wayfront::app
