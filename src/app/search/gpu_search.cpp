#include "app/search/gpu_search.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "algo/bfs/smallest_parents.hpp"
#include "app/failure.hpp"
#include "app/machine/host_memory.hpp"
#include "app/search/device_levels.hpp"
#include "app/search/host_search.hpp"
#include "app/search/verdict.hpp"
#include "base/bytes_in_words.hpp"
#include "base/profiler_range.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/bfs/stepped/search.hpp"
#include "gpu/bfs/upload_memory.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/graph/upload.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/kron_component.hpp"
#include "gpu/kron/validation.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::app {

std::string device_obstacle(const comm::Communicator& ranks)
{
    if (ranks.all(gpu::device_fits_searches())) return "";
    return fmt::format("not every GPU has the {} KiB of shared memory per thread block that on-GPU searches need", gpu::kSharedBytes >> 10);
}

std::string resident_obstacle(const comm::Communicator& ranks, gpu::GpuSharing sharing)
{
    return gpu::ResidentSearch::obstacle(ranks, sharing);
}

gpu::NcclConnection connect_nccl(const comm::Communicator& ranks)
{
    return gpu::connect_nccl(ranks);
}

namespace {

constexpr const char* kTooManyVertices = "the graph has more than 2^31 vertices, which on-GPU searches do not support";

gpu::SearchKind search_kind(const Engine& engine)
{
    return engine.kind == Engine::Kind::stepped ? gpu::SearchKind::stepped : gpu::SearchKind::resident;
}

}  // namespace

Obstacle upload_obstacle(const Job& job, const Engine& engine, const LoadedGraph& input)
{
    if (input.list.directed) return {"the graph is directed, which on-GPU searches do not support (--undirected makes it undirected)"};
    if (!VertexArray::is_narrow(input.list.vertex_count)) return {kTooManyVertices};
    try {
        gpu::require_upload_memory(search_kind(engine), input.list.vertex_count, input.edges, job.world().size(), engine.free_bytes);
    } catch (const ResourceError& error) {
        return {error.what(), true};
    }
    return {};
}

Obstacle kron_obstacle(const Job& job, const Engine& engine, const KronGraph& graph)
{
    const int ranks = job.world().size();
    const int scale = graph.parameters.scale;
    if (!VertexArray::is_narrow(graph.vertices())) return {kTooManyVertices};
    try {
        gpu::require_construction_memory(scale, graph.tuples, ranks, engine.free_bytes);
    } catch (const ResourceError& error) {
        return {error.what(), true};
    }
    const auto own = static_cast<std::size_t>((graph.vertices() + ranks - 1) / ranks);
    const auto lists = 2 * static_cast<std::uint64_t>(graph.tuples) / static_cast<std::uint64_t>(ranks);
    const std::size_t slots = (own + gpu::kTileSlots - 1) / gpu::kTileSlots * gpu::kTileSlots;  // as if all vertices had edges
    const std::size_t needed = gpu::construction_memory(scale, graph.tuples, ranks).graph_bytes +
                               gpu::search_state_bytes(search_kind(engine), static_cast<std::uint32_t>(slots), ranks, own, lists, false) +
                               gpu::KronValidator::device_bytes(graph.vertices(), ranks) + gpu::kDeviceReserveBytes;
    if (needed <= engine.free_bytes) return {};
    return {
        fmt::format("not enough GPU memory: searches of kron:{} and their validation need {} on the GPU of each rank, {} are free; use more ranks",
                    scale, bytes_in_words(static_cast<double>(needed)), bytes_in_words(static_cast<double>(engine.free_bytes))),
        true};
}

