#include "session/sssp/gpu_sssp.hpp"

#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "algo/smallest_parents.hpp"
#include "algo/sssp/grid_sssp.hpp"
#include "base/bytes_in_words.hpp"
#include "comm/agreement.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/construction/tuple_source.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/distance_validation.hpp"
#include "gpu/kron/kron_component.hpp"
#include "gpu/papers/dense/dense_search.hpp"
#include "gpu/papers/phases/search.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/grid/steps.hpp"
#include "gpu/sssp/resident_sssp.hpp"
#include "session/gpu_construction.hpp"
#include "session/gpu_kron.hpp"
#include "session/verdict.hpp"

namespace wayfront::session::gpu_sssp {

namespace {

std::optional<double> cutoff_of(const algo::SsspOptions& options)
{
    return options.cutoff.is_finite() ? std::optional(options.cutoff.real) : std::nullopt;
}

using gpu::sssp::DeviceSssp;

/// The type of distances. Without weights they are numbers of arcs.
WeightType distance_type(const EdgeFeed& feed)
{
    return feed.weight_type() == WeightType::none ? WeightType::uint32 : feed.weight_type();
}

DeviceSssp::Ranks ranks_of(const plan::EnginePlan& plan, int count)
{
    return {count, count > 1 && !plan.resident()};
}

/// Searches with 32-bit distances in sparse graphs. `exchange`: null if GPUs exchange no messages. Collective.
std::unique_ptr<gpu::sssp::DeviceSearch> make_device(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                     const algo::SsspOptions& options,
                                                     std::shared_ptr<gpu::DeviceExchange> exchange)
{
    const bool near_far = options.method == algo::SsspMethod::near_far;
    if (near_far || options.method == algo::SsspMethod::push_pull) {
        gpu::sssp::SsspTuning tuning;
        tuning.width = options.delta;
        tuning.cutoff = cutoff_of(options);
        tuning.expected_searches = options.expected_searches;
        if (near_far) tuning.near_far = true;
        auto device = std::make_unique<DeviceSssp>(grid, graph, tuning, std::move(exchange));
        if (near_far && graph.connected_vertices > 0 && !device->is_near_far())
            throw ResourceError(
                "--algorithm near-far: the graph cannot be divided among the multiprocessors: it has more than 64 "
                "million vertices, or too many arcs lead from part to part; --engine gpu without --algorithm can "
                "search it");
        return device;
    }
    gpu::sssp::PhaseTuning tuning;
    tuning.cutoff = cutoff_of(options);
    if (options.method == algo::SsspMethod::conventional) tuning.mode = gpu::sssp::PhaseMode::conventional;
    if (options.method == algo::SsspMethod::selection) tuning.mode = gpu::sssp::PhaseMode::selection;
    if (options.phase_times)
        tuning.thresholds = {gpu::sssp::nanoseconds_of(options.phase_times->up_seconds),
                             gpu::sssp::nanoseconds_of(options.phase_times->down_seconds)};
    return std::make_unique<gpu::sssp::DevicePhases>(graph, tuning);
}

/// The bytes of device memory that a rank needs for searches of a graph that the GPUs constructed,
/// and for their validation.
std::size_t kron_bytes(const KronGraph& graph, DeviceSssp::Ranks ranks)
{
    const auto own = static_cast<std::size_t>((graph.vertices() + ranks.count - 1) / ranks.count);
    const gpu::kron::ConstructionMemory memory =
        gpu::kron::weighted_construction_memory(graph.parameters.scale, graph.tuples, ranks.count);
    return memory.graph_bytes + DeviceSssp::state_bytes_for(own, memory.slots, ranks) +
           gpu::kron::KronDistanceValidator::device_bytes(graph.vertices(), ranks.count) + gpu::kDeviceReserveBytes;
}

/// The results of a search on one GPU, which outlives the function.
std::function<SsspOnGpu()> results_on_gpu(const gpu::sssp::ResidentSssp& search, WeightType type)
{
    return [&search, floats = type == WeightType::float32]() -> SsspOnGpu {
        const auto* const device = dynamic_cast<const DeviceSssp*>(search.device());
        if (device == nullptr) return {};
        return {device->device_distances(), device->device_parents(), floats, device->facts().reached};
    };
}

/// Chooses the smallest parents after each search, if the options ask for them. Grid, graph and log outlive the
/// function.
gpu::sssp::ResidentSssp::ParentChoice parent_choice(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                    const algo::SsspOptions& options)
{
    if (!options.smallest_parents) return {};
    return [&grid, &graph, log = options.log](Vertex source, algo::SsspResult& result) {
        std::visit(
            [&]<typename D>(const HostBuffer<D>& distances) {
                const HostBuffer<D> of_slots = algo::by_slot(graph, distances.span(), unreached<D>());
                const HostBuffer<Vertex> parents =
                    algo::smallest_parents(grid, graph, of_slots.span(), {.sources = {&source, 1}}, log);
                algo::replace_parents(graph, parents.span(), result.parents);
            },
            result.distances);
    };
}

std::string of_each_rank(int ranks)
{
    return ranks == 1 ? "" : " on the GPU of each rank";
}

/// `exchange`: null if GPUs exchange no messages.
std::string transport_in_words(int ranks, const gpu::DeviceExchange* exchange)
{
    if (ranks == 1) return "none (resident, one GPU)";
    return exchange != nullptr ? exchange_in_words(exchange->method(), "stepped") : "p2p (resident)";
}

/// Searches of a graph that is stored on the GPUs alone. Results are checked there.
class KronSssp final : public SsspSearches
{
public:
    KronSssp(const comm::ProcessGrid& process_grid, const KronGraph& kron, SsspPlan plan,
             const algo::SsspOptions& options)
        : SsspSearches(process_grid),
          kron_(kron),
          plan_(std::move(plan)),
          stream_(run_agreed(world(), [] { return gpu::Stream(); })),
          exchange_(make_exchange(world(), plan_.engine, options.log)),
          construction_{stream_, {.memory_bytes = construction_bytes(plan_.engine), .log = options.log}}
    {
        gpu::kron::WeightedGraph graph =
            gpu::kron::construct_weighted_kron(kron_.parameters, kron_.tuples, *exchange_, construction_);
        connected_vertices_ = graph.connected_vertices;
        const Phase phase(options.log, "prepare search");
        gpu::sssp::SsspTuning tuning;
        tuning.width = options.delta;
        tuning.near_far = false;  // a Kronecker graph has no parts with short borders
        const gpu::sssp::SsspGraph facts{
            .vertices = kron_.vertices(), .connected_vertices = connected_vertices_, .weight_sum = graph.weight_sum};
        search_ = std::make_unique<DeviceSssp>(grid(), std::move(graph.lists), facts, tuning, messages());
    }

    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override
    {
        return dealt_vertices_with_edges(world(), kron_.vertices(), vertices,
                                         [this](std::uint32_t local) { return search_->has_edges(local); });
    }
    [[nodiscard]] SsspFacts facts() const override
    {
        SsspFacts facts;
        facts.engine = "gpu";
        facts.connected_vertices = connected_vertices_;
        facts.device = plan_.engine.device;
        facts.transport = transport_in_words(world().size(), messages().get());
        facts.graph_bytes = search_->graph_bytes();
        facts.state_bytes = search_->state_bytes();
        facts.construction_peak_bytes = construction_.report.peak_bytes;
        facts.algorithm =
            search_->description() + (plan_.choice.reason.empty() ? "" : ", since " + plan_.choice.reason);
        return facts;
    }

