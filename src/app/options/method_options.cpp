#include "app/options/method_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wayfront::app {

namespace {

Engine parse_engine(std::string_view text)
{
    if (text == "auto") return Engine::automatic;
    if (text == "cpu") return Engine::cpu;
    if (text == "gpu") return Engine::gpu;
    if (text == "split") return Engine::split;
    throw InputError("--engine: expected auto, cpu, gpu or split, found '" + std::string(text) + "'");
}

Transport parse_transport(std::string_view text)
{
    if (text == "auto") return Transport::automatic;
    if (text == "p2p") return Transport::p2p;
    if (text == "nccl") return Transport::nccl;
    if (text == "mpi") return Transport::mpi;
    if (text == "host") return Transport::host;
    throw InputError("--transport: expected auto, p2p, nccl, mpi or host, found '" + std::string(text) + "'");
}

std::optional<double> parse_cpu_share(std::string_view text)
{
    if (text == "auto") return std::nullopt;
    double share = -1;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), share);
    const bool fits = failure == std::errc{} && end == text.data() + text.size() && share >= 0 && share <= 1;
    if (!fits)
        throw InputError("--cpu-share: expected auto or a number from 0 to 1, found '" + std::string(text) + "'");
    return share;
}

/// Parses "auto" (no value), "on" or "off". Throws InputError.
std::optional<bool> parse_overlap(const std::string& text)
{
    if (text == "auto") return std::nullopt;
    if (text == "on") return true;
    if (text == "off") return false;
    throw InputError("--overlap: expected auto, on or off, found '" + text + "'");
}

algo::PhaseTimes parse_phase_times(const std::string& text)
{
    const std::size_t comma = text.find(',');
    if (std::ranges::count(text, ',') != 1)
        throw InputError(fmt::format("--phase-times: expected two times in microseconds as UP,DOWN, found '{}'", text));
    constexpr double microsecond = 1e-6;
    return {parse_real_from_zero("phase-times", text.substr(0, comma)) * microsecond,
            parse_real_from_zero("phase-times", text.substr(comma + 1)) * microsecond};
}

/// Parses the engine of algorithms that do not divide a block between cores and GPU.
Engine parse_whole_engine(const std::string& text)
{
    const Engine engine = parse_engine(text);
    if (engine == Engine::split) throw InputError("--engine: expected auto, cpu or gpu, found 'split'");
    return engine;
}

}  // namespace

std::string search_notes()
{
    return "Transports of on-GPU searches, whose state stays in GPU memory (graphs of at most 2^31 vertices, any grid, "
           "GPUs with 99 KiB of shared memory per thread block: compute capability 8.0 and later):\n"
           "  p2p    stores into each other's memory, all levels in one kernel: up to 8 GPUs of one host; ranks that "
           "share a GPU take turns, slowly\n"
           "  nccl   NCCL messages between levels: any number of GPUs and hosts, no GPU shared\n"
           "  mpi    MPI messages between levels, from GPU memory if MPI supports that: any number of GPUs and hosts; "
           "ranks may share a GPU\n"
           "and of host-driven searches, of any graph on any grid:\n"
           "  host   levels driven by the hosts, messages over MPI; ranks may share a GPU\n";
}

std::string path_transport_notes()
{
    return "Transports of searches on GPUs alone (push-pull, 32-bit weights of 0 and above, Px1 grids, 1xP too if "
           "undirected):\n"
           "  p2p    stores into each other's memory, all steps in one kernel: up to 8 GPUs of one host, with 160 KiB "
           "of shared memory per thread block; ranks that share a GPU take turns, slowly\n"
           "  nccl   NCCL messages between steps: any number of GPUs and hosts, no GPU shared\n"
           "  mpi    MPI messages between steps, from GPU memory if MPI supports that: any number of GPUs and hosts; "
           "ranks may share a GPU\n"
           "and of all others on GPUs, on any grid:\n"
           "  host   rounds driven by the hosts, messages over NCCL if it connects the ranks, else over MPI\n";
}

