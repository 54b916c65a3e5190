#include "session/bfs/gpu_bfs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "algo/bfs/smallest_parents.hpp"
#include "base/bytes_in_words.hpp"
#include "base/profiler_range.hpp"
#include "comm/agreement.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/bfs/grid/search.hpp"
#include "gpu/bfs/host_driven/engine.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/bfs/stepped/search.hpp"
#include "gpu/bfs/upload_memory.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/construction/tuple_source.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/graph/upload.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/kron_component.hpp"
#include "gpu/kron/validation.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/large_diameter.hpp"
#include "job/host_memory.hpp"
#include "session/bfs/device_levels.hpp"
#include "session/bfs/near_far_bfs.hpp"
#include "session/gpu_construction.hpp"
#include "session/gpu_kron.hpp"
#include "session/verdict.hpp"

namespace wayfront::session::gpu_bfs {

namespace {

gpu::bfs::SearchKind search_kind(const plan::EnginePlan& plan)
{
    return plan.resident() ? gpu::bfs::SearchKind::resident : gpu::bfs::SearchKind::stepped;
}

/// The bytes of device memory that a rank needs for searches of this graph, its construction and
/// their validation.
std::size_t kron_bytes(const plan::EnginePlan& plan, const KronGraph& graph, int ranks)
{
    const int scale = graph.parameters.scale;
    const auto own = static_cast<std::size_t>((graph.vertices() + ranks - 1) / ranks);
    const auto lists = 2 * static_cast<std::uint64_t>(graph.tuples) / static_cast<std::uint64_t>(ranks);
    // An upper bound: all vertices have edges.
    const std::size_t slots = (own + gpu::kTileSlots - 1) / gpu::kTileSlots * gpu::kTileSlots;
    return gpu::kron::construction_memory(scale, graph.tuples, ranks).graph_bytes +
           gpu::bfs::search_state_bytes(search_kind(plan), {static_cast<std::uint32_t>(slots), own, lists}, ranks,
                                        false) +
           gpu::kron::KronValidator::device_bytes(graph.vertices(), ranks) + gpu::kDeviceReserveBytes;
}

/// Translates the policy for the direction into the options of searches on GPUs: the policy's
/// bounds, and the number of vertices whose out-edges, at the average degree, reach the bound for
/// edges.
gpu::bfs::DeviceSearchOptions device_options(const algo::BfsOptions& asked, const gpu::DeviceGraph& graph)
{
    const auto vertices = static_cast<double>(graph.connected_vertices);
    const double arcs = std::max(static_cast<double>(graph.directed_edges), 1.0);
    gpu::bfs::DeviceSearchOptions options;
    options.direction = asked.direction.bounds({vertices, arcs, graph.directed});
    options.bottom_up_from_vertices = options.direction.bottom_up_from_edges * vertices / arcs;
    // The best of a few values tried with the resident search on Kronecker graphs of scales 24 to
    // 29, on one to four GPUs; no records of these trials exist. The share of all out-edges above
    // which a frontier is not divided, because rows soon find a parent anyway.
    constexpr double most_split_share = 0.1;
    // The largest number of tail edges per vertex of the graph. Following more tail edges would take
    // more time than a level of hubs alone saves.
    constexpr double most_tail_degree = 0.25;
    // Claiming a vertex of another GPU is expensive. On a single GPU, marking must save more than
    // the additional pass costs, which counts the found vertices. A frontier that a block follows has
    // a quarter of the edges that the block could follow, on average.
    if (graph.view.ranks == 1) {
        constexpr double edges_in_block = gpu::bfs::kSingleBlockEdges / 4.0;
        options.many_edges = 1 << 24;
        options.top_down_in_block =
            std::max<std::uint64_t>(64, static_cast<std::uint64_t>(edges_in_block * vertices / arcs));
    }
    options.most_split_edges = most_split_share * arcs;
    options.most_tail_edges = most_tail_degree * vertices;
    options.levels = asked.levels || asked.smallest_parents;
    options.max_level = asked.max_level;
    return options;
}

/// The exchanges of a search: between all ranks, or along the rows and columns of a grid of several
/// columns. The resident search needs none.
struct Exchanges
{
    std::unique_ptr<gpu::DeviceExchange> world;
    GridExchanges of_grid;
};

/// Collective.
Exchanges make_exchanges(const comm::ProcessGrid& grid, const plan::EnginePlan& plan, PhaseLog* log)
{
    Exchanges exchanges;
    if (grid.shape().columns > 1)
        exchanges.of_grid = make_grid_exchanges(grid, plan, log);
    else if (!plan.resident())
        exchanges.world = make_exchange(grid.world(), plan, log);
    return exchanges;
}

/// How GPUs exchange vertices, in words.
std::string transport_in_words(const plan::EnginePlan& plan, int ranks, const Exchanges& exchanges)
{
    if (plan.resident()) return ranks == 1 ? "none (resident, one GPU)" : "p2p (resident)";
    const bool over_grid = exchanges.of_grid.row != nullptr;
    const std::string_view form = over_grid ? "grid" : "stepped";
    if (ranks == 1) return fmt::format("none ({}, one GPU)", form);
    return exchange_in_words((over_grid ? exchanges.of_grid.row : exchanges.world)->method(), form);
}

/// Collective.
std::unique_ptr<gpu::bfs::DeviceSearch> make_search(const comm::ProcessGrid& grid, const gpu::DeviceBlock& block,
                                                    const Exchanges& exchanges, const plan::EnginePlan& plan,
                                                    const algo::BfsOptions& asked)
{
    const Phase phase(asked.log, "prepare search");
    const gpu::bfs::DeviceSearchOptions options = device_options(asked, block.graph);
    if (plan.resident()) return std::make_unique<gpu::bfs::ResidentSearch>(grid, block.graph, options);
    return run_agreed(grid.world(), [&]() -> std::unique_ptr<gpu::bfs::DeviceSearch> {
        const auto& [row, column] = exchanges.of_grid;
        if (row != nullptr)
            return std::make_unique<gpu::bfs::GridSearch>(grid, block, gpu::GridExchange{*row, *column}, options);
        return std::make_unique<gpu::bfs::SteppedSearch>(grid, block.graph, *exchanges.world, options,
                                                         gpu::bfs::SteppedOptions{.log = asked.log});
    });
}

/// A graph in device memory and its searches, whose results can be copied to the host.
class DeviceRuns
{
public:
    /// Grid and exchanges outlive the object. `block`: with a P x 1 grid, only its graph is used.
    /// Collective.
    DeviceRuns(const comm::ProcessGrid& grid, gpu::DeviceBlock block, const Exchanges& exchanges,
               const plan::EnginePlan& plan, const algo::BfsOptions& options)
        : options_(options),
          device_(plan.device),
          reason_(plan.reason),
          stepped_(!plan.resident()),
          transport_(transport_in_words(plan, grid.world().size(), exchanges)),
          block_(std::move(block)),
          search_(make_search(grid, block_, exchanges, plan, options))
    {
    }

