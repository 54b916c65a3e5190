// The launches of a stepped search for shortest paths. Each call puts its kernels into the stream and
// returns.
//
// A step ends with the counts of its threads in the view's `totals`, with the paths to other GPUs'
// vertices in lists of columns, and with marks of the vertices whose bounds have changed. The kernels of
// messages send the counts along, and leave totals, lists and marks empty.
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

/// The distances that bound the first pass of pulls.
struct FirstPull
{
    std::uint32_t least;    // no neighbour that matters is nearer
    std::uint32_t settled;  // distances below are final
};

/// The bounds that a GPU asks the others for.
struct RequestedBounds
{
    Pieces<std::uint32_t> bits;  // of each rank's slots
    std::uint32_t busy_slots;    // the first slots, whose bounds may have become final since they were looked at
};

/// The steps (gpu/sssp/steps.cuh), for one type of distances.
template <typename Distance>
struct StepKernels
{
    /// Allows the kernels their shared memory. Throws ResourceError if the device has too little.
    [[nodiscard]] static SsspLaunch plan();

    /// The end of the window that begins at a distance.
    [[nodiscard]] static std::uint32_t end_of_window(const SsspView& view, std::uint32_t nearest);

    /// Makes the source the frontier. Its lightest weight is the nearest distance of the counts, `found` is the
    /// number of its arcs, and `work` is 1, unless it has no edges.
    static void start(const SsspView& view, const SsspSource& source, const Stream& stream);
    /// `at`: after the window has widened, if `widens`.
    static void push(const SsspView& view, const PushProgress& at, bool widens, const SsspLaunch& how,
                     const Stream& stream);
    static void find_nearest_of_large(const SsspView& view, const SsspLaunch& how, const Stream& stream);
    static void settle(const SsspView& view, const SsspSource& source, std::uint32_t near_end, const SsspLaunch& how,
                       const Stream& stream);
    /// The source relaxes all its arcs, and, if `near`, so do the vertices that settle() collected.
    static void relax_near(const SsspView& view, const SsspSource& source, bool near, const SsspLaunch& how,
                           const Stream& stream);
    static void take_offers(const SsspView& view, std::uint32_t round, const SsspLaunch& how, const Stream& stream);
    /// The part of the first pass at these slots.
    static void pull_all(const SsspView& view, const SlotRange& slots, const FirstPull& pull, const SsspLaunch& how,
                         const Stream& stream);
    /// Adds the vertices of other GPUs whose bounds the next pass needs to the bits of their owners' slots.
    static void request_ends(const SsspView& view, const FirstPull& pull, const RequestedBounds& requested,
                             const SsspLaunch& how, const Stream& stream);
    static void pull_again(const SsspView& view, std::uint32_t settled, std::uint32_t pass, const SsspLaunch& how,
                           const Stream& stream);
    static void count_arcs_of_improved(const SsspView& view, const SsspLaunch& how, const Stream& stream);
    /// The vertices that the last pull improved relax their arcs; from the second of these rounds on, the
    /// takers of the last one.
    static void push_improved(const SsspView& view, std::uint32_t round, const SsspLaunch& how, const Stream& stream);
    static void write_results(const SsspView& view, const SsspSource& source, const Stream& stream);
};

extern template struct StepKernels<WholeDistance>;
extern template struct StepKernels<FloatDistance>;

/// Fills a piece for each rank with the paths to the columns of a list, which is empty afterwards, and lists those of
/// the columns whose paths find no room.
void pack_offers(const SsspView& view, const SlotList& list, const SlotList& unsent, const Pieces<OfferedPath>& sent,
                 const PackState& state, const Stream& stream);
/// Takes the paths that others offered. The vertices that they improve, unless they are listed, are appended
/// to `taken`. These calls write the result of the step, unless `result` is null.
void take_pieces(const SsspView& view, const Pieces<OfferedPath>& received, const SlotList& taken, StepResult* result,
                 const Stream& stream);

/// Lists the vertices whose bounds have changed: in `changes`, and in this rank's piece, as far as there is room.
void pack_changes(const SsspView& view, const ChangesView& changes, const Pieces<BoundsUpdate>& pieces,
                  const PackState& state, const Stream& stream);
/// Takes what the pieces of the other ranks tell.
void take_changes(const SsspView& view, const Pieces<BoundsUpdate>& pieces, StepResult* result, const Stream& stream);

/// Copies the LightestArcs of this rank's slots, as many as there is room for, to its piece.
void pack_lightest(const SsspView& view, const Pieces<std::uint32_t>& pieces, const Stream& stream);
/// Copies those of the other ranks from their pieces.
void unpack_lightest(const SsspView& view, const Pieces<std::uint32_t>& pieces, const Stream& stream);

/// Copies the bounds at these slots of this rank to its piece.
void pack_bounds(const SsspView& view, const SlotRange& slots, const Pieces<PackedBounds>& pieces,
                 const Stream& stream);
/// Takes those of the other ranks from their pieces.
void unpack_bounds(const SsspView& view, const SlotRange& slots, const Pieces<PackedBounds>& pieces, StepResult* result,
                   const Stream& stream);

}  // namespace wayfront::gpu::sssp
