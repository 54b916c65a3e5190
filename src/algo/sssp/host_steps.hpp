// The steps of a search for shortest paths with distances in host memory, around an engine that
// relaxes the edges of the block.
#pragma once

#include <vector>

#include "algo/sssp/sssp_state.hpp"
#include "algo/sssp/sssp_steps.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

template <typename D>
class HostSteps final : public SsspSteps<D>
{
public:
    /// Grid and graph outlive the object. Messages are spans in the options' log. Collective. Pre: the
    /// options' method is not `automatic`.
    HostSteps(const comm::ProcessGrid& grid, const DistributedGraph& graph, std::unique_ptr<SsspEngine<D>> engine,
              const SsspOptions& options);

    [[nodiscard]] bool shares_memory() const override { return state_.shares(); }
    void start(std::span<const Vertex> sources) override;

    SlotFacts<D> changed() override { return facts_of(state_.changed()); }
    std::uint64_t out_edges_of_changed() override;
    std::uint64_t settle_changed() override;
    Choice<D> choose_below(D window) override;
    void add_settled_edges(D window, std::span<std::uint64_t> bins) override;
    Choice<D> choose_nearest(D window, std::size_t bins, std::size_t all_bins) override;

    void expand(Expanded slots, const ExpandedCounts& counts, int round) override;
    void expand_all(int round) override { state_.expand_all(round); }
    void refresh_rows(int round) override { state_.refresh_rows(round); }
    RoundWork<D> push(PushExtent extent, D bound) override;
    RoundWork<D> pull(const PullBounds<D>& bounds) override;
    void commit(int round) override { state_.commit(improved_, round); }

    // The parts of expand() and commit() on this rank, without the messages between them (sssp_state.hpp).

    [[nodiscard]] SsspState<D>& state() { return state_; }
    std::span<const typename SsspState<D>::SlotDistance> distances_of(Expanded slots)
    {
        return state_.distances_of(slots_of(slots));
    }
    /// Ends expand(slots, counts) with the distances of all ranks of the grid column.
    void take_distances(Expanded slots, std::span<const typename SsspState<D>::SlotDistance> received,
                        const ExpandedCounts& counts);
    /// The rows that the last round improved.
    [[nodiscard]] std::span<const std::uint32_t> improved() const { return improved_; }

    bool leaves_out_vertices() override;
    HostBuffer<Vertex> parents_without_source() override { return state_.parents_without_source(); }
    std::span<const D> slot_distances() override { return state_.slot_distances(); }
    std::uint64_t finish(D bound, std::span<D> distances, VertexArray& parents) override
    {
        return state_.finish(bound, distances, parents);
    }
    void fetch(std::span<D> /*distances*/, VertexArray& /*parents*/) override {}

private:
    [[nodiscard]] SlotFacts<D> facts_of(std::span<const std::uint32_t> slots) const;
    [[nodiscard]] std::span<const std::uint32_t> slots_of(Expanded slots) const
    {
        return slots == Expanded::changed ? state_.changed() : std::span<const std::uint32_t>(chosen_);
    }
    RoundWork<D> collect();

    const DistributedGraph& graph_;
    std::unique_ptr<SsspEngine<D>> engine_;
    SsspState<D> state_;
    std::span<const std::uint32_t> expanded_;  // columns that the next push takes as changed
    std::span<const std::uint32_t> improved_;  // rows that the last round improved

    std::vector<std::uint32_t> chosen_;
    // Only in delta-stepping: slots whose distances have changed and were not expanded since.
    std::vector<std::uint32_t> waiting_;
    HostBuffer<std::uint64_t> is_waiting_;
    // Only in push-pull: slots that were reached in windows.
    std::vector<std::uint32_t> settled_;
    HostBuffer<std::uint64_t> is_settled_;
};

extern template class HostSteps<std::uint32_t>;
extern template class HostSteps<std::int64_t>;
extern template class HostSteps<float>;
extern template class HostSteps<double>;

}  // namespace wayfront::algo
