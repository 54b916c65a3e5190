#include "session/sssp/sssp_searches.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "gpu/runtime/device.hpp"
#include "graph/end_degree.hpp"
#include "graph500/validate_distances.hpp"
#include "job/host_memory.hpp"
#include "plan/gpu_start.hpp"
#include "plan/search_options.hpp"
#include "session/prepared_graph.hpp"
#include "session/rates_file.hpp"
#include "session/sssp/gpu_sssp.hpp"
#include "session/sssp/host_sssp.hpp"
#include "session/sssp/negative_weights.hpp"
#include "session/sssp/sssp_trial.hpp"

namespace wayfront::session {

namespace {

using algo::SsspMethod;

/// One rank searches smaller graphs faster by Dijkstra's algorithm or delta-stepping.
constexpr EdgeCount kPushPullFromEdges = 4096;
/// From this number of edges on, a single GPU constructs and searches Kronecker graphs, unless options say otherwise.
constexpr EdgeCount kKronGpuFromEdges = EdgeCount{1} << 20;

/// The requirements of searches on GPUs alone.
plan::DeviceRequirements requirements(const job::Job& job)
{
    plan::DeviceRequirements all{
        .transports = {Transport::p2p, Transport::nccl, Transport::mpi}, .exchange = true, .one_column = true};
    if (gpu::has_cuda()) all.shared_bytes_of_peers = gpu_sssp::shared_bytes_of_peers(job.world().size());
    return all;
}

constexpr Vertex kMostGpuVertices = Vertex{1} << 31;

std::string reason_on_gpus(double degree)
{
    return fmt::format("vertices have {:.3g} edges on average", degree);
}

class HostSssp final : public SsspSearches
{
public:
    HostSssp(const ConstructedGraph& constructed, SsspPlan plan, gpu_sssp::PreparedSsspSearch search)
        : SsspSearches(constructed.grid),
          graph_(constructed.graph),
          plan_(std::move(plan)),
          checks_(constructed),
          made_(std::move(search))
    {
        if (plan_.negative_weights) loops_ = NegativeLoops(world(), graph_.partition, constructed.feed);
    }

    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override
    {
        return vertices_with_edges(world(), graph_, vertices);
    }
    [[nodiscard]] SsspFacts facts() const override
    {
        SsspFacts facts;
        facts.engine = made_.on_device ? "gpu" : "cpu";
        facts.connected_vertices = graph_.connected_vertices;
        if (made_.on_device) {
            facts.device = plan_.engine.device;
            facts.transport = made_.transport;
        }
        facts.graph_bytes = made_.graph_bytes;
        facts.state_bytes = made_.state_bytes;
        facts.construction_peak_bytes = made_.construction_peak_bytes;
        facts.algorithm = made_.search->description();
        // A search on one rank names small graphs as its own reason.
        const bool says_why = plan_.choice.method == SsspMethod::automatic && result().method == SsspMethod::dijkstra;
        if (!plan_.choice.reason.empty() && !says_why) facts.algorithm += ", since " + plan_.choice.reason;
        return facts;
    }
    [[nodiscard]] bool starts_from_several() const override { return made_.search->starts_from_several(); }
    void prepare_nearest() override { made_.state_bytes += made_.search->prepare_nearest(); }
    void prepare_check(Check check) override { checks_.prepare(check); }
    [[nodiscard]] graph500::Validation check() override
    {
        return checks_.check(result().parents, [this](graph500::SsspValidator& validator) {
            const algo::SsspResult& found = result();
            return is_nearest() ? validator.validate_nearest(sources(), found.nearest, found.distances, found.parents)
                                : validator.validate(key(), found.distances, found.parents);
        });
    }
    [[nodiscard]] const algo::SsspResult& result() const override { return made_.search->result(); }
    [[nodiscard]] const std::vector<Vertex>& negative_cycle() const override { return negative_cycle_; }
    [[nodiscard]] SsspOnGpu on_gpu() const override { return made_.on_gpu ? made_.on_gpu() : SsspOnGpu(); }

