#include "session/sssp/prepared_sssp.hpp"

#include "comm/agreement.hpp"
#include "graph500/validate_distances.hpp"
#include "job/host_memory.hpp"
#include "plan/search_options.hpp"
#include "session/sssp/host_sssp.hpp"

namespace wayfront::session {

namespace {

void prepare_check(const job::Job& job, const SsspRequest& request, const PreparedGraph& prepared,
                   SsspSearches& searches)
{
    if (!request.validate) return;
    require_validation_memory(job, prepared.input, graph500::SsspValidator::most_bytes);
    searches.prepare_check(Check::validity);
}

/// Throws an AgreedError if the memory of a host does not suffice for the nearest sources beside `bytes` on this rank.
/// Collective.
void require_nearest_memory(const job::Job& job, const PreparedGraph& prepared, const algo::SsspOptions& options,
                            double bytes)
{
    bytes += host_nearest_bytes(*prepared.grid, *prepared.graph, options);
    require_memory(job, bytes, "searching for the nearest sources");
}

/// Searches of a graph that the hosts construct, or that needs no construction. Sets the times and the graph of
/// `prepared`. Collective.
std::unique_ptr<SsspSearches> prepare_on_hosts(const job::Job& job, const SsspRequest& request, const SsspPlan& plan,
                                               PreparedGraph& prepared, const algo::SsspOptions& options)
{
    const comm::ProcessGrid& grid = *prepared.grid;
    std::unique_ptr<SsspSearches> searches;
    require_construction_memory(job, grid.shape(), prepared.input, prepared.plan, prepared.feed->weight_type());
    if (needs_no_construction(job, request, plan, *prepared.feed)) {
        prepared.construction_seconds = seconds_of(job.world(), options.log, "construct", [&] {
            prepared.graph = std::make_unique<DistributedGraph>(graph_without_edges(*prepared.feed));
            searches = prepare_single_sssp(job, prepared.constructed(), plan, options);
        });
        return searches;
    }
    construct_on_hosts(job, prepared, {.list_order = plan.list_order(), .log = options.log}, [&] {
        if (request.method.nearest && !plan.engine.on_device())
            require_nearest_memory(job, prepared, options, host_sssp_bytes(grid, *prepared.graph, options.method));
        searches = prepare_sssp(job, prepared.constructed(), plan, options);
    });
    return searches;
}

}  // namespace

std::unique_ptr<SsspSearches> prepare_sssp_searches(const job::Job& job, const SsspRequest& request,
                                                    const std::optional<plan::EnginePlan>& asked,
                                                    PreparedGraph& prepared, PhaseLog* log)
{
    return prepare_planned_sssp(job, request, plan_sssp(job, request, asked, prepared.input, *prepared.feed), prepared,
                                log);
}

std::unique_ptr<SsspSearches> prepare_planned_sssp(const job::Job& job, const SsspRequest& request,
                                                   const SsspPlan& plan, PreparedGraph& prepared, PhaseLog* log)
{
    const plan::SsspMethodOptions& method = request.method;
    prepared.plan = plan.engine;
    const comm::ProcessGrid& grid =
        prepared.grid.emplace(job.world(), plan::settled_grid(job, method.grid, prepared.plan));
    const algo::SsspOptions options{.method = plan.choice.method,
                                    .delta = method.delta,
                                    .phase_times = method.phase_times,
                                    .cutoff = request.cutoff,
                                    .smallest_parents = method.smallest_parents,
                                    .expected_searches = request.searches,
                                    .log = log};
    std::unique_ptr<SsspSearches> searches;
    if (gpu_constructs_sssp(grid, *prepared.feed, plan, options))
        prepared.construction_seconds = seconds_of(
            job.world(), log, "construct", [&] { searches = prepare_constructed_sssp(job, prepared, plan, options); });
    if (searches == nullptr) {
        const double tried_seconds = prepared.construction_seconds;
        searches = prepare_on_hosts(job, request, plan, prepared, options);
        prepared.construction_seconds += tried_seconds;
    }
    if (method.nearest) run_agreed(job.world(), [&] { searches->prepare_nearest(); });
    prepare_check(job, request, prepared, *searches);
    return searches;
}

std::unique_ptr<SsspSearches> prepare_nearest_sssp(const job::Job& job, const SsspRequest& request,
                                                   PreparedGraph& prepared, SsspSearches& from_one, double result_bytes)
{
    algo::SsspOptions options;
    options.cutoff = request.cutoff;
    options.smallest_parents = request.method.smallest_parents;
    const bool on_device = prepared.plan.on_device();
    if (on_device && can_prepare_nearest(from_one)) {
        require_memory(job, result_bytes, "searching for the nearest sources");
        return nullptr;
    }
    add_lists(job, prepared, ListOrder::weights);
    if (on_device || !from_one.has_searched())
        result_bytes += host_sssp_bytes(*prepared.grid, *prepared.graph, options.method);
    require_nearest_memory(job, prepared, options, result_bytes);
    if (!on_device) return nullptr;
    std::unique_ptr<SsspSearches> searches = prepare_sssp(job, prepared.constructed(), {}, options);
    prepare_check(job, request, prepared, *searches);
    return searches;
}

}  // namespace wayfront::session
