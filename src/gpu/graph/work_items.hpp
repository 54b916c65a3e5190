// Work items: pieces of adjacency lists. A warp handles one work item at a time. Needs no nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace wayfront::gpu {

// Numbers of edges of a work item. In a level with many edges, long lists are cut into larger
// items: otherwise, making the items of a hub's list would take as long as following the list.
inline constexpr std::uint32_t kItemEdges = 128;
inline constexpr std::uint32_t kLongItemEdges = 1024;
inline constexpr std::uint32_t kLongList = 16 * kLongItemEdges;

/// one: all work items of a level have kItemEdges edges. two: those of long lists have
/// kLongItemEdges.
enum class ItemSizes { one, two };

[[nodiscard]] WAYFRONT_HD inline std::uint32_t item_edges(std::uint32_t degree, ItemSizes sizes)
{
    return sizes == ItemSizes::two && degree >= kLongList ? kLongItemEdges : kItemEdges;
}

/// A work item: piece number `piece`, of item_edges() edges, of the list of a slot.
struct alignas(8) WorkItem
{
    std::uint32_t slot;
    std::uint32_t piece;
};

/// Consecutive work items of a queue.
struct ItemRange
{
    std::uint64_t first = 0;
    std::uint64_t last = 0;  // one past the end
    ItemSizes sizes = ItemSizes::one;
};

/// A queue to which kernels append work items.
struct ItemQueue
{
    WorkItem* items = nullptr;
    std::uint64_t* size = nullptr;  // number of items in the queue
    ItemSizes sizes = ItemSizes::one;
};

/// Upper limit of the items of a rank's part of a frontier: one item for every vertex, and another
/// for every kItemEdges edges.
[[nodiscard]] inline std::size_t queue_capacity(std::uint32_t slots, std::uint64_t edges)
{
    return slots + edges / kItemEdges + 1;
}

}  // namespace wayfront::gpu
