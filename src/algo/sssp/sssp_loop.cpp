#include "algo/sssp/sssp_loop.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "algo/nearest_sources.hpp"
#include "algo/smallest_parents.hpp"
#include "algo/sssp/distance.hpp"
#include "algo/sssp/negative_cycle.hpp"
#include "base/bitmap.hpp"

namespace wayfront::algo {

namespace {
constexpr std::size_t kSerialBelow = 1 << 13;
constexpr std::size_t kAhead = 16;  // vertices that are prefetched

// push_nearest(): the bins that it sorts distances into, and the share of all edges that it pushes.
constexpr std::size_t kNearestBins = 256;
constexpr double kNearestShare = 0.001;

// The cost of a pushed edge, in units of a pulled one, as measured on Kronecker graphs.
constexpr std::uint64_t kPushedArcCost = 4;

// The round of the first search for a negative cycle; the next ones follow when the rounds double.
constexpr int kFirstCycleSearch = 64;
}  // namespace

template <typename D>
SsspLoop<D>::SsspLoop(const comm::ProcessGrid& grid, const DistributedGraph& graph, SsspEngine<D>& engine,
                      const SsspPlan& plan)
    : grid_(grid),
      graph_(graph),
      engine_(engine),
      plan_(plan),
      state_(grid, graph, plan.shares_memory && engine.works_in_memory(), plan.log),
      // A path may leave the cutoff and come back along negative weights.
      bound_(plan.negative_weights ? unreached<D>() : bound_of_cutoff<D>(plan.cutoff)),
      column_counts_(static_cast<std::size_t>(grid.column().size()))
{
    const std::size_t words = word_count(graph.block.slot_stride);
    if (plan.method == SsspMethod::delta_stepping) is_waiting_ = HostBuffer<std::uint64_t>(words, 0);
    if (plan.method == SsspMethod::push_pull) is_settled_ = HostBuffer<std::uint64_t>(words);
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
    state_.start(sources);
    engine_.begin_search(state_.memory());
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
    const std::uint64_t reached = state_.finish(bound_of_cutoff<D>(plan_.cutoff),
                                                std::get<HostBuffer<D>>(result.distances).span(), result.parents);
    if (result.negative_cycle.empty()) choose_parents(sources, nearest, result);
    result.reached = grid_.world().all_reduce(reached, comm::Reduction::sum);
    return true;
}

/// Chooses parents, and nearest sources, that do not depend on the course of the search.
template <typename D>
void SsspLoop<D>::choose_parents(std::span<const Vertex> sources, bool nearest, SsspResult& result)
{
    const bool negative = plan_.negative_weights;
    if (nearest) {
        choose_nearest(grid_, graph_, {sources, EdgeLengths::weights, negative, plan_.smallest_parents},
                       state_.slot_distances(), result.parents, result.nearest, plan_.log);
    } else if (plan_.smallest_parents) {
        const HostBuffer<Vertex> smallest = smallest_parents(
            grid_, graph_, state_.slot_distances(), {.sources = sources, .negative_weights = negative}, plan_.log);
        state_.replace_parents(smallest.span(), result.parents);
    }
}

template <typename D>
void SsspLoop<D>::bellman_ford()
{
    int next_cycle_search = kFirstCycleSearch;
    for (;;) {
        exchange(state_.changed());
        totals_.overflow = totals_.overflow || is_too_small(totals_.least);
        const bool ends = totals_.changed == 0 || totals_.overflow;
        if (plan_.negative_weights && (ends || round_ == next_cycle_search)) {
            if (has_negative_cycle(*result_)) return;
            next_cycle_search *= 2;
        }
        if (ends) return;
        push(state_.changed(), PushExtent::whole_lists, bound_);
    }
}

template <typename D>
bool SsspLoop<D>::has_negative_cycle(SsspResult& result) const
{
    const Phase phase(plan_.log, "cycles", round_);
    result.negative_cycle = find_parent_cycle(grid_.world(), graph_.partition, state_.parents_without_source().span());
    return !result.negative_cycle.empty();
}

/// Whether some vertex was not reached because its distance does not fit D. Pushes of whole lists
/// notice sums that do not fit, which a shorter path may make irrelevant. Pulls, and pushes of
/// floats in windows, do not look at arcs that are too heavy: after them all vertices are looked at,
/// if any distance can be so large.
template <typename D>
bool SsspLoop<D>::has_lost_distances()
{
    if (bound_ != unreached<D>()) return false;  // such a vertex is beyond the cutoff
    // The sum of all weights was added in doubles: of fewer than 2^46 arcs, it is less than 2^-7 too
    // small. Each addition of floats adds at most twice the weight, if it rounds up.
    constexpr double rounding = 1.01;
    const double most = std::is_floating_point_v<D> ? static_cast<double>(std::numeric_limits<D>::max()) / 2
                                                    : static_cast<double>(unreached<D>());
    const bool looked_at_all = !pulled_ && !std::is_floating_point_v<D>;
    bool may_be_lost = !looked_at_all && plan_.weight_sum * rounding >= most;
    if constexpr (!std::is_same_v<D, std::uint32_t>) may_be_lost = may_be_lost || grid_.world().any(lost_sums_);
    return may_be_lost && leaves_out_vertices();
}

/// Whether an edge leads from a reached vertex to a vertex that is not reached. Pre: all changes of
/// columns have been expanded.
template <typename D>
bool SsspLoop<D>::leaves_out_vertices()
{
    state_.refresh_rows(round_);
    const SsspMemory<D> memory = state_.memory();
    const CsrView edges = graph_.block.in_edges.view();
    bool found = false;
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : found)
    for (std::uint32_t row = 0; row < graph_.block.rows(); ++row) {
        if (found || memory.row_distances[row] != unreached<D>()) continue;
        for (std::uint64_t e = edges.begin(row); e < edges.end(row); ++e)
            found = found || memory.col_distances[edges.neighbours[e]] != unreached<D>();
    }
    return grid_.world().any(found);
}

