#include "algo/sssp/sssp_loop.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "algo/nearest_sources.hpp"
#include "algo/smallest_parents.hpp"
#include "algo/sssp/distance.hpp"
#include "algo/sssp/negative_cycle.hpp"
#include "algo/sssp/push_pull_rules.hpp"

namespace wayfront::algo {

namespace {
// The bins that push_nearest() sorts distances into.
constexpr std::size_t kNearestBins = 256;

// The round of the first search for a negative cycle; the next ones follow when the rounds double.
constexpr int kFirstCycleSearch = 64;
}  // namespace

template <typename D>
SsspLoop<D>::SsspLoop(const comm::ProcessGrid& grid, const DistributedGraph& graph, SsspSteps<D>& steps,
                      const SsspPlan& plan)
    : grid_(grid),
      graph_(graph),
      steps_(steps),
      plan_(plan),
      // A path may leave the cutoff and come back along negative weights.
      bound_(plan.negative_weights ? unreached<D>() : bound_of_cutoff<D>(plan.cutoff)),
      column_counts_(static_cast<std::size_t>(grid.column().size()))
{
}

template <typename D>
bool SsspLoop<D>::run(std::span<const Vertex> sources, bool nearest, SsspResult& result)
{
    result_ = &result;
    result.negative_cycle.clear();
    result.counters = {};
    round_ = 0;
    own_ = {};
    lost_sums_ = false;
    pulled_ = false;
    fetched_ = true;
    steps_.start(sources);
    switch (plan_.method) {
        case SsspMethod::push_pull:
            push_pull();
            break;
        case SsspMethod::delta_stepping:
            delta_stepping();
            break;
        default:
            bellman_ford();
    }
    result.counters.rounds = static_cast<std::uint64_t>(round_);
    result.counters.relaxed_arcs = totals_.pushed_arcs;
    result.counters.pulled_arcs = totals_.pulled_arcs;
    if (result.negative_cycle.empty() && (totals_.overflow || has_lost_distances())) return false;

    const Phase phase(plan_.log, "output");
    if (!std::holds_alternative<HostBuffer<D>>(result.distances) ||
        std::get<HostBuffer<D>>(result.distances).size() != graph_.local_count())
        result.distances = HostBuffer<D>(graph_.local_count());
    const std::uint64_t reached = steps_.finish(bound_of_cutoff<D>(plan_.cutoff),
                                                std::get<HostBuffer<D>>(result.distances).span(), result.parents);
    fetched_ = false;
    if (result.negative_cycle.empty()) choose_parents(sources, nearest, result);
    result.reached = grid_.world().all_reduce(reached, comm::Reduction::sum);
    return true;
}

/// Chooses parents, and nearest sources, that do not depend on the course of the search.
template <typename D>
void SsspLoop<D>::choose_parents(std::span<const Vertex> sources, bool nearest, SsspResult& result)
{
    if (!nearest && !plan_.smallest_parents) return;
    const bool negative = plan_.negative_weights;
    fetch(result);
    if (nearest) {
        const NearestSearch<D> search{sources, steps_.slot_distances(), EdgeLengths::weights, negative,
                                      plan_.smallest_parents};
        choose_nearest(grid_, graph_, search, {result.parents, result.nearest}, plan_.log);
        return;
    }
    const HostBuffer<Vertex> smallest = smallest_parents(grid_, graph_, steps_.slot_distances(),
                                                         {.sources = sources, .negative_weights = negative}, plan_.log);
    replace_parents(graph_, smallest.span(), result.parents);
}

template <typename D>
void SsspLoop<D>::fetch(SsspResult& result)
{
    if (std::exchange(fetched_, true)) return;
    steps_.fetch(std::get<HostBuffer<D>>(result.distances).span(), result.parents);
}

template <typename D>
void SsspLoop<D>::bellman_ford()
{
    int next_cycle_search = kFirstCycleSearch;
    for (;;) {
        exchange(steps_.changed());
        totals_.overflow = totals_.overflow || is_too_small(totals_.least);
        const bool ends = totals_.changed == 0 || totals_.overflow;
        if (plan_.negative_weights && (ends || round_ == next_cycle_search)) {
            if (has_negative_cycle(*result_)) return;
            next_cycle_search *= 2;
        }
        if (ends) return;
        push(Expanded::changed, PushExtent::whole_lists, bound_);
    }
}

template <typename D>
bool SsspLoop<D>::has_negative_cycle(SsspResult& result)
{
    const Phase phase(plan_.log, "cycles", round_);
    result.negative_cycle = find_parent_cycle(grid_.world(), graph_.partition, steps_.parents_without_source().span());
    return !result.negative_cycle.empty();
}

/// Whether some vertex was not reached because its distance does not fit D. Pushes of whole lists
/// notice sums that do not fit; a shorter path may make them irrelevant. Pulls, and pushes of floats in
/// windows, skip arcs that are too heavy. After such rounds all vertices are checked if distances can
/// be too large.
template <typename D>
bool SsspLoop<D>::has_lost_distances()
{
    if (bound_ != unreached<D>()) return false;  // such a vertex is beyond the cutoff
    // The sum of all weights is a sum of doubles. For fewer than 2^46 arcs, it is too small by less than a share
    // of 2^-7. Each addition of floats adds at most twice the weight, if it rounds up.
    constexpr double rounding = 1.01;
    const double most = std::is_floating_point_v<D> ? static_cast<double>(std::numeric_limits<D>::max()) / 2
                                                    : static_cast<double>(unreached<D>());
    const bool looked_at_all = !pulled_ && !std::is_floating_point_v<D>;
    bool may_be_lost = !looked_at_all && plan_.weight_sum * rounding >= most;
    if constexpr (!std::is_same_v<D, std::uint32_t>) may_be_lost = may_be_lost || grid_.world().any(lost_sums_);
    if (!may_be_lost) return false;
    steps_.refresh_rows(round_);  // all changes of columns have been expanded
    return grid_.world().any(steps_.leaves_out_vertices());
}

template <typename D>
void SsspLoop<D>::delta_stepping()
{
    D window = window_end(D{0}, plan_.delta, unreached<D>());
    for (;;) {
        const Choice<D> choice = steps_.choose_below(window);
        own_.next = choice.least_left;
        exchange(choice.chosen);
        if (totals_.overflow) return;
        if (totals_.changed > 0) {
            push(Expanded::chosen, PushExtent::whole_lists, bound_);
        } else {
            if (totals_.next == unreached<D>()) return;
            window = window_end(totals_.next, plan_.delta, unreached<D>());
        }
    }
}

template <typename D>
void SsspLoop<D>::push_pull()
{
    const auto most_arcs = static_cast<std::uint64_t>(kPushShare * static_cast<double>(graph_.directed_edges));
    D window{0};
    bool settling = false;
    for (;;) {
        own_.settled_arcs += steps_.settle_changed();
        exchange(steps_.changed());
        if (totals_.overflow) return;
        if (totals_.changed == 0) {
            if (settling) break;
            if (!(totals_.next < bound_)) return;
        }
        settling = settling || totals_.settled_arcs > most_arcs;
        if (!settling)
            window = window_end(totals_.changed == 0 ? std::max(window, totals_.next) : window, plan_.delta, bound_);
        push(Expanded::changed, PushExtent::window, window);
    }
    const D least = push_nearest(window);
    if (!totals_.overflow && least != unreached<D>()) pull(window, least);
}

/// Pushes the whole lists of the source and of the settled vertices with the smallest distances, if
/// these lists are short together. Returns the smallest distance of the other vertices.
template <typename D>
D SsspLoop<D>::push_nearest(D window)
{
    std::array<std::uint64_t, kNearestBins> arcs{};
    steps_.add_settled_edges(window, arcs);
    {
        const Phase phase(plan_.log, "counts", round_);
        grid_.world().all_reduce(std::span<std::uint64_t>(arcs), comm::Reduction::sum);
    }
    const auto most = static_cast<std::uint64_t>(kNearestShare * static_cast<double>(graph_.directed_edges));
    std::size_t bins = 0;
    for (std::uint64_t sum = 0; bins < kNearestBins && (sum += arcs[bins]) <= most;) ++bins;

    const Choice<D> choice = steps_.choose_nearest(window, bins, kNearestBins);
    exchange(choice.chosen);
    push(Expanded::chosen, PushExtent::whole_lists, bound_);
    own_.next = choice.least_left;
    exchange(steps_.changed());
    return std::min(totals_.next, totals_.least);
}

template <typename D>
void SsspLoop<D>::pull(D settled_below, D least)
{
    pulled_ = true;
    // The first pull improves nearly all rows. It lists them only if blocks must send them to other owners.
    PullBounds<D> bounds{settled_below, least, bound_, true, graph_.block.row_chunks > 1};
    expand(Expanded::changed);
    for (;;) {
        {
            const Phase phase(plan_.log, "refresh", round_);
            steps_.refresh_rows(round_);
        }
        const std::uint64_t before = totals_.pulled_arcs;
        RoundWork<D> work;
        {
            const Phase phase({plan_.log, round_}, "search", "pull", totals_.changed, 0);
            work = steps_.pull(bounds);
        }
        own_.pulled_arcs += work.arcs;
        finish_round(work);
        if (bounds.first) {
            own_.changed = work.improved_rows;
            own_.least = settled_below;
            exchange_totals();
        } else {
            own_.changed_arcs = steps_.out_edges_of_changed();
            exchange(steps_.changed());
        }
        if (totals_.changed == 0 || totals_.overflow) return;
        if (bounds.first) {
            const Phase phase(plan_.log, "expand", round_);
            steps_.expand_all(round_);
        } else {
            if (ends_pulls(static_cast<double>(totals_.changed_arcs),
                           static_cast<double>(totals_.pulled_arcs - before)))
                break;
            expand(Expanded::changed);
        }
        bounds.least = totals_.least;
        bounds.first = false;
        bounds.lists = true;
    }
    // Pushing the changed vertices costs less than the next pull.
    bellman_ford();
}

template <typename D>
void SsspLoop<D>::push(Expanded slots, PushExtent extent, D bound)
{
    expand(slots);
    RoundWork<D> work;
    {
        const Phase phase({plan_.log, round_}, "search", "push", totals_.changed, 0);
        work = steps_.push(extent, bound);
    }
    own_.pushed_arcs += work.arcs;
    own_.next = work.next;
    finish_round(work);
}

template <typename D>
void SsspLoop<D>::expand(Expanded slots)
{
    const Phase phase(plan_.log, "expand", round_);
    steps_.expand(slots, {column_counts_, totals_.changed}, round_);
}

template <typename D>
void SsspLoop<D>::finish_round(const RoundWork<D>& work)
{
    // The search is repeated with 64 bits if a sum does not fit 32.
    if constexpr (std::is_same_v<D, std::uint32_t>)
        own_.overflow = own_.overflow || work.overflow;
    else
        lost_sums_ = lost_sums_ || work.overflow;
    const Phase phase(plan_.log, "fold", round_);
    steps_.commit(round_);
    ++round_;
}

template <typename D>
void SsspLoop<D>::exchange(const SlotFacts<D>& slots)
{
    own_.changed = slots.slots;
    own_.least = slots.least;
    exchange_totals();
}

template <typename D>
void SsspLoop<D>::exchange_totals()
{
    const Phase phase(plan_.log, "counts", round_);
    if (grid_.world().size() == 1) {
        column_counts_.front() = own_.changed;
        totals_ = own_;
        return;
    }
    const std::vector<SsspTotals<D>> all = grid_.world().all_gather(own_);
    totals_ = {};
    for (const SsspTotals<D>& totals : all) {
        totals_.changed += totals.changed;
        totals_.settled_arcs += totals.settled_arcs;
        totals_.changed_arcs += totals.changed_arcs;
        totals_.pushed_arcs += totals.pushed_arcs;
        totals_.pulled_arcs += totals.pulled_arcs;
        totals_.least = std::min(totals_.least, totals.least);
        totals_.next = std::min(totals_.next, totals.next);
        totals_.overflow = totals_.overflow || totals.overflow;
    }
    for (std::size_t r = 0; r < column_counts_.size(); ++r)
        column_counts_[r] =
            all[r * static_cast<std::size_t>(grid_.shape().columns) + static_cast<std::size_t>(grid_.column_index())]
                .changed;
}

template class SsspLoop<std::uint32_t>;
template class SsspLoop<std::int64_t>;
template class SsspLoop<float>;
template class SsspLoop<double>;

}  // namespace wayfront::algo
