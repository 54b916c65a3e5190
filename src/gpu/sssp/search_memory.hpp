// The device memory of searches for shortest paths by pushes and pulls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// Largest number of vertices of a block if `blocks` blocks of kSsspThreads threads divide `slots`
/// vertices, one vertex per thread at a time.
constexpr std::size_t segment_capacity(std::size_t slots, std::size_t blocks)
{
    const std::size_t at_once = kSsspThreads * blocks;
    return (slots + at_once - 1) / at_once * kSsspThreads;
}

/// Upper limit of the items in the segments of all blocks, for any number of blocks below 512. It
/// has room for two more items per thread of each block than `slots`.
constexpr std::size_t most_segmented_items(std::size_t slots)
{
    return slots + std::size_t{1024} * kSsspThreads;
}

/// An SsspPeer and the inbox of its barrier, in one slab that has the same layout on all GPUs.
struct SsspPeerPlan : MemoryPlan
{
    using Message = BarrierMessage<SsspCounts>;

    SsspPeerPlan(std::size_t slots, std::size_t ranks)
        : MemoryPlan(slab(kSharedPageBytes)),
          bounds(array<StoredBounds>("bounds of distances", ranks, slots)),
          lightest(array<std::uint32_t>("weights of lightest arcs", ranks, slots)),
          parents(array<std::uint32_t>("parents", slots)),
          pushed(array<PushState>("states of pushes", slots)),
          frontiers{array<std::uint32_t>("list of vertices", most_segmented_items(slots)),
                    array<std::uint32_t>("list of vertices", most_segmented_items(slots))},
          sizes(array<SsspSizes>("sizes of lists", 1)),
          inbox(array<Message>("inbox of the barrier", kInboxMessages))
    {
    }

    [[nodiscard]] SsspPeer at(std::byte* base) const
    {
        SsspPeer peer;
        peer.bounds = bounds.in(base);
        peer.lightest = lightest.in(base);
        peer.parents = parents.in(base);
        peer.pushed = pushed.in(base);
        peer.frontiers[0] = frontiers[0].in(base);
        peer.frontiers[1] = frontiers[1].in(base);
        peer.sizes = sizes.in(base);
        return peer;
    }

    PlannedArray<StoredBounds> bounds;
    PlannedArray<std::uint32_t> lightest;
    PlannedArray<std::uint32_t> parents;
    PlannedArray<PushState> pushed;
    std::array<PlannedArray<std::uint32_t>, 2> frontiers;
    PlannedArray<SsspSizes> sizes;
    PlannedArray<Message> inbox;
};

/// The arrays that only this GPU reads and writes.
struct SsspPlan : MemoryPlan
{
    SsspPlan(std::size_t slots, std::size_t local_count, std::size_t leaf_count)
        : lists{list(slots), list(slots), list(slots)},
          open{open_list(slots), open_list(slots)},
          leaves(array<Leaf>("leaves", leaf_count)),
          progress(array<PushProgress>("progress of pushes", 1)),
          result_distances(array<std::uint32_t>("distances of vertices", local_count)),
          result_parents(array<std::int32_t>("parents of vertices", local_count)),
          summary(array<SsspSummary>("summary", 1)),
          barrier(array<GridBarrierState<SsspCounts>>("barrier", 1))
    {
    }

    std::array<PlannedArray<std::uint32_t>, 3> lists;
    std::array<PlannedArray<OpenVertex>, 2> open;
    PlannedArray<Leaf> leaves;
    PlannedArray<PushProgress> progress;
    PlannedArray<std::uint32_t> result_distances;
    PlannedArray<std::int32_t> result_parents;
    PlannedArray<SsspSummary> summary;
    PlannedArray<GridBarrierState<SsspCounts>> barrier;

private:
    PlannedArray<OpenVertex> open_list(std::size_t slots)
    {
        return array<OpenVertex>("list of open vertices", most_segmented_items(slots));
    }
    PlannedArray<std::uint32_t> list(std::size_t slots)
    {
        return array<std::uint32_t>("list of vertices", most_segmented_items(slots));
    }
};

}  // namespace wayfront::gpu::sssp
