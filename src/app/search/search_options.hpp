// The options of a search: which engine and transport, how the ranks share the graph, which way levels go.
#pragma once

#include <optional>
#include <string>

#include "algo/bfs/direction.hpp"
#include "app/cli/option_group.hpp"
#include "app/job.hpp"
#include "app/search/engine_plan.hpp"
#include "comm/frontier_exchange.hpp"
#include "comm/process_grid.hpp"

namespace wayfront::app {

struct SearchOptions
{
    EngineRequest engine;
    std::optional<comm::GridShape> grid;  // nothing: auto
    algo::DirectionChoice direction = algo::DirectionChoice::automatic;
    std::optional<double> alpha;  // nothing: what suits the plan
    std::optional<double> beta;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;
    std::optional<bool> overlap;  // nothing: auto

    [[nodiscard]] OptionGroup group();
    /// What the help says below the options: lines.
    [[nodiscard]] static std::string notes();
    /// Throws InputError where the options contradict each other.
    void check() const { engine.check(); }

    /// The grid for searches by `plan`, once it is settled which. A note for each option that was given and has no effect on these.
    [[nodiscard]] comm::GridShape settled_grid(const Job& job, const EnginePlan& plan) const;

    /// What the options mean on this engine.
    [[nodiscard]] algo::DirectionPolicy policy_on(const EnginePlan& plan, int ranks) const;
    /// Whether levels that the host drives go in stretches that overlap. The same on all ranks. On one host messages are copies by the thread that
    /// drives the levels, and nothing is won.
    [[nodiscard]] bool overlaps(const Job& job) const { return overlap.value_or(job.ranks_a_host() < job.world().size()); }
};

/// Throws an AgreedError where --grid is not one of this job's ranks. Collective.
void require_grid_of_all_ranks(const Job& job, const SearchOptions& options);

/// The grid for searches by `plan`, once it is settled which: the one that was asked for, P x 1 on GPUs, else default_grid_shape().
comm::GridShape choose_grid(const std::optional<comm::GridShape>& asked, const EnginePlan& plan, int ranks, int ranks_a_host);

}  // namespace wayfront::app
