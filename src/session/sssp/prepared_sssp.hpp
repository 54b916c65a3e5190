// Searches for shortest paths in a graph that was loaded: the plan, the grid, construction and
// checks, in the order that the program and the library share.
#pragma once

#include <memory>
#include <optional>

#include "algo/sssp/sssp_result.hpp"
#include "base/phase.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"
#include "plan/sssp_method.hpp"
#include "session/prepared_graph.hpp"
#include "session/sssp/sssp_searches.hpp"

namespace wayfront::session {

/// Chooses method, processors and grid, constructs the graph, and prepares its searches and their
/// check. `asked` is the result of asked_engine(), which is called before the graph is loaded. Pre:
/// prepared.feed has the edges of prepared.input with weights. Throws an AgreedError. Collective.
[[nodiscard]] std::unique_ptr<SsspSearches> prepare_sssp_searches(const job::Job& job, const SsspRequest& request,
                                                                  const std::optional<plan::EnginePlan>& asked,
                                                                  PreparedGraph& prepared, PhaseLog* log);
/// The same for a plan of plan_sssp().
[[nodiscard]] std::unique_ptr<SsspSearches> prepare_planned_sssp(const job::Job& job, const SsspRequest& request,
                                                                 const SsspPlan& plan, PreparedGraph& prepared,
                                                                 PhaseLog* log);

/// Prepares searches from several sources at once of a graph that prepare_sssp_searches() has prepared for searches
/// from one, `from_one`. Returns null if these start from several sources, too, and otherwise searches on the cores: if
/// several GPUs search on their own, or a GPU has too little memory. Throws an AgreedError, also if the memory of a
/// host does not suffice for them and `result_bytes` on this rank. Collective.
[[nodiscard]] std::unique_ptr<SsspSearches> prepare_nearest_sssp(const job::Job& job, const SsspRequest& request,
                                                                 PreparedGraph& prepared, SsspSearches& from_one,
                                                                 double result_bytes);

}  // namespace wayfront::session
