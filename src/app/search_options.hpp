// The options of a search: which engine and transport, how the ranks share the graph, which way levels go.
#pragma once

#include <optional>

#include "algo/direction.hpp"
#include "app/engine_factory.hpp"
#include "app/job.hpp"
#include "app/option_group.hpp"
#include "comm/frontier_exchange.hpp"
#include "comm/process_grid.hpp"

namespace wayfront::app {

struct SearchOptions
{
    EngineRequest engine;
    std::optional<comm::GridShape> grid;  // nothing: auto
    algo::DirectionChoice direction = algo::DirectionChoice::automatic;
    std::optional<double> alpha;  // nothing: the engine's
    std::optional<double> beta;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;
    std::optional<bool> overlap;  // nothing: auto

    [[nodiscard]] OptionGroup group();
    /// Throws InputError where the options contradict each other.
    void check() const { engine.check(); }

    /// What the options mean on this engine.
    [[nodiscard]] algo::DirectionPolicy policy_on(const Engine& engine_chosen, int ranks) const;
    /// Whether levels that the host drives go in stretches that overlap. The same on all ranks. On one host messages are copies by the thread that
    /// drives the levels, and nothing is won.
    [[nodiscard]] bool overlaps(const Job& job) const { return overlap.value_or(job.ranks_a_host() < job.world().size()); }
};

/// The grid that the options mean for the ranks of this job: looked at before anything is read. `cutoff`: searches end at a given level. Collective.
comm::GridShape choose_grid(const Job& job, const SearchOptions& options, bool cutoff);

}  // namespace wayfront::app
