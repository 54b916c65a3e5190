#include "algo/sssp/grid_sssp.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "algo/sssp/host_steps.hpp"
#include "algo/sssp/push_pull_rules.hpp"
#include "algo/sssp/sssp_loop.hpp"
#include "algo/sssp/weight_sample.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "graph/end_degree.hpp"

namespace wayfront::algo {

namespace {

constexpr std::size_t kSerialBelow = 1 << 14;

// The width of windows of delta-stepping, in mean weights divided by the mean degree. All ranks exchange the changed
// distances in each round, so that windows should have many edges.
constexpr double kDeltaSteppingWidth = 32;

/// The facts of all ranks' weights from which the method and the width of its windows are chosen.
struct WeightFacts
{
    double mean = 0;
    double sum = 0;         // the sum of the weights of all arcs
    bool negative = false;  // whether any weight is negative
};

/// Reads all weights. Collective over the world.
WeightFacts weight_facts(const comm::Communicator& world, const CsrBlock& block)
{
    double sum = 0;
    bool negative = false;
    std::visit(
        [&](const auto& weights) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>) {
#pragma omp parallel for reduction(+ : sum) reduction(|| : negative) if (weights.size() >= kSerialBelow)
                for (std::size_t i = 0; i < weights.size(); ++i) {
                    sum += static_cast<double>(weights[i]);
                    negative = negative || weights[i] < 0;
                }
            }
        },
        block.in_weights);
    std::array<double, 2> sums{sum, static_cast<double>(block.in_edges.edges())};
    world.all_reduce(std::span<double>(sums), comm::Reduction::sum);
    return {sums[0] / std::max(1.0, sums[1]), sums[0], world.any(negative)};
}

SsspMethod choose_method(const SsspOptions& options, const CsrBlock& block, const WeightFacts& weights)
{
    const bool by_weight = block.list_order == ListOrder::weights;
    switch (options.method) {
        case SsspMethod::automatic:
            if (weights.negative) return SsspMethod::bellman_ford;
            return by_weight ? SsspMethod::push_pull : SsspMethod::delta_stepping;
        case SsspMethod::push_pull:
            if (!by_weight) throw InputError("the push-pull method needs lists that are sorted by weight");
            break;
        case SsspMethod::dijkstra:
            throw InputError("Dijkstra's algorithm searches on one rank only");
        default:
            break;
    }
    if (weights.negative && options.method != SsspMethod::bellman_ford)
        throw InputError("the graph has negative weights, which only the Bellman-Ford algorithm allows");
    return options.method;
}

/// The sums of the degrees of all ranks. Collective over the world.
DegreeSums degrees_of(const comm::Communicator& world, const CsrBlock& block)
{
    const DegreeSums own = sum_degrees(block.out_degrees.span());
    std::array<double, 3> sums{own.vertices, own.edges, own.squares};
    world.all_reduce(std::span<double>(sums), comm::Reduction::sum);
    return {sums[0], sums[1], sums[2]};
}

/// A sample of the weights of all ranks. Collective over the world.
std::vector<double> sample_of_all_ranks(const comm::Communicator& world, const CsrBlock& block)
{
    constexpr std::size_t of_all_ranks = 1 << 16;
    const std::size_t most = std::max<std::size_t>(1, of_all_ranks / static_cast<std::size_t>(world.size()));
    std::vector<double> own;
    std::visit(
        [&](const auto& weights) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>) {
                own = sample_weights(weights.size(), most, static_cast<std::uint64_t>(world.rank()),
                                     [&weights](std::size_t i) { return weights[i]; });
            }
        },
        block.in_weights);
    if (world.size() == 1) return own;
    const std::vector<std::size_t> counts = world.all_gather(own.size());
    std::vector<double> all(std::reduce(counts.begin(), counts.end()));
    world.all_gather_v(std::span<const double>(own), counts, std::span<double>(all));
    return all;
}

/// Collective over the world.
double push_pull_width(const comm::Communicator& world, const CsrBlock& block, const WeightFacts& weights)
{
    const double degree = degrees_of(world, block).mean_at_ends();
    std::vector<double> sample = sample_of_all_ranks(world, block);
    const double at_share = sample.empty() ? 0 : weight_at_share(sample, window_share(degree));
    return window_width(degree, weights.mean, at_share);
}

double choose_delta(SsspMethod method, const comm::Communicator& world, const CsrBlock& block,
                    const WeightFacts& weights)
{
    if (method == SsspMethod::push_pull) return push_pull_width(world, block, weights);
    return kDeltaSteppingWidth * weights.mean / degrees_of(world, block).mean();
}

/// Runs searches with one type of distances.
class SsspRunner
{
public:
    SsspRunner() = default;
    SsspRunner(const SsspRunner&) = delete;
    SsspRunner& operator=(const SsspRunner&) = delete;
    virtual ~SsspRunner() = default;
    [[nodiscard]] virtual bool run(std::span<const Vertex> sources, bool nearest, SsspResult& result) = 0;
    virtual void fetch(SsspResult& result) = 0;
    [[nodiscard]] virtual bool shares_memory() const = 0;
};

template <typename D>
class TypedSsspRunner final : public SsspRunner
{
public:
    TypedSsspRunner(const comm::ProcessGrid& grid, const DistributedGraph& graph, std::unique_ptr<SsspSteps<D>> steps,
                    const SsspPlan& plan)
        : steps_(std::move(steps)), loop_(grid, graph, *steps_, plan)
    {
    }
    [[nodiscard]] bool run(std::span<const Vertex> sources, bool nearest, SsspResult& result) override
    {
        return loop_.run(sources, nearest, result);
    }
    void fetch(SsspResult& result) override { loop_.fetch(result); }
    [[nodiscard]] bool shares_memory() const override { return steps_->shares_memory(); }

private:
    std::unique_ptr<SsspSteps<D>> steps_;
    SsspLoop<D> loop_;
};

