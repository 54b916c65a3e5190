#include "app/search/search_options.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "comm/agreement.hpp"

namespace wayfront::app {

namespace {

constexpr algo::DirectionPolicy kOnCpu;

/// The policy of on-GPU searches, the fastest of a few tried on Kronecker graphs of scales 24 to
/// 29, on one to four GPUs; no records of these trials exist. On GPUs, bottom-up levels are cheap
/// compared with top-down ones, the more so if top-down levels lead to vertices of other GPUs. In
/// the resident search, small bottom-up levels are cheap, too.
algo::DirectionPolicy policy_on_gpus(bool resident, int ranks)
{
    return {.alpha = ranks == 1 ? 20.0 : 30.0, .beta = resident ? 1000.0 : 100.0};
}

/// Parses "auto" (no value), "on" or "off". Throws InputError.
std::optional<bool> parse_overlap(const std::string& text)
{
    if (text == "auto") return std::nullopt;
    if (text == "on") return true;
    if (text == "off") return false;
    throw InputError("--overlap: expected auto, on or off, found '" + text + "'");
}

}  // namespace

std::string SearchOptions::notes()
{
    return "Transports of on-GPU searches, whose state stays in GPU memory (undirected graphs of at most 2^31 vertices, Px1 grids,\n"
           "no --cutoff, GPUs with 200 KiB of shared memory per thread block, such as H100, H200 and B200):\n"
           "  p2p    stores into each other's memory, all levels in one kernel: up to 8 GPUs of one host; ranks that share a GPU\n"
           "         take turns, slowly\n"
           "  nccl   NCCL messages between levels: any number of GPUs and hosts, no GPU shared\n"
           "  mpi    MPI messages between levels, from GPU memory if MPI supports that: any number of GPUs and hosts; ranks\n"
           "         may share a GPU\n"
           "and of host-driven searches, of any graph on any grid:\n"
           "  host   levels driven by the hosts, messages over MPI; ranks may share a GPU\n";
}

OptionGroup SearchOptions::group()
{
    OptionGroup group("Search");
    engine.names_transports = true;
    group.parsed(
        "engine", "auto|cpu|gpu|split",
        "where searches run: on the CPU cores, on one GPU per rank, or on both; auto: on GPUs if an on-GPU search over p2p or nccl is possible, else "
        "on the cores [auto]",
        [this](const std::string& text) { engine.engine = parse_engine(text); });
    group.parsed(
        "cpu-share", "auto|0..1",
        "share of a rank's edges that --engine split gives to the CPU cores; the GPU has the rest. auto: several shares are tried after the first "
        "search, and 0 is used if the cores only slow the GPU down [auto]",
        [this](const std::string& text) {
            engine.cpu_share = parse_cpu_share(text);
            engine.cpu_share_given = true;
        });
    group.parsed(
        "transport", "auto|p2p|nccl|mpi|host",
        "how GPUs exchange vertices (--help-all explains each); auto: the first that is possible, with --engine auto p2p or nccl only [auto]",
        [this](const std::string& text) { engine.transport = parse_transport(text); });
    group.advanced();
    add_grid_option(group, grid);
    group.parsed("direction", "auto|top-down|bottom-up", "direction of all levels; auto: switch between the two by --alpha and --beta [auto]",
                 [this](const std::string& text) { direction = algo::parse_direction(text); });
    group.parsed(
        "alpha", "A",
        fmt::format("switch to bottom-up when the frontier's edges exceed |E| / A (Hiragushi and Takahashi 2013, section 2.3; not GAPBS's rule, "
                    "whose values do not carry over) [{}; on-GPU: {} with one GPU, {} with several]",
                    kOnCpu.alpha, policy_on_gpus(true, 1).alpha, policy_on_gpus(true, 2).alpha),
        [this](const std::string& text) { alpha = parse_positive_real("alpha", text); });
    group.parsed("beta", "B",
                 fmt::format("switch back when the frontier has fewer than |V|^2 / (B |E|) vertices; |V| are those with edges [{}; on-GPU: {} "
                             "over p2p and by default on one GPU, {} over nccl and mpi]",
                             kOnCpu.beta, policy_on_gpus(true, 1).beta, policy_on_gpus(false, 1).beta),
                 [this](const std::string& text) { beta = parse_positive_real("beta", text); });
    group.parsed("exchange", "auto|bitmap|list",
                 "form of sets of vertices in messages over MPI, in CPU and host-driven searches; auto: the form with fewer bytes [auto]",
                 [this](const std::string& text) { exchange = comm::parse_exchange_format(text); });
    group.parsed(
        "overlap", "auto|on|off",
        "whether kernels, copies and messages of a long bottom-up level overlap in host-driven searches on GPUs (--transport host); auto: if the "
        "ranks are on several hosts [auto]",
        [this](const std::string& text) { overlap = parse_overlap(text); });
    return group;
}

comm::GridShape SearchOptions::settled_grid(const job::Job& job, const EnginePlan& plan) const
{
    if (plan.on_device() && exchange != comm::ExchangeFormat::automatic) job.note("--exchange has no effect on on-GPU searches");
    if (overlap.value_or(false) && (plan.engine != Engine::gpu || plan.on_device()))
        job.note("--overlap on has an effect only on host-driven searches on GPUs alone (--transport host)");
    return choose_grid(grid, plan, job.world().size(), job.ranks_a_host());
}

algo::DirectionPolicy SearchOptions::policy_on(const EnginePlan& plan, int ranks) const
{
    const algo::DirectionPolicy preset = plan.on_device() ? policy_on_gpus(plan.resident(), ranks) : kOnCpu;
    return {direction, alpha.value_or(preset.alpha), beta.value_or(preset.beta)};
}

void add_grid_option(OptionGroup& group, std::optional<comm::GridShape>& grid)
{
    group.parsed("grid", "auto|RxC",
                 "grid of ranks that the adjacency matrix is divided over; auto: Px1 on one host and for on-GPU searches, else nearly square [auto]",
                 [&grid](const std::string& text) { grid = text == "auto" ? std::nullopt : std::optional(comm::parse_grid_shape(text)); });
}

void require_grid_of_all_ranks(const job::Job& job, const std::optional<comm::GridShape>& grid)
{
    if (!grid) return;
    const auto [rows, columns] = *grid;
    const std::int64_t held = std::int64_t{rows} * columns;
    const int ranks = job.world().size();
    run_agreed(job.world(), [&, rows = rows, columns = columns] {
        if (held != ranks)
            throw InputError(
                fmt::format("--grid: {}x{} is a grid of {} ranks, but {} {} started", rows, columns, held, ranks, ranks == 1 ? "was" : "were"));
    });
}

comm::GridShape choose_grid(const std::optional<comm::GridShape>& asked, const EnginePlan& plan, int ranks, int ranks_a_host)
{
    if (asked) return *asked;
    return plan.on_device() ? comm::GridShape{ranks, 1} : comm::default_grid_shape(ranks, ranks_a_host);
}

}  // namespace wayfront::app