OptionGroup search_group(plan::SearchOptions& options)
{
    OptionGroup group("Search");
    group.parsed("engine", "auto|cpu|gpu|split",
                 "where searches run: on the CPU cores, on one GPU per rank, or on both; auto: on GPUs if an on-GPU "
                 "search over p2p or nccl is possible, and, in bfs, saves more time than the start of a GPU takes, "
                 "else on the cores [auto]",
                 [&options](const std::string& text) { options.engine.engine = parse_engine(text); });
    group.parsed("cpu-share", "auto|0..1",
                 "share of a rank's edges that --engine split gives to the CPU cores; the GPU has the rest. auto: "
                 "several shares are tried after the first "
                 "search, and 0 is used if the cores only slow the GPU down [auto]",
                 [&options](const std::string& text) {
                     options.engine.cpu_share = parse_cpu_share(text);
                     options.engine.cpu_share_given = true;
                 });
    add_transport(group, options.engine);
    group.advanced();
    add_grid(group, options.grid);
    group.parsed("direction", "auto|top-down|bottom-up",
                 "direction of all levels; auto: switch between the two by --alpha and --beta [auto]",
                 [&options](const std::string& text) { options.direction = algo::parse_direction(text); });
    group.parsed("alpha", "A",
                 fmt::format("switch to bottom-up when the frontier's edges exceed |E| / A, or eight times as many "
                             "after each switch whose first level found fewer vertices than the frontier had "
                             "(Hiragushi and Takahashi "
                             "2013, section 2.3; not GAPBS's rule, whose values do not carry over) [{}, or less if "
                             "vertices have few edges; on-GPU: {} with one GPU, {} with several]",
                             plan::policy_on_cpu().alpha, plan::policy_on_gpus(true, 1).alpha,
                             plan::policy_on_gpus(true, 2).alpha),
                 [&options](const std::string& text) { options.alpha = parse_positive_real("alpha", text); });
    group.parsed("beta", "B",
                 fmt::format("switch back when the frontier has fewer than |V|^2 / (B |E|) vertices, or a single one; "
                             "|V| are those with edges [{}; on-GPU: {} "
                             "over p2p and by default on one GPU, {} over nccl and mpi]",
                             plan::policy_on_cpu().beta, plan::policy_on_gpus(true, 1).beta,
                             plan::policy_on_gpus(false, 1).beta),
                 [&options](const std::string& text) { options.beta = parse_positive_real("beta", text); });
    group.parsed("exchange", "auto|bitmap|list",
                 "form of sets of vertices in messages over MPI, in CPU and host-driven searches; auto: the form with "
                 "fewer bytes [auto]",
                 [&options](const std::string& text) { options.exchange = comm::parse_exchange_format(text); });
    group.parsed("overlap", "auto|on|off",
                 "whether kernels, copies and messages of a long bottom-up level overlap in host-driven searches on "
                 "GPUs (--transport host); auto: if the "
                 "ranks are on several hosts [auto]",
                 [&options](const std::string& text) { options.overlap = parse_overlap(text); });
    return group;
}

void add_transport(OptionGroup& group, plan::EngineRequest& options)
{
    options.names_transports = true;
    group.parsed("transport", "auto|p2p|nccl|mpi|host",
                 "how GPUs exchange vertices (--help-all explains each); auto: the first that is possible, with "
                 "--engine auto p2p or nccl only [auto]",
                 [&options](const std::string& text) { options.transport = parse_transport(text); });
}

void add_grid(OptionGroup& group, std::optional<comm::GridShape>& grid)
{
    group.parsed("grid", "auto|RxC",
                 "grid of ranks that the adjacency matrix is divided over; auto: Px1 on one host and for on-GPU "
                 "searches, else nearly square [auto]",
                 [&grid](const std::string& text) {
                     grid = text == "auto" ? std::nullopt : std::optional(comm::parse_grid_shape(text));
                 });
}

