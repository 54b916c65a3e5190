#include "session/kernel1.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph/generators/kron.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "session/bfs/gpu_bfs.hpp"

namespace wayfront::session {

namespace {

/// The steps of kernel 1. All member functions are collective.
class Construction
{
public:
    Construction(const job::Job& job, const GraphOptions& graph, const Kernel1Options& options, PhaseLog* log)
        : job_(job), world_(job.world()), graph_(graph), options_(options), kernels_(options.kernels), log_(log)
    {
    }

    std::unique_ptr<Kernel1> run(plan::EnginePlan plan)
    {
        made_->plan = plan::for_undirected(std::move(plan));
        const bool gpus_may_construct =
            kernels_.sssp ? !kernels_.bfs || options_.asks_gpus_for_sssp() : made_->plan.on_device();
        if (gpus_may_construct) {
            const std::optional<KronGraph> kron = kron_graph();
            if (kron && settle_gpus(*kron)) {
                construct_on_gpus(*kron);
                return std::move(made_);
            }
            if (kernels_.bfs && kernels_.sssp) fail_for_both_kernels(kron.has_value());
        }
        construct_on_hosts();
        return std::move(made_);
    }

private:
    /// The graph, if it is a Kronecker graph that GPUs construct; otherwise no value.
    [[nodiscard]] std::optional<KronGraph> kron_graph() const
    {
        if (!looks_like_spec(graph_.graph)) return std::nullopt;
        return run_agreed(world_, [&]() -> std::optional<KronGraph> {
            const std::unique_ptr<EdgeSource> source = make_edge_source(graph_.graph, graph_.seeds);
            const auto* const kron = dynamic_cast<const KronSource*>(source.get());
            if (kron == nullptr) return std::nullopt;
            return KronGraph{kron->parameters(), kron->edge_count()};
        });
    }

    [[nodiscard]] plan::Obstacle kron_obstacle(const KronGraph& kron) const
    {
        const plan::Obstacle obstacle = plan::graph_obstacle(bfs_requirements(), kron.vertices());
        return obstacle.words.empty() ? gpu_bfs::kron_obstacle(made_->plan, kron, world_.size()) : obstacle;
    }

    /// Decides whether GPUs construct the graph for all kernels that search it. If so, settles the
    /// plans of breadth-first searches and of shortest paths.
    bool settle_gpus(const KronGraph& kron)
    {
        if (kernels_.bfs) {
            if (!made_->plan.on_device() || made_->plan.several_columns) return false;
            made_->plan = plan::settle_plan(job_, options_.search.engine, made_->plan, kron_obstacle(kron));
            if (!made_->plan.on_device()) return false;
        }
        if (!kernels_.sssp) return true;
        std::optional<SsspPlan> sssp = plan_kron_sssp(job_, options_.sssp, options_.asked_sssp, kron);
        if (sssp) sssp_plan_ = std::move(*sssp);
        return sssp.has_value();
    }

    /// The searches for both kernels were asked of GPUs, which cannot construct the graph for both.
    void fail_for_both_kernels(bool is_kron) const
    {
        run_agreed(world_, [&] {
            if (!is_kron)
                throw InputError(fmt::format(
                    "--engine gpu: GPUs construct Kronecker graphs only for both kernels, but not {}; search with "
                    "--kernel bfs or --kernel sssp",
                    graph_.graph));
            if (made_->plan.several_columns)
                throw InputError(
                    "--grid: for both kernels, GPUs construct the graph on a grid of one column or of one row; search "
                    "with --kernel bfs or --kernel sssp");
            throw ResourceError(fmt::format(
                "--engine gpu: these GPUs cannot construct {} for both kernels; search with --kernel bfs or --kernel "
                "sssp",
                graph_.graph));
        });
    }

    [[nodiscard]] algo::BfsOptions bfs_options() const
    {
        return {.direction = options_.search.policy_on(made_->plan, world_.size()),
                .exchange = options_.search.exchange,
                .stretches = options_.search.overlaps(job_),
                .log = log_};
    }

    void construct_on_gpus(const KronGraph& kron)
    {
        const plan::EnginePlan& plan = kernels_.bfs ? made_->plan : sssp_plan_.engine;
        const comm::ProcessGrid& grid = made_->grid.emplace(world_, options_.search.settled_grid(job_, plan));
        made_->input.name = graph_.graph;
        made_->input.format = "generated";
        made_->input.edges = kron.tuples;
        made_->input.list.vertex_count = kron.vertices();
        made_->input.list.directed = false;
        made_->key_range = kron.vertices();
        made_->construction_seconds = seconds_of(world_, log_, "construct", [&] {
            job::Progress progress(job_, "construct");
            progress.begin("on the GPUs", 0);
            if (kernels_.bfs) made_->bfs = gpu_bfs::make_kron(grid, kron, made_->plan, bfs_options());
            if (kernels_.sssp) construct_sssp_on_gpus(kron);
        });
        made_->peak_bytes = world_.all_reduce(static_cast<std::int64_t>(peak_bytes_of_gpu()), comm::Reduction::sum);
    }

    /// sssp_plan_ was made before the graph of breadth-first searches, if any, was constructed.
    void construct_sssp_on_gpus(const KronGraph& kron)
    {
        if (made_->bfs) {
            std::optional<plan::EnginePlan> rest = sssp_plan_.engine;
            rest->free_bytes = plan::free_for_each(job_, rest->ranks_a_gpu);
            sssp_plan_ = plan_kron_sssp(job_, options_.sssp, rest, kron).value();
        }
        made_->sssp = prepare_kron_sssp(
            *made_->grid, kron, sssp_plan_,
            {.method = sssp_plan_.choice.method, .delta = options_.sssp.delta, .phase_times = {}, .log = log_});
        made_->list_order = sssp_plan_.list_order();
    }