    void prepare_check(Check check) override
    {
        run_agreed(world(), [&] {
            if (check == Check::validity)
                validator_ = std::make_unique<gpu::kron::KronDistanceValidator>(kron_.parameters, kron_.tuples,
                                                                                *exchange_, stream_);
            else
                component_ = std::make_unique<gpu::kron::KronComponent>(kron_.parameters, kron_.tuples, world().size(),
                                                                        world().rank(), stream_);
        });
    }
    [[nodiscard]] graph500::Validation check() override
    {
        const std::int32_t* const parents = search_->device_parents();
        if (validator_ != nullptr)
            return to_validation(validator_->validate(key(), search_->device_distances(), parents), kron_.vertices());
        graph500::Validation counted;
        counted.edges = world().all_reduce(component_->reached_ends(parents), comm::Reduction::sum) / 2;
        return counted;
    }

    [[nodiscard]] const algo::SsspResult& result() const override
    {
        if (!std::exchange(copied_, true)) copy_result();
        return result_;
    }
    [[nodiscard]] const std::vector<Vertex>& negative_cycle() const override { return result_.negative_cycle; }

private:
    /// The exchange of a search whose GPUs exchange messages; else null.
    [[nodiscard]] std::shared_ptr<gpu::DeviceExchange> messages() const
    {
        return ranks_of(plan_.engine, world().size()).messages ? exchange_ : nullptr;
    }