namespace {

/// The switch between the directions as searches on GPUs take it: the policy's bounds, and the number of vertices that have, by the average
/// degree, as many out-edges as the bound for these.
gpu::DeviceSearchOptions device_options(const algo::DirectionPolicy& policy, const gpu::DeviceGraph& graph, bool levels)
{
    const auto vertices = static_cast<double>(graph.connected_vertices);
    const double edges = std::max(static_cast<double>(graph.directed_edges) / 2, 1.0);
    gpu::DeviceSearchOptions options;
    options.direction = policy.bounds(vertices, edges);
    options.bottom_up_from_vertices = vertices / (2 * policy.alpha);
    // The best of a few tried with the resident search on Kronecker graphs of scales 24 to 29, one to four GPUs; the trials were not kept.
    constexpr double most_split_share = 0.1;   // of all out-edges: in a frontier with more, rows find a parent soon among all of it
    constexpr double most_tail_degree = 0.25;  // edges for each vertex: following more costs what the hubs' level saves
    // Claiming a vertex costs more where it is another GPU's; on one, marking has to make up for the pass that counts what was found.
    if (graph.view.ranks == 1) options.many_edges = 1 << 24;
    options.most_split_edges = most_split_share * 2 * edges;
    options.most_tail_edges = most_tail_degree * vertices;
    options.levels = levels;
    return options;
}

/// Collective.
gpu::ExchangeWay exchange_way(const comm::Communicator& world, const Engine& engine)
{
    if (engine.transport == TransportChoice::nccl) return gpu::ExchangeWay::nccl;
    return engine.transport == TransportChoice::mpi ? gpu::way_over_mpi(world) : gpu::ExchangeWay::peers;
}

/// How GPUs reach each other. `exchange`: of the stepped search.
std::string transport_in_words(const Engine& engine, int ranks, const gpu::DeviceExchange* exchange)
{
    const bool stepped = engine.kind == Engine::Kind::stepped;
    if (ranks == 1) return stepped ? "none (stepped, one GPU)" : "none (resident, one GPU)";
    if (!stepped) return "p2p (resident)";
    if (exchange->way() == gpu::ExchangeWay::nccl) return "nccl (stepped)";
    return exchange->way() == gpu::ExchangeWay::device_mpi ? "mpi (stepped, device memory)" : "mpi (stepped, staged)";
}

/// Collective.
std::unique_ptr<gpu::DeviceExchange> make_exchange(const comm::Communicator& world, const Engine& engine, PhaseLog* log)
{
    const Phase phase(log, "prepare exchange");
    return std::make_unique<gpu::DeviceExchange>(world, exchange_way(world, engine), engine.nccl);
}

/// Collective.
std::unique_ptr<gpu::DeviceSearch> make_search(const comm::ProcessGrid& grid, const gpu::DeviceGraph& graph, gpu::DeviceExchange* exchange,
                                               const Engine& engine, const gpu::DeviceSearchOptions& options, PhaseLog* log)
{
    const Phase phase(log, "prepare search");
    if (engine.kind == Engine::Kind::stepped)
        return run_agreed(grid.world(), [&] { return std::make_unique<gpu::SteppedSearch>(grid, graph, *exchange, options); });
    return std::make_unique<gpu::ResidentSearch>(grid, graph, options);
}

/// A graph in device memory, its searches, and the way of their results to the host.
class DeviceRuns
{
public:
    /// Grid and exchange outlive the object; the stepped search needs one. Collective.
    DeviceRuns(const comm::ProcessGrid& grid, gpu::DeviceGraph graph, gpu::DeviceExchange* exchange, const Engine& engine,
               const algo::BfsOptions& options)
        : options_(options),
          device_(engine.device),
          stepped_(engine.kind == Engine::Kind::stepped),
          transport_(transport_in_words(engine, grid.world().size(), exchange)),
          graph_(std::move(graph)),
          search_(make_search(grid, graph_, exchange, engine, device_options(options.direction, graph_, options.levels || options.smallest_parents),
                              options.log))
    {
    }

    void run(Vertex key)
    {
        const ProfilerRange range("search");
        begin_ = Clock::now();
        search_->run(key);
        end_ = Clock::now();
    }

