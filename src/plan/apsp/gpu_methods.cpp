#include "plan/apsp/gpu_methods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/bytes_in_words.hpp"
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
#include "plan/apsp/obstacles.hpp"
#include "plan/apsp/push_pull.hpp"

namespace wayfront::plan {

namespace {

using gpu::apsp::RowMethod;

/// Device memory for rows that wait to be copied to the host, at least.
constexpr std::size_t kRowBufferBytes = std::size_t{128} << 20;
/// The rows that wait if a multiprocessor makes one at a time: of two batches, each of two rows of
/// each multiprocessor of an H200.
constexpr std::size_t kSearchedRows = std::size_t{4} * 132;
constexpr std::size_t kMostRowBytes = std::size_t{1} << 30;
/// Device memory that is left to the driver and to launches.
constexpr std::size_t kReserveBytes = std::size_t{64} << 20;

gpu::apsp::RowEngineOptions engine_options(const ApspCase& asked, const RowMethod& method)
{
    return {.method = &method,
            .type = asked.distances.type,
            .most_distance = asked.distances.most_distance,
            .rows = asked.work.rows_of_device(),
            .sources = asked.work.sources,
            .batch_sources = asked.options.batch_sources,
            .elimination = &method == &RowMethod::elimination ? asked.elimination : nullptr,
            .spare_bytes = 0,
            .row_buffer_bytes = 0};
}

std::string not_enough_memory(double needed, const ApspCase& asked)
{
    return fmt::format("not enough GPU memory: {} are needed, {} are free", bytes_in_words(needed),
                       bytes_in_words(static_cast<double>(asked.device_bytes)));
}

/// The device memory for rows: if they are summarised there, with room for as many rows as the rank
/// makes, since few blocks then wait for the last ones of a batch.
std::size_t row_buffer_bytes(const ApspCase& asked, const RowMethod& method)
{
    if (method.summary_sources != nullptr) return kRowBufferBytes;
    if (asked.work.rows_of_device() && &method != &RowMethod::block && &method != &RowMethod::push_pull)
        return kRowBufferBytes;
    constexpr std::size_t gap_bytes = 128;  // between rows, at most
    const std::size_t row_bytes = asked.graph.slot_of_local.size() * algo::bytes_of(asked.distances.type) + gap_bytes;
    const std::size_t rows =
        asked.work.rows_of_device() ? std::min(2 * asked.sources_of_rank(), kSearchedRows) : asked.sources_of_rank();
    return std::clamp(rows * row_bytes, kRowBufferBytes, kMostRowBytes);
}

/// The part of an offer that all methods share: host memory for the facts of rows, and for the
/// lists of arcs as they are sent to the GPU.
ApspOffer common_offer(const ApspCase& asked)
{
    constexpr double of_source = 64;
    constexpr double of_vertex_and_arc = 48;
    ApspOffer offer;
    offer.bytes =
        of_source * static_cast<double>(asked.work.sources) + of_vertex_and_arc * (asked.vertices() + asked.arcs());
    return offer;
}

/// An offer of an engine that makes rows on each GPU by itself; `seconds` is its time.
ApspOffer offer_rows(const ApspCase& asked, const RowMethod& method, double seconds)
{
    ApspOffer offer = common_offer(asked);
    offer.seconds = seconds;
    gpu::apsp::RowEngineOptions options = engine_options(asked, method);
    const std::size_t engine_bytes = gpu::apsp::row_engine_bytes(asked.graph, options);
    if (engine_bytes + kReserveBytes > asked.device_bytes) {
        offer.device_obstacle = not_enough_memory(static_cast<double>(engine_bytes + kReserveBytes), asked);
        return offer;
    }
    const std::size_t free = asked.device_bytes - kReserveBytes - engine_bytes;
    options.sources = asked.sources_of_rank();
    options.row_buffer_bytes = std::min(row_buffer_bytes(asked, method), free);
    options.spare_bytes = free - options.row_buffer_bytes;
    offer.device_bytes = static_cast<double>(engine_bytes + options.row_buffer_bytes);
    if (asked.work.rows_of_device()) {
        // Rows that wait, and their parents.
        const double with_parents = asked.element_bytes() + (asked.work.parents ? sizeof(std::int32_t) : 0);
        offer.bytes += static_cast<double>(options.row_buffer_bytes) * with_parents / asked.element_bytes();
    }
    offer.make = [options](const ApspWork& /*work*/, const DistributedGraph& graph, const RowMaking& making) mutable {
        options.ranks = &making.world;
        return gpu::apsp::make_row_engine(graph, options);
    };
    return offer;
}

/// An offer of searches, whose time is that of an element of the row.
ApspOffer offer_searches(const ApspCase& asked, const RowMethod& method, double element_seconds)
{
    return offer_rows(
        asked, method,
        static_cast<double>(asked.sources_of_rank()) * (asked.vertices() + asked.arcs()) * element_seconds);
}

/// The seconds of a search by a thread block if many run at once, without the latencies of levels.
double seconds_of_block(const ApspCase& asked)
{
    const GpuRates& rates = asked.rates.gpu;
    if (gpu::apsp::row_searches_fit_shared_memory(asked.graph))
        return (asked.vertices() + asked.arcs()) * rates.block_element;
    return static_cast<double>(asked.graph.connected_vertices) * rates.device_block_vertex +
           asked.arcs() * rates.device_block_arc;
}

/// The seconds of searches from `sources` sources by thread blocks. Each level adds a latency, which searches that run
/// at once share. The latency is from the rings and paths of bench/results/regret-h200-rest.json.
double block_seconds(const ApspCase& asked, double sources)
{
    constexpr double searches_at_once = 780;
    constexpr double level_seconds = 1.1e-6;
    return sources * seconds_of_block(asked) +
           std::ceil(sources / searches_at_once) * asked.shape.levels * level_seconds;
}

ApspOffer offer_block(const ApspCase& asked)
{
    return offer_rows(asked, RowMethod::block, block_seconds(asked, static_cast<double>(asked.sources_of_rank())));
}

ApspOffer offer_push_pull(const ApspCase& asked)
{
    // Blocks search graphs with fewer hubs in less time.
    constexpr double end_degree_of_rates = 200;
    const double fewer = std::max(1.0, end_degree_of_rates / end_degree(asked.graph));
    const GpuRates& rates = asked.rates.gpu;
    const double of_source = rates.push_pull_source +
                             static_cast<double>(asked.graph.connected_vertices) * rates.push_pull_vertex +
                             asked.arcs() * rates.push_pull_arc;
    return offer_rows(
        asked, RowMethod::push_pull,
        list_sort_seconds(asked) + static_cast<double>(asked.sources_of_rank()) * of_source * fewer * fewer);
}

// The times of a small graph beyond that of `block`, by bench/results/regret-h200*.json: the first kernels of a method
// are loaded when they are launched.
constexpr double kBitParallelStart = 5e-3;
constexpr double kCombinedStart = 0.8e-3;
constexpr double kMatrixStart = 4e-3;

/// The seconds that the start of a method takes; nothing for one of many graphs.
double start_seconds(const ApspCase& asked, double seconds)
{
    return asked.work.in_bulk_job ? 0 : seconds;
}

ApspOffer offer_bit_parallel(const ApspCase& asked)
{
    // The time of a level of all searches that run at once.
    constexpr double level_seconds = 2.4e-6;
    constexpr double sources_at_once = 1024;
    ApspOffer offer = offer_searches(asked, RowMethod::bit_parallel, asked.rates.gpu.bit_element);
    const double batches = std::ceil(static_cast<double>(asked.sources_of_rank()) / sources_at_once);
    offer.seconds += start_seconds(asked, kBitParallelStart) + batches * asked.shape.levels * level_seconds;
    return offer;
}

ApspOffer offer_elimination(const ApspCase& asked)
{
    const algo::Elimination& tree = *asked.elimination;
    const double elements = static_cast<double>(asked.sources_of_rank()) *
                            (asked.vertices() + static_cast<double>(tree.arcs_from_ancestors.size()));
    ApspOffer offer = offer_rows(asked, RowMethod::elimination, elements * asked.rates.gpu.elimination_element);
    offer.bytes += static_cast<double>(tree.bytes());
    return offer;
}

ApspOffer offer_combined(const ApspCase& asked)
{
    const GpuRates& rates = asked.rates.gpu;
    const double n = asked.vertices();
    const algo::ExpectedCombination expected = asked.expected_combination();
    const double searching = std::max(rates.combined_arc * asked.arcs(), block_seconds(asked, expected.searched));
    const double combining = n * expected.combined_arcs * asked.element_bytes() * rates.combined_byte +
                             2 * std::sqrt(n) * rates.combined_level;
    ApspOffer offer =
        offer_rows(asked, RowMethod::combined, start_seconds(asked, kCombinedStart) + searching + combining);
    offer.keeps_matrix = offer.matrix_has_row_type = true;
    return offer;
}

/// The sums with which the graph's matrix is closed.
gpu::apsp::MinPlusSums matrix_sums(const ApspCase& asked)
{
    return gpu::apsp::sums_for(asked.distances.type, gpu::apsp::has_negative_weight(asked.graph),
                               asked.distances.most_distance);
}

/// Completes the offer of any form of Floyd-Warshall.
void complete_matrix_offer(const ApspCase& asked, ApspOffer& offer)
{
    offer.keeps_matrix = offer.matrix_has_row_type = true;
    if (asked.distances.whole) return;
    const bool wide = asked.distances.type == algo::DistanceType::float64;
    offer.roundings = {.in_any_order = true,
                       .addition = wide ? algo::kUnitRoundoff<double> : algo::kUnitRoundoff<float>};
}

/// The size of a distance in the matrix, in units of 4 bytes. The time is proportional to it.
double matrix_width(const ApspCase& asked)
{
    return gpu::apsp::bytes_of_distance(matrix_sums(asked)) / 4.0;
}

/// The seconds of all relaxations of Floyd-Warshall on one GPU.
double relaxing_seconds(const ApspCase& asked, double width)
{
    return std::pow(asked.vertices(), 3) * asked.rates.gpu.relaxation * width;
}

/// The seconds of blocked Floyd-Warshall on one GPU.
double matrix_seconds(const ApspCase& asked)
{
    constexpr double step = 128;  // vertices
    const double width = matrix_width(asked);
    return std::max(relaxing_seconds(asked, width),
                    std::ceil(asked.vertices() / step) * asked.rates.gpu.step * std::max(1.0, width));
}

gpu::apsp::PanelTransport panel_transport(Transport transport)
{
    if (transport == Transport::p2p) return gpu::apsp::PanelTransport::peers;
    return transport == Transport::nccl ? gpu::apsp::PanelTransport::nccl : gpu::apsp::PanelTransport::hosts;
}

/// The grid of ranks that share the tiles of a matrix. With few ranks each has whole rows, which it
/// summarises without exchanging them. With more ranks, panels of rows and columns are shorter.
comm::GridShape tile_grid(int ranks)
{
    constexpr int most_with_whole_rows = 8;
    return ranks <= most_with_whole_rows ? comm::GridShape{ranks, 1} : comm::default_grid_shape(ranks, 0);
}

/// An offer of Floyd-Warshall on tiles, which ranks share: in the GPUs' memory if they fit and
/// --out-of-core is not given, otherwise in that of the hosts.
ApspOffer offer_tiles(const ApspCase& asked)
{
    const auto free = static_cast<double>(asked.device_bytes) - kReserveBytes;
    ApspOffer offer;
    offer.matrix_grid = tile_grid(asked.ranks());
    gpu::apsp::TileMethodOptions tiles;
    tiles.type = asked.distances.type;
    tiles.sums = matrix_sums(asked);
    const auto fits = [&](bool out_of_core, std::size_t tile, std::size_t staging_bytes) {
        tiles.out_of_core = offer.out_of_core = out_of_core;
        tiles.tile = tile;
        tiles.staging_bytes = staging_bytes;
        const gpu::apsp::TileMethodBytes bytes = gpu::apsp::tile_method_bytes(
            asked.graph.slot_of_local.size(), tiles, *offer.matrix_grid, static_cast<double>(asked.sources_of_rank()));
        tiles.tile = offer.tile = bytes.tile;
        offer.host_panel_bytes = bytes.host_panels;
        offer.device_bytes = bytes.device;
        offer.bytes = bytes.host;
        return bytes.device <= free;
    };
    const auto fits_out_of_core = [&] {
        // Larger tiles mean that fewer bytes are moved. Several ranks need enough tiles to share
        // them.
        constexpr std::size_t mib = std::size_t{1} << 20;
        constexpr std::array<std::size_t, 4> sides{4096, 2048, 1024, 512};
        for (const std::size_t tile : std::span(sides).subspan(asked.ranks() == 1 ? 0 : 1))
            for (const std::size_t staging : {256 * mib, 64 * mib, 16 * mib})
                if (fits(true, tile, staging)) return true;
        return false;
    };
    if ((asked.options.out_of_core || !fits(false, 0, 0)) && !fits_out_of_core())
        offer.device_obstacle = not_enough_memory(offer.device_bytes + kReserveBytes, asked);
    offer.bytes += common_offer(asked).bytes;
    offer.make = [tiles](const ApspWork& /*work*/, const DistributedGraph& graph, RowMaking making) mutable {
        tiles.transport = panel_transport(making.engine.transport);
        tiles.nccl = making.engine.nccl;
        return algo::make_matrix_rows(gpu::apsp::make_tile_method(graph, tiles, std::move(making.ranks)),
                                      making.listener);
    };
    return offer;
}

ApspOffer offer_floyd_warshall(const ApspCase& asked)
{
    const bool one_gpu = asked.ranks() == 1 && !asked.work.checkpoint && !asked.options.out_of_core;
    ApspOffer offer;
    if (one_gpu) offer = offer_rows(asked, RowMethod::floyd_warshall, 0);
    if (!one_gpu || !offer.device_obstacle.empty()) offer = offer_tiles(asked);
    complete_matrix_offer(asked, offer);
    offer.joins_others = asked.work.in_bulk_job && !offer.matrix_grid &&
                         asked.graph.partition.vertex_count() <= gpu::apsp::kMostVerticesOfMany;
    offer.seconds = offer.joins_others ? relaxing_seconds(asked, std::max(1.0, matrix_width(asked)))
                                       : start_seconds(asked, kMatrixStart) + matrix_seconds(asked) / asked.ranks();
    return offer;
}

/// The offer of a paper's method on a dense matrix, in the tiles of the paper.
template <const RowMethod& method>
ApspOffer offer_paper_matrix(const ApspCase& asked)
{
    ApspOffer offer = offer_rows(asked, method, asked.rates.gpu.paper_slower * matrix_seconds(asked));
    complete_matrix_offer(asked, offer);
    return offer;
}

template <const RowMethod& method>
ApspOffer offer_paper_searches(const ApspCase& asked)
{
    return offer_searches(asked, method, asked.rates.gpu.paper_element);
}

/// The time of one of many graphs that a method computes alone.
template <ApspOffer (*offer)(const ApspCase&)>
ApspOffer with_start(const ApspCase& asked)
{
    ApspOffer started = offer(asked);
    if (asked.work.in_bulk_job && !started.joins_others) started.seconds += asked.rates.gpu.alone;
    return started;
}

template <const RowMethod& method>
std::string obstacle(const ApspCase& asked)
{
    if (std::string negative = negative_weights_obstacle(asked.work); !negative.empty() && !method.is_floyd_warshall)
        return negative;
    if (std::string checkpoint = checkpoint_obstacle(asked.work); !checkpoint.empty() && method.fills_matrix)
        return checkpoint;
    if (method.fills_matrix && asked.ranks() > 1)
        return fmt::format("it runs on one GPU, but {} ranks were started", asked.ranks());
    if (asked.options.out_of_core && &method != &RowMethod::floyd_warshall)
        return "--out-of-core is for floyd-warshall";
    return gpu::apsp::row_engine_obstacle(asked.graph, engine_options(asked, method));
}

std::string obstacle_of_push_pull(const ApspCase& asked)
{
    std::string no_search = push_pull_obstacle(asked.work);
    return no_search.empty() ? obstacle<RowMethod::push_pull>(asked) : no_search;
}

std::string try_elimination_in_memory(ApspCase& asked, std::optional<double> seconds)
{
    return asked.options.out_of_core ? "--out-of-core is for floyd-warshall" : try_elimination(asked, seconds);
}

constexpr std::array kMethods{
    ApspMethod{.name = "bit-parallel",
               .help = "",
               .obstacle = obstacle<RowMethod::bit_parallel>,
               .offer = with_start<offer_bit_parallel>},
    ApspMethod{
        .name = "block",
        .help = "on a GPU: a search per source, by a thread block, with its distances in shared memory if they fit",
        .obstacle = obstacle<RowMethod::block>,
        .offer = with_start<offer_block>},
    ApspMethod{
        .name = "push-pull", .help = "", .obstacle = obstacle_of_push_pull, .offer = with_start<offer_push_pull>},
    ApspMethod{
        .name = "combined", .help = "", .obstacle = obstacle<RowMethod::combined>, .offer = with_start<offer_combined>},
    ApspMethod{.name = "floyd-warshall",
               .help = "",
               .obstacle = obstacle<RowMethod::floyd_warshall>,
               .offer = with_start<offer_floyd_warshall>},
    ApspMethod{.name = "elimination",
               .help = "",
               .trial = try_elimination_in_memory,
               .obstacle = obstacle<RowMethod::elimination>,
               .offer = with_start<offer_elimination>},
    ApspMethod{.name = "floyd-warshall-steps",
               .help = "on a GPU: blocked Floyd-Warshall in tiles of 32, three kernels a step",
               .of_paper = true,
               .obstacle = obstacle<RowMethod::floyd_warshall_steps>,
               .offer = offer_paper_matrix<RowMethod::floyd_warshall_steps>},
    ApspMethod{.name = "floyd-warshall-tasks",
               .help = "on a GPU: the same in one kernel, whose blocks take tasks from a counter",
               .of_paper = true,
               .obstacle = obstacle<RowMethod::floyd_warshall_tasks>,
               .offer = offer_paper_matrix<RowMethod::floyd_warshall_tasks>},
    ApspMethod{.name = "batched",
               .help = "on a GPU: Bellman-Ford from --batch-sources at once, arcs read through shared memory",
               .of_paper = true,
               .obstacle = obstacle<RowMethod::batched>,
               .offer = offer_paper_searches<RowMethod::batched>},
    ApspMethod{.name = "batched-unshared",
               .help = "on a GPU: the same without shared memory",
               .of_paper = true,
               .obstacle = obstacle<RowMethod::batched_unshared>,
               .offer = offer_paper_searches<RowMethod::batched_unshared>},
    ApspMethod{.name = "iterated",
               .help = "on a GPU: Bellman-Ford from one source after the other",
               .of_paper = true,
               .obstacle = obstacle<RowMethod::iterated>,
               .offer = offer_paper_searches<RowMethod::iterated>},
};

}  // namespace

std::span<const ApspMethod> gpu_methods()
{
    return kMethods;
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
        const bool fits = run_agreed(
            world, [&] { return static_cast<double>(gpu::free_memory()) >= plan.offer.device_bytes + kReserveBytes; });
        if (world.all(fits)) return std::string();
        nccl.ranks.reset();
        return std::string("NCCL leaves too little GPU memory");
    };
    plan.engine = choose_transport(job, request, std::move(plan.engine),
                                   {Transport::p2p, Transport::nccl, Transport::mpi}, obstacles);
    plan.engine.nccl = nccl.ranks;
    if (!plan.engine.detour.empty()) job.note(plan.engine.detour);
    if (plan.engine.transport != Transport::mpi) plan.offer.bytes -= plan.offer.host_panel_bytes;
}

std::unique_ptr<algo::BulkEngine> make_bulk_on_gpu(const EnginePlan& engine)
{
    return gpu::apsp::make_bulk_engine(engine.free_bytes - std::min(engine.free_bytes, kReserveBytes));
}

}  // namespace wayfront::plan
