// A rank's block of the adjacency matrix in device memory, laid out for on-GPU searches.
//
// The rows and columns of a rank are numbered as in gpu/graph/column_numbers.hpp, so that a prefix
// of every bitmap is worth keeping in shared memory, and a tile of a bitmap is one 128-byte line
// that a warp stores into a peer's memory at once. Construction numbers the slots (by descending
// degree class, graph/distributed_graph.hpp). Lists ascend by column, so that likely parents come
// first. A list begins at a multiple of four columns and is padded with cols(), which is in no
// frontier, so that a thread reads four columns in one access.
//
// The first kNearLists in-neighbours of the rows are stored a second time, by place in the list:
// near[k][row] is row's k-th in-neighbour, for the rows below near_rows[k] (later rows have no k-th
// in-neighbour; an earlier row without one has cols()). A warp reads them coalesced.
// near_vertices[k][row] is the same neighbour's number in the input: the parent to write, without a
// look-up.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "gpu/graph/column_numbers.hpp"
#include "gpu/graph/device_graph_plan.hpp"
#include "gpu/graph/local_slots.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

inline constexpr std::uint32_t kTileWords = kTileSlots / 32;

/// The graph as an argument of kernels: plain pointers and numbers.
struct DeviceGraphView : ColumnNumbers
{
    // Vertices that this rank owns, including those without edges.
    std::uint32_t local_count = 0;
    std::uint64_t edges = 0;  // of this rank's lists, without padding

    const ListPlace* lists = nullptr;           // S
    const std::uint32_t* neighbours = nullptr;  // columns
    std::array<const std::uint32_t*, kNearLists> near{};
    std::array<const std::uint32_t*, kNearLists> near_vertices{};
    std::array<std::uint32_t, kNearLists> near_rows{};
    const std::uint32_t* vertex_of_column = nullptr;  // P * S; input numbers, below 2^32 - 1
    LocalSlotsView local_slots;
};

/// Owns the memory that a DeviceGraphView points to.
struct DeviceGraph
{
    DeviceGraphView view;                 // valid while the graph lives
    std::int64_t connected_vertices = 0;  // of all ranks
    EdgeCount directed_edges = 0;         // of all ranks, without self-loops and duplicates

    DeviceBuffer<ListPlace> lists;
    DeviceBuffer<std::uint32_t> neighbours;
    std::array<DeviceBuffer<std::uint32_t>, kNearLists> near;
    std::array<DeviceBuffer<std::uint32_t>, kNearLists> near_vertices;
    DeviceBuffer<std::uint32_t> vertex_of_column;
    LocalSlots local_slots;

    /// Takes the lists from construction (row i is columns[offsets[i]] to columns[offsets[i + 1] -
    /// 1]) and the slots of own vertices by local number (slot_stride for a vertex without edges).
    /// Builds the arrays that the search reads, and points the view to all buffers. Call it once,
    /// when vertex_of_column and the view's numbers are set. Throws ResourceError if device memory
    /// does not suffice or a list is longer than kMostDegree of ListPlace.
    void complete(DeviceBuffer<std::uint64_t> offsets, DeviceBuffer<std::uint32_t> columns,
                  DeviceBuffer<std::uint32_t> slot_of_local, const Stream& stream);
    [[nodiscard]] std::size_t bytes() const;

    /// Whether own vertex `local` has an edge other than a self-loop. Waits for the stream.
    [[nodiscard]] bool has_edges(std::uint32_t local, const Stream& stream) const
    {
        return local_slots.has_edges(local, stream);
    }
};

}  // namespace wayfront::gpu
