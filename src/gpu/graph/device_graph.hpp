// A rank's block of the adjacency matrix in device memory, in the layout for on-GPU searches.
//
// The rows and columns of a rank are numbered as in gpu/graph/column_numbers.hpp, so that a prefix
// of every bitmap can be kept in shared memory, and a tile of a bitmap is one line of 128 bytes
// that a warp stores into a peer's memory at once. Construction numbers the slots (by descending
// degree class, graph/distributed_graph.hpp). Lists ascend by column, so that likely parents come
// first. A list begins at a multiple of four columns and is padded with cols(), which is in no
// frontier, so that a thread reads four columns in one access.
//
// The first kNearLists neighbours of the rows are also stored by place in the list, in the *near
// lists*: near[k][row] is the k-th neighbour of the row, for the rows below near_rows[k]. Later
// rows have no k-th neighbour; an earlier row without a k-th neighbour has cols(). A warp reads
// near lists coalesced. near_vertices[k][row] is the input's number of the k-th in-neighbour: the
// parent to write, without another read.
//
// A directed graph has two sets of lists, of out-neighbours and of in-neighbours. In an undirected
// graph, both sets are the same.
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

/// The number of lists of neighbours, and `none`, which is no neighbour's number and pads lists.
struct ListNumbers
{
    std::uint32_t count = 0;
    std::uint32_t none = 0;
};

/// Lists of neighbours as an argument of kernels: the lists of a rank's slots, whose neighbours are
/// columns and for which `none` is cols(); or the lists of the rows or columns of a block
/// (device_block.hpp).
struct NeighbourListsView : ListNumbers
{
    std::uint64_t edges = 0;           // number of edges of all lists, without padding
    const ListPlace* lists = nullptr;  // `count` elements
    const std::uint32_t* neighbours = nullptr;
    std::array<const std::uint32_t*, kNearLists> near{};
    std::array<std::uint32_t, kNearLists> near_rows{};
};

/// The graph as an argument of kernels: plain pointers and numbers.
struct DeviceGraphView : ColumnNumbers
{
    // Number of vertices that this rank owns, including those without edges.
    std::uint32_t local_count = 0;

    /// The numbers of the lists of own slots, in a P x 1 grid.
    [[nodiscard]] WAYFRONT_HD ListNumbers own_lists() const { return {slot_stride, cols()}; }

    NeighbourListsView out;  // targets of the edges from own vertices, for top-down levels
    NeighbourListsView in;   // sources of the edges to own vertices, for bottom-up levels
    // The input's numbers of the near in-neighbours.
    std::array<const std::uint32_t*, kNearLists> near_vertices{};
    const std::uint32_t* vertex_of_column = nullptr;  // P * S elements: the input's numbers, below 2^32 - 1
    LocalSlotsView local_slots;

    /// Whether the lists of out-edges are also the lists of in-edges.
    [[nodiscard]] WAYFRONT_HD bool is_symmetric() const { return out.lists == in.lists; }
};

/// Owns the device memory of a NeighbourListsView.
class NeighbourLists
{
public:
    NeighbourLists() = default;
    /// Makes the lists from plain lists: list i of numbers.count lists is neighbours[offsets[i]] to
    /// neighbours[offsets[i + 1] - 1]. Throws ResourceError if the device memory does not suffice
    /// or a list is longer than ListPlace::kMostDegree.
    NeighbourLists(ListNumbers numbers, DeviceBuffer<std::uint64_t> offsets, DeviceBuffer<std::uint32_t> neighbours,
                   const Stream& stream);

    // The view is valid while this object, or the object to which it is moved, exists.
    [[nodiscard]] const NeighbourListsView& view() const { return view_; }
    [[nodiscard]] std::size_t bytes() const;

    [[nodiscard]] const DeviceBuffer<ListPlace>& lists() const { return lists_; }
    [[nodiscard]] const DeviceBuffer<std::uint32_t>& neighbours() const { return neighbours_; }
    [[nodiscard]] const DeviceBuffer<std::uint32_t>& near(std::size_t k) const { return near_[k]; }

private:
    NeighbourListsView view_;
    DeviceBuffer<ListPlace> lists_;
    DeviceBuffer<std::uint32_t> neighbours_;
    std::array<DeviceBuffer<std::uint32_t>, kNearLists> near_;
};

/// Owns the device memory of a DeviceGraphView.
struct DeviceGraph
{
    DeviceGraphView view;  // valid while the graph exists
    bool directed = false;
    std::int64_t connected_vertices = 0;  // over all ranks
    EdgeCount directed_edges = 0;         // over all ranks, without self-loops and duplicates

    NeighbourLists in;
    NeighbourLists out;  // empty if the lists of out-edges are those of `in`
    std::array<DeviceBuffer<std::uint32_t>, kNearLists> near_vertices;
    DeviceBuffer<std::uint32_t> vertex_of_column;
    LocalSlots local_slots;

    /// Points the view to all buffers, and makes near_vertices and local_slots. `slot_of_local`:
    /// the slots of own vertices by local number; slot_stride for a vertex without edges. To be
    /// called once, after the view's numbers, the lists and vertex_of_column are set. Throws
    /// ResourceError if the device memory does not suffice.
    void complete(DeviceBuffer<std::uint32_t> slot_of_local, const Stream& stream);
    [[nodiscard]] std::size_t bytes() const;

    /// Whether the own vertex with local number `local` has an edge other than a self-loop. Waits
    /// for the stream.
    [[nodiscard]] bool has_edges(std::uint32_t local, const Stream& stream) const
    {
        return local_slots.has_edges(local, stream);
    }
};

}  // namespace wayfront::gpu
