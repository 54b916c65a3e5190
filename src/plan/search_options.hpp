// The options of a search: its engine and transport, the grid of ranks, and the directions of its
// levels.
#pragma once

#include <optional>
#include <string>

#include "algo/bfs/direction.hpp"
#include "comm/frontier_exchange.hpp"
#include "comm/process_grid.hpp"
#include "gpu/exchange/grid_barrier.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::plan {

struct SearchOptions
{
    EngineRequest engine;
    std::optional<comm::GridShape> grid;  // no value: auto
    algo::DirectionChoice direction = algo::DirectionChoice::automatic;
    std::optional<double> alpha;  // no value: the default for the plan
    std::optional<double> beta;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;
    std::optional<bool> overlap;  // no value: auto

    /// Throws InputError if the options contradict each other.
    void check() const { engine.check(); }

    /// The grid for searches by a settled `plan`. Prints a note for each option that was given and
    /// has no effect on these searches.
    [[nodiscard]] comm::GridShape settled_grid(const job::Job& job, const EnginePlan& plan) const;

    /// The policy that the options give for searches by `plan`.
    [[nodiscard]] algo::DirectionPolicy policy_on(const EnginePlan& plan, int ranks) const;
    /// Whether levels that the host drives are divided into stretches whose kernels, copies and
    /// messages overlap. Equal on all ranks. Nothing is gained on a single host: its messages are
    /// copies made by the thread that drives the levels.
    [[nodiscard]] bool overlaps(const job::Job& job) const
    {
        return overlap.value_or(job.ranks_a_host() < job.world().size());
    }
};

/// At most this number of GPUs search together by stores into each other's memory.
inline constexpr int kMostRanksByStores = gpu::kMaxPeers;

/// The policies of searches on the CPU and on GPUs without options. `resident`: over p2p, or on one
/// GPU by default.
[[nodiscard]] algo::DirectionPolicy policy_on_cpu();
[[nodiscard]] algo::DirectionPolicy policy_on_gpus(bool resident, int ranks);

/// Throws an AgreedError if --grid does not have as many ranks as the job. Collective.
void require_grid_of_all_ranks(const job::Job& job, const std::optional<comm::GridShape>& grid);

/// The grid for searches by a settled `plan`: P x 1 for on-GPU searches, unless `asked` has several columns that these
/// need; else `asked` if it has a value, or default_grid_shape().
comm::GridShape choose_grid(const std::optional<comm::GridShape>& asked, const EnginePlan& plan, int ranks,
                            int ranks_a_host);
/// The same for a job. A note says if it is another grid than `asked`.
comm::GridShape settled_grid(const job::Job& job, const std::optional<comm::GridShape>& asked, const EnginePlan& plan);

}  // namespace wayfront::plan
