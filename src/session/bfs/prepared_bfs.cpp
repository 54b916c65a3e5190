#include "session/bfs/prepared_bfs.hpp"

#include <string>

#include "algo/nearest_sources.hpp"
#include "comm/agreement.hpp"
#include "gpu/runtime/device.hpp"
#include "graph500/validate.hpp"
#include "job/host_memory.hpp"
#include "plan/gpu_start.hpp"
#include "session/bfs/gpu_bfs.hpp"
#include "session/rates_file.hpp"

namespace wayfront::session {

namespace {

void prepare_check(const job::Job& job, const BfsRequest& request, const PreparedGraph& prepared,
                   HostGraphBfs& searches)
{
    if (!request.validate) return;
    require_validation_memory(job, prepared.input, graph500::BfsValidator::most_bytes);
    searches.prepare_check(Check::validity);
}

/// An estimate, from above, of the bytes that a search on the cores takes on this rank beside the graph,
/// results included.
double search_bytes(const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    const bool narrow = VertexArray::is_narrow(graph.partition.vertex_count());
    const double id_bytes = narrow ? sizeof(std::int32_t) : sizeof(std::int64_t);
    constexpr double bit = 1.0 / 8;
    const double bytes_of_row = sizeof(std::uint32_t) + 2 * bit;  // its parent, whether it was seen and has arcs
    // Its level, the rank that found it, its place in a list, its parent, and a few bits.
    const double bytes_of_slot = sizeof(std::int32_t) + sizeof(std::uint16_t) + sizeof(std::uint32_t) + id_bytes + 1;
    return graph.local_count() * (sizeof(std::int32_t) + id_bytes) + block.rows() * bytes_of_row + block.cols() * bit +
           block.slot_stride * bytes_of_slot;
}

/// Throws an AgreedError if the memory of a host does not suffice for the nearest sources beside `bytes` on this rank.
/// Collective.
void require_nearest_memory(const job::Job& job, const BfsRequest& request, const PreparedGraph& prepared, double bytes)
{
    bytes += algo::nearest_bytes(*prepared.grid, *prepared.graph, sizeof(std::int32_t), request.smallest_parents);
    require_memory(job, bytes, "searching for the nearest sources");
}

/// The same for searches. Collective.
void require_search_memory(const job::Job& job, const BfsRequest& request, const PreparedGraph& prepared)
{
    const double bytes = search_bytes(*prepared.graph);
    if (request.nearest)
        require_nearest_memory(job, request, prepared, bytes);
    else
        require_memory(job, bytes, "breadth-first search");
}

plan::EnginePlan choose_plan(const job::Job& job, const plan::SearchOptions& search)
{
    return plan::choose_plan(job, search.grid, search.engine, bfs_requirements());
}

/// Whether the program may choose GPUs. A search from several sources runs on one of them.
bool suits_gpus(const job::Job& job, const BfsRequest& request)
{
    return !request.nearest || (job.world().size() == 1 && !request.smallest_parents);
}

/// The processors if nothing asks for them: GPUs if they are expected to take less time, with their start. Collective.
plan::EnginePlan faster_engine(const job::Job& job, const BfsRequest& request, const LoadedGraph& input,
                               const EdgeFeed& feed)
{
    if (!suits_gpus(job, request) || !gpu::has_cuda()) return {};
    if (feed.device_edges() != nullptr) {
        plan::EnginePlan plan = choose_plan(job, request.search);
        plan.reason = "the edges are in GPU memory";
        return plan;
    }
    const plan::EngineTimes times = plan::bfs_times(rates_of(job), expected_searches(job, input, request.searches));
    if (!job.world().all(times.gpus_are_faster())) return {};
    plan::EnginePlan plan = choose_plan(job, request.search);
    plan.reason = times.in_words();
    return plan;
}

}  // namespace

std::optional<plan::EnginePlan> asked_engine(const job::Job& job, const plan::SearchOptions& options)
{
    const plan::EngineRequest& engine = options.engine;
    plan::require_grid_of_all_ranks(job, options.grid);
    if (engine.engine == Engine::automatic && engine.transport == Transport::automatic) return std::nullopt;
    return choose_plan(job, options);
}

std::unique_ptr<HostGraphBfs> prepare_bfs_searches(const job::Job& job, const BfsRequest& request,
                                                   const std::optional<plan::EnginePlan>& asked,
                                                   PreparedGraph& prepared, PhaseLog* log)
{
    const plan::SearchOptions& search = request.search;
    if (prepared.feed == nullptr) prepared.feed = std::make_unique<ListFeed>(prepared.input.list);
    prepared.plan = asked ? *asked : faster_engine(job, request, prepared.input, *prepared.feed);
    if (!prepared.feed->directed()) prepared.plan = plan::for_undirected(std::move(prepared.plan));
    if (request.nearest && prepared.plan.on_device()) {
        const std::string obstacle = nearest_obstacle(prepared.plan, job.world().size(), request.smallest_parents);
        if (!obstacle.empty()) prepared.plan = plan::settle_plan(job, search.engine, prepared.plan, {obstacle});
    }
    const plan::EnginePlan& plan = prepared.plan =
        settle_bfs(job, search, prepared.plan, prepared.input, request.nearest);
    const comm::ProcessGrid& grid = prepared.grid.emplace(job.world(), search.settled_grid(job, plan));
    const algo::BfsOptions options{.direction = search.policy_on(plan, job.world().size()),
                                   .exchange = search.exchange,
                                   .stretches = search.overlaps(job),
                                   .levels = true,
                                   .smallest_parents = request.smallest_parents,
                                   .max_level = request.max_level,
                                   .expected_searches = request.searches,
                                   .log = log};
    std::unique_ptr<HostGraphBfs> searches;
    if (!request.make && gpu_bfs::constructs(grid, *prepared.feed, plan, options)) {
        prepared.construction_seconds = seconds_of(job.world(), log, "construct", [&] {
            prepared.graph = std::make_unique<DistributedGraph>(graph_without_edges(*prepared.feed));
            const bool fits = construct_on_gpu(job, [&] {
                searches = gpu_bfs::make_constructed(grid, *prepared.graph, *prepared.feed, plan, options);
            });
            prepared.lists_on_gpu = fits && searches != nullptr;
        });
    }
    if (searches == nullptr) {
        const double tried_seconds = prepared.construction_seconds;
        require_construction_memory(job, grid.shape(), prepared.input, plan);
        construct_on_hosts(job, prepared, {.log = log}, [&] {
            if (!prepared.plan.on_device()) require_search_memory(job, request, prepared);
            searches = (request.make ? request.make : prepare_bfs)(prepared.constructed(), plan, options);
        });
        prepared.construction_seconds += tried_seconds;
    }
    if (request.nearest) run_agreed(job.world(), [&] { searches->prepare_nearest(); });
    prepare_check(job, request, prepared, *searches);
    return searches;
}

std::unique_ptr<HostGraphBfs> prepare_nearest_bfs(const job::Job& job, const BfsRequest& request,
                                                  PreparedGraph& prepared, HostGraphBfs& from_one, double result_bytes)
{
    const bool on_device = prepared.plan.on_device();
    if (on_device && can_prepare_nearest(from_one)) {
        require_memory(job, result_bytes, "searching for the nearest sources");
        return nullptr;
    }
    add_lists(job, prepared);
    if (on_device || !from_one.has_searched()) result_bytes += search_bytes(*prepared.graph);
    require_nearest_memory(job, request, prepared, result_bytes);
    if (!on_device) return nullptr;
    const plan::EnginePlan cores;
    std::unique_ptr<HostGraphBfs> searches = prepare_bfs(prepared.constructed(), cores,
                                                         {.direction = plan::policy_on_cpu(),
                                                          .levels = true,
                                                          .smallest_parents = request.smallest_parents,
                                                          .max_level = request.max_level});
    prepare_check(job, request, prepared, *searches);
    return searches;
}

}  // namespace wayfront::session
