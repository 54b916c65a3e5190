#include "session/apsp/prepared_pairs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph/edge_feed.hpp"
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

}  // namespace

bool PreparedPairs::all_sources() const
{
    const auto vertices = static_cast<std::size_t>(input.list.vertex_count);
    if (sources.size() != vertices) return false;
    std::vector<bool> is_source(vertices, false);
    for (const Vertex source : sources) is_source[static_cast<std::size_t>(source)] = true;
    return std::ranges::find(is_source, false) == is_source.end();
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
        pairs.whole = construct_whole(job, pairs.input.list, pairs.weights);
    });
}

void take_all_sources(PreparedPairs& pairs)
{
    pairs.sources.resize(static_cast<std::size_t>(pairs.input.list.vertex_count));
    std::iota(pairs.sources.begin(), pairs.sources.end(), Vertex{0});
}

void plan_pairs(const job::Job& job, const plan::ApspMethodOptions& options, const PairsUse& use, PreparedPairs& pairs)
{
    LoadedGraph& input = pairs.input;
    pairs.work = {.name = input.name,
                  .weights = pairs.weights,
                  .negative_weights = pairs.negative_weights,
                  .sources = pairs.sources.size(),
                  .source_list = pairs.sources,
                  .done = use.done,
                  .all_rows = pairs.all_sources(),
                  .rows = use.rows || use.validate,
                  .full_summary = use.full_summary,
                  .parents = use.parents,
                  .checkpoint = use.checkpoint,
                  .one_of_many = use.one_of_many};
    pairs.plan = plan::plan_apsp(job, options, pairs.engine, pairs.work, *pairs.whole.graph);
    pairs.engine = pairs.plan.engine;
    if (use.validate)
        pairs.validator = run_agreed(job.world(), [&] {
            return std::make_unique<algo::RowValidator>(input.list, input.numbers(), pairs.plan.offer.roundings);
        });
}

void release_edges(PreparedPairs& pairs)
{
    pairs.input.list.edges = {};
    pairs.input.list.weights = {};
}

}  // namespace wayfront::session
