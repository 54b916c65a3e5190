// Shortest paths between pairs of vertices, whichever processors search.
//
// On cores, searches end when the distances of their pairs are known (cpu/pairs/pair_searches.hpp), and
// the vertices of a road network are eliminated first if there are many pairs. Several ranks share the
// pairs, if these are many, and each gathers the whole graph, if there is memory for it. Otherwise, on
// GPUs, with negative weights, with the smallest parents, on a grid that was asked for, and in a graph
// with hubs whose weights are floats, pairs with the same source share one search of the whole graph.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algo/pairs.hpp"
#include "base/phase.hpp"
#include "job/job.hpp"
#include "job/progress.hpp"
#include "plan/engine_plan.hpp"
#include "session/bfs/prepared_bfs.hpp"
#include "session/prepared_graph.hpp"
#include "session/sssp/sssp_searches.hpp"
#include "session/timed_search.hpp"

namespace wayfront::session {

class PairEngine
{
public:
    virtual ~PairEngine() = default;

    /// The answers to `pairs`, in their order, on all ranks. Throws an AgreedError if a source reaches
    /// a cycle of negative length. The progress advances by a unit for each pair. Collective.
    [[nodiscard]] virtual std::vector<algo::PairAnswer> answer(std::span<const algo::VertexPair> pairs, bool with_paths,
                                                               job::Progress& progress) = 0;
    /// The vertices of the cycle for which answer() has thrown an error, in the order of its edges.
    [[nodiscard]] virtual std::vector<Vertex> negative_cycle() const { return {}; }
    [[nodiscard]] virtual EngineFacts facts() const = 0;
    /// How pairs are searched, in words.
    [[nodiscard]] virtual std::string method() const = 0;
};

// `request.searches` is the number of pairs.

/// Levels of breadth-first search. Settles the plan, constructs the graph and prepares the searches, as
/// prepare_bfs_searches() does. Throws an AgreedError. Collective.
[[nodiscard]] std::unique_ptr<PairEngine> prepare_bfs_pairs(const job::Job& job, const BfsRequest& request,
                                                            const std::optional<plan::EnginePlan>& asked,
                                                            PreparedGraph& prepared, PhaseLog* log);

/// Distances. As prepare_sssp_searches().
[[nodiscard]] std::unique_ptr<PairEngine> prepare_sssp_pairs(const job::Job& job, const SsspRequest& request,
                                                             const std::optional<plan::EnginePlan>& asked,
                                                             PreparedGraph& prepared, PhaseLog* log);

}  // namespace wayfront::session
