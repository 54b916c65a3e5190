// The search for shortest paths by pushes and pulls on GPUs that exchange messages: of several hosts, or of one
// whose GPUs do not reach each other's memory or are shared.
//
// It takes the steps of the resident search (gpu/sssp/steps.cuh), over the same lists, but the host launches
// each, and all ranks make the same choices between them. A grid of one column and any number of ranks is
// possible, and any way of exchange (gpu/exchange/device_exchange.hpp). After each step every rank sends
// a piece to all others, whose header has the counts of the step, so that a step has one exchange and one
// wait of the host:
//
//   paths    of pushes, to the owners of the vertices that they improve: slot, distance, parent. A rank
//            sends the shortest path that it has found in the step.
//   bounds   of the vertices that pushes have reached, to all ranks.
//   requests for the bounds that a rank needs after the first pass of pulls, their answers, and from then on the
//            changes of these bounds after each pass (bounds_requests.hpp).
//
// Pieces have the same size on all ranks, which follows from counts that all have. What finds no room follows
// in further messages, once all know how much it is.
//
// Every GPU has 36 bytes for each vertex of the whole graph that has edges, however many ranks there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/phase.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/sssp/pull_rules.hpp"
#include "gpu/sssp/push_pull.hpp"
#include "gpu/sssp/stepped/bounds_requests.hpp"
#include "gpu/sssp/stepped/memory.hpp"
#include "gpu/sssp/stepped/message.hpp"
#include "gpu/sssp/stepped/messages.hpp"
#include "gpu/sssp/stepped/path_estimate.hpp"

namespace wayfront::gpu::sssp {

struct FirstPull;

/// After an exception the object is only to be destroyed.
class SteppedPushPull final : public PushPull
{
public:
    /// `alone`: this rank by itself. `exchange`: of the ranks of `world`. All outlive the search. Collective.
    SteppedPushPull(const comm::Communicator& world, const comm::Communicator& alone, const SsspInput& input,
                    const Stream& stream, DeviceExchange& exchange);

    void run(SsspSource source) override;
    void add_steps(const SsspSummary& summary, SsspFacts& facts) const override;
    [[nodiscard]] std::size_t bytes() const override;

private:
    void lay_out_messages();
    void share_lightest_arcs();

    /// What all ranks know of the source.
    struct SourceFacts
    {
        std::uint32_t least;   // the weight of its lightest arc
        std::uint64_t degree;  // its out-arcs
    };

    // A search, in the order of calls.
    template <typename Kernels>
    void search(const SsspSource& source);
    template <typename Kernels>
    [[nodiscard]] PushProgress push(const SsspSource& source, SourceFacts& facts);
    /// Returns a distance: pulls need not look at arcs of nearer vertices.
    template <typename Kernels>
    [[nodiscard]] std::uint32_t settle(const SsspSource& source, const PushProgress& at, const SourceFacts& facts);
    template <typename Kernels>
    void pull(const PushProgress& at, std::uint32_t least);
    template <typename Kernels>
    [[nodiscard]] bool improved_are_to_push(const PullProgress& progress, const SsspCounts& counts);
    template <typename Kernels>
    void push_improved(std::uint64_t count);

    /// The vertices that a round lists: own ones by slot, and those of others by column.
    struct RoundLists
    {
        SlotList own, others;
        SlotList unsent;  // those of others whose paths find no room in a message
    };
    [[nodiscard]] RoundLists frontiers(std::uint32_t round) const;
    [[nodiscard]] RoundLists takers(std::uint32_t round) const;

    // Each ends a step with an exchange, and returns the counts of all ranks.

    /// Sends the paths to the vertices of others, in as many messages as they need. `vertices`: those of all ranks that
    /// the step has begun with.
    SsspCounts offer(RoundLists lists, PathEstimate& estimate, std::uint64_t vertices);
    [[nodiscard]] SsspCounts exchange_counts();
    /// Tells all ranks which bounds have changed; once they have asked for bounds, of those vertices.
    SsspCounts send_changes();
    /// Asks for the bounds that the next pass of pulls needs. `first`: of the first pass.
    template <typename Kernels>
    SsspCounts request_bounds(const FirstPull& first);
    /// Tells all ranks all bounds of the vertices at these slots.
    SsspCounts send_all_bounds(const SlotRange& slots);

    [[nodiscard]] StepResult exchange_paths(const RoundLists& lists, std::uint32_t room);
    void send_listed(const Pieces<BoundsUpdate>& usual, std::uint32_t room);
    /// Ends the last step's record, and begins the next.
    void record(SsspStep step, std::uint64_t vertices);
    void end_record();
    [[nodiscard]] std::size_t ranks() const { return view_.graph.columns.ranks; }

    static constexpr std::size_t kWindows = 8;  // the later ones are like the last of these

    DeviceExchange& exchange_;
    SteppedSsspPlan plan_;
    DeviceArrays memory_;
    // The first slots, of the busiest vertices. These pull first, and all GPUs learn what they have found before
    // the others pull: fewer of these stay open then.
    std::uint32_t busy_slots_;
    // The paths of a piece, at most, and the vertices that a rank tells of at once.
    std::uint32_t most_paths_;
    std::uint32_t usual_changes_;
    PackState state_;
    std::vector<PathEstimate> windows_;  // of the first rounds of windows
    PathEstimate rounds_, rounds_of_improved_;
    StepResults results_;
    std::optional<BoundsRequests> requests_;  // if vertices pull
    bool has_requested_ = false;              // in this search
    std::vector<SsspStepRecord> records_;
    Clock::time_point record_begin_;
    std::uint64_t sent_before_ = 0;  // bytes, before the step of the last record
};

}  // namespace wayfront::gpu::sssp
