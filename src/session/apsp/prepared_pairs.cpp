#include "session/apsp/prepared_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "algo/apsp/row_loop.hpp"
#include "algo/apsp/transposed_rows.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "cpu/apsp/distance_bound.hpp"
#include "graph/edge_feed.hpp"
#include "graph/reverse_edges.hpp"
#include "job/host_memory.hpp"
#include "plan/apsp/types.hpp"
#include "session/prepared_graph.hpp"
#include "session/sssp/negative_cycles.hpp"
#include "session/sssp/negative_weights.hpp"

namespace wayfront::session {

namespace {

/// Throws ResultError if there is a cycle.
void require_no_cycle(const LoadedGraph& input, const std::vector<Vertex>& cycle)
{
    if (cycle.empty()) return;
    const CycleLength length = length_of_cycle(input.list, cycle);
    throw ResultError(fmt::format(
        "there are no shortest paths: {} has a cycle of negative length ({}), {}{}", input.name, length.in_words,
        cycle_in_words(input, cycle),
        length.may_be_rounding ? "; if only the rounding of weights to 32 bits makes it negative, --dtype float64 helps"
                               : ""));
}

/// Whether all weights are the whole number 1.
bool are_ones(const Weights& weights)
{
    bool ones = true;
    visit_weights(weights, [&ones]<typename T>(const HostBuffer<T>& buffer) {
        ones = std::is_integral_v<T> && std::ranges::all_of(buffer, [](T weight) { return weight == T{1}; });
    });
    return ones;
}

/// Whether `list` has each of `vertices` vertices, once.
bool has_each_vertex(std::span<const Vertex> list, std::size_t vertices)
{
    if (list.size() != vertices) return false;
    std::vector<bool> is_in_list(vertices, false);
    for (const Vertex vertex : list) is_in_list[static_cast<std::size_t>(vertex)] = true;
    return std::ranges::find(is_in_list, false) == is_in_list.end();
}

/// Whether searches from the targets take less time than searches from the sources. The ranks divide either.
/// False for floating-point weights, because searches from the targets would add them in another order.
bool prefers_columns(const job::Job& job, const PairsUse& use, const PreparedPairs& pairs)
{
    constexpr double min_ratio = 4;
    if (!pairs.targets || pairs.targets->empty() || use.validate || use.parents || use.checkpoint ||
        pairs.negative_weights)
        return false;
    if (is_floating_point(pairs.weights)) return false;
    const auto most_of_rank = [&job](std::size_t count) {
        return std::ceil(static_cast<double>(count) / job.world().size());
    };
    return min_ratio * most_of_rank(pairs.targets->size()) <= most_of_rank(pairs.sources.size());
}

/// The rows and columns of the matrix. Pre: the pairs have targets.
algo::MatrixVertices matrix_of(const PreparedPairs& pairs)
{
    return {pairs.sources, *pairs.targets, static_cast<std::size_t>(pairs.input.list.vertex_count)};
}

/// Whether the planned searches from the targets make the matrix column by column, and whether the columns and
/// the searches fit the memory together. Collective.
bool can_make_columns(const job::Job& job, const PreparedPairs& pairs)
{
    constexpr double share = 0.8;
    if (pairs.plan.offer.matrix_grid) return false;
    const double columns = algo::TransposedRows::bytes(matrix_of(pairs), job.world().size(), pairs.plan.type);
    const double bytes = (pairs.plan.offer.bytes + columns) * job.ranks_a_host();
    return job.world().all(bytes <= share * job::available_bytes().value_or(std::numeric_limits<double>::infinity()));
}

/// Plans the work of searches from the sources, or from the targets.
void plan_work(const job::Job& job, const plan::ApspMethodOptions& options, const PairsUse& use, bool by_columns,
               PreparedPairs& pairs)
{
    run_agreed(job.world(), [&] {
        if (pairs.by_columns != by_columns) reverse_edges(*pairs.whole.graph);
        pairs.by_columns = by_columns;
    });
    const std::span<const Vertex> starts = by_columns ? std::span<const Vertex>(*pairs.targets) : pairs.sources;
    pairs.work = {.name = pairs.input.name,
                  .weights = pairs.weights,
                  .negative_weights = pairs.negative_weights,
                  .sources = starts.size(),
                  .source_list = starts,
                  .done = use.done,
                  .all_rows = has_each_vertex(starts, static_cast<std::size_t>(pairs.input.list.vertex_count)),
                  .rows = use.rows || use.validate,
                  .full_summary = use.full_summary,
                  .parents = use.parents,
                  .checkpoint = use.checkpoint,
                  .in_bulk_job = use.in_bulk_job};
    pairs.plan = plan::plan_apsp(job, options, pairs.engine, pairs.work, *pairs.whole.graph);
}

/// Rounds 64-bit weights to 32 bits for 32-bit distances. The search for cycles and the validation of rows
/// then use the same weights as the distances.
void round_to_32_bits(Weights& weights)
{
    const auto* const wide = std::get_if<HostBuffer<double>>(&weights);
    if (wide == nullptr) return;
    constexpr std::size_t serial_below = 1 << 14;
    HostBuffer<float> rounded(wide->size());
    parallel_for(wide->size(), serial_below, [&](std::size_t i) { rounded[i] = static_cast<float>((*wide)[i]); });
    weights = std::move(rounded);
}

}  // namespace

bool PreparedPairs::all_sources() const
{
    return has_each_vertex(sources, static_cast<std::size_t>(input.list.vertex_count));
}

std::vector<Vertex> PreparedPairs::outside_cycle() const
{
    std::vector<Vertex> cycle;
    std::ranges::transform(negative_cycle, std::back_inserter(cycle),
                           [this](Vertex vertex) { return input.input_number(vertex); });
    return cycle;
}

void gather_pairs(const job::Job& job, const plan::ApspMethodOptions& options, PreparedPairs& pairs)
{
    LoadedGraph& input = pairs.input;
    const bool too_many = input.list.vertex_count > std::numeric_limits<std::int32_t>::max();
    const std::string advice = too_many ? advice_on_gaps(job, input) : "";
    input.list = gather_edges(job, std::move(input.list));
    // There are faster methods for edges without weights, whose length is 1.
    if (job.world().all(are_ones(input.list.weights))) input.list.weights = {};
    run_agreed(job.world(), [&] {
        if (too_many)
            throw InputError(fmt::format("{} has {} vertices; all pairs are for graphs of fewer than 2^31{}",
                                         input.name, input.list.vertex_count, advice));
    });
    pairs.weights =
        plan::weights_for(job, options, input.name, input.list, choose_weight_type(job.world(), input.list));
    pairs.negative_weights = has_negative_weights(job.world(), ListFeed(input.list, pairs.weights));
    run_agreed(job.world(), [&] {
        if (pairs.weights == WeightType::float32) round_to_32_bits(input.list.weights);
        if (pairs.negative_weights) pairs.negative_cycle = find_negative_cycle(input.list);
        require_no_cycle(input, pairs.negative_cycle);
    });
}

void require_pairs_validation_memory(const job::Job& job, const PreparedPairs& pairs)
{
    const EdgeList& list = pairs.input.list;
    require_memory(
        job,
        algo::RowValidator::bytes(static_cast<double>(list.vertex_count),
                                  (list.directed ? 1 : 2) * static_cast<double>(list.edges.size()), job.threads()),
        "validating all pairs of " + pairs.input.name);
}

void construct_pairs(const job::Job& job, PreparedPairs& pairs, PhaseLog* log)
{
    const plan::EnginePlan on_cores;
    pairs.construction_seconds = seconds_of(job.world(), log, "construct", [&] {
        require_construction_memory(job, {1, 1}, pairs.input, on_cores, pairs.weights);
        pairs.whole = construct_whole(job, ListFeed(pairs.input.list, pairs.weights));
    });
}

void take_all_sources(PreparedPairs& pairs)
{
    pairs.sources.resize(static_cast<std::size_t>(pairs.input.list.vertex_count));
    std::iota(pairs.sources.begin(), pairs.sources.end(), Vertex{0});
}

void plan_pairs(const job::Job& job, const plan::ApspMethodOptions& options, const PairsUse& use, PreparedPairs& pairs)
{
    plan_work(job, options, use, prefers_columns(job, use, pairs), pairs);
    if (pairs.by_columns && !can_make_columns(job, pairs)) plan_work(job, options, use, false, pairs);
    pairs.engine = pairs.plan.engine;
    if (use.validate)
        pairs.validator = run_agreed(job.world(), [&] {
            return std::make_unique<algo::RowValidator>(pairs.input.list, pairs.input.numbers(),
                                                        pairs.plan.offer.roundings);
        });
}

std::vector<IndexRange> pair_rows_of(const job::Job& job, const PreparedPairs& pairs)
{
    const auto rank = static_cast<std::size_t>(job.world().rank());
    const auto ranks = static_cast<std::size_t>(job.world().size());
    if (!pairs.by_columns) return plan::rows_of_rank(pairs.plan, pairs.work, rank, ranks);
    const IndexRange all{0, pairs.sources.size()};
    return algo::part_of_ranges(std::span(&all, 1), rank, ranks);
}

std::unique_ptr<algo::RowProducer> make_pair_rows(const job::Job& job, const PreparedPairs& pairs,
                                                  ProgressListener* listener)
{
    std::unique_ptr<algo::RowProducer> rows =
        plan::make_rows(job, pairs.plan, pairs.work, *pairs.whole.graph, listener);
    if (!pairs.by_columns) return rows;
    return run_agreed(job.world(), [&] {
        return std::make_unique<algo::TransposedRows>(std::move(rows), matrix_of(pairs), job.world(), listener);
    });
}

algo::SampledGraph sampled_graph(const PreparedPairs& pairs)
{
    const DistributedGraph& graph = *pairs.whole.graph;
    return {.vertices = pairs.input.list.vertex_count,
            .with_edges = graph.connected_vertices,
            .pairs = algo::limit_reachable_pairs(graph.block.out_edges().view(),
                                                 static_cast<std::uint64_t>(graph.connected_vertices)),
            .most_distance = pairs.plan.whole ? pairs.plan.most_distance : cpu::most_float_distance(graph),
            .least_distance = cpu::least_positive_weight(graph)};
}

void release_edges(PreparedPairs& pairs)
{
    pairs.input.list.edges = {};
    pairs.input.list.weights = {};
}

}  // namespace wayfront::session
