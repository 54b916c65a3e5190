#include "plan/apsp/gpu_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "algo/apsp/row_combination.hpp"
#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "gpu/apsp/bulk/bulk_engine.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/matrix/matrix_arcs.hpp"
#include "gpu/apsp/matrix/tile_method.hpp"
#include "gpu/apsp/row_engines.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/device.hpp"
#include "plan/apsp/elimination.hpp"

namespace wayfront::plan {

namespace {

using gpu::apsp::RowMethod;

/// Device memory for rows that wait to be copied to the host.
constexpr std::size_t kRowBufferBytes = std::size_t{128} << 20;
/// The same for rows that are summarised on the GPU, and not copied.
constexpr std::size_t kSummarisedRowBytes = std::size_t{1} << 30;
/// Device memory that is left to the driver and to launches.
constexpr std::size_t kReserveBytes = std::size_t{64} << 20;

// Times of one H200, measured by bench/papers_apsp.cu, for estimates and for the choice.
constexpr double kBlockElementSeconds = 6e-12;          // per source, and vertex or arc
constexpr double kEliminationElementSeconds = 1.5e-12;  // per source, and vertex or added arc
// The same, if 1024 sources are searched at once.
constexpr double kBitElementSeconds = 3.5e-13;
constexpr double kBatchedElementSeconds = 2e-10;    // the same, for the methods of the paper
constexpr double kRelaxationSeconds = 1 / 1.45e13;  // of Floyd-Warshall in 4-byte types
constexpr double kPaperSlower = 3;                  // times, in tiles of 32
// Of Floyd-Warshall, for 128 vertices, at least.
constexpr double kStepSeconds = 35e-6;
constexpr double kCombineBytesASecond = 2e12;
constexpr double kCombinePlanSeconds = 7e-8;   // per arc, on the CPU, beside the searches
constexpr double kCombineLevelSeconds = 3e-6;  // at least
// For one of many graphs, roughly: the time of allocating its memory, and of waiting for its
// kernels.
constexpr double kAloneSeconds = 2e-3;

/// How many times as fast Floyd-Warshall has to be before it is chosen for floats.
constexpr double kWorthOtherRoundings = 4;

/// The engine of a method, if it exists on GPUs.
std::optional<RowMethod> engine_of(ApspMethod method)
{
    switch (method) {
        case ApspMethod::elimination:
            return RowMethod::elimination;
        case ApspMethod::block:
            return RowMethod::block;
        case ApspMethod::combined:
            return RowMethod::combined;
        case ApspMethod::bit_parallel:
            return RowMethod::bit_parallel;
        case ApspMethod::floyd_warshall:
            return RowMethod::floyd_warshall;
        case ApspMethod::floyd_warshall_steps:
            return RowMethod::floyd_warshall_steps;
        case ApspMethod::floyd_warshall_tasks:
            return RowMethod::floyd_warshall_tasks;
        case ApspMethod::batched:
            return RowMethod::batched;
        case ApspMethod::batched_unshared:
            return RowMethod::batched_unshared;
        case ApspMethod::iterated:
            return RowMethod::iterated;
        case ApspMethod::automatic:
        case ApspMethod::dijkstra:
            break;
    }
    return std::nullopt;
}

gpu::apsp::RowEngineOptions engine_options(const ApspPlan& plan, const ApspWork& work, ApspMethod method)
{
    return {.method = engine_of(method).value(),
            .type = plan.type,
            .most_distance = plan.most_distance,
            .rows = work.rows,
            .sources = work.sources,
            .batch_sources = plan.batch_sources,
            .elimination = plan.elimination,
            .spare_bytes = 0,
            .row_buffer_bytes = 0};
}

/// Whether a graph is one of many, whose matrix can be closed together with others.
bool joins_others(const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph, ApspMethod method)
{
    return work.one_of_many && method == ApspMethod::floyd_warshall && !plan.tiles &&
           graph.partition.vertex_count() <= gpu::apsp::kMostVerticesOfMany;
}

/// The sums with which the graph's matrix is closed.
gpu::apsp::MinPlusSums matrix_sums(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options)
{
    return gpu::apsp::sums_for(options.type, gpu::apsp::has_negative_weight(graph), options.most_distance);
}

double seconds_on_gpu(const job::Job& job, const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph, ApspMethod method)
{
    const auto n = static_cast<double>(graph.partition.vertex_count());
    const auto arcs = static_cast<double>(graph.directed_edges);
    const double sources = std::ceil(static_cast<double>(work.sources) / job.world().size());
    const auto element = static_cast<double>(algo::bytes_of(plan.type));
    const double share = algo::expected_searched_share(arcs / std::max(1.0, n), graph.directed);
    switch (method) {
        case ApspMethod::combined:
            return std::max(kCombinePlanSeconds * arcs, share * n * (n + arcs) * kBlockElementSeconds) +
                   (1 - share) * n * arcs * element / kCombineBytesASecond + 2 * std::sqrt(n) * kCombineLevelSeconds;
        case ApspMethod::floyd_warshall:
        case ApspMethod::floyd_warshall_steps:
        case ApspMethod::floyd_warshall_tasks: {
            // Of 4 bytes; distances of 8 take twice the time.
            const double width = gpu::apsp::bytes_of_distance(matrix_sums(graph, engine_options(plan, work, method))) / 4.0;
            if (joins_others(plan, work, graph, method)) return std::pow(n, 3) * kRelaxationSeconds * std::max(1.0, width);
            constexpr double step = 128;  // vertices
            return (method == ApspMethod::floyd_warshall ? 1.0 / job.world().size() : kPaperSlower) *
                   std::max(std::pow(n, 3) * kRelaxationSeconds * width, std::ceil(n / step) * kStepSeconds * std::max(1.0, width));
        }
        case ApspMethod::elimination:
            return sources * (n + static_cast<double>(plan.elimination->down.size())) * kEliminationElementSeconds;
        case ApspMethod::bit_parallel:
            return sources * (n + arcs) * kBitElementSeconds;
        case ApspMethod::batched:
        case ApspMethod::batched_unshared:
        case ApspMethod::iterated:
            return sources * (n + arcs) * kBatchedElementSeconds;
        default:
            return sources * (n + arcs) * kBlockElementSeconds;
    }
}

/// The reason, in words, why the method cannot do the work on GPUs, apart from their memory; empty
/// if it can.
std::string obstacle_of(const job::Job& job, const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph, ApspMethod method)
{
    if (!engine_of(method)) return "it runs on the CPU; on a GPU, block is a search per source";
    // Floyd-Warshall in tiles is an exception: ranks can share the tiles and save them.
    const bool whole_matrix = method == ApspMethod::combined || (is_floyd_warshall(method) && method != ApspMethod::floyd_warshall);
    if (work.negative_weights && !is_floyd_warshall(method))
        return fmt::format("{} has negative weights, which only floyd-warshall allows", work.name);
    if (whole_matrix && work.checkpoint) return "--checkpoint is not possible: the first row is done when all are";
    if (const int ranks = job.world().size(); whole_matrix && ranks > 1) return fmt::format("it runs on one GPU, but {} ranks were started", ranks);
    return gpu::apsp::row_engine_obstacle(graph, engine_options(plan, work, method));
}

/// The grid of ranks that share the tiles of a matrix. With few ranks each has whole rows, which it
/// summarises without exchanging them. With more ranks, panels of rows and columns are shorter.
comm::GridShape tile_grid(int ranks)
{
    constexpr int most_with_whole_rows = 8;
    return ranks <= most_with_whole_rows ? comm::GridShape{ranks, 1} : comm::default_grid_shape(ranks, 0);
}

gpu::apsp::PanelWay panel_way(Transport transport)
{
    if (transport == Transport::p2p) return gpu::apsp::PanelWay::peers;
    return transport == Transport::nccl ? gpu::apsp::PanelWay::nccl : gpu::apsp::PanelWay::hosts;
}

std::string not_enough_memory(double needed, const ApspPlan& plan)
{
    return fmt::format("not enough GPU memory: {} are needed, {} are free", bytes_in_words(needed),
                       bytes_in_words(static_cast<double>(plan.engine.free_bytes)));
}

/// Decides whether Floyd-Warshall works on tiles, chooses their size and the memory that holds
/// them, and computes how much memory is needed. Returns why the memory of the GPU does not
/// suffice, or an empty string.
std::string fit_floyd_warshall(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph,
                               ApspPlan& plan)
{
    const auto free = static_cast<double>(plan.engine.free_bytes) - kReserveBytes;
    const gpu::apsp::RowEngineOptions engine = engine_options(plan, work, ApspMethod::floyd_warshall);
    const int ranks = job.world().size();
    plan.device_bytes = static_cast<double>(gpu::apsp::row_engine_bytes(graph, engine));
    if (ranks == 1 && !work.checkpoint && !options.out_of_core && plan.device_bytes <= free) return "";
    plan.tiles = true;
    const double rows_of_rank = std::ceil(static_cast<double>(work.sources) / ranks);
    plan.tile_grid = tile_grid(ranks);
    gpu::apsp::TileMethodOptions tiles;
    tiles.type = plan.type;
    tiles.sums = matrix_sums(graph, engine);
    const auto fits = [&](bool out_of_core, std::size_t tile, std::size_t staging_bytes) {
        tiles.out_of_core = plan.out_of_core = out_of_core;
        tiles.tile = tile;
        tiles.staging_bytes = plan.staging_bytes = staging_bytes;
        const gpu::apsp::TileMethodBytes bytes = gpu::apsp::tile_method_bytes(graph.slot_of_local.size(), tiles, plan.tile_grid, rows_of_rank);
        plan.tile = bytes.tile;
        plan.host_panel_bytes = bytes.host_panels;
        plan.device_bytes = bytes.device;
        plan.bytes = bytes.host;
        return bytes.device <= free;
    };
    if (!options.out_of_core && fits(false, 0, 0)) return "";
    // Larger tiles mean that fewer bytes are moved. Several ranks need enough tiles to share them.
    constexpr std::size_t mib = std::size_t{1} << 20;
    constexpr std::array<std::size_t, 4> sides{4096, 2048, 1024, 512};
    for (const std::size_t tile : std::span(sides).subspan(ranks == 1 ? 0 : 1))
        for (const std::size_t staging : {256 * mib, 64 * mib, 16 * mib})
            if (fits(true, tile, staging)) return "";
    return not_enough_memory(plan.device_bytes + kReserveBytes, plan);
}

std::string memory_obstacle(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph,
                            ApspPlan& plan, ApspMethod method)
{
    plan.tiles = plan.out_of_core = false;
    plan.bytes = 0;
    if (method == ApspMethod::floyd_warshall) return fit_floyd_warshall(job, options, work, graph, plan);
    const double needed = static_cast<double>(gpu::apsp::row_engine_bytes(graph, engine_options(plan, work, method)) + kReserveBytes);
    return needed <= static_cast<double>(plan.engine.free_bytes) ? "" : not_enough_memory(needed, plan);
}

/// The fastest method that can do the work.
void choose_method(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan)
{
    constexpr std::array methods{ApspMethod::bit_parallel, ApspMethod::block, ApspMethod::combined, ApspMethod::floyd_warshall};
    std::string obstacles;
    double least = 0;
    bool found = false;
    const auto consider = [&](ApspMethod method) {
        std::string obstacle = obstacle_of(job, plan, work, graph, method);
        if (obstacle.empty()) obstacle = memory_obstacle(job, options, work, graph, plan, method);
        if (!obstacle.empty()) {
            obstacles += fmt::format("{}{}: {}", obstacles.empty() ? "" : "; ", name_of(method), obstacle);
            return;
        }
        const bool other_roundings = method == ApspMethod::floyd_warshall && !plan.whole;
        const bool alone = work.one_of_many && !joins_others(plan, work, graph, method);
        const double seconds =
            seconds_on_gpu(job, plan, work, graph, method) * (other_roundings ? kWorthOtherRoundings : 1) + (alone ? kAloneSeconds : 0);
        if (found && seconds >= least) return;
        found = true;
        least = seconds;
        plan.method = method;
    };
    for (const ApspMethod method : methods)
        if (!options.out_of_core || method == ApspMethod::floyd_warshall) consider(method);
    // Elimination is tried, because the number of arcs that it adds is not known before; also if
    // there is no other method.
    constexpr double no_other = 1e300;
    std::string obstacle;
    if (const auto limits = trial_limits(plan.machine, graph, found ? least : no_other);
        limits && plan.elimination == nullptr && !options.out_of_core)
        obstacle = eliminate_for(plan, work, graph, *limits);
    if (plan.elimination != nullptr && !options.out_of_core) consider(ApspMethod::elimination);
    if (!obstacle.empty()) obstacles += fmt::format("; elimination: {}", obstacle);
    if (plan.method != ApspMethod::elimination) {
        plan.elimination.reset();
        plan.elimination_seconds = 0;
    }
    if (!found) throw InputError(fmt::format("--engine gpu: no method can do this on a GPU ({}); --engine cpu can", obstacles));
    plan.reason = "it is the fastest method on this GPU";
}

std::size_t sources_of_rank(const job::Job& job, const ApspWork& work)
{
    const auto ranks = static_cast<std::size_t>(job.world().size());
    return (work.sources + ranks - 1) / ranks;
}

/// The device memory for rows: if they are summarised there, with room for as many rows as the rank
/// makes, since few blocks then wait for the last ones of a batch.
std::size_t row_buffer_bytes(const job::Job& job, const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph)
{
    if (work.rows || plan.method == ApspMethod::bit_parallel || plan.method == ApspMethod::elimination) return kRowBufferBytes;
    constexpr std::size_t gap_bytes = 128;  // between rows, at most
    const std::size_t row_bytes = graph.slot_of_local.size() * algo::bytes_of(plan.type) + gap_bytes;
    return std::clamp(sources_of_rank(job, work) * row_bytes, kRowBufferBytes, kSummarisedRowBytes);
}

}  // namespace

void plan_on_gpu(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan)
{
    plan.batch_sources = options.batch_sources;
    if (options.method == ApspMethod::automatic) {
        choose_method(job, options, work, graph, plan);
    } else {
        plan.method = options.method;
        const std::string on_gpu = needs_gpu(plan.method) ? "" : " --engine gpu";
        std::string obstacle;
        if (plan.method == ApspMethod::elimination) obstacle = eliminate_for(plan, work, graph, generous_limits(plan.machine));
        if (obstacle.empty()) obstacle = obstacle_of(job, plan, work, graph, plan.method);
        if (!obstacle.empty()) throw InputError(fmt::format("--algorithm {}{}: {}", name_of(plan.method), on_gpu, obstacle));
    }
    if (const std::string obstacle = memory_obstacle(job, options, work, graph, plan, plan.method); !obstacle.empty())
        throw ResourceError(fmt::format("--algorithm {}: {}", name_of(plan.method), obstacle));
    plan.seconds = seconds_on_gpu(job, plan, work, graph, plan.method);
    if (is_floyd_warshall(plan.method) && !plan.whole) {
        const bool wide = plan.type == algo::DistanceType::float64;
        plan.roundings = {.in_any_order = true, .addition = wide ? algo::kUnitRoundoff<double> : algo::kUnitRoundoff<float>};
    }
    // In host memory: facts of rows, copies of rows, and the lists of arcs as they are sent to the
    // GPU.
    constexpr double of_source = 64;
    constexpr double of_vertex_and_arc = 48;
    plan.bytes += of_source * static_cast<double>(work.sources) +
                  of_vertex_and_arc * (static_cast<double>(graph.partition.vertex_count()) + static_cast<double>(graph.directed_edges));
    if (plan.method == ApspMethod::elimination) plan.bytes += static_cast<double>(plan.elimination->bytes());
    if (plan.tiles) return;
    const std::size_t engine_bytes = gpu::apsp::row_engine_bytes(graph, engine_options(plan, work, plan.method));
    plan.row_buffer_bytes = std::min(row_buffer_bytes(job, plan, work, graph), plan.engine.free_bytes - kReserveBytes - engine_bytes);
    plan.device_bytes = static_cast<double>(engine_bytes + plan.row_buffer_bytes);
    plan.spare_bytes = plan.engine.free_bytes - kReserveBytes - engine_bytes - plan.row_buffer_bytes;
    if (!work.rows) return;
    // Rows that wait, and their parents.
    const double of_element = static_cast<double>(algo::bytes_of(plan.type));
    const double with_parents = of_element + (work.parents ? sizeof(std::int32_t) : 0);
    plan.bytes += static_cast<double>(plan.row_buffer_bytes) * with_parents / of_element;
}

void choose_exchange(const job::Job& job, const ApspMethodOptions& options, ApspPlan& plan)
{
    const comm::Communicator& world = job.world();
    EngineRequest request = options.engine;
    request.engine = Engine::gpu;
    gpu::NcclConnection nccl;
    TransportObstacles obstacles;
    // Ranks may share a GPU: no kernel waits for another.
    obstacles.p2p = [&] { return gpu::peer_obstacle(world, gpu::GpuSharing::allowed); };
    obstacles.nccl = [&] {
        nccl = gpu::connect_nccl(world);
        if (!nccl.obstacle.empty()) return nccl.obstacle;
        const bool fits = run_agreed(world, [&] { return static_cast<double>(gpu::free_memory()) >= plan.device_bytes + kReserveBytes; });
        if (world.all(fits)) return std::string();
        nccl.ranks.reset();
        return std::string("NCCL leaves too little GPU memory");
    };
    plan.engine = choose_transport(job, request, std::move(plan.engine), {Transport::p2p, Transport::nccl, Transport::mpi}, obstacles);
    plan.engine.nccl = nccl.ranks;
    if (!plan.engine.detour.empty()) job.note(plan.engine.detour);
    if (plan.engine.transport != Transport::mpi) plan.bytes -= plan.host_panel_bytes;
}

std::unique_ptr<algo::RowProducer> make_rows_on_gpu(const job::Job& job, const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph,
                                                    algo::MatrixRanks ranks, ProgressListener* listener)
{
    gpu::apsp::RowEngineOptions options = engine_options(plan, work, plan.method);
    options.sources = sources_of_rank(job, work);
    options.spare_bytes = plan.spare_bytes;
    options.row_buffer_bytes = plan.row_buffer_bytes;
    options.ranks = &job.world();
    if (!plan.tiles) return gpu::apsp::make_row_engine(graph, options);
    const gpu::apsp::TileMethodOptions tiles{plan.type,          matrix_sums(graph, options),      plan.out_of_core, plan.tile,
                                             plan.staging_bytes, panel_way(plan.engine.transport), plan.engine.nccl};
    return algo::make_matrix_rows(gpu::apsp::make_tile_method(graph, tiles, std::move(ranks)), listener);
}

bool joins_others(const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph)
{
    return joins_others(plan, work, graph, plan.method);
}

std::unique_ptr<algo::BulkEngine> make_bulk_on_gpu(const EnginePlan& engine)
{
    return gpu::apsp::make_bulk_engine(engine.free_bytes - std::min(engine.free_bytes, kReserveBytes));
}

}  // namespace wayfront::plan