    void run(Vertex key)
    {
        const ProfilerRange range("search");
        search_->run(key);
        end_ = Clock::now();
    }
    void prepare_nearest() { search_->prepare_nearest(); }
    void run_nearest(std::span<const Vertex> keys)
    {
        const ProfilerRange range("search");
        search_->run_nearest(keys);
        end_ = Clock::now();
    }

    /// Adds the spans of the last run to the log: one for each level that the GPU recorded, one
    /// after the other from the start of the run, and one for the output, which ends at `end` if
    /// work followed the run.
    void add_spans(std::optional<Clock::time_point> end = std::nullopt) const
    {
        if (options_.log == nullptr) return;
        Clock::time_point time = search_->began();
        for (const gpu::bfs::DeviceLevel& record : search_->level_records()) {
            const Clock::time_point after = std::min(time + record.duration, end_);
            options_.log->add({"search", record.level, time, after,
                               to_string(record.bottom_up ? algo::Direction::bottom_up : algo::Direction::top_down),
                               record.vertices, record.out_edges});
            time = after;
        }
        options_.log->add({"output", 0, time, end.value_or(end_)});
    }

    void copy_parents(VertexArray& parents) const { search_->copy_parents(parents.narrow_elements()); }
    void copy_nearest(VertexArray& nearest) const { search_->copy_nearest(nearest.narrow_elements()); }