void add_sssp_method(OptionGroup& group, plan::SsspMethodOptions& options)
{
    group.parsed("algorithm", "NAME", "auto, or another of the algorithms that are explained below [auto]",
                 [&options](const std::string& text) { options.method = plan::sssp_method_named(text); });
    group.offer("algorithm", plan::sssp_method_names());
    group.parsed("delta", "D",
                 "width of the windows of delta-stepping, push-pull and near-far, in units of the weights [chosen from "
                 "the weights]",
                 [&options](const std::string& text) { options.delta = parse_positive_real("delta", text); });
    group.parsed("phase-times", "UP,DOWN",
                 "thresholds of adaptive, in microseconds, for the mean time of the last two phases: if it exceeds UP, "
                 "the next phase goes over all vertices; "
                 "if it is below DOWN, over the updated ones [measured at the start]",
                 [&options](const std::string& text) { options.phase_times = parse_phase_times(text); });
}

void add_sssp_engine(OptionGroup& group, plan::SsspMethodOptions& options)
{
    group.parsed("engine", "auto|cpu|gpu",
                 fmt::format("processors that search; gpu: one GPU per rank; auto: GPUs, if each rank has one of its "
                             "own, for "
                             "graphs of {} edges per vertex and more, if they are expected to take less time than the "
                             "CPU, with their start, else the CPU [auto]",
                             plan::kLongPathsBelowDegree),
                 [&options](const std::string& text) { options.engine.engine = parse_whole_engine(text); });
}

void add_apsp_method(OptionGroup& group, plan::ApspMethodOptions& options)
{
    group.parsed("algorithm", "NAME", "auto, or another of the algorithms that are explained below [auto]",
                 [&options](const std::string& text) { options.method = plan::checked_method_name(text); });
    group.offer("algorithm", plan::apsp_method_names());
    group.parsed("engine", "auto|cpu|gpu",
                 "processors that compute; auto: GPUs if the algorithm is for GPUs, or if it is auto, too, and they "
                 "are expected to be faster than the "
                 "CPU; gpu: one for each rank [auto]",
                 [&options](const std::string& text) { options.engine.engine = parse_whole_engine(text); });
    group.parsed("dtype", "TYPE",
                 "type of the distances: auto, uint16, int32, float32 or float64; auto: the smallest of uint16, int32 "
                 "and float64 that surely holds "
                 "all whole-number distances, float32 if weights are floats [auto]",
                 [&options](const std::string& text) {
                     options.type = algo::distance_type_named(text);
                     if (!options.type && text != "auto")
                         throw InputError(fmt::format(
                             "--dtype: expected auto, uint16, int32, float32 or float64, found '{}'", text));
                 });
    group.offer("dtype", {"auto", "uint16", "int32", "float32", "float64"});
}

void add_apsp_advanced(OptionGroup& group, plan::ApspMethodOptions& options)
{
    group.parsed(
        "batch-sources", "P",
        fmt::format("sources that batched methods search at once, a multiple of 32 [{}]", options.batch_sources),
        [&options](const std::string& text) {
            constexpr std::int64_t most = 1024;
            const std::int64_t given = parse_whole("batch-sources", text, 32, most);
            if (given % 32 != 0)
                throw InputError(fmt::format("--batch-sources: expected a multiple of 32, found '{}'", text));
            options.batch_sources = static_cast<std::uint32_t>(given);
        });
    group.parsed("transport", "auto|p2p|nccl|mpi",
                 "floyd-warshall on the GPUs of several ranks: how parts of the matrix go from rank to rank: p2p: "
                 "copied from GPU to GPU of one host; "
                 "nccl: over NCCL; mpi: through the hosts; auto: the first of these that is possible [auto]",
                 [&options](const std::string& text) {
                     options.engine.transport = parse_transport(text);
                     if (options.engine.transport == Transport::host)
                         throw InputError("--transport: expected auto, p2p, nccl or mpi, found 'host'");
                 });
    group.flag("out-of-core", options.out_of_core,
               "floyd-warshall with the matrix in host memory, which the GPU reads and writes in every step; the "
               "default if GPU memory does not suffice");
    group.parsed("gpu-memory-limit", "GIB", "GPU memory that each rank may use, in GiB [the free memory]",
                 [&options](const std::string& text) {
                     constexpr double gib = 1 << 30;
                     options.gpu_memory_limit = parse_positive_real("gpu-memory-limit", text) * gib;
                 });
}

}  // namespace wayfront::app
