#include "algo/sssp/host_steps.hpp"

#include <algorithm>
#include <utility>

#include "algo/sssp/settled_bins.hpp"
#include "base/bitmap.hpp"
#include "base/parallel_sum.hpp"

namespace wayfront::algo {

namespace {
constexpr std::size_t kSerialBelow = 1 << 13;
constexpr std::size_t kAhead = 16;  // vertices that are prefetched
}  // namespace

template <typename D>
HostSteps<D>::HostSteps(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                        std::unique_ptr<SsspEngine<D>> engine, const SsspOptions& options)
    : graph_(graph),
      engine_(std::move(engine)),
      state_(grid, graph, options.shares_memory && engine_->works_in_memory(), options.log)
{
    const std::size_t words = word_count(graph.block.slot_stride);
    if (options.method == SsspMethod::delta_stepping) is_waiting_ = HostBuffer<std::uint64_t>(words, 0);
    if (options.method == SsspMethod::push_pull) is_settled_ = HostBuffer<std::uint64_t>(words);
}

template <typename D>
void HostSteps<D>::start(std::span<const Vertex> sources)
{
    state_.start(sources);
    engine_->begin_search(state_.memory());
    chosen_.clear();
    waiting_.clear();
    settled_.clear();
    std::ranges::fill(is_waiting_, 0);
    std::ranges::fill(is_settled_, 0);
    expanded_ = {};
}

template <typename D>
SlotFacts<D> HostSteps<D>::facts_of(std::span<const std::uint32_t> slots) const
{
    D least = unreached<D>();
    if (slots.size() < kSerialBelow) {  // no region of OpenMP, which takes a microsecond
        for (const std::uint32_t slot : slots) least = std::min(least, state_.distance(slot));
    } else {
#pragma omp parallel for reduction(min : least)
        for (std::size_t i = 0; i < slots.size(); ++i) least = std::min(least, state_.distance(slots[i]));
    }
    return {slots.size(), least};
}

template <typename D>
std::uint64_t HostSteps<D>::out_edges_of_changed()
{
    const std::span<const std::uint32_t> changed = state_.changed();
    return parallel_sum(changed.size(), kSerialBelow, [&](IndexRange range) {
        std::uint64_t edges = 0;
        for (std::size_t i = range.first; i < range.last; ++i) edges += graph_.block.out_degrees[changed[i]];
        return edges;
    });
}

template <typename D>
std::uint64_t HostSteps<D>::settle_changed()
{
    const std::span<const std::uint32_t> changed = state_.changed();
    std::uint64_t edges = 0;
    for (std::size_t i = 0; i < changed.size(); ++i) {
        if (i + kAhead < changed.size()) __builtin_prefetch(&graph_.block.out_degrees[changed[i + kAhead]]);
        const std::uint32_t slot = changed[i];
        if (test_bit(is_settled_.data(), slot)) continue;
        set_bit(is_settled_.data(), slot);
        settled_.push_back(slot);
        edges += graph_.block.out_degrees[slot];
    }
    return edges;
}

template <typename D>
Choice<D> HostSteps<D>::choose_below(D window)
{
    for (const std::uint32_t slot : state_.changed()) {
        if (test_bit(is_waiting_.data(), slot)) continue;
        set_bit(is_waiting_.data(), slot);
        waiting_.push_back(slot);
    }
    chosen_.clear();
    Choice<D> choice;
    std::erase_if(waiting_, [&](std::uint32_t slot) {
        const D distance = state_.distance(slot);
        if (!(distance < window)) {
            choice.least_left = std::min(choice.least_left, distance);
            return false;
        }
        is_waiting_[slot / kWordBits] &= ~(std::uint64_t{1} << (slot % kWordBits));
        chosen_.push_back(slot);
        return true;
    });
    choice.chosen = facts_of(chosen_);
    return choice;
}

template <typename D>
void HostSteps<D>::add_settled_edges(D window, std::span<std::uint64_t> bins)
{
    const SettledBins<D> by_distance(window, bins.size());
    for (const std::uint32_t slot : settled_)
        bins[by_distance.bin_of(state_.distance(slot))] += graph_.block.out_degrees[slot];
}

template <typename D>
Choice<D> HostSteps<D>::choose_nearest(D window, std::size_t bins, std::size_t all_bins)
{
    const SettledBins<D> by_distance(window, all_bins);
    chosen_.clear();
    Choice<D> choice;
    for (const std::uint32_t slot : settled_) {
        const D distance = state_.distance(slot);
        if (by_distance.is_chosen(distance, bins))
            chosen_.push_back(slot);
        else
            choice.least_left = std::min(choice.least_left, distance);
    }
    choice.chosen = facts_of(chosen_);
    return choice;
}

template <typename D>
void HostSteps<D>::expand(Expanded slots, const ExpandedCounts& counts, int round)
{
    expanded_ =
        counts.all == 0 ? std::span<const std::uint32_t>() : state_.expand(slots_of(slots), counts.column, round);
}

template <typename D>
void HostSteps<D>::take_distances(Expanded slots, std::span<const typename SsspState<D>::SlotDistance> received,
                                  const ExpandedCounts& counts)
{
    const bool alone = graph_.block.col_chunks == 1;
    expanded_ = counts.all == 0 ? std::span<const std::uint32_t>()
                : alone         ? slots_of(slots)
                                : state_.take_distances(received, counts.column);
}

template <typename D>
RoundWork<D> HostSteps<D>::push(PushExtent extent, D bound)
{
    engine_->launch_push({extent, expanded_, bound});
    return collect();
}

template <typename D>
RoundWork<D> HostSteps<D>::pull(const PullBounds<D>& bounds)
{
    engine_->launch_pull({.settled_below = bounds.settled_below,
                          .least = bounds.least,
                          .bound = bounds.bound,
                          .first = bounds.first,
                          .lists = bounds.lists});
    return collect();
}

template <typename D>
RoundWork<D> HostSteps<D>::collect()
{
    const RoundOutcome<D> outcome = engine_->collect();
    improved_ = outcome.improved;
    return {outcome.improved_rows, outcome.arcs, outcome.next, outcome.overflow};
}

template <typename D>
bool HostSteps<D>::leaves_out_vertices()
{
    const SsspMemory<D> memory = state_.memory();
    const CsrView edges = graph_.block.in_edges.view();
    bool found = false;
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : found)
    for (std::uint32_t row = 0; row < graph_.block.rows(); ++row) {
        if (found || memory.row_distances[row] != unreached<D>()) continue;
        for (std::uint64_t e = edges.begin(row); e < edges.end(row); ++e)
            found = found || memory.col_distances[edges.neighbours[e]] != unreached<D>();
    }
    return found;
}

template class HostSteps<std::uint32_t>;
template class HostSteps<std::int64_t>;
template class HostSteps<float>;
template class HostSteps<double>;

}  // namespace wayfront::algo
