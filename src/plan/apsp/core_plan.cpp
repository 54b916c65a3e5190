#include "plan/apsp/core_plan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "algo/apsp/converted_rows.hpp"
#include "algo/apsp/row_combination.hpp"
#include "base/error.hpp"
#include "cpu/apsp/bit_parallel.hpp"
#include "cpu/apsp/combined_rows.hpp"
#include "cpu/apsp/dijkstra_rows.hpp"
#include "cpu/apsp/elimination_rows.hpp"
#include "cpu/apsp/floyd_warshall.hpp"
#include "cpu/apsp/min_plus.hpp"
#include "plan/apsp/elimination.hpp"

namespace wayfront::plan {

namespace {

using algo::DistanceType;

// Times on one core of a server of 2024, for estimates.
constexpr double kDijkstraArcSeconds = 8e-9;      // per arc and source
constexpr double kDijkstraVertexSeconds = 40e-9;  // per vertex and source
// Of Floyd-Warshall in 4-byte types, with vectors of 32 bytes.
constexpr double kRelaxationSeconds = 1 / 25e9;
constexpr double kWideRelaxationSeconds = 1 / 50e9;  // with vectors of 64 bytes
constexpr double kSetSeconds = 5e-9;                 // per arc, level and 512 sources
constexpr double kUsualLevels = 8;

/// How many times as fast Floyd-Warshall has to be before it is chosen for floats: it rounds sums
/// in another order than a search from a source.
constexpr double kWorthOtherRoundings = 4;

constexpr double kBatchBytes = 1 << 22;

double vertices_of(const DistributedGraph& graph)
{
    return static_cast<double>(graph.partition.vertex_count());
}

double dijkstra_seconds(const ApspMachine& machine, const ApspWork& work, const DistributedGraph& graph)
{
    const double a_source = kDijkstraArcSeconds * static_cast<double>(graph.directed_edges) + kDijkstraVertexSeconds * vertices_of(graph);
    return static_cast<double>(work.sources) * a_source / machine.threads;
}

/// The time of combined rows: the time of the searches, whose share of the rows grows with the
/// degree, and the time of combining.
double combined_seconds(const ApspMachine& machine, const ApspWork& work, const DistributedGraph& graph)
{
    const double n = std::max(1.0, vertices_of(graph));
    constexpr double combining = 0.15;
    const double share = std::min(1.0, combining + algo::expected_searched_share(static_cast<double>(graph.directed_edges) / n, graph.directed));
    // Of all vertices.
    return share * dijkstra_seconds(machine, work, graph) * n / std::max(1.0, static_cast<double>(work.sources));
}

double floyd_warshall_seconds(const ApspMachine& machine, const DistributedGraph& graph, DistanceType type)
{
    const double width = static_cast<double>(bytes_of(type)) / 4;
    const double relaxation = machine.wide_vectors ? kWideRelaxationSeconds : kRelaxationSeconds;
    return std::pow(vertices_of(graph), 3) * relaxation * width / machine.threads;
}

double bit_parallel_seconds(const ApspMachine& machine, const ApspWork& work, const DistributedGraph& graph)
{
    constexpr double sources = 512;
    return kSetSeconds * static_cast<double>(graph.directed_edges) * kUsualLevels * static_cast<double>(work.sources) / sources / machine.threads;
}

double floyd_warshall_bytes(const job::Job& job, const ApspWork& work, const DistributedGraph& graph, const ApspPlan& plan)
{
    const double rows_of_rank = std::ceil(static_cast<double>(work.sources) / job.world().size());
    return cpu::floyd_warshall_bytes(vertices_of(graph), work.weights,
                                     {.type = plan.type, .parents = work.parents, .most_distance = plan.most_distance, .tile = 0}, matrix_shape(job),
                                     rows_of_rank);
}

/// Throws InputError if an option names a method that does not suit the work.
void check_method(const job::Job& job, ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph)
{
    const ApspMethod method = plan.method;
    const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("--algorithm {}: {}", name_of(method), why)); };
    if (method != ApspMethod::floyd_warshall && work.negative_weights)
        refuse(fmt::format("{} has negative weights, which only floyd-warshall allows", work.name));
    if (method == ApspMethod::bit_parallel && work.weights != WeightType::none)
        refuse(fmt::format("{} has weights; it is for graphs without weights", work.name));
    if (method == ApspMethod::elimination)
        if (const std::string obstacle = eliminate_for(plan, work, graph, generous_limits(plan.machine)); !obstacle.empty()) refuse(obstacle);
    if (method != ApspMethod::combined) return;
    if (work.checkpoint) refuse("--checkpoint is not possible: the first row is done when all are");
    if (!plan.whole) refuse(fmt::format("the weights of {} are floats, whose sums would be rounded in another order", work.name));
    if (const int ranks = job.world().size(); ranks > 1) refuse(fmt::format("it runs on one rank, but {} were started", ranks));
}

