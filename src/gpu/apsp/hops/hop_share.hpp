// The batches of targets that a rank counts if several ranks count pairs together
// (hop_counter.hpp).
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/apsp/hops/hop_graph.hpp"

namespace wayfront::gpu::apsp {

/// The batches of a rank: rank r has the batches r, r + ranks, r + 2 ranks, ... A rank numbers its
/// batches from 0.
struct HopShare
{
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;

    /// Number of the rank's batches if there are `batches` batches.
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t batches_of(std::uint32_t batches) const
    {
        return (batches + ranks - 1 - rank) / ranks;
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t batch(std::uint32_t number) const
    {
        return number * ranks + rank;
    }
    [[nodiscard]] WAYFRONT_HD constexpr bool has(std::uint32_t batch) const
    {
        return ranks == 1 || batch % ranks == rank;
    }
    /// The rank's number of a batch. Pre: has(batch).
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t number(std::uint32_t batch) const
    {
        return ranks == 1 ? batch : batch / ranks;
    }

    /// Place i of the rank's batches, in their order. The last batch of the graph may have fewer
    /// places.
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t place(std::uint32_t i) const
    {
        return batch(i / kHopTargets) * kHopTargets + i % kHopTargets;
    }
    /// Number of places in the rank's batches if the graph has `places` places.
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t places_of(std::uint32_t places) const
    {
        const std::uint32_t batches = (places + kHopTargets - 1) / kHopTargets;
        const std::uint32_t own = batches_of(batches) * kHopTargets;
        return batches > 0 && has(batches - 1) ? own - (batches * kHopTargets - places) : own;
    }
};

}  // namespace wayfront::gpu::apsp