class GridSssp final : public SsspSearch
{
public:
    GridSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspOptions& options,
             SsspStepsMaker make_steps)
        : grid_(grid),
          graph_(graph),
          make_steps_(std::move(make_steps)),
          narrow_(weight_type(graph.block.in_weights) == WeightType::uint32)
    {
        const WeightFacts weights = weight_facts(grid.world(), graph.block);
        plan_.method = choose_method(options, graph.block, weights);
        plan_.delta = options.delta.value_or(choose_delta(plan_.method, grid.world(), graph.block, weights));
        plan_.cutoff = options.cutoff;
        plan_.negative_weights = weights.negative;
        plan_.weight_sum = weights.sum;
        plan_.smallest_parents = options.smallest_parents;
        plan_.log = options.log;
        result_.parents = VertexArray(graph.local_count(), graph.partition.vertex_count());
        result_.method = plan_.method;
        prepare();
    }

    void run(Vertex source) override { run_from(std::span(&source, 1), false); }
    void run_nearest(std::span<const Vertex> sources) override { run_from(sources, true); }
    [[nodiscard]] const SsspResult& result() const override;
    [[nodiscard]] std::string description() const override;

private:
    void run_from(std::span<const Vertex> sources, bool nearest);
    void prepare()
    {
        runner_.reset();
        AnySsspSteps any = make_steps_(plan_.method, narrow_);
        std::visit(
            [this]<typename D>(std::unique_ptr<SsspSteps<D>>& steps) {
                runner_ = std::make_unique<TypedSsspRunner<D>>(grid_, graph_, std::move(steps), plan_);
            },
            any);
    }
    void narrow_distances() const;
    [[noreturn]] void throw_too_long() const { throw_distance_does_not_fit(weight_type(graph_.block.in_weights)); }

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    SsspStepsMaker make_steps_;
    SsspPlan plan_;
    // Whether whole numbers have 32 bits; after the first sum that does not fit they have 64.
    bool narrow_;
    std::unique_ptr<SsspRunner> runner_;
    // Distances and parents are complete after a call of result().
    mutable SsspResult result_;
    mutable bool complete_ = true;
};

void GridSssp::run_from(std::span<const Vertex> sources, bool nearest)
{
    for (const Vertex source : sources) graph_.partition.require(source);
    if (!runner_->run(sources, nearest, result_)) {
        if (!narrow_) throw_too_long();
        narrow_ = false;
        prepare();
        if (!runner_->run(sources, nearest, result_)) throw_too_long();
    }
    complete_ = !result_.negative_cycle.empty();
}

const SsspResult& GridSssp::result() const
{
    if (std::exchange(complete_, true)) return result_;
    runner_->fetch(result_);
    narrow_distances();
    return result_;
}

/// Gives whole numbers 32 bits if all of them fit.
void GridSssp::narrow_distances() const
{
    const auto* const wide = std::get_if<HostBuffer<std::int64_t>>(&result_.distances);
    if (wide == nullptr) return;
    bool fits = true;
#pragma omp parallel for reduction(&& : fits) if (wide->size() >= kSerialBelow)
    for (std::size_t i = 0; i < wide->size(); ++i)
        fits = fits && ((*wide)[i] == unreached<std::int64_t>() ||
                        ((*wide)[i] >= 0 && (*wide)[i] < std::int64_t{unreached<std::uint32_t>()}));
    if (!grid_.world().all(fits)) return;
    HostBuffer<std::uint32_t> distances(wide->size());
    parallel_for(wide->size(), kSerialBelow, [&](std::size_t i) {
        distances[i] = (*wide)[i] == unreached<std::int64_t>() ? unreached<std::uint32_t>()
                                                               : static_cast<std::uint32_t>((*wide)[i]);
    });
    result_.distances = std::move(distances);
}

std::string GridSssp::description() const
{
    const auto window = [this](std::string_view unit) {
        std::array<char, 32> delta{};
        std::snprintf(delta.data(), delta.size(), "%.6g", plan_.delta);
        return std::string(unit) + " of width " + delta.data();
    };
    const std::string memory = runner_->shares_memory() ? ", in shared memory" : "";
    switch (plan_.method) {
        case SsspMethod::push_pull:
            return "push-pull in " + window("windows") + memory;
        case SsspMethod::delta_stepping:
            return "delta-stepping with " + window("buckets") + memory;
        default:
            return "Bellman-Ford" + memory;
    }
}

}  // namespace

std::unique_ptr<SsspSearch> make_grid_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                           const SsspOptions& options, SsspStepsMaker make_steps)
{
    return std::make_unique<GridSssp>(grid, graph, options, std::move(make_steps));
}

std::unique_ptr<SsspSearch> make_grid_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                           const SsspOptions& options, SsspEngineMaker make_engine)
{
    return make_grid_sssp(grid, graph, options,
                          SsspStepsMaker([&grid, &graph, chosen = options, make_engine = std::move(make_engine)](
                                             SsspMethod method, bool narrow) mutable -> AnySsspSteps {
                              chosen.method = method;
                              AnySsspEngine any = make_engine(graph.block, narrow);
                              return std::visit(
                                  [&]<typename D>(std::unique_ptr<SsspEngine<D>>& engine) -> AnySsspSteps {
                                      return std::make_unique<HostSteps<D>>(grid, graph, std::move(engine), chosen);
                                  },
                                  any);
                          }));
}

}  // namespace wayfront::algo