    /// The spans of the last run, a level each as the GPU recorded them, and the output, which lasted until `end` where more than the run was done.
    void add_spans(std::optional<Clock::time_point> end = std::nullopt) const
    {
        if (options_.log == nullptr) return;
        Clock::time_point time = begin_;
        int number = 1;
        for (const gpu::DeviceLevel& record : search_->levels()) {
            const auto length = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(record.seconds));
            const Clock::time_point after = std::min(time + length, end_);
            options_.log->add({"search", number++, time, after, to_string(record.bottom_up ? algo::Direction::bottom_up : algo::Direction::top_down),
                               record.vertices, record.out_edges});
            time = after;
        }
        options_.log->add({"output", 0, time, end.value_or(end_)});
    }

    void copy_parents(VertexArray& parents) const
    {
        parents.visit([this]<typename Id>(std::span<Id> own) {
            if constexpr (sizeof(Id) == sizeof(std::int32_t))
                search_->copy_parents(own);
            else
                throw std::logic_error("parents of an on-GPU search were asked for in 64 bits");
        });
    }

    [[nodiscard]] EngineFacts facts() const
    {
        EngineFacts facts;
        facts.engine = "gpu";
        facts.direction = options_.direction;
        facts.exchange = stepped_ ? "messages" : "stores";
        facts.connected_vertices = graph_.connected_vertices;
        facts.device = device_;
        facts.transport = transport_;
        facts.graph_bytes = graph_.bytes();
        facts.state_bytes = search_->state_bytes();
        return facts;
    }

    [[nodiscard]] const gpu::DeviceGraph& graph() const { return graph_; }
    [[nodiscard]] const gpu::DeviceSearch& search() const { return *search_; }

private:
    algo::BfsOptions options_;
    std::string device_;
    bool stepped_;
    std::string transport_;
    gpu::DeviceGraph graph_;
    std::unique_ptr<gpu::DeviceSearch> search_;
    Clock::time_point begin_;
    Clock::time_point end_;
};

/// The graph stands on the host, too, where results are looked at.
class UploadedSearch final : public HostGraphSearch
{
public:
    UploadedSearch(const comm::ProcessGrid& process_grid, const DistributedGraph& distributed, const EdgeFeed& feed, const Engine& engine,
                   const algo::BfsOptions& options)
        : HostGraphSearch(process_grid, distributed, feed),
          options_(options),
          stream_(run_agreed(process_grid.world(), [] { return gpu::Stream(); })),
          exchange_(engine.kind == Engine::Kind::stepped ? make_exchange(process_grid.world(), engine, options.log) : nullptr),
          runs_(process_grid, run_agreed(process_grid.world(), [&] { return gpu::upload_graph(distributed, stream_); }), exchange_.get(), engine,
                options),
          levels_(options.levels || options.smallest_parents ? distributed.local_count() : 0),
          parents_(distributed.local_count(), distributed.partition.vertex_count())
    {
    }

    [[nodiscard]] EngineFacts facts() const override { return runs_.facts(); }
    [[nodiscard]] std::uint64_t reached() const override { return runs_.search().reached(); }
    [[nodiscard]] std::vector<algo::LevelRecord> level_records() override
    {
        const std::vector<algo::LevelRecord> recorded = as_level_records(runs_.search().levels());
        return options_.levels ? complete_level_records(world(), levels(), recorded, options_.direction.choice) : recorded;
    }
    [[nodiscard]] std::span<const std::int32_t> levels() override
    {
        if (!std::exchange(levels_there_, true)) run_agreed(world(), [&] { runs_.search().copy_levels(levels_.span()); });
        return levels_.span();
    }
    [[nodiscard]] const VertexArray& parents() override
    {
        if (!std::exchange(parents_there_, true)) run_agreed(world(), [&] { runs_.copy_parents(parents_); });
        return parents_;
    }

private:
    void search(Vertex key) override
    {
        levels_there_ = false;
        parents_there_ = false;
        runs_.run(key);
        if (!options_.smallest_parents) return;
        parents_ = algo::smallest_parents(grid(), graph(), levels(), options_.log);
        parents_there_ = true;
        end_ = Clock::now();
    }
    void note_search() override { runs_.add_spans(end_); }

