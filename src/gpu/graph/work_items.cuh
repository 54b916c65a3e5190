// Work items in kernels. Kernels make work items from adjacency lists, and warps follow them.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012,
// doi:10.1145/2145816.2145832. The list of a vertex is divided into work items of kItemEdges edges;
// a warp takes one item at a time, so that a vertex with a million edges occupies the whole GPU.
#pragma once

#include "gpu/graph/device_graph.hpp"
#include "gpu/graph/work_items.hpp"
#include "gpu/runtime/bits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu {

/// The number of work items of a list of length `degree`.
[[nodiscard]] __device__ inline std::uint32_t item_count(std::uint32_t degree, ItemSizes sizes)
{
    const std::uint32_t edges = item_edges(degree, sizes);
    return (degree + edges - 1) / edges;
}

/// Writes the items of one list for each lane, from the lane's `position` on; `pieces` may be 0. An
/// Item is the number of its list and the number of the piece. All lanes of the warp together write
/// the items of a list that has several. All lanes call.
template <typename Item, typename Count>
__device__ void write_items(Item* queue, std::uint64_t position, std::uint32_t list, Count pieces)
{
    if (pieces == 1) queue[position] = {list, 0};
    for (std::uint32_t many = __ballot_sync(kAllLanes, pieces > 1); many != 0; many &= many - 1) {
        const int lane = __ffs(static_cast<int>(many)) - 1;
        const std::uint32_t lane_list = __shfl_sync(kAllLanes, list, lane);
        const Count lane_pieces = __shfl_sync(kAllLanes, pieces, lane);
        const std::uint64_t first = __shfl_sync(kAllLanes, position, lane);
        for (Count piece = lane_id(); piece < lane_pieces; piece += 32)
            queue[first + piece] = {lane_list, static_cast<std::uint32_t>(piece)};
    }
}

/// Appends the work items of one slot for each lane, with ItemSizes::one. A slot with `degree` 0
/// has no items. All lanes call.
__device__ inline void append_items(WorkItem* queue, std::uint64_t* size, std::uint32_t slot, std::uint32_t degree)
{
    std::uint32_t total = 0;
    const std::uint32_t pieces = item_count(degree, ItemSizes::one);
    const std::uint32_t before = warp_prefix(pieces, total);
    if (total == 0) return;
    std::uint64_t base = 0;
    if (lane_id() == 0)
        base = atomicAdd(reinterpret_cast<unsigned long long*>(size), static_cast<unsigned long long>(total));
    write_items(queue, __shfl_sync(kAllLanes, base, 0) + before, slot, pieces);
}

/// A range of edges of a list.
struct EdgeRange
{
    std::uint32_t first;
    std::uint32_t last;  // one past the end
};

[[nodiscard]] __device__ inline EdgeRange edges_of(const WorkItem& item, const ListPlace& list, ItemSizes sizes)
{
    const std::uint32_t edges = item_edges(list.degree(), sizes);
    const std::uint32_t first = item.piece * edges;
    return {first, first + edges < list.degree() ? first + edges : list.degree()};
}

/// Loads kItemEdges edges of a list from `first` on, one per lane at a time. Edges from `last` on
/// are replaced by out.none.
__device__ inline void load_columns(const DeviceGraphView& graph, const ListPlace& list, std::uint32_t first,
                                    std::uint32_t last, std::uint32_t (&columns)[kItemEdges / 32])
{
    const std::uint32_t edge = first + lane_id();
    const std::uint32_t* const neighbours = graph.out.neighbours + list.begin() + edge;
#pragma unroll
    for (std::uint32_t e = 0; e < kItemEdges / 32; ++e)
        columns[e] = load_streaming_if(edge + e * 32 < last, neighbours + e * 32, graph.out.none);
}

/// The columns of own slots, for for_each_item(), if the lists are those of a P x 1 grid.
struct OwnColumns
{
    const DeviceGraphView& graph;

    [[nodiscard]] __device__ std::uint32_t operator()(std::uint32_t slot) const
    {
        return graph.column(graph.rank, slot);
    }
};

/// Calls f(heads, vertex) for the edges of these work items of a queue, kItemEdges edges at a time,
/// in all lanes of a warp together. `heads`: out-neighbours of the vertex whose number in the input
/// is `vertex`. `column_of(slot)`: column of the vertex with list `slot`.
template <typename ColumnOf, typename F>
__device__ void for_each_item(const DeviceGraphView& graph, const WorkItem* queue, ItemRange items,
                              ColumnOf&& column_of, F&& f)
{
    for (std::uint64_t i = items.first + spread_index() / 32; i < items.last; i += index_stride() / 32) {
        const WorkItem item = queue[i];
        const ListPlace list = graph.out.lists[item.slot];
        const std::uint32_t vertex = graph.vertex_of_column[column_of(item.slot)];
        const EdgeRange edges = edges_of(item, list, items.sizes);
        for (std::uint32_t edge = edges.first; edge < edges.last; edge += kItemEdges) {
            std::uint32_t columns[kItemEdges / 32];
            load_columns(graph, list, edge, edges.last, columns);
            f(columns, vertex);
        }
    }
}

}  // namespace wayfront::gpu
