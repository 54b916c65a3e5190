#include "session/sssp/prepared_sssp.hpp"

#include "graph500/validate_distances.hpp"
#include "plan/search_options.hpp"

namespace wayfront::session {

std::unique_ptr<SsspSearches> prepare_sssp_searches(const job::Job& job, const SsspRequest& request,
                                                    const std::optional<plan::EnginePlan>& asked,
                                                    PreparedGraph& prepared, PhaseLog* log)
{
    const plan::SsspMethodOptions& method = request.method;
    const SsspPlan plan = plan_sssp(job, method, asked, prepared.input, *prepared.feed);
    prepared.plan = plan.engine;
    const comm::ProcessGrid& grid = prepared.grid.emplace(
        job.world(), plan::choose_grid(method.grid, prepared.plan, job.world().size(), job.ranks_a_host()));
    require_construction_memory(job, grid.shape(), prepared.input, prepared.plan, prepared.feed->weight_type());
    std::unique_ptr<SsspSearches> searches;
    construct_on_hosts(job, prepared, VertexCount::given, log,
                       [&] {
                           searches = prepare_sssp(job, grid, *prepared.graph, *prepared.feed, plan,
                                                   {.method = plan.choice.method,
                                                    .delta = method.delta,
                                                    .phase_times = method.phase_times,
                                                    .cutoff = request.cutoff,
                                                    .smallest_parents = method.smallest_parents,
                                                    .expected_searches = request.searches,
                                                    .log = log});
                       },
                       {.list_order = plan.list_order()});
    if (request.validate) {
        require_validation_memory(job, prepared.input, graph500::SsspValidator::most_bytes);
        searches->prepare_check(Check::validity);
    }
    return searches;
}

}  // namespace wayfront::session