/// The type of the matrix of combined rows: all distances fit it, also those in rows that are not
/// wanted.
DistanceType type_of_combined(const ApspPlan& plan)
{
    return plan.most_distance <= algo::most_whole_distance(plan.type) ? plan.type : algo::smallest_whole_type(plan.most_distance, false);
}

/// Whether all rows can be combined from those of some sources, and the matrix fits half of the
/// free memory. In denser graphs, hardly any row follows from others.
bool can_combine(const job::Job& job, const ApspWork& work, const DistributedGraph& graph, const ApspPlan& plan)
{
    constexpr double most_degree = 16;
    const double n = vertices_of(graph);
    const double matrix_bytes = n * n * static_cast<double>(bytes_of(plan.type));
    return plan.whole && static_cast<double>(work.sources) == n && job.world().size() == 1 && !work.parents && !work.checkpoint &&
           plan.most_distance <= algo::most_whole_distance(plan.type) && static_cast<double>(graph.directed_edges) <= most_degree * n &&
           2 * matrix_bytes < plan.machine.bytes.value_or(0);
}

/// The bytes of a rank, besides the graph.
double bytes_of_plan(const job::Job& job, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan)
{
    const double n = vertices_of(graph);
    const auto row_bytes = static_cast<double>(bytes_of(plan.type) + (work.parents ? sizeof(std::int32_t) : 0));
    const int threads = plan.machine.threads_of_rank;
    double bytes = 64 * static_cast<double>(work.sources);  // sources, and facts of their rows
    if (plan.method == ApspMethod::floyd_warshall) return bytes + floyd_warshall_bytes(job, work, graph, plan);
    if (plan.method == ApspMethod::elimination) {
        constexpr double lanes = 16;
        const double rows = work.rows ? std::max(kBatchBytes, lanes * n * row_bytes * threads) : 0;
        return bytes + static_cast<double>(plan.elimination->bytes()) + cpu::elimination_rows_bytes(n, plan.elimination->height, threads) + rows;
    }
    if (plan.method == ApspMethod::dijkstra || plan.method == ApspMethod::combined) {
        if (plan.method == ApspMethod::combined) bytes += n * n * static_cast<double>(bytes_of(type_of_combined(plan))) + kBatchBytes;
        const double rows = work.rows ? kBatchBytes + n * row_bytes * threads : 0;
        return bytes + cpu::dijkstra_rows_bytes(n, static_cast<double>(graph.directed_edges), threads) + rows;
    }
    // The number of sources at once that memory allows, at most the number of sources.
    const double share = plan.machine.bytes.value_or(1e300) / 2;
    const double sources_of_a_thread = std::ceil(static_cast<double>(work.sources) / plan.machine.threads);
    double searches = 0;
    for (const std::size_t sources : {std::size_t{512}, std::size_t{256}, std::size_t{64}}) {
        plan.sources_a_thread = sources;
        searches = cpu::bit_parallel_bytes(n, sources) + (work.rows ? n * row_bytes * static_cast<double>(sources) : 0);
        searches *= threads;
        const bool too_many = static_cast<double>(sources) >= 2 * std::max(64.0, sources_of_a_thread);
        if (searches < share && !too_many) break;
    }
    return bytes + searches;
}

/// Chooses elimination if it takes less than the `seconds` of the method that was chosen, and the
/// memory suffices. Elimination is tried, because the number of arcs that it adds is not known
/// before.
void try_elimination(const job::Job& job, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan, double seconds)
{
    const std::optional<algo::EliminationLimits> limits = trial_limits(plan.machine, graph, seconds);
    ApspPlan tried = plan;
    if (!limits || !eliminate_for(tried, work, graph, *limits).empty()) return;
    tried.method = ApspMethod::elimination;
    tried.reason = "its vertices can be eliminated with few arcs added";
    const double bytes = bytes_of_plan(job, work, graph, tried);
    if (elimination_seconds(tried, work) < seconds && bytes < plan.machine.bytes.value_or(1e300)) plan = std::move(tried);
}

