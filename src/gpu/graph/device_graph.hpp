// A rank's block of the adjacency matrix in device memory, laid out for on-GPU searches.
//
// The rows and columns of a rank are numbered as in gpu/graph/column_numbers.hpp, so that a prefix
// of every bitmap is worth keeping in shared memory, and a tile of a bitmap is one 128-byte line
// that a warp stores into a peer's memory at once. Construction numbers the slots (by descending
// degree class, graph/distributed_graph.hpp). Lists ascend by column, so that likely parents come
// first. A list begins at a multiple of four columns and is padded with cols(), which is in no
// frontier, so that a thread reads four columns in one access.
//
// The first kNearLists neighbours of the rows are stored a second time, by place in the list:
// near[k][row] is row's k-th neighbour, for the rows below near_rows[k] (later rows have no k-th
// neighbour; an earlier row without one has cols()). A warp reads them coalesced.
// near_vertices[k][row] is the k-th in-neighbour's number in the input: the parent to write, without
// a look-up.
//
// A directed graph has two sets of lists, of out-neighbours and of in-neighbours; those of an
// undirected graph are one.
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

/// The number of lists of neighbours, and the number that is no neighbour's: it pads lists.
struct ListNumbers
{
    std::uint32_t count = 0;
    std::uint32_t none = 0;
};

/// Lists of neighbours, as an argument of kernels: of a rank's slots, whose neighbours are columns
/// and for which `none` is cols(); or of the rows or columns of a block (device_block.hpp).
struct NeighbourListsView : ListNumbers
{
    std::uint64_t edges = 0;           // of all lists, without padding
    const ListPlace* lists = nullptr;  // `count` of them
    const std::uint32_t* neighbours = nullptr;
    std::array<const std::uint32_t*, kNearLists> near{};
    std::array<std::uint32_t, kNearLists> near_rows{};
};

/// The graph as an argument of kernels: plain pointers and numbers.
struct DeviceGraphView : ColumnNumbers
{
    // Vertices that this rank owns, including those without edges.
    std::uint32_t local_count = 0;

    /// The lists of own slots, over a P x 1 grid.
    [[nodiscard]] WAYFRONT_HD ListNumbers own_lists() const { return {slot_stride, cols()}; }

    NeighbourListsView out;  // the heads of the edges from own vertices: top-down levels
    NeighbourListsView in;   // the tails of the edges to own vertices: bottom-up levels
    // Of `in`.
    std::array<const std::uint32_t*, kNearLists> near_vertices{};
    const std::uint32_t* vertex_of_column = nullptr;  // P * S; input numbers, below 2^32 - 1
    LocalSlotsView local_slots;

    /// Whether out-edges and in-edges are one.
    [[nodiscard]] WAYFRONT_HD bool is_symmetric() const { return out.lists == in.lists; }
};

/// Owns the memory that a NeighbourListsView points to.
class NeighbourLists
{
public:
    NeighbourLists() = default;
    /// Takes plain lists: list i of numbers.count is neighbours[offsets[i]] to
    /// neighbours[offsets[i + 1] - 1]. Throws ResourceError if device memory does not suffice or a
    /// list is longer than kMostDegree of ListPlace.
    NeighbourLists(ListNumbers numbers, DeviceBuffer<std::uint64_t> offsets, DeviceBuffer<std::uint32_t> neighbours,
                   const Stream& stream);

    // Valid while this object, or the object that it was moved to, lives.
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

/// Owns the memory that a DeviceGraphView points to.
struct DeviceGraph
{
    DeviceGraphView view;  // valid while the graph lives
    bool directed = false;
    std::int64_t connected_vertices = 0;  // of all ranks
    EdgeCount directed_edges = 0;         // of all ranks, without self-loops and duplicates

    NeighbourLists in;
    NeighbourLists out;  // none if they are the lists of `in`
    std::array<DeviceBuffer<std::uint32_t>, kNearLists> near_vertices;
    DeviceBuffer<std::uint32_t> vertex_of_column;
    LocalSlots local_slots;

    /// Points the view to all buffers, and builds near_vertices and the slots of own vertices by
    /// local number (`slot_of_local`: slot_stride for a vertex without edges). Call it once, when
    /// the view's numbers, the lists and vertex_of_column are set. Throws ResourceError if device
    /// memory does not suffice.
    void complete(DeviceBuffer<std::uint32_t> slot_of_local, const Stream& stream);
    [[nodiscard]] std::size_t bytes() const;

    /// Whether own vertex `local` has an edge other than a self-loop. Waits for the stream.
    [[nodiscard]] bool has_edges(std::uint32_t local, const Stream& stream) const
    {
        return local_slots.has_edges(local, stream);
    }
};

}  // namespace wayfront::gpu
