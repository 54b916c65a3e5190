#include "session/bfs/prepared_bfs.hpp"

#include "graph500/validate.hpp"

namespace wayfront::session {

namespace {

void prepare_check(const job::Job& job, const BfsRequest& request, const PreparedGraph& prepared,
                   HostGraphBfs& searches)
{
    if (!request.validate) return;
    require_validation_memory(job, prepared.input, graph500::BfsValidator::most_bytes);
    searches.prepare_check(Check::validity);
}

}  // namespace

plan::EnginePlan choose_bfs_plan(const job::Job& job, const BfsRequest& request)
{
    plan::require_grid_of_all_ranks(job, request.search.grid);
    return plan::choose_plan(job, request.search.grid, request.search.engine, bfs_requirements());
}

std::unique_ptr<HostGraphBfs> prepare_bfs_searches(const job::Job& job, const BfsRequest& request,
                                                   PreparedGraph& prepared, PhaseLog* log, const BfsMaker& make)
{
    const plan::SearchOptions& search = request.search;
    const plan::EnginePlan& plan = prepared.plan = settle_bfs(job, search, prepared.plan, prepared.input);
    if (request.nearest)
        prepared.plan =
            plan::settle_plan(job, search.engine, prepared.plan, {"--nearest is not for searches on GPUs alone"});
    const comm::ProcessGrid& grid = prepared.grid.emplace(job.world(), search.settled_grid(job, plan));
    require_construction_memory(job, grid.shape(), prepared.input, plan);
    std::unique_ptr<HostGraphBfs> searches;
    construct_on_hosts(job, prepared, VertexCount::given, log, [&] {
        searches = make(grid, *prepared.graph, *prepared.feed, plan,
                        {.direction = search.policy_on(plan, job.world().size()),
                         .exchange = search.exchange,
                         .stretches = search.overlaps(job),
                         .levels = true,
                         .smallest_parents = request.smallest_parents,
                         .max_level = request.max_level,
                         .expected_searches = request.searches,
                         .log = log});
    });
    prepare_check(job, request, prepared, *searches);
    return searches;
}

std::unique_ptr<HostGraphBfs> prepare_bfs_on_cores(const job::Job& job, const BfsRequest& request,
                                                   PreparedGraph& prepared)
{
    const plan::EnginePlan cores;
    std::unique_ptr<HostGraphBfs> searches = prepare_bfs(*prepared.grid, *prepared.graph, *prepared.feed, cores,
                                                         {.direction = plan::policy_on_cpu(),
                                                          .levels = true,
                                                          .smallest_parents = request.smallest_parents,
                                                          .max_level = request.max_level});
    prepare_check(job, request, prepared, *searches);
    return searches;
}

}  // namespace wayfront::session
