// The launches of a stepped search for shortest paths. Each function puts its kernels into the
// stream and returns.
//
// A step leaves the counts of its threads (counts.hpp) in the view's `totals`, the paths to other GPUs' vertices
// in lists of columns, and marks of the vertices whose bounds have changed. The kernels of messages
// send the counts along, and clear totals, lists and marks.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/stepped/messages.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

struct WholeDistance;
struct FloatDistance;

/// The bounds that a GPU requests from the other GPUs.
struct RequestedBounds
{
    Pieces<std::uint32_t> bits;  // bitmap of each rank's slots
    // Number of first slots whose bounds may have become final since the first pass read them.
    std::uint32_t busy_slots;
};

/// The steps (gpu/sssp/steps.cuh), for one type of distances.
template <typename Distance>
struct StepKernels
{
    /// Configures the shared memory of the kernels. Throws ResourceError if the device has too
    /// little shared memory.
    [[nodiscard]] static SsspLaunch plan();

    /// The end of the window that begins at the distance `nearest`.
    [[nodiscard]] static std::uint32_t end_of_window(const SsspView& view, std::uint32_t nearest);

    /// Makes the source the first frontier, and leaves SourceCounts.
    static void start(const SsspView& view, const SsspSource& source, const Stream& stream);
    /// `progress`: if `widens`, with the limit of the new window.
    static void push(const SsspView& view, const PushProgress& progress, bool widens, const SsspLaunch& size,
                     const Stream& stream);
    static void find_nearest_of_large(const SsspView& view, const SsspLaunch& size, const Stream& stream);
    static void settle(const SsspView& view, const SsspSource& source, std::uint32_t near_end, const SsspLaunch& size,
                       const Stream& stream);
    /// The source relaxes all its arcs. If `near`, the vertices that settle() collected do so, too.
    static void relax_near(const SsspView& view, const SsspSource& source, bool near, const SsspLaunch& size,
                           const Stream& stream);
    static void take_offers(const SsspView& view, std::uint32_t round, const SsspLaunch& size, const Stream& stream);
    /// The part of the first pass of pulls at these slots.
    static void pull_all(const SsspView& view, const SlotRange& slots, const PullLimits& limits, const SsspLaunch& size,
                         const Stream& stream);
    /// Sets the bits of the other GPUs' vertices whose bounds the next pass needs. `limits`: those
    /// of the first pass.
    static void request_ends(const SsspView& view, const PullLimits& limits, const RequestedBounds& requested,
                             const SsspLaunch& size, const Stream& stream);
    static void pull_again(const SsspView& view, std::uint32_t settled, std::uint32_t pass, const SsspLaunch& size,
                           const Stream& stream);
    static void count_arcs_of_improved(const SsspView& view, const SsspLaunch& size, const Stream& stream);
    /// A round of the pushes after pulls. First round: the vertices that the last pull improved
    /// relax their arcs. Later rounds: the takers of the last round do so.
    static void push_improved(const SsspView& view, std::uint32_t round, const SsspLaunch& size, const Stream& stream);
    static void write_results(const SsspView& view, const SsspSource& source, const Stream& stream);
};

extern template struct StepKernels<WholeDistance>;
extern template struct StepKernels<FloatDistance>;

/// Fills a piece for each rank with the paths to the listed columns, and empties this list. Columns
/// whose paths find no room are appended to the unsent ones.
void pack_offers(const SsspView& view, const OfferedColumns& columns, const Pieces<OfferedPath>& sent,
                 const PackState& state, const Stream& stream);
/// Takes the paths that other ranks offered. Improved vertices that are not in a list yet are
/// appended to `improved`. Unless `result` is null, the functions store_paths(), store_changes()
/// and unpack_bounds() write the result of the step to it.
void store_paths(const SsspView& view, const Pieces<OfferedPath>& received, const SlotList& improved,
                 StepResult* result, const Stream& stream);

/// Lists the vertices whose bounds have changed in `changes` and in this rank's piece, as far as
/// there is room.
void pack_changes(const SsspView& view, const ChangesView& changes, const Pieces<BoundsUpdate>& pieces,
                  const PackState& state, const Stream& stream);
/// Stores the changes of the other ranks' vertices from their pieces.
void store_changes(const SsspView& view, const Pieces<BoundsUpdate>& pieces, StepResult* result, const Stream& stream);

/// Copies the LightestArcs of the first `room` slots of this rank to its piece.
void pack_lightest(const SsspView& view, const Pieces<std::uint32_t>& pieces, const Stream& stream);
/// Copies the LightestArcs of the other ranks from their pieces.
void unpack_lightest(const SsspView& view, const Pieces<std::uint32_t>& pieces, const Stream& stream);

/// Copies the bounds at these slots of this rank to its piece.
void pack_bounds(const SsspView& view, const SlotRange& slots, const Pieces<PackedBounds>& pieces,
                 const Stream& stream);
/// Stores the bounds of the other ranks' vertices from their pieces.
void unpack_bounds(const SsspView& view, const SlotRange& slots, const Pieces<PackedBounds>& pieces, StepResult* result,
                   const Stream& stream);

}  // namespace wayfront::gpu::sssp
