#include "app/commands/graph500_kernel1.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "app/failure.hpp"
#include "app/machine/host_memory.hpp"
#include "app/search/gpu_search.hpp"
#include "graph/construction.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::app {

namespace {

/// How long f() takes, in seconds, from when all ranks begin until all have ended.
template <typename F>
double seconds_of(const comm::Communicator& world, PhaseLog* log, const char* name, F&& f)
{
    world.barrier();
    const Clock::time_point begin = Clock::now();
    {
        const Phase phase(log, name);
        std::forward<F>(f)();
    }
    world.barrier();
    return world.all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max);
}

/// The graph that the options name, if it is one that GPUs construct. Collective.
std::optional<KronGraph> kron_graph(const Job& job, const GraphOptions& options)
{
    if (!looks_like_spec(options.graph)) return std::nullopt;
    return run_agreed(job.world(), [&]() -> std::optional<KronGraph> {
        const std::unique_ptr<EdgeSource> source = make_edge_source(options.graph, options.seeds);
        const auto* const kron = dynamic_cast<const KronSource*>(source.get());
        if (kron == nullptr) return std::nullopt;
        return KronGraph{kron->parameters(), kron->edge_count()};
    });
}

algo::BfsOptions search_options(const Job& job, const SearchOptions& options, const Engine& engine, PhaseLog* log)
{
    return {.direction = options.policy_on(engine, job.world().size()), .exchange = options.exchange, .stretches = options.overlaps(job), .log = log};
}

void construct_on_gpus(const Job& job, const KronGraph& kron, const std::string& name, const SearchOptions& options, const Engine& engine,
                       PhaseLog* log, Kernel1& kernel1)
{
    const comm::ProcessGrid& grid = kernel1.grid.emplace(job.world(), options.settled_grid(job, engine));
    kernel1.on_gpus = true;
    kernel1.input.name = name;
    kernel1.input.format = "generated";
    kernel1.input.edges = kron.tuples;
    kernel1.input.list.vertex_count = kron.vertices();
    kernel1.input.list.directed = false;
    kernel1.key_range = kron.vertices();
    kernel1.construction_seconds = seconds_of(
        job.world(), log, "construct", [&] { kernel1.search = make_kron_search(grid, kron, engine, search_options(job, options, engine, log)); });
    kernel1.peak_bytes = job.world().all_reduce(static_cast<std::int64_t>(kernel1.search->facts().construction_peak_bytes), comm::Reduction::sum);
}

LoadedGraph edge_list(const Job& job, const GraphOptions& options)
{
    LoadedGraph input = load_graph(job, options, false);
    run_agreed(job.world(), [&] {
        if (input.list.directed) throw InputError(fmt::format("{}: is a directed graph; graph500 searches undirected ones", input.name));
        if (input.edges == 0) throw InputError(fmt::format("{}: has no edges", input.name));
    });
    input.list.weights = {};
    return input;
}

void construct_on_hosts(const Job& job, const GraphOptions& graph, const SearchOptions& options, Engine engine, PhaseLog* log, Kernel1& kernel1)
{
    const comm::Communicator& world = job.world();
    kernel1.generation_seconds = seconds_of(world, log, "load", [&] { kernel1.input = edge_list(job, graph); });
    LoadedGraph& input = kernel1.input;
    if (engine.on_device()) engine = settle_engine(job, options.engine, engine, upload_obstacle(job, engine, input));
    const comm::ProcessGrid& grid = kernel1.grid.emplace(job.world(), options.settled_grid(job, engine));
    require_construction_memory(job, grid.shape(), input, engine);
    const bool tuples = input.format == "Graph500 tuples";
    kernel1.key_range = tuples ? static_cast<Vertex>(std::bit_ceil(static_cast<std::uint64_t>(input.list.vertex_count))) : input.list.vertex_count;

    kernel1.feed = std::make_unique<ListFeed>(input.list);
    const PeakMemory memory;
    kernel1.construction_seconds = seconds_of(world, log, "construct", [&] {
        input.list.vertex_count = find_vertex_count(grid, *kernel1.feed);
        kernel1.graph = std::make_unique<DistributedGraph>(construct_graph(grid, *kernel1.feed));
        kernel1.search = prepare_search(grid, *kernel1.graph, *kernel1.feed, engine, search_options(job, options, engine, log));
    });
    const std::int64_t peak = memory.grown_bytes().value_or(-1);
    if (world.all(peak >= 0)) kernel1.peak_bytes = world.all_reduce(peak, comm::Reduction::sum);
}

}  // namespace

std::unique_ptr<Kernel1> run_kernel1(const Job& job, const GraphOptions& graph, const SearchOptions& options, Engine engine, PhaseLog* log)
{
    auto kernel1 = std::make_unique<Kernel1>();
    if (engine.on_device()) {
        if (const std::optional<KronGraph> kron = kron_graph(job, graph)) {
            engine = settle_engine(job, options.engine, engine, kron_obstacle(job, engine, *kron));
            if (engine.on_device()) {
                construct_on_gpus(job, *kron, graph.graph, options, engine, log, *kernel1);
                return kernel1;
            }
        }
    }
    construct_on_hosts(job, graph, options, std::move(engine), log, *kernel1);
    return kernel1;
}

}  // namespace wayfront::app