    algo::BfsOptions options_;
    gpu::Stream stream_;
    std::unique_ptr<gpu::DeviceExchange> exchange_;
    DeviceRuns runs_;
    HostBuffer<std::int32_t> levels_;  // of the last search, where they have been asked for; so the parents
    VertexArray parents_;
    bool levels_there_ = false;
    bool parents_there_ = false;
    std::optional<Clock::time_point> end_;  // of the last search, where parents were chosen after the run
};

/// The graph stands on the GPUs alone: results are looked at there, and go to the host only when somebody asks for them.
class KronSearch final : public PreparedSearch
{
public:
    KronSearch(const comm::ProcessGrid& process_grid, const KronGraph& kron, const Engine& engine, const algo::BfsOptions& options)
        : PreparedSearch(process_grid),
          kron_(kron),
          stream_(run_agreed(process_grid.world(), [] { return gpu::Stream(); })),
          exchange_(make_exchange(process_grid.world(), engine, options.log)),
          runs_(process_grid,
                gpu::construct_kron(kron.parameters, kron.tuples, *exchange_, stream_,
                                    {.memory_bytes = engine.ranks_a_gpu > 1 ? engine.free_bytes : 0, .log = options.log}, &construction_),
                exchange_.get(), engine, options)
    {
    }

    [[nodiscard]] EngineFacts facts() const override
    {
        EngineFacts facts = runs_.facts();
        facts.construction_peak_bytes = construction_.peak_bytes;
        return facts;
    }

    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override
    {
        std::vector<std::int64_t> touched(vertices.size(), 0);
        run_agreed(world(), [&] {
            for (std::size_t i = 0; i < vertices.size(); ++i) {
                const Vertex v = vertices[i];
                if (v >= kron_.vertices() || v % world().size() != world().rank()) continue;
                touched[i] = runs_.graph().has_edges(static_cast<std::uint32_t>(v / world().size()), stream_) ? 1 : 0;
            }
        });
        world().all_reduce(std::span<std::int64_t>(touched), comm::Reduction::max);
        return {touched.begin(), touched.end()};
    }

    [[nodiscard]] std::uint64_t reached() const override { return runs_.search().reached(); }
    [[nodiscard]] std::vector<algo::LevelRecord> level_records() override { return as_level_records(runs_.search().levels()); }
    [[nodiscard]] std::span<const std::int32_t> levels() override { return {}; }
    [[nodiscard]] const VertexArray& parents() override
    {
        run_agreed(world(), [&] {
            parents_ = VertexArray(runs_.graph().view.local_count, kron_.vertices());
            runs_.copy_parents(parents_);
        });
        return parents_;
    }

    void prepare_check(Check check) override
    {
        const int ranks = world().size();
        const int rank = world().rank();
        run_agreed(world(), [&] {
            if (check == Check::validity)
                validator_.emplace(kron_.parameters, kron_.tuples, kron_.vertices(), *exchange_, stream_);
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
    std::unique_ptr<gpu::DeviceExchange> exchange_;
    gpu::ConstructionReport construction_;
    DeviceRuns runs_;
    std::optional<gpu::KronValidator> validator_;
    std::optional<gpu::KronComponent> component_;
    VertexArray parents_;
};

}  // namespace

std::unique_ptr<PreparedSearch> make_uploaded_search(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed,
                                                     const Engine& engine, const algo::BfsOptions& options)
{
    return std::make_unique<UploadedSearch>(grid, graph, feed, engine, options);
}

std::unique_ptr<PreparedSearch> make_kron_search(const comm::ProcessGrid& grid, const KronGraph& graph, const Engine& engine,
                                                 const algo::BfsOptions& options)
{
    return std::make_unique<KronSearch>(grid, graph, engine, options);
}

}  // namespace wayfront::app
