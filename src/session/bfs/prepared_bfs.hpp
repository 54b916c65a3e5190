// Breadth-first searches of a graph that was loaded: the plan, the grid, construction and checks, in
// the order that the program and the library share.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "algo/bfs/bfs_search.hpp"
#include "base/phase.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"
#include "plan/search_options.hpp"
#include "session/bfs/bfs_searches.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::session {

/// Makes the searches of one graph, as prepare_bfs() does.
using BfsMaker = std::function<decltype(prepare_bfs)>;

struct BfsRequest
{
    plan::SearchOptions search;
    bool smallest_parents = false;
    std::int32_t max_level = algo::kNoMaxLevel;
    bool validate = false;
    bool nearest = false;  // whether searches start from several sources at once
    std::int64_t searches = std::numeric_limits<std::int64_t>::max();  // searches expected of the prepared graph
    BfsMaker make{};  // instead of prepare_bfs(), for a graph that hosts construct; if empty, a GPU may construct it
};

/// The plan if the options name processors or a transport, as far as it depends on the ranks alone: to be made
/// before the graph is loaded, so that a mistake in the options is reported at once. No value if the choice is left to
/// the program. Throws an AgreedError, also if the grid does not have all ranks. Collective.
[[nodiscard]] std::optional<plan::EnginePlan> asked_engine(const job::Job& job, const plan::SearchOptions& options);

/// Chooses processors and grid, constructs the graph, and prepares its searches and their check. `asked` is the result
/// of asked_engine(); without a value, GPUs search if they save more time than their start takes. Pre: prepared.input
/// is loaded; prepared.feed is null or its edges. Throws an AgreedError. Collective.
[[nodiscard]] std::unique_ptr<HostGraphBfs> prepare_bfs_searches(const job::Job& job, const BfsRequest& request,
                                                                 const std::optional<plan::EnginePlan>& asked,
                                                                 PreparedGraph& prepared, PhaseLog* log);

/// Prepares searches from several sources at once of a graph that prepare_bfs_searches() has prepared for searches from
/// one, `from_one`. Returns null if these start from several sources, too, and otherwise searches on the cores: if
/// several GPUs search on their own, or a GPU has too little memory. Throws an AgreedError, also if the memory of a
/// host does not suffice for them and `result_bytes` on this rank. Collective.
[[nodiscard]] std::unique_ptr<HostGraphBfs> prepare_nearest_bfs(const job::Job& job, const BfsRequest& request,
                                                                PreparedGraph& prepared, HostGraphBfs& from_one,
                                                                double result_bytes);

}  // namespace wayfront::session