    [[nodiscard]] BfsFacts facts() const
    {
        BfsFacts facts;
        facts.engine = "gpu";
        facts.direction = options_.direction;
        facts.exchange = stepped_ ? "messages" : "stores";
        facts.connected_vertices = block_.graph.connected_vertices;
        facts.device = device_;
        facts.reason = reason_;
        facts.transport = transport_;
        facts.graph_bytes = block_.bytes();
        facts.state_bytes = search_->state_bytes();
        return facts;
    }

    [[nodiscard]] const gpu::DeviceGraph& graph() const { return block_.graph; }
    [[nodiscard]] const gpu::bfs::DeviceSearch& search() const { return *search_; }

private:
    algo::BfsOptions options_;
    std::string device_;
    std::string reason_;
    bool stepped_;
    std::string transport_;
    gpu::DeviceBlock block_;
    std::unique_ptr<gpu::bfs::DeviceSearch> search_;
    Clock::time_point end_;  // the end of the last run
};

/// Collective.
gpu::DeviceBlock upload(const comm::ProcessGrid& grid, const DistributedGraph& graph, const gpu::Stream& stream)
{
    const comm::Communicator& world = grid.world();
    if (grid.shape().columns > 1) return run_agreed(world, [&] { return gpu::upload_block(graph, stream); });
    const OwnOutEdges out(world, graph);
    return run_agreed(world, [&] { return gpu::DeviceBlock{gpu::upload_graph(graph, out, stream), {}, {}}; });
}

/// A graph in device memory, and the memory that its construction there took.
struct GraphOnGpus
{
    gpu::DeviceBlock block;
    std::size_t construction_peak_bytes = 0;  // 0 if it was copied
};

/// Searches of a graph that is stored on the GPUs, and on the hosts unless a GPU has constructed it: then the
/// host has its numbers only. Results are checked on the hosts.
class UploadedBfs final : public HostGraphBfs
{
public:
    UploadedBfs(const ConstructedGraph& constructed, GraphOnGpus on_gpus, const plan::EnginePlan& plan,
                const algo::BfsOptions& options)
        : HostGraphBfs(constructed),
          options_(options),
          construction_peak_bytes_(on_gpus.construction_peak_bytes),
          exchanges_(make_exchanges(grid(), plan, options.log)),
          runs_(grid(), std::move(on_gpus.block), exchanges_, plan, options),
          starts_from_several_(options.levels &&
                               nearest_obstacle(plan, world().size(), options.smallest_parents).empty()),
          levels_(options.levels || options.smallest_parents ? graph().local_count() : 0),
          parents_(graph().local_count(), graph().partition.vertex_count())
    {
    }

    [[nodiscard]] bool starts_from_several() const override { return starts_from_several_; }
    void prepare_nearest() override
    {
        runs_.prepare_nearest();
        if (nearest_.size() == 0) nearest_ = VertexArray(graph().local_count(), graph().partition.vertex_count());
    }

    [[nodiscard]] BfsFacts facts() const override
    {
        BfsFacts facts = runs_.facts();
        facts.construction_peak_bytes = construction_peak_bytes_;
        return facts;
    }
    [[nodiscard]] std::uint64_t reached() const override { return runs_.search().reached(); }
    [[nodiscard]] std::vector<algo::LevelRecord> level_records() override
    {
        const std::vector<algo::LevelRecord> recorded = as_level_records(runs_.search().level_records());
        // If the only key has no edges, no search runs, and there are no records.
        const bool is_complete = !options_.levels || (recorded.empty() && !is_nearest());
        return is_complete ? recorded : complete_level_records(world(), levels(), recorded, options_);
    }
    [[nodiscard]] std::span<const std::int32_t> levels() override
    {
        if (!std::exchange(levels_copied_, true))
            run_agreed(world(), [&] { runs_.search().copy_levels(levels_.span()); });
        return levels_.span();
    }
    [[nodiscard]] const VertexArray& parents() override
    {
        if (!std::exchange(parents_copied_, true)) run_agreed(world(), [&] { runs_.copy_parents(parents_); });
        return parents_;
    }
    [[nodiscard]] const VertexArray& nearest() override
    {
        if (!std::exchange(nearest_copied_, true)) runs_.copy_nearest(nearest_);
        return nearest_;
    }
    [[nodiscard]] BfsOnGpu on_gpu() const override
    {
        if (world().size() > 1 || options_.smallest_parents) return {};
        return {runs_.search().device_levels(), runs_.search().device_parents()};
    }

private:
    void search(Vertex key) override
    {
        levels_copied_ = false;
        parents_copied_ = false;
        runs_.run(key);
        if (!options_.smallest_parents) return;
        parents_ = algo::smallest_parents(grid(), graph(), levels(), options_.log);
        parents_copied_ = true;
        end_ = Clock::now();
    }
    void search_nearest(std::span<const Vertex> sources) override
    {
        levels_copied_ = false;
        parents_copied_ = false;
        nearest_copied_ = false;
        end_.reset();
        prepare_nearest();
        runs_.run_nearest(sources);
    }
    void note_search() override { runs_.add_spans(end_); }