    /// The most bytes of device memory that this rank's construction took at a time.
    [[nodiscard]] std::size_t peak_bytes_of_gpu() const
    {
        std::size_t peak = 0;
        std::size_t lasting = 0;  // device memory that breadth-first searches keep
        if (made_->bfs) {
            const BfsFacts facts = made_->bfs->facts();
            peak = facts.construction_peak_bytes;
            lasting = facts.graph_bytes + facts.state_bytes;
        }
        return made_->sssp ? std::max(peak, lasting + made_->sssp->facts().construction_peak_bytes) : peak;
    }

    [[nodiscard]] LoadedGraph edge_list() const
    {
        LoadedGraph input = load_graph(job_, graph_, kernels_.sssp);
        run_agreed(world_, [&] {
            if (input.list.directed)
                throw InputError(fmt::format("{}: is a directed graph; graph500 searches undirected ones", input.name));
            if (input.edges == 0) throw InputError(fmt::format("{}: has no edges", input.name));
            if (kernels_.sssp && !input.list.weighted())
                throw InputError(fmt::format(
                    "{}: has no weights, which shortest paths need; wayfront {} {} -o NAME.tuples --weights float "
                    "makes a file with weights",
                    input.name, input.format == "generated" ? "generate" : "convert", input.name));
        });
        if (!kernels_.sssp) input.list.weights = {};
        return input;
    }

    /// Chooses the method and the processors of shortest paths. Throws an AgreedError if a weight is
    /// negative.
    [[nodiscard]] SsspPlan plan_without_negative_weights() const
    {
        SsspPlan plan =
            plan_sssp(job_, {.method = options_.sssp, .cutoff = {}}, options_.asked_sssp, made_->input, *made_->feed);
        run_agreed(world_, [&] {
            if (plan.negative_weights)
                throw InputError(fmt::format(
                    "{}: has negative weights; in an undirected graph, each of these edges is a cycle of negative "
                    "length",
                    made_->input.name));
        });
        return plan;
    }

    /// Returns the grid of all kernels. GPUs search for shortest paths on one of one column only: on another one,
    /// settles their plan anew.
    comm::GridShape settle_grid()
    {
        if (!kernels_.bfs) return options_.search.settled_grid(job_, sssp_plan_.engine);
        const comm::GridShape grid = options_.search.settled_grid(job_, made_->plan);
        plan::EnginePlan& engine = sssp_plan_.engine;
        if (kernels_.sssp && grid.columns > 1 && engine.on_device()) {
            engine.several_columns = true;
            engine = plan::settle_plan(job_, sssp_plan_.request, engine, plan::column_obstacle(engine));
            sssp_plan_.choice = sssp_plan_.on_cores;
            made_->list_order = sssp_plan_.list_order();
        }
        return grid;
    }

    void construct_on_hosts()
    {
        made_->load_seconds = seconds_of(world_, log_, "load", [&] { made_->input = edge_list(); });
        const LoadedGraph& input = made_->input;
        const WeightType weights = kernels_.sssp ? choose_weight_type(world_, input.list) : WeightType::none;
        made_->feed = std::make_unique<ListFeed>(input.list, weights);
        if (kernels_.bfs) made_->plan = settle_bfs(job_, options_.search, made_->plan, input);
        if (kernels_.sssp) {
            sssp_plan_ = plan_without_negative_weights();
            made_->list_order = sssp_plan_.list_order();
        }
        made_->grid.emplace(world_, settle_grid());
        require_construction_memory(job_, made_->grid->shape(), input, made_->plan, weights);
        const auto vertices = static_cast<std::uint64_t>(input.list.vertex_count);
        const bool tuples = input.format == "Graph500 tuples";
        made_->key_range = static_cast<Vertex>(tuples ? std::bit_ceil(vertices) : vertices);

        const job::PeakMemory memory;
        session::construct_on_hosts(job_, *made_,
                                    {.list_order = made_->list_order, .find_vertex_count = true, .log = log_},
                                    [this] { prepare_on_hosts(); });
        const std::int64_t peak = memory.grown_bytes().value_or(-1);
        if (world_.all(peak >= 0)) made_->peak_bytes = world_.all_reduce(peak, comm::Reduction::sum);
    }

    void prepare_on_hosts()
    {
        if (kernels_.bfs) made_->bfs = prepare_bfs(made_->constructed(), made_->plan, bfs_options());
        if (kernels_.sssp)
            made_->sssp = prepare_sssp(job_, made_->constructed(), sssp_plan_,
                                       {.method = sssp_plan_.choice.method,
                                        .delta = options_.sssp.delta,
                                        .phase_times = options_.sssp.phase_times,
                                        .log = log_});
    }

    const job::Job& job_;
    const comm::Communicator& world_;
    const GraphOptions& graph_;
    const Kernel1Options& options_;
    Kernels kernels_;
    PhaseLog* log_;
    SsspPlan sssp_plan_;
    std::unique_ptr<Kernel1> made_ = std::make_unique<Kernel1>();
};

}  // namespace

std::unique_ptr<Kernel1> run_kernel1(const job::Job& job, const GraphOptions& graph, const Kernel1Options& options,
                                     plan::EnginePlan plan, PhaseLog* log)
{
    return Construction(job, graph, options, log).run(std::move(plan));
}

}  // namespace wayfront::session