template <typename D>
void SsspLoop<D>::delta_stepping()
{
    waiting_.clear();
    std::ranges::fill(is_waiting_, 0);
    D window = window_end(D{0}, plan_.delta, unreached<D>());
    for (;;) {
        for (const std::uint32_t slot : state_.changed()) {
            if (test_bit(is_waiting_.data(), slot)) continue;
            set_bit(is_waiting_.data(), slot);
            waiting_.push_back(slot);
        }
        frontier_.clear();
        own_.next = unreached<D>();
        std::erase_if(waiting_, [&](std::uint32_t slot) {
            const D distance = state_.distance(slot);
            if (!(distance < window)) {
                own_.next = std::min(own_.next, distance);
                return false;
            }
            is_waiting_[slot / kWordBits] &= ~(std::uint64_t{1} << (slot % kWordBits));
            frontier_.push_back(slot);
            return true;
        });
        exchange(frontier_);
        if (totals_.overflow) return;
        if (totals_.changed > 0) {
            push(frontier_, PushExtent::whole_lists, bound_);
        } else {
            if (totals_.next == unreached<D>()) return;
            window = window_end(totals_.next, plan_.delta, unreached<D>());
        }
    }
}

template <typename D>
void SsspLoop<D>::push_pull()
{
    std::ranges::fill(is_settled_, 0);
    settled_.clear();
    const auto most_arcs = static_cast<std::uint64_t>(plan_.push_share * static_cast<double>(graph_.directed_edges));
    D window{0};
    bool settling = false;
    for (;;) {
        add_settled();
        exchange(state_.changed());
        if (totals_.overflow) return;
        if (totals_.changed == 0) {
            if (settling) break;
            if (!(totals_.next < bound_)) return;
        }
        settling = settling || totals_.settled_arcs > most_arcs;
        if (!settling)
            window = window_end(totals_.changed == 0 ? std::max(window, totals_.next) : window, plan_.delta, bound_);
        push(state_.changed(), PushExtent::window, window);
    }
    const D least = push_nearest(window);
    if (!totals_.overflow && least != unreached<D>()) pull(window, least);
}

/// Pushes the whole lists of the source and of the settled vertices with the smallest distances, if
/// these lists are short together. Returns the smallest distance of the other vertices.
template <typename D>
D SsspLoop<D>::push_nearest(D window)
{
    // Settled vertices are counted in bins of equal width.
    std::array<std::uint64_t, kNearestBins> arcs{};
    const double bins_per_distance =
        window > D{0} ? static_cast<double>(kNearestBins) / static_cast<double>(window) : 0;
    const auto bin_of = [&](D distance) {
        return std::min(kNearestBins - 1, static_cast<std::size_t>(static_cast<double>(distance) * bins_per_distance));
    };
    for (const std::uint32_t slot : settled_) arcs[bin_of(state_.distance(slot))] += graph_.block.out_degrees[slot];
    grid_.world().all_reduce(std::span<std::uint64_t>(arcs), comm::Reduction::sum);
    const auto most = static_cast<std::uint64_t>(kNearestShare * static_cast<double>(graph_.directed_edges));
    std::size_t bins = 0;
    for (std::uint64_t sum = 0; bins < kNearestBins && (sum += arcs[bins]) <= most;) ++bins;

    D least = unreached<D>();
    frontier_.clear();
    for (const std::uint32_t slot : settled_) {
        const D distance = state_.distance(slot);
        if (distance == D{0} || bin_of(distance) < bins)
            frontier_.push_back(slot);
        else
            least = std::min(least, distance);
    }
    exchange(frontier_);
    push(frontier_, PushExtent::whole_lists, bound_);
    own_.next = least;
    exchange(state_.changed());
    return std::min(totals_.next, totals_.least);
}