    algo::BfsOptions options_;
    std::size_t construction_peak_bytes_;
    Exchanges exchanges_;
    DeviceRuns runs_;
    bool starts_from_several_;
    // The levels of the last search, copied when they are first requested, like the parents and the nearest sources.
    HostBuffer<std::int32_t> levels_;
    VertexArray parents_;
    VertexArray nearest_;  // empty before prepare_nearest()
    bool levels_copied_ = false;
    bool parents_copied_ = false;
    bool nearest_copied_ = false;
    // The time at which the last search's parents were chosen, if that was after the run.
    std::optional<Clock::time_point> end_;
};

/// Searches of a graph that is stored on the GPUs alone. Results are checked there.
class KronBfs final : public BfsSearches
{
public:
    KronBfs(const comm::ProcessGrid& process_grid, const KronGraph& kron, const plan::EnginePlan& plan,
            const algo::BfsOptions& options)
        : BfsSearches(process_grid),
          kron_(kron),
          stream_(run_agreed(process_grid.world(), [] { return gpu::Stream(); })),
          exchanges_{make_exchange(process_grid.world(), plan, options.log), {}},
          construction_{stream_, {.memory_bytes = construction_bytes(plan), .log = options.log}},
          runs_(process_grid,
                {gpu::kron::construct_kron(kron.parameters, kron.tuples, *exchanges_.world, construction_), {}, {}},
                exchanges_, plan, options)
    {
    }

    [[nodiscard]] BfsFacts facts() const override
    {
        BfsFacts facts = runs_.facts();
        facts.construction_peak_bytes = construction_.report.peak_bytes;
        return facts;
    }

    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override
    {
        return dealt_vertices_with_edges(world(), kron_.vertices(), vertices, [this](std::uint32_t local) {
            return runs_.graph().has_edges(local, stream_);
        });
    }

    void prepare_check(Check check) override
    {
        const int ranks = world().size();
        const int rank = world().rank();
        run_agreed(world(), [&] {
            if (check == Check::validity)
                validator_.emplace(kron_.parameters, kron_.tuples, kron_.vertices(), *exchanges_.world, stream_);
            else
                component_.emplace(kron_.parameters, kron_.tuples, ranks, rank, stream_);
        });
    }
    [[nodiscard]] graph500::BfsValidation check() override
    {
        const std::int32_t* const own_parents = runs_.search().device_parents();
        if (validator_) return to_validation(validator_->validate(key(), own_parents), kron_.vertices());
        graph500::BfsValidation counted;
        counted.edges = world().all_reduce(component_.value().reached_ends(own_parents), comm::Reduction::sum) / 2;
        return counted;
    }

private:
    void search(Vertex key) override { runs_.run(key); }
    void note_search() override { runs_.add_spans(); }

