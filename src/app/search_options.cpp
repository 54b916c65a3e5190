#include "app/search_options.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "app/failure.hpp"

namespace wayfront::app {

namespace {

constexpr algo::DirectionPolicy kOnCpu;

/// Of whole searches on GPUs. Measured on Kronecker graphs of scales 24 to 29 (docs/gpu.md), on one to four GPUs. Bottom-up levels are cheap there
/// beside top-down ones, the more so where the latter lead to vertices of other GPUs; in the resident search small ones are, too.
algo::DirectionPolicy policy_on_gpus(Engine::Kind kind, int ranks)
{
    return {.alpha = ranks == 1 ? 20.0 : 30.0, .beta = kind == Engine::Kind::resident ? 1000.0 : 100.0};
}

/// "auto" (nothing), "on" or "off"; throws InputError.
std::optional<bool> parse_overlap(const std::string& text)
{
    if (text == "auto") return std::nullopt;
    if (text == "on") return true;
    if (text == "off") return false;
    throw InputError("--overlap: expected auto, on or off, found '" + text + "'");
}

}  // namespace

OptionGroup SearchOptions::group()
{
    OptionGroup group("Search");
    group.parsed("engine", "auto|cpu|gpu|split",
                 "what searches: CPU cores, a GPU a rank, or both together; auto: GPUs where these can search by themselves, else the cores [auto]",
                 [this](const std::string& text) { engine.choice = parse_engine(text); });
    group.parsed(
        "cpu-share", "auto|0..1",
        "share of a rank's edges that --engine split gives to the CPU cores, the GPU has the rest; auto: found by trying several, between the "
        "first search and the second, 0 where the cores only slow the GPU down [auto]",
        [this](const std::string& text) {
            engine.cpu_share = parse_cpu_share(text);
            engine.cpu_share_given = true;
        });
    group.parsed(
        "transport", "auto|p2p|nccl|mpi|host",
        "how GPUs exchange what they find: p2p: by stores into each other's memory, all levels in one kernel (undirected graphs, Px1 grids of up "
        "to 8 GPUs of one host, no --cutoff; ranks that share a GPU take turns, slowly); nccl: by NCCL, between levels that the host launches (the "
        "same graphs, Px1 grids of any number of GPUs and hosts); mpi: the same by MPI, also where ranks share a GPU; host: through the hosts, "
        "which drive the levels (any graph and grid); auto: the first of them that is possible, of p2p and nccl with --engine auto [auto]",
        [this](const std::string& text) { engine.transport = parse_transport(text); });
    group.parsed(
        "grid", "auto|RxC",
        "grid of ranks over which the adjacency matrix is cut; auto: Px1 on one host and for searches on GPUs alone, else nearly square [auto]",
        [this](const std::string& text) { grid = text == "auto" ? std::nullopt : std::optional(comm::parse_grid_shape(text)); });
    group.parsed("direction", "auto|top-down|bottom-up", "which way levels search; auto: switch as Beamer et al. (SC 2012) do [auto]",
                 [this](const std::string& text) { direction = algo::parse_direction(text); });
    group.parsed("alpha", "A",
                 fmt::format("switch to bottom-up when the frontier's edges exceed |E| / A (Hiragushi and Takahashi 2013, section 2.3) [{}; in "
                             "whole searches on GPUs {} on one, {} on several]",
                             kOnCpu.alpha, policy_on_gpus(Engine::Kind::resident, 1).alpha, policy_on_gpus(Engine::Kind::resident, 2).alpha),
                 [this](const std::string& text) { alpha = parse_positive_real("alpha", text); });
    group.parsed("beta", "B",
                 fmt::format("switch back when the frontier has fewer than |V|^2 / (B |E|) vertices (the same) [{}; in whole searches on GPUs {} on "
                             "one and over p2p, {} over nccl and mpi]",
                             kOnCpu.beta, policy_on_gpus(Engine::Kind::resident, 1).beta, policy_on_gpus(Engine::Kind::stepped, 1).beta),
                 [this](const std::string& text) { beta = parse_positive_real("beta", text); });
    group.parsed("exchange", "auto|bitmap|list",
                 "how sets of vertices travel over MPI in levels that the hosts drive; auto: whichever is fewer bytes [auto]",
                 [this](const std::string& text) { exchange = comm::parse_exchange_format(text); });
    group.parsed("overlap", "auto|on|off",
                 "whether kernels, copies and messages of a long bottom-up level are under way together, where the hosts drive levels on GPUs "
                 "(--transport host); auto: where the ranks are on several hosts [auto]",
                 [this](const std::string& text) { overlap = parse_overlap(text); });
    return group;
}

void SearchOptions::tell_what_is_passed_over(const Job& job, const Engine& engine_chosen) const
{
    if (engine_chosen.on_device() && exchange != comm::ExchangeFormat::automatic)
        job.note("--exchange is passed over: it is for levels that the hosts drive, and GPUs search by themselves");
    if (overlap.value_or(false) && engine_chosen.kind != Engine::Kind::gpu)
        job.note("--overlap on is passed over: it is for levels on GPUs that the hosts drive (--transport host)");
}

algo::DirectionPolicy SearchOptions::policy_on(const Engine& engine_chosen, int ranks) const
{
    const algo::DirectionPolicy preset = engine_chosen.on_device() ? policy_on_gpus(engine_chosen.kind, ranks) : kOnCpu;
    return {direction, alpha.value_or(preset.alpha), beta.value_or(preset.beta)};
}

void require_grid_of_all_ranks(const Job& job, const SearchOptions& options)
{
    if (!options.grid) return;
    const auto [rows, columns] = *options.grid;
    const std::int64_t held = std::int64_t{rows} * columns;
    const int ranks = job.world().size();
    run_agreed(job.world(), [&, rows = rows, columns = columns] {
        if (held != ranks)
            throw InputError(
                fmt::format("--grid: {}x{} is a grid of {} ranks, but {} {} started", rows, columns, held, ranks, ranks == 1 ? "was" : "were"));
    });
}

comm::GridShape choose_grid(const std::optional<comm::GridShape>& asked, const Engine& engine, int ranks, int ranks_a_host)
{
    if (asked) return *asked;
    return engine.on_device() ? comm::GridShape{ranks, 1} : comm::default_grid_shape(ranks, ranks_a_host);
}

}  // namespace wayfront::app