template <typename D>
void SsspLoop<D>::pull(D settled_below, D least)
{
    pulled_ = true;
    // The first pull improves nearly all rows. If their owners need no list of them, there is none.
    Pull<D> pull;
    pull.settled_below = settled_below;
    pull.least = least;
    pull.bound = bound_;
    pull.changed = expand(state_.changed());
    pull.first = true;
    pull.lists = graph_.block.row_chunks > 1;
    for (;;) {
        state_.refresh_rows(round_);
        const std::uint64_t before = totals_.pulled_arcs;
        std::uint64_t improved = 0;
        {
            const Phase phase(plan_.log, "search", round_, "pull", totals_.changed, 0);
            engine_.launch_pull(pull);
            const RoundOutcome<D> outcome = engine_.collect();
            own_.pulled_arcs += outcome.arcs;
            improved = outcome.improved_rows;
            finish_round(outcome);
        }
        if (pull.first) {
            own_.changed = improved;
            own_.least = settled_below;
            exchange_totals();
        } else {
            own_.changed_arcs = out_edges_of_changed();
            exchange(state_.changed());
        }
        if (totals_.changed == 0 || totals_.overflow) return;
        if (pull.first) {
            state_.expand_all(round_);
            pull.changed = {};
        } else {
            if (totals_.changed_arcs * kPushedArcCost < totals_.pulled_arcs - before) break;
            pull.changed = expand(state_.changed());
        }
        pull.all_changed = pull.first;
        pull.least = totals_.least;
        pull.first = false;
        pull.lists = true;
    }
    // Pushing the changed vertices costs less than the next pull.
    bellman_ford();
}

template <typename D>
std::uint64_t SsspLoop<D>::out_edges_of_changed() const
{
    const std::span<const std::uint32_t> changed = state_.changed();
    std::uint64_t edges = 0;
#pragma omp parallel for reduction(+ : edges) if (changed.size() >= kSerialBelow)
    for (std::size_t i = 0; i < changed.size(); ++i) edges += graph_.block.out_degrees[changed[i]];
    return edges;
}

template <typename D>
void SsspLoop<D>::push(std::span<const std::uint32_t> slots, PushExtent extent, D bound)
{
    const std::span<const std::uint32_t> columns = expand(slots);
    const Phase phase(plan_.log, "search", round_, "push", totals_.changed, 0);
    engine_.launch_push({extent, columns, bound});
    const RoundOutcome<D> outcome = engine_.collect();
    own_.pushed_arcs += outcome.arcs;
    own_.next = outcome.next;
    finish_round(outcome);
}

template <typename D>
std::span<const std::uint32_t> SsspLoop<D>::expand(std::span<const std::uint32_t> slots)
{
    if (totals_.changed == 0) return {};
    const Phase phase(plan_.log, "expand", round_);
    return state_.expand(slots, column_counts_, round_);
}

template <typename D>
void SsspLoop<D>::finish_round(const RoundOutcome<D>& outcome)
{
    // The search is repeated with 64 bits if a sum does not fit 32.
    if constexpr (std::is_same_v<D, std::uint32_t>)
        own_.overflow = own_.overflow || outcome.overflow;
    else
        lost_sums_ = lost_sums_ || outcome.overflow;
    const Phase phase(plan_.log, "fold", round_);
    state_.commit(outcome.improved, round_);
    ++round_;
}

template <typename D>
void SsspLoop<D>::add_settled()
{
    const std::span<const std::uint32_t> changed = state_.changed();
    for (std::size_t i = 0; i < changed.size(); ++i) {
        if (i + kAhead < changed.size()) __builtin_prefetch(&graph_.block.out_degrees[changed[i + kAhead]]);
        const std::uint32_t slot = changed[i];
        if (test_bit(is_settled_.data(), slot)) continue;
        set_bit(is_settled_.data(), slot);
        settled_.push_back(slot);
        own_.settled_arcs += graph_.block.out_degrees[slot];
    }
}

template <typename D>
void SsspLoop<D>::exchange(std::span<const std::uint32_t> changed)
{
    const Phase phase(plan_.log, "counts", round_);
    own_.changed = changed.size();
    D least = unreached<D>();
#pragma omp parallel for reduction(min : least) if (changed.size() >= kSerialBelow)
    for (std::size_t i = 0; i < changed.size(); ++i) least = std::min(least, state_.distance(changed[i]));
    own_.least = least;
    exchange_totals();
}

template <typename D>
void SsspLoop<D>::exchange_totals()
{
    if (grid_.world().size() == 1) {
        column_counts_.front() = own_.changed;
        totals_ = own_;
        return;
    }
    const std::vector<Totals> all = grid_.world().all_gather(own_);
    totals_ = {};
    for (const Totals& totals : all) {
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