void choose_method(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan)
{
    plan.method = options.method;
    if (plan.method != ApspMethod::automatic) {
        check_method(job, plan, work, graph);
        return;
    }
    const double factor = plan.whole ? 1 : kWorthOtherRoundings;
    const bool combines = can_combine(job, work, graph, plan);
    const double searches = combines ? combined_seconds(plan.machine, work, graph) : dijkstra_seconds(plan.machine, work, graph);
    const bool matrix_is_faster = factor * floyd_warshall_seconds(plan.machine, graph, plan.type) < searches;
    const double matrix_bytes = floyd_warshall_bytes(job, work, graph, plan);
    if (graph.partition.vertex_count() == 0) {
        plan.method = ApspMethod::dijkstra;
        plan.reason = "the graph has no vertices";
    } else if (work.negative_weights) {
        plan.method = ApspMethod::floyd_warshall;
        plan.reason = "some weights are negative";
        check_method(job, plan, work, graph);
    } else if (work.weights == WeightType::none) {
        plan.method = ApspMethod::bit_parallel;
        plan.reason = "the graph has no weights";
    } else if (matrix_is_faster && matrix_bytes < plan.machine.bytes.value_or(0)) {
        plan.method = ApspMethod::floyd_warshall;
        plan.reason = "the graph is so small or dense that the whole matrix takes less time than a search per source";
    } else if (combines) {
        plan.method = ApspMethod::combined;
        plan.reason = "in a sparse graph, the other rows follow from searches for some rows";
    } else {
        plan.method = ApspMethod::dijkstra;
        plan.reason = "a search per source takes less time or memory than the whole matrix";
    }
    if (plan.method == ApspMethod::dijkstra || plan.method == ApspMethod::combined) try_elimination(job, work, graph, plan, searches);
}

}  // namespace

comm::GridShape matrix_shape(const job::Job& job)
{
    return comm::default_grid_shape(job.world().size(), 0);
}

void plan_on_cores(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan)
{
    choose_method(job, options, work, graph, plan);
    if (plan.method == ApspMethod::floyd_warshall) {
        plan.seconds = floyd_warshall_seconds(plan.machine, graph, plan.type);
        plan.roundings.in_any_order = !plan.whole;
    } else {
        plan.seconds = plan.method == ApspMethod::bit_parallel  ? bit_parallel_seconds(plan.machine, work, graph)
                       : plan.method == ApspMethod::elimination ? elimination_seconds(plan, work)
                       : plan.method == ApspMethod::combined    ? combined_seconds(plan.machine, work, graph)
                                                                : dijkstra_seconds(plan.machine, work, graph);
    }
    const bool wide = work.weights == WeightType::float64;
    if (!plan.whole) plan.roundings.addition = wide ? algo::kUnitRoundoff<double> : algo::kUnitRoundoff<float>;
    if (wide && plan.type == DistanceType::float32) plan.roundings.conversion = algo::kUnitRoundoff<float>;
    plan.bytes = bytes_of_plan(job, work, graph, plan);
}

std::unique_ptr<algo::RowProducer> make_rows_on_cores(const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph,
                                                      algo::MatrixRanks ranks, ProgressListener* listener)
{
    const auto complete = [&](std::unique_ptr<algo::RowProducer> rows) { return with_parents(plan, work, graph, std::move(rows)); };
    switch (plan.method) {
        case ApspMethod::bit_parallel:
            return complete(cpu::make_bit_parallel_rows(graph, {.type = plan.type, .sources_a_thread = plan.sources_a_thread}));
        case ApspMethod::floyd_warshall:
            return algo::make_matrix_rows(
                cpu::make_floyd_warshall(graph, {.type = plan.type, .parents = work.parents, .most_distance = plan.most_distance, .tile = 0},
                                         std::move(ranks)),
                listener);
        case ApspMethod::elimination:
            return complete(cpu::make_elimination_rows(plan.elimination, {.type = plan.type, .rows = work.rows}));
        default:
            break;
    }
    if (plan.method != ApspMethod::combined)
        return cpu::make_dijkstra_rows(graph, {.type = plan.type, .parents = work.parents, .most_distance = plan.most_distance});
    auto searches = cpu::make_dijkstra_rows(graph, {.type = type_of_combined(plan), .most_distance = plan.most_distance});
    return complete(algo::with_distance_type(algo::make_matrix_rows(cpu::make_combined_rows(graph, std::move(searches)), listener), plan.type));
}

}  // namespace wayfront::plan