    KronGraph kron_;
    gpu::Stream stream_;
    Exchanges exchanges_;
    gpu::kron::ConstructionRun construction_;
    DeviceRuns runs_;
    std::optional<gpu::kron::KronValidator> validator_;
    std::optional<gpu::kron::KronComponent> component_;
};

}  // namespace

std::unique_ptr<EdgeEngine> make_engine(const CsrBlock& block, std::size_t most_bytes)
{
    return std::make_unique<gpu::bfs::GpuEngine>(block, gpu::bfs::GpuTuning{}, most_bytes);
}

plan::Obstacle upload_obstacle(const plan::EnginePlan& plan, const LoadedGraph& input, comm::GridShape grid,
                               bool nearest)
{
    return plan::memory_obstacle_of([&] {
        const gpu::bfs::UploadedSize size{input.list.vertex_count, input.edges, input.list.directed, nearest};
        gpu::bfs::require_upload_memory(search_kind(plan), size, grid, plan.free_bytes);
    });
}

plan::Obstacle kron_obstacle(const plan::EnginePlan& plan, const KronGraph& graph, int ranks)
{
    return plan::memory_obstacle_of([&] {
        const int scale = graph.parameters.scale;
        gpu::kron::require_construction_memory(scale, graph.tuples, ranks, plan.free_bytes);
        const std::size_t needed = kron_bytes(plan, graph, ranks);
        if (needed > plan.free_bytes)
            throw ResourceError(
                fmt::format("not enough GPU memory: searches of kron:{} and their validation need {} on the GPU of "
                            "each rank, {} are free; use more ranks",
                            scale, bytes_in_words(static_cast<double>(needed)),
                            bytes_in_words(static_cast<double>(plan.free_bytes))));
    });
}

std::unique_ptr<HostGraphBfs> make_uploaded(const ConstructedGraph& constructed, const plan::EnginePlan& plan,
                                            const algo::BfsOptions& options)
{
    const auto& [grid, graph, feed] = constructed;
    if (suits_near_far(graph, plan, options))
        if (std::unique_ptr<HostGraphBfs> searches = make_near_far_bfs(constructed, plan, options)) return searches;
    const gpu::Stream stream = run_agreed(grid.world(), [] { return gpu::Stream(); });
    return std::make_unique<UploadedBfs>(constructed, GraphOnGpus{upload(grid, graph, stream)}, plan, options);
}

bool constructs(const comm::ProcessGrid& grid, const EdgeFeed& feed, const plan::EnginePlan& plan,
                const algo::BfsOptions& options)
{
    // The smallest parents are chosen by the lists of the host.
    return !options.smallest_parents && gpu_constructs(grid.world(), plan, feed, WeightType::none);
}

std::unique_ptr<HostGraphBfs> make_constructed(const comm::ProcessGrid& grid, DistributedGraph& graph,
                                               const EdgeFeed& feed, const plan::EnginePlan& plan,
                                               const algo::BfsOptions& options)
{
    namespace construction = gpu::construction;
    const gpu::Stream stream;
    construction::HostNumbers numbers;
    construction::ConstructionRun run{stream, {.log = options.log}};
    GraphOnGpus made;
    {
        const std::unique_ptr<construction::TupleSource> edges = construction::make_edges_of(feed, {});
        made.block.graph = construction::construct_edges(*edges, run, &numbers);
    }
    made.construction_peak_bytes = run.report.peak_bytes;
    const gpu::DeviceGraph& lists = made.block.graph;
    graph = numbers_of(feed, std::move(numbers), lists.connected_vertices, lists.directed_edges);
    const bool may_be_deep = feed.device_edges() == nullptr && lists.connected_vertices > 0 &&
                             may_suit_near_far(lists.directed_edges, lists.connected_vertices, plan, options);
    const auto busiest = may_be_deep ? static_cast<Vertex>(gpu::fetch(lists.vertex_of_column.data(), stream)) : 0;
    auto searches = std::make_unique<UploadedBfs>(ConstructedGraph{grid, graph, feed}, std::move(made), plan, options);
    if (!may_be_deep) return searches;
    searches->run(busiest);
    const std::span<const std::int32_t> levels = searches->levels();
    if (std::ranges::max(levels) >= static_cast<std::int32_t>(kLevelsOfLargeDiameter)) return nullptr;
    return searches;
}

std::unique_ptr<BfsSearches> make_kron(const comm::ProcessGrid& grid, const KronGraph& graph,
                                       const plan::EnginePlan& plan, const algo::BfsOptions& options)
{
    return std::make_unique<KronBfs>(grid, graph, plan, options);
}

}  // namespace wayfront::session::gpu_bfs
