// Decides whether all pairs are computed by the elimination of vertices
// (algo/apsp/elimination.hpp), and estimates its time.
#pragma once

#include <optional>
#include <string>

#include "algo/apsp/elimination.hpp"
#include "graph/distributed_graph.hpp"
#include "plan/apsp/machine.hpp"
#include "plan/apsp/plan.hpp"

namespace wayfront::plan {

/// Eliminates the vertices for a plan whose type of distances is known. Returns the reason, in
/// words, if the elimination exceeds the limits; empty if it is done.
[[nodiscard]] std::string eliminate_for(ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph, const algo::EliminationLimits& limits);

/// The limits of an elimination that is only tried, for work that takes `seconds` by another
/// method. No value if the other method is fast, or if the graph has too many arcs a vertex.
[[nodiscard]] std::optional<algo::EliminationLimits> trial_limits(const ApspMachine& machine, const DistributedGraph& graph, double seconds);
/// The limits of an elimination that an option asks for.
[[nodiscard]] algo::EliminationLimits generous_limits(const ApspMachine& machine);

/// The seconds that the cores of all ranks take for all sources, without the elimination.
[[nodiscard]] double elimination_seconds(const ApspPlan& plan, const ApspWork& work);

}  // namespace wayfront::plan
