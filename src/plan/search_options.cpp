#include "plan/search_options.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "comm/agreement.hpp"

namespace wayfront::plan {

algo::DirectionPolicy policy_on_cpu()
{
    return {.fits_alpha = true};
}

/// The policy of on-GPU searches, the fastest of a few tried on Kronecker graphs of scales 24 to
/// 29, on one to four GPUs; no records of these trials exist. On GPUs, bottom-up levels are cheap
/// compared with top-down ones, the more so if top-down levels lead to vertices of other GPUs. In
/// the resident search, small bottom-up levels are cheap, too.
algo::DirectionPolicy policy_on_gpus(bool resident, int ranks)
{
    return {.alpha = ranks == 1 ? 20.0 : 30.0, .beta = resident ? 1000.0 : 100.0};
}

comm::GridShape SearchOptions::settled_grid(const job::Job& job, const EnginePlan& plan) const
{
    if (plan.on_device() && exchange != comm::ExchangeFormat::automatic)
        job.note("--exchange has no effect on on-GPU searches");
    if (overlap.value_or(false) && (plan.engine != Engine::gpu || plan.on_device()))
        job.note("--overlap on has an effect only on host-driven searches on GPUs alone (--transport host)");
    return plan::settled_grid(job, grid, plan);
}

algo::DirectionPolicy SearchOptions::policy_on(const EnginePlan& plan, int ranks) const
{
    const algo::DirectionPolicy preset = plan.on_device() ? policy_on_gpus(plan.resident(), ranks) : policy_on_cpu();
    return {.choice = direction,
            .alpha = alpha.value_or(preset.alpha),
            .beta = beta.value_or(preset.beta),
            .fits_alpha = preset.fits_alpha && !alpha};
}

void require_grid_of_all_ranks(const job::Job& job, const std::optional<comm::GridShape>& grid)
{
    if (!grid) return;
    const auto [rows, columns] = *grid;
    const std::int64_t held = std::int64_t{rows} * columns;
    const int ranks = job.world().size();
    run_agreed(job.world(), [&, rows = rows, columns = columns] {
        if (held != ranks)
            throw InputError(fmt::format("--grid: {}x{} is a grid of {} ranks, but {} {} started", rows, columns, held,
                                         ranks, ranks == 1 ? "was" : "were"));
    });
}

comm::GridShape choose_grid(const std::optional<comm::GridShape>& asked, const EnginePlan& plan, int ranks,
                            int ranks_a_host)
{
    if (plan.on_device() && !plan.several_columns) return {ranks, 1};
    return asked.value_or(comm::default_grid_shape(ranks, ranks_a_host));
}

comm::GridShape settled_grid(const job::Job& job, const std::optional<comm::GridShape>& asked, const EnginePlan& plan)
{
    const comm::GridShape grid = choose_grid(asked, plan, job.world().size(), job.ranks_a_host());
    if (asked && *asked != grid)
        job.note(
            fmt::format("--grid {0}x{1}: in an undirected graph, each GPU has the same edges as with {1}x{0}, and "
                        "searches as with that",
                        asked->rows, asked->columns));
    return grid;
}

}  // namespace wayfront::plan
