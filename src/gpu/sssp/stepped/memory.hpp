// The device memory of a stepped search in addition to that of all searches by pushes and pulls
// (gpu/sssp/search_memory.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/stepped/bounds_requests.hpp"
#include "gpu/sssp/stepped/messages.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

struct SteppedSsspPlan : MemoryPlan
{
    /// `slots`: number of slots of each rank. `most_blocks`: largest number of blocks of a launch.
    SteppedSsspPlan(std::size_t slots, std::size_t ranks, std::size_t most_blocks)
        : most_paths(static_cast<std::uint32_t>(
              std::min(std::bit_ceil(slots + 1), std::max(kMostPaths / ranks, kLeastPaths)))),
          offers(array<std::uint64_t>("paths to vertices of other GPUs", ranks, slots)),
          others{array<std::uint32_t>("list of columns", ranks, slots),
                 array<std::uint32_t>("list of columns", ranks, slots)},
          sizes(array<SsspSizes>("sizes of lists", 1)),
          changed(array<std::uint8_t>("marks of changed bounds", slots)),
          pull_sizes(array<PullSizes>("sizes of blocks' lists", most_blocks)),
          totals(array<CountWords<SsspCounts>>("counts of a step", 1)),
          counters(array<std::uint32_t>("counters of pieces", 2 * ranks + 2)),
          sent(array<std::byte>("paths to send", ranks, Pieces<OfferedPath>::bytes_for(most_paths))),
          received(array<std::byte>("received paths", ranks, Pieces<OfferedPath>::bytes_for(most_paths))),
          updates(array<BoundsUpdate>("changed bounds", slots / kUpdatedPart)),
          change_pieces(array<std::byte>("pieces of bounds", ranks, Pieces<BoundsUpdate>::bytes_for(kUsualChanges))),
          gathered(array<std::byte>(
              "bounds of all vertices", ranks,
              std::max({Pieces<PackedBounds>::bytes_for(slots / PackedBounds::kCount + 1),
                        Pieces<BoundsUpdate>::bytes_for(slots / kUpdatedPart), BoundsRequestsPlan::least_room(slots)})))
    {
    }

    // Upper limit of the paths in all pieces of a rank; lower limit of the paths in a piece; number
    // of changed vertices for which the first message of a step has room.
    static constexpr std::size_t kMostPaths = std::size_t{1} << 20;
    static constexpr std::size_t kLeastPaths = 512;
    static constexpr std::uint32_t kUsualChanges = 2048;
    // If more than 1 / kUpdatedPart of a rank's bounds have changed, all bounds are sent.
    static constexpr std::size_t kUpdatedPart = 2;

    std::uint32_t most_paths;
    PlannedArray<std::uint64_t> offers;
    std::array<PlannedArray<std::uint32_t>, 2> others;
    PlannedArray<SsspSizes> sizes;
    PlannedArray<std::uint8_t> changed;
    PlannedArray<PullSizes> pull_sizes;
    PlannedArray<CountWords<SsspCounts>> totals;
    PlannedArray<std::uint32_t> counters;
    PlannedArray<std::byte> sent, received;
    PlannedArray<BoundsUpdate> updates;
    PlannedArray<std::byte> change_pieces, gathered;
};

}  // namespace wayfront::gpu::sssp
