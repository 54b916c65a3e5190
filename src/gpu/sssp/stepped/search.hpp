// The search for shortest paths by pushes and pulls on GPUs that exchange messages: GPUs of several
// hosts, GPUs of one host that do not reach each other's memory, or shared GPUs.
//
// The search takes the steps of the resident search (gpu/sssp/steps.cuh) over the same lists. The
// host launches each step, and all ranks make the same choices between steps. The grid has one
// column and any number of ranks, and any exchange is possible (gpu/exchange/device_exchange.hpp).
// After each step, every rank sends a piece to all other ranks. The header of a piece contains the
// counts of the step, so that a step has one exchange, and the host waits once. The messages are:
//
//   paths    of pushes, to the owners of the vertices that they improve: slot, distance, parent. A
//            rank sends the shortest path to a vertex that it has found in the step.
//   bounds   of the vertices that pushes have reached, to all ranks.
//   requests for the bounds that a rank needs after the first pass of pulls; answers to requests;
//            and changes of these bounds after each later pass (bounds_requests.hpp).
//
// Pieces have the same size on all ranks, which follows from counts that all ranks have. Items
// without room in a piece follow in further messages, when all ranks know their number.
//
// Every GPU stores 36 bytes for each vertex of the whole graph that has edges, for any number of
// ranks.
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

/// After an exception, the object may only be destroyed.
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

    /// The properties of the source that all ranks know.
    struct SourceFacts
    {
        std::uint32_t least;   // weight of the source's lightest arc
        std::uint64_t degree;  // number of the source's out-arcs
    };

    // The phases of a search, in the order of the calls.
    template <typename Kernels>
    void search(const SsspSource& source);
    template <typename Kernels>
    [[nodiscard]] PushProgress push(const SsspSource& source, SourceFacts& facts);
    /// Returns a lower limit of the distances of vertices whose arcs pulls need to read.
    template <typename Kernels>
    [[nodiscard]] std::uint32_t settle(const SsspSource& source, const PushProgress& push_progress,
                                       const SourceFacts& facts);
    template <typename Kernels>
    void pull(const PushProgress& push_progress, std::uint32_t least);
    template <typename Kernels>
    [[nodiscard]] bool improved_are_to_push(const PullProgress& progress, const PullCounts& counts);
    template <typename Kernels>
    void push_improved(std::uint64_t count);

    /// The lists of a round: own vertices by slot, and vertices of other ranks by column.
    struct RoundLists
    {
        SlotList own;
        OfferedColumns others;
    };
    [[nodiscard]] RoundLists frontiers(std::uint32_t round) const;
    [[nodiscard]] RoundLists takers(std::uint32_t round) const;

    // Each of these functions ends a step with an exchange, and returns the counts of all ranks.

    /// Sends the paths to vertices of other ranks, in as many messages as necessary. `vertices`:
    /// number of vertices, on all ranks, at the beginning of the step.
    SsspCounts send_paths(RoundLists lists, PathEstimate& estimate, std::uint64_t vertices);
    [[nodiscard]] SsspCounts exchange_counts();
    /// Sends changed bounds: to all ranks, or, after requests for bounds, to the ranks that have
    /// requested them.
    SsspCounts send_changes();
    /// Requests the bounds that the next pass of pulls needs. `first`: limits of the first pass.
    template <typename Kernels>
    SsspCounts request_bounds(const PullLimits& first);
    /// Sends all bounds of the vertices at these slots to all ranks.
    SsspCounts send_all_bounds(const SlotRange& slots);

    [[nodiscard]] StepResult exchange_paths(const RoundLists& lists, std::uint32_t room);
    void send_listed(const Pieces<BoundsUpdate>& usual, std::uint32_t room);
    /// Ends the record of the last step, and begins the record of the next.
    void record(SsspStep step, std::uint64_t vertices);
    void end_record();
    [[nodiscard]] std::size_t ranks() const { return view_.graph.columns.ranks; }

    // Number of windows with estimates of their own. Later windows use the last of these estimates.
    static constexpr std::size_t kWindows = 8;

    DeviceExchange& exchange_;
    SteppedSsspPlan plan_;
    DeviceArrays memory_;
    // Number of first slots, which have the vertices of the largest degrees. These vertices pull first, and all
    // GPUs receive their bounds before the other vertices pull: fewer of the other vertices then
    // stay open.
    std::uint32_t busy_slots_;
    // Largest number of paths in a piece; number of changes for which the usual message has room.
    std::uint32_t most_paths_;
    std::uint32_t usual_changes_;
    PackState state_;
    std::vector<PathEstimate> windows_;  // estimates for the first rounds of windows
    PathEstimate rounds_, rounds_of_improved_;
    StepResults results_;
    std::optional<BoundsRequests> requests_;  // empty if vertices do not pull
    bool has_requested_ = false;              // whether this search has requested bounds
    std::vector<SsspStepRecord> records_;
    Clock::time_point record_begin_;
    std::uint64_t sent_before_ = 0;  // sent bytes before the step of the last record
};

}  // namespace wayfront::gpu::sssp