    /// The trial may replace the method of the searches. The job outlives them.
    void add_trial(SsspTrial trial, const job::Job& job)
    {
        trial_.emplace(std::move(trial));
        job_ = &job;
    }

private:
    void tune() override
    {
        if (!trial_ || !trial_->is_due()) return;
        const SsspMethod before = plan_.choice.method;
        plan_.choice = std::exchange(trial_, std::nullopt)->run(made_.search);
        if (plan_.choice.method != before) job_->note(fmt::format("the searches that follow: {}", facts().algorithm));
    }
    void search(Vertex key) override { made_.search->run(key); }
    void search_nearest(std::span<const Vertex> sources) override { made_.search->run_nearest(sources); }
    void note_search() override
    {
        if (trial_ && !is_nearest()) trial_->note_search(key(), result().reached);
        if (!plan_.negative_weights) return;  // a result on a GPU is copied when it is asked for
        negative_cycle_ = result().negative_cycle;
        if (!negative_cycle_.empty()) return;
        const Vertex loop = loops_.first_reached(world(), graph_.partition, result().parents);
        if (loop != kUnreached) negative_cycle_ = {loop};
    }

    const DistributedGraph& graph_;
    SsspPlan plan_;
    NegativeLoops loops_;
    HostChecks<graph500::SsspValidator> checks_;
    gpu_sssp::PreparedSsspSearch made_;  // its GPU memory is 0 if the hosts search
    std::optional<SsspTrial> trial_;
    const job::Job* job_ = nullptr;  // the job of the trial
    std::vector<Vertex> negative_cycle_;
};

/// Chooses the method again if the cores of the only rank use the method of the least estimated time. The estimates are
/// better after construction.
void choose_again(const comm::ProcessGrid& grid, const DistributedGraph& graph, SsspPlan& plan)
{
    const bool by_time = plan.graph && !plan.choice.reason.empty();
    if (!by_time || grid.world().size() > 1 || plan.engine.engine != Engine::cpu) return;
    plan.choice =
        plan::fastest_sssp_method(plan.rates.core, *plan.graph, plan::search_shape(graph), graph.block.list_order);
}

/// Whether a plan is for searches whose rounds the hosts drive, with distances on the ranks' GPUs.
bool hosts_drive(const plan::EnginePlan& plan)
{
    return plan.engine == Engine::gpu && !plan.on_device();
}

/// The options of a search by the loop over ranks, which does not have the methods of one rank alone.
algo::SsspOptions over_ranks(algo::SsspOptions options)
{
    if (plan::traits_of(options.method).one_rank) options.method = SsspMethod::automatic;
    return options;
}

/// The options of a search with 64-bit distances, for distances that the GPU cannot represent.
algo::SsspOptions in_64_bits(algo::SsspOptions options)
{
    if (const plan::SsspTraits& method = plan::traits_of(options.method); method.needs_gpu())
        options.method = method.in_64_bits;
    return options;
}

/// Why GPUs cannot search on their own with these options; empty if they can.
std::string on_gpu_obstacle(const job::Job& job, const plan::SsspMethodOptions& options)
{
    if (!options.traits().on_gpus)
        return fmt::format("--algorithm {} is not for searches on GPUs alone", options.traits().name);
    if (options.smallest_parents && options.traits().of_paper)
        return "--deterministic is not for the algorithms of papers";
    if (options.smallest_parents && options.nearest)
        return "--nearest with --deterministic is not for searches on GPUs alone";
    if (options.nearest && options.traits().of_paper) return "--nearest is not for the algorithms of papers";
    if (options.nearest && job.world().size() > 1) return "--nearest is not for searches on several GPUs alone";
    return "";
}

/// Why GPUs cannot search for shortest paths with these options; empty if they can. The hosts drive
/// the searches that GPUs do not run on their own.
std::string gpu_obstacle(const job::Job& job, const plan::SsspMethodOptions& options)
{
    const plan::SsspTraits& method = options.traits();
    if (!method.needs_gpu()) return method.one_rank ? fmt::format("--algorithm {} runs on the CPU", method.name) : "";
    return job.world().size() == 1 ? on_gpu_obstacle(job, options)
                                   : fmt::format("runs on one GPU, but {} ranks were started", job.world().size());
}

/// Why GPUs cannot search for shortest paths in this graph on their own; empty if they can.
std::string gpu_obstacle(const SsspPlan& plan, const LoadedGraph& input)
{
    std::string obstacle =
        plan::weights_obstacle(plan::traits_of(plan.choice.method), input.name, plan.weights, plan.negative_weights);
    if (!obstacle.empty()) return obstacle;
    return plan::graph_obstacle({.transports = {}, .most_vertices = kMostGpuVertices}, input.list.vertex_count).words;
}

/// The engine that the options ask for: methods and transports that need a GPU ask for it.
plan::EngineRequest gpu_request(const plan::SsspMethodOptions& options)
{
    plan::EngineRequest request = options.engine;
    if (options.traits().needs_gpu() || !request.gpu_option().empty()) request.engine = Engine::gpu;
    return request;
}

/// Whether GPUs take less time than the cores for all searches by `plan`, with their start, and why. Collective.
std::optional<std::string> reason_for_gpus(const job::Job& job, const SsspRequest& request, const SsspPlan& plan,
                                           const LoadedGraph& input)
{
    const bool suits = request.method.is_automatic() ? input.mean_degree() >= plan::kLongPathsBelowDegree
                                                     : plan.choice.method == SsspMethod::push_pull;
    if (!suits || !plan.graph || !gpu::has_cuda()) return std::nullopt;
    // More threads than these wait for the memory (bench/results/sssp-threads.json).
    constexpr int most_threads = 8;
    const plan::Rates& rates = plan.rates;
    const plan::ExpectedSearches expected = expected_searches(job, input, request.searches);
    const double core = plan::traits_of(plan.choice.method).seconds(rates.core, *plan.graph);
    const plan::EngineTimes times = plan::engine_times(rates, expected, core / std::min(expected.threads, most_threads),
                                                       plan::push_pull_seconds(rates.gpu, *plan.graph));
    return job.world().all(times.gpus_are_faster()) ? std::optional(times.in_words()) : std::nullopt;
}

/// The processors of searches by `plan`. Throws an AgreedError if the options ask for a GPU that
/// cannot search this graph. Collective.
plan::EnginePlan choose_engine(const job::Job& job, const SsspRequest& request, const SsspPlan& plan,
                               const LoadedGraph& input, const std::optional<plan::EnginePlan>& asked)
{
    if (asked && !asked->on_device()) return *asked;
    const plan::SsspMethodOptions& options = request.method;
    const plan::SsspTraits& method = options.traits();
    const std::optional<std::string> reason = asked ? std::nullopt : reason_for_gpus(job, request, plan, input);
    if (!asked && !reason) return {};
    const std::string obstacle = gpu_obstacle(plan, input);
    if (asked && !obstacle.empty()) {
        if (method.needs_gpu())
            throw AgreedError(ExitCode::bad_input, fmt::format("--algorithm {}: {}", method.name, obstacle));
        return plan::settle_plan(job, plan.request, *asked, {obstacle});
    }
    if (!obstacle.empty() || !on_gpu_obstacle(job, options).empty()) return {};
    plan::EnginePlan engine = asked ? *asked : plan::choose_plan(job, options.grid, plan.request, requirements(job));
    if (!input.list.directed) engine = plan::for_undirected(std::move(engine));
    if (!engine.on_device()) return engine;
    engine.reason = reason.value_or("");
    plan::Obstacle last_obstacle = plan::column_obstacle(engine);
    if (last_obstacle.words.empty())
        last_obstacle =
            gpu_sssp::memory_obstacle(engine, plan.choice.method, input, job.world().size(), options.nearest);
    return plan::settle_plan(job, plan.request, engine, last_obstacle);
}

/// The plan of searches on the GPU that has the edges; no value if they are copied to the host for other searches.
std::optional<SsspPlan> plan_on_gpu_of_edges(const job::Job& job, const plan::SsspMethodOptions& options,
                                             const std::optional<plan::EnginePlan>& asked, const LoadedGraph& input,
                                             const EdgeFeed& feed)
{
    if (!options.is_automatic() && options.method != SsspMethod::push_pull) return std::nullopt;
    if ((asked && !asked->on_device()) || !on_gpu_obstacle(job, options).empty()) return std::nullopt;
    if (options.smallest_parents) return std::nullopt;  // parents are chosen from edges on the host
    SsspPlan plan{.choice = {SsspMethod::push_pull},
                  .weights = feed.weight_type(),
                  .negative_weights = feed.device_edges()->negative_weights,
                  .request = gpu_request(options)};
    if (!gpu_obstacle(plan, input).empty()) return std::nullopt;
    plan.engine = asked ? *asked : plan::choose_plan(job, options.grid, plan.request, requirements(job));
    const plan::Obstacle memory = gpu_sssp::memory_obstacle(plan.engine, plan.choice.method, input, 1, options.nearest);
    if (!plan.engine.resident() || !memory.words.empty()) return std::nullopt;
    plan.on_cores = {SsspMethod::automatic};
    if (options.is_automatic()) plan.choice.reason = "the edges are in GPU memory";
    return plan;
}

}  // namespace

ListOrder SsspPlan::list_order() const
{
    return plan::traits_of(choice.method).list_order;
}

plan::SsspCase sssp_case(const job::Job& job, const plan::SsspMethodOptions& options, const LoadedGraph& input,
                         const EdgeFeed& feed, int ranks)
{
    return {.vertices = static_cast<double>(input.list.vertex_count),
            .arcs = static_cast<double>(input.edges) * (feed.directed() ? 1 : 2),
            .end_degree = estimate_end_degree(job.world(), feed) / (feed.directed() ? 2 : 1),
            .directed = feed.directed(),
            .ranks = ranks,
            .several_hosts = job.host().size() < job.world().size(),
            .windows = options.delta.has_value(),
            .nearest = options.nearest};
}

SsspPlan choose_sssp_method(const job::Job& job, const plan::SsspMethodOptions& options, const LoadedGraph& input,
                            const EdgeFeed& feed, int ranks)
{
    SsspPlan plan{.choice = {options.method},
                  .weights = feed.weight_type(),
                  .negative_weights = has_negative_weights(job.world(), feed),
                  .request = gpu_request(options)};
    const plan::SsspTraits& method = options.traits();
    run_agreed(job.world(), [&] {
        if (plan.negative_weights && !options.is_automatic() && !method.negative_weights)
            throw InputError(fmt::format("--algorithm {}: {} has negative weights, which only {} allow", method.name,
                                         input.name, plan::methods_for_negative_weights()));
        if (plan.negative_weights && options.delta)
            throw InputError(fmt::format(
                "--delta: {} has negative weights, which only bellman-ford allows, and it has no windows", input.name));
        if (plan.negative_weights && options.cuts_off)
            throw InputError(fmt::format(
                "--cutoff: {} has negative weights, with which a path may leave the cutoff and come back", input.name));
        if (method.on_cores && method.one_rank && ranks > 1)
            throw InputError(
                fmt::format("--algorithm {}: searches on one rank, but {} were started", method.name, ranks));
    });
    if (!options.is_automatic()) {
        const bool may_change_engine = plan.request.engine == Engine::automatic && gpu::has_cuda();
        if (may_change_engine && options.method == SsspMethod::push_pull && !plan.negative_weights) {
            plan.graph = sssp_case(job, options, input, feed, ranks);
            plan.rates = rates_of(job);
        }
        return plan;
    }
    if (plan.negative_weights) {
        plan.choice = {SsspMethod::bellman_ford, "some weights are negative"};
        return plan;
    }
    if (ranks == 1 && input.edges < kPushPullFromEdges) {
        plan.choice.reason = fmt::format("the graph has fewer than {} edges", kPushPullFromEdges);
        return plan;
    }
    plan.graph = sssp_case(job, options, input, feed, ranks);
    plan.rates = rates_of(job);
    plan.choice = plan::fastest_sssp_method(plan.rates.core, *plan.graph);
    // Estimates may differ in their last bits between machines.
    auto chosen = static_cast<std::int32_t>(plan.choice.method);
    job.world().broadcast(std::span(&chosen, 1), 0);
    plan.choice.method = static_cast<SsspMethod>(chosen);
    return plan;
}

std::optional<plan::EnginePlan> asked_engine(const job::Job& job, const plan::SsspMethodOptions& options)
{
    plan::require_grid_of_all_ranks(job, options.grid);
    plan::EngineRequest request = gpu_request(options);
    // A transport is asked of GPUs; with mpi and host, cores do if there are none.
    if (request.engine == Engine::automatic && request.transport == Transport::automatic) return std::nullopt;
    if (request.engine == Engine::cpu) return plan::EnginePlan();
    const plan::SsspTraits& method = options.traits();
    const std::string of_method = gpu_obstacle(job, options);
    run_agreed(job.world(), [&] {
        const std::string option =
            method.needs_gpu() ? fmt::format("--algorithm {}", method.name) : std::string(options.engine.gpu_option());
        if (!option.empty() && !of_method.empty()) throw InputError(fmt::format("{}: {}", option, of_method));
        if (method.needs_gpu()) plan::require_gpu_for(option);
        if (method.needs_gpu() && request.transport == Transport::host)
            throw InputError(fmt::format("--transport host: --algorithm {} runs on one GPU alone", method.name));
    });
    if (!of_method.empty()) return std::nullopt;  // the cores search
    if (const std::string obstacle = on_gpu_obstacle(job, options); !obstacle.empty()) {
        run_agreed(job.world(), [&] {
            if (const std::string_view option = request.transport_option(); !option.empty())
                throw InputError(fmt::format("{}: {}", option, obstacle));
        });
        request.transport = Transport::host;
    }
    return plan::choose_plan(job, options.grid, request, requirements(job));
}

SsspPlan plan_sssp(const job::Job& job, const SsspRequest& request, const std::optional<plan::EnginePlan>& asked,
                   const LoadedGraph& input, const EdgeFeed& feed)
{
    const plan::SsspMethodOptions& options = request.method;
    if (feed.device_edges() != nullptr)
        if (std::optional<SsspPlan> plan = plan_on_gpu_of_edges(job, options, asked, input, feed)) return *plan;
    SsspPlan plan = choose_sssp_method(job, options, input, feed, job.world().size());
    plan.engine = choose_engine(job, request, plan, input, asked);
    plan.on_cores = plan.choice;
    if (plan.engine.on_device() && options.is_automatic())
        plan.choice = {SsspMethod::push_pull, asked ? reason_on_gpus(input.mean_degree()) : plan.engine.reason};
    return plan;
}

std::optional<SsspPlan> plan_kron_sssp(const job::Job& job, const plan::SsspMethodOptions& options,
                                       const std::optional<plan::EnginePlan>& asked, const KronGraph& graph)
{
    const bool automatic = options.is_automatic();
    if (!automatic && options.method != SsspMethod::push_pull) return std::nullopt;
    if (graph.vertices() > kMostGpuVertices || !on_gpu_obstacle(job, options).empty()) return std::nullopt;
    const double degree = 2 * static_cast<double>(graph.tuples) / static_cast<double>(graph.vertices());
    const bool suits =
        degree >= plan::kLongPathsBelowDegree && (job.world().size() > 1 || graph.tuples >= kKronGpuFromEdges);
    if (!asked && automatic && !suits) return std::nullopt;

    const plan::EngineRequest request = gpu_request(options);
    plan::EnginePlan engine = asked ? *asked : plan::choose_plan(job, options.grid, request, requirements(job));
    engine = plan::for_undirected(std::move(engine));
    if (!engine.on_device() || engine.several_columns) return std::nullopt;
    const plan::Obstacle obstacle = gpu_sssp::kron_obstacle(engine, graph, job.world().size());
    if (!asked && !obstacle.words.empty()) return std::nullopt;
    SsspPlan plan{.choice = {SsspMethod::push_pull},
                  .request = request,
                  .engine = plan::settle_plan(job, request, std::move(engine), obstacle)};
    if (!plan.engine.on_device()) return std::nullopt;
    if (automatic) plan.choice.reason = reason_on_gpus(degree);
    return plan;
}

std::unique_ptr<SsspSearches> prepare_kron_sssp(const comm::ProcessGrid& grid, const KronGraph& graph,
                                                const SsspPlan& plan, const algo::SsspOptions& options)
{
    return gpu_sssp::make_kron(grid, graph, plan, options);
}

std::unique_ptr<SsspSearches> prepare_sssp(const job::Job& job, const ConstructedGraph& constructed,
                                           const SsspPlan& planned, algo::SsspOptions options)
{
    const comm::ProcessGrid& grid = constructed.grid;
    const DistributedGraph& graph = constructed.graph;
    SsspPlan plan = planned;
    if (plan.engine.on_device()) {
        const plan::Obstacle obstacle = gpu_sssp::share_obstacle(plan.engine, grid, graph);
        if (!obstacle.words.empty()) {
            plan.engine = plan::settle_plan(job, plan.request, std::move(plan.engine), obstacle);
            plan.choice = plan.on_cores;
        }
    }
    choose_again(grid, graph, plan);
    options.method = plan.choice.method;
    if (!plan.engine.on_device())
        require_memory(job, host_sssp_bytes(grid, graph, options.method), "searching for shortest paths");
    const auto on_hosts = [&grid, &graph, options = in_64_bits(options)] {
        return make_host_sssp(grid, graph, options);
    };
    gpu_sssp::PreparedSsspSearch made;
    if (plan.engine.on_device())
        made = gpu_sssp::make(grid, graph, plan.engine, options, on_hosts);
    else if (hosts_drive(plan.engine))
        made = gpu_sssp::make_grid(grid, graph, over_ranks(options), plan.engine.free_bytes);
    else
        made.search = on_hosts();
    std::optional<SsspTrial> trial = make_trial(grid, graph, plan.choice, options);
    auto searches = std::make_unique<HostSssp>(constructed, std::move(plan), std::move(made));
    if (trial) searches->add_trial(*std::move(trial), job);
    return searches;
}

bool gpu_constructs_sssp(const comm::ProcessGrid& grid, const EdgeFeed& feed, const SsspPlan& plan,
                         const algo::SsspOptions& options)
{
    return !plan.negative_weights && gpu_sssp::constructs(grid, feed, plan.engine, options);
}

std::unique_ptr<SsspSearches> prepare_constructed_sssp(const job::Job& job, PreparedGraph& prepared,
                                                       const SsspPlan& plan, const algo::SsspOptions& options)
{
    const comm::ProcessGrid& grid = *prepared.grid;
    prepared.graph = std::make_unique<DistributedGraph>(graph_without_edges(*prepared.feed));
    const auto on_hosts = [&job, &prepared, host_options = in_64_bits(options), order = plan.list_order()] {
        add_lists(job, prepared, order);
        return make_host_sssp(*prepared.grid, *prepared.graph, host_options);
    };
    gpu_sssp::PreparedSsspSearch made;
    const bool fits = construct_on_gpu(
        job, [&] { made = gpu_sssp::make_constructed(grid, *prepared.graph, *prepared.feed, options, on_hosts); });
    prepared.lists_on_gpu = fits && made.search != nullptr;
    if (!prepared.lists_on_gpu) return nullptr;
    return std::make_unique<HostSssp>(prepared.constructed(), plan, std::move(made));
}

bool needs_no_construction(const job::Job& job, const SsspRequest& request, const SsspPlan& plan, const EdgeFeed& feed)
{
    // One thread makes the lists of edges, but all threads construct a graph. At scale 20, a single search takes
    // 0.97 s on one thread and 0.84 on two, instead of 3.2 and 1.7 (bench/results/single-search-threads.json).
    constexpr int most_threads = 3;
    const plan::SsspMethodOptions& options = request.method;
    const bool on_cores =
        plan.engine.engine == Engine::cpu && job.world().size() == 1 && thread_count() <= most_threads;
    const bool suits = searches_on_one_rank(options.method) && !plan.negative_weights;
    return request.single_result && !request.validate && on_cores && suits && feed.vertex_count() <= kMostGpuVertices;
}

std::unique_ptr<SsspSearches> prepare_single_sssp(const job::Job& job, const ConstructedGraph& constructed,
                                                  SsspPlan plan, algo::SsspOptions options)
{
    if (!searches_on_one_rank(plan.choice.method))
        plan.choice = {SsspMethod::automatic, "a single search does not repay a constructed graph"};
    options.method = plan.choice.method;
    gpu_sssp::PreparedSsspSearch made;
    made.search = run_agreed(job.world(), [&] { return make_host_sssp(constructed.feed, options); });
    return std::make_unique<HostSssp>(constructed, std::move(plan), std::move(made));
}

}  // namespace wayfront::session