    void search(Vertex key) override
    {
        copied_ = false;
        search_->run(key);
    }
    void note_search() override { search_->collect(); }

    void copy_result() const
    {
        const gpu::sssp::SsspFacts facts = search_->facts();
        const auto own =
            static_cast<std::size_t>((kron_.vertices() - world().rank() + world().size() - 1) / world().size());
        HostBuffer<float> distances(own);
        result_.parents = VertexArray(own, kron_.vertices());
        search_->copy_results(std::span(reinterpret_cast<std::uint32_t*>(distances.data()), distances.size()),
                              result_.parents.narrow_elements());
        result_.distances = std::move(distances);
        result_.method = plan_.choice.method;
        result_.reached = facts.reached;
        result_.counters = {
            .rounds = facts.steps, .relaxed_arcs = facts.relaxed_arcs, .pulled_arcs = facts.pulled_arcs};
    }

    KronGraph kron_;
    SsspPlan plan_;
    gpu::Stream stream_;
    std::shared_ptr<gpu::DeviceExchange> exchange_;
    gpu::kron::ConstructionRun construction_;
    std::int64_t connected_vertices_ = 0;
    std::unique_ptr<DeviceSssp> search_;
    std::unique_ptr<gpu::kron::KronDistanceValidator> validator_;
    std::unique_ptr<gpu::kron::KronComponent> component_;
    mutable algo::SsspResult result_;  // the result of the last search, once it is requested
    mutable bool copied_ = false;
};

}  // namespace

plan::Obstacle memory_obstacle(const plan::EnginePlan& plan, algo::SsspMethod method, const LoadedGraph& input,
                               int ranks, bool nearest)
{
    const Vertex vertices = input.list.vertex_count;
    const gpu::sssp::ListedArcs arcs = gpu::sssp::listed_arcs(vertices, input.edges, input.list.directed);
    std::size_t needed = method == algo::SsspMethod::fixed_order
                             ? gpu::sssp::DenseSssp::most_bytes(vertices)
                             : DeviceSssp::most_bytes(vertices, arcs, ranks_of(plan, ranks));
    if (nearest) needed += DeviceSssp::most_nearest_bytes(vertices, arcs);
    if (needed <= plan.free_bytes) return {};
    return {fmt::format("not enough GPU memory: searches for shortest paths need {}{}, {} are free",
                        bytes_in_words(static_cast<double>(needed)), of_each_rank(ranks),
                        bytes_in_words(static_cast<double>(plan.free_bytes))),
            true};
}

plan::Obstacle share_obstacle(const plan::EnginePlan& plan, const comm::ProcessGrid& grid,
                              const DistributedGraph& graph)
{
    const comm::Communicator& world = grid.world();
    if (world.size() == 1) return {};  // memory_obstacle() says it all
    const CsrBlock& block = graph.block;
    gpu::sssp::ListedArcs arcs{block.in_edges.edges(), 0};
    if (graph.directed) {
        if (gpu::sssp::keeps_in_arcs(graph.directed_edges, graph.partition.vertex_count())) arcs.in = arcs.out;
        arcs.out = std::accumulate(block.out_degrees.begin(), block.out_degrees.end(), std::size_t{0});
    }
    const std::size_t own =
        DeviceSssp::bytes_for(graph.local_count(), block.slot_stride, arcs, ranks_of(plan, world.size()));
    const std::uint64_t most = world.all_reduce(static_cast<std::uint64_t>(own), comm::Reduction::max);
    if (most <= plan.free_bytes) return {};
    return {
        fmt::format("not enough GPU memory: the vertices of a rank need {}, {} are free",
                    bytes_in_words(static_cast<double>(most)), bytes_in_words(static_cast<double>(plan.free_bytes))),
        true};
}

plan::Obstacle kron_obstacle(const plan::EnginePlan& plan, const KronGraph& graph, int ranks)
{
    return plan::memory_obstacle_of([&] {
        gpu::kron::require_weighted_memory(graph.parameters.scale, graph.tuples, ranks, plan.free_bytes);
        const std::size_t needed = kron_bytes(graph, ranks_of(plan, ranks));
        if (needed > plan.free_bytes)
            throw ResourceError(fmt::format(
                "not enough GPU memory: shortest paths in kron:{} and their validation need {}{}, {} are free",
                graph.parameters.scale, bytes_in_words(static_cast<double>(needed)), of_each_rank(ranks),
                bytes_in_words(static_cast<double>(plan.free_bytes))));
    });
}

std::unique_ptr<SsspSearches> make_kron(const comm::ProcessGrid& grid, const KronGraph& graph, const SsspPlan& plan,
                                        const algo::SsspOptions& options)
{
    return std::make_unique<KronSssp>(grid, graph, plan, options);
}

std::size_t shared_bytes_of_peers(int ranks)
{
    return ranks == 1 ? 0 : DeviceSssp::kSharedBytesOfPeers;
}

PreparedSsspSearch make(const comm::ProcessGrid& grid, const DistributedGraph& graph, const plan::EnginePlan& engine,
                        const algo::SsspOptions& options, std::function<std::unique_ptr<algo::SsspSearch>()> make_wide)
{
    const int ranks = grid.world().size();
    if (options.method == algo::SsspMethod::fixed_order) {
        auto search = std::make_unique<gpu::sssp::DenseSearch>(graph, options.cutoff, std::move(make_wide));
        const std::size_t graph_bytes = search->device().graph_bytes();
        const std::size_t state_bytes = search->device().state_bytes();
        return {std::move(search), true, graph_bytes, state_bytes, transport_in_words(ranks, nullptr)};
    }
    std::shared_ptr<gpu::DeviceExchange> exchange;
    if (ranks_of(engine, ranks).messages) exchange = make_exchange(grid.world(), engine, options.log);
    const std::string transport = transport_in_words(ranks, exchange.get());
    std::unique_ptr<gpu::sssp::DeviceSearch> device = make_device(grid, graph, options, std::move(exchange));
    const std::size_t graph_bytes = device->graph_bytes();
    const std::size_t state_bytes = device->state_bytes();
    auto search = std::make_unique<gpu::sssp::ResidentSssp>(graph, std::move(device), options.method,
                                                            std::move(make_wide), parent_choice(grid, graph, options));
    if (!search->on_device()) return {std::move(search), false, 0, 0, ""};
    std::function<SsspOnGpu()> on_gpu;
    if (ranks == 1 && !options.smallest_parents) on_gpu = results_on_gpu(*search, weight_type(graph.block.in_weights));
    return {std::move(search), true, graph_bytes, state_bytes, transport, 0, std::move(on_gpu)};
}

bool constructs(const comm::ProcessGrid& grid, const EdgeFeed& feed, const plan::EnginePlan& engine,
                const algo::SsspOptions& options)
{
    if (options.method != algo::SsspMethod::push_pull || options.smallest_parents) return false;
    if (!gpu_constructs(grid.world(), engine, feed, distance_type(feed))) return false;
    const EdgeCount arcs = feed.size() * (feed.directed() ? 1 : 2);
    // A sample of the host's lists may say that paths are long.
    const bool may_be_deep =
        gpu::sssp::keeps_in_arcs(arcs, feed.vertex_count()) &&
        gpu::sssp::dividing_pays(arcs, options.expected_searches, gpu::sssp::kSavedSecondsOfLongPaths);
    return feed.device_edges() != nullptr || !may_be_deep;
}

PreparedSsspSearch make_constructed(const comm::ProcessGrid& grid, DistributedGraph& graph, const EdgeFeed& feed,
                                    const algo::SsspOptions& options,
                                    std::function<std::unique_ptr<algo::SsspSearch>()> make_wide)
{
    namespace construction = gpu::construction;
    const WeightType type = distance_type(feed);
    const gpu::Stream stream;
    construction::HostNumbers numbers;
    construction::ConstructionRun run{stream, {.log = options.log}};
    construction::WeightedEdgesFacts facts;
    gpu::sssp::SsspTuning tuning;
    tuning.width = options.delta;
    tuning.cutoff = cutoff_of(options);
    tuning.expected_searches = options.expected_searches;
    // A search with a cutoff does not pull.
    const EdgeCount in_arcs_from =
        tuning.cutoff ? construction::kMostEdges + 1 : gpu::sssp::least_arcs_for_pulls(feed.vertex_count());
    gpu::ArcLists lists;
    {
        const std::unique_ptr<construction::TupleSource> edges = construction::make_edges_of(feed, {.weights = type});
        lists = construction::construct_weighted_edges(*edges, {type, in_arcs_from}, run, facts, &numbers);
    }
    graph = numbers_of(feed, std::move(numbers), facts.connected_vertices, facts.arcs);
    if (type == WeightType::float32) graph.block.in_weights = HostBuffer<float>();  // the type of distances
    const gpu::sssp::SsspGraph of_lists{.type = type,
                                        .vertices = feed.vertex_count(),
                                        .connected_vertices = facts.connected_vertices,
                                        .weight_sum = facts.weight_sum};
    auto device = std::make_unique<DeviceSssp>(grid, std::move(lists), of_lists, tuning);
    if (device->always_overflows()) return {};
    const std::size_t graph_bytes = device->graph_bytes();
    const std::size_t state_bytes = device->state_bytes();
    auto search =
        std::make_unique<gpu::sssp::ResidentSssp>(graph, std::move(device), options.method, std::move(make_wide));
    std::function<SsspOnGpu()> on_gpu = results_on_gpu(*search, type);
    return {std::move(search), true, graph_bytes, state_bytes, transport_in_words(1, nullptr), run.report.peak_bytes,
            std::move(on_gpu)};
}

PreparedSsspSearch make_grid(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                             const algo::SsspOptions& options, std::size_t most_bytes)
{
    // The searches own the exchanges.
    const auto exchanges = std::make_shared<const GridExchanges>(make_grid_exchanges(grid, options.log));
    const algo::SsspStepsMaker make_steps = [&grid, &graph, exchanges, most_bytes](algo::SsspMethod method,
                                                                                   bool narrow) {
        return run_agreed(grid.world(), [&] {
            return gpu::sssp::make_grid_steps(graph, {*exchanges->row, *exchanges->column}, method, narrow, most_bytes);
        });
    };
    const DeviceBytes bytes = gpu::sssp::grid_steps_bytes(graph, options.method, true);
    const std::string transport =
        grid.world().size() == 1 ? "none (grid, one GPU)" : exchange_in_words(exchanges->row->method(), "grid");
    return {algo::make_grid_sssp(grid, graph, options, make_steps), true, bytes.graph, bytes.state, transport};
}

}  // namespace wayfront::session::gpu_sssp
