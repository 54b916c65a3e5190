// A graph with weights in device memory: for every vertex, the list of its arcs by ascending
// weight.
//
// An arc has 8 bytes, which contain its neighbour and its weight. A list begins at a multiple of
// four arcs and is padded with arcs of infinite weight. The four lightest arcs of a vertex, which
// are most of the arcs that a search reads, are also stored as its *head*: one sector of 32 bytes,
// whose address follows from the vertex's slot without a read of the place of the list. Slots are
// numbered by descending degree class (graph/distributed_graph.hpp), so that the lists of a warp's
// vertices have about equal length.
//
// If there are several ranks, the grid is P x 1: a rank has the lists of its own slots, and arcs
// lead to columns (gpu/graph/column_numbers.hpp).
//
// The lists contain out-arcs. A directed graph may have a second set of lists, of in-arcs; the end
// of an in-arc is the vertex from which it leads. In an undirected graph, both sets are the same.
//
// The host constructs the graph, or kernels construct it (gpu/construction,
// gpu/kron/construction.hpp). gpu/graph/place_arcs.cuh converts the lists of both to this form.
#pragma once

#include <cstdint>

#include "gpu/graph/arc_lists_plan.hpp"
#include "gpu/graph/column_numbers.hpp"
#include "gpu/graph/local_slots.hpp"
#include "gpu/runtime/buffer.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/own_out_edges.hpp"

namespace wayfront::gpu {

/// The lists of one direction, as plain pointers.
struct ArcArraysView
{
    const ListPlace* lists = nullptr;
    const Arc* list_arcs = nullptr;
    const Arc* heads = nullptr;  // kHeadArcs arcs of each slot
};

/// The lists of out-arcs, and those of in-arcs, as an argument of kernels.
struct ArcListsView : ArcArraysView
{
    ArcArraysView in;         // null in a directed graph without lists of in-arcs
    std::uint32_t slots = 0;  // number of slots of this rank
    std::uint64_t arcs = 0;   // number of out-arcs in all lists of this rank, without padding
    ColumnNumbers columns;
    const std::uint32_t* vertex_of_column = nullptr;  // the input's number of each column
    LocalSlotsView local_slots;
    // The vertices at this slot and at all later slots have at most one arc, counted over both
    // directions if the graph is directed. Undefined without lists of in-arcs.
    std::uint32_t first_leaf = 0;
    // Sum, over all arcs, of the degree of the vertex to which the arc leads. Undefined without
    // lists of in-arcs.
    double end_degrees = 0;

    /// Whether the lists of out-arcs are also the lists of in-arcs.
    [[nodiscard]] WAYFRONT_HD bool is_symmetric() const { return in.lists == lists; }
};

/// The places, arcs and heads of all lists.
struct ArcArrays
{
    ArcArrays() = default;
    explicit ArcArrays(const ArcArraysPlan& plan) : lists(plan.lists), list_arcs(plan.list_arcs), heads(plan.heads) {}

    [[nodiscard]] ArcArraysView view() const { return {lists.data(), list_arcs.data(), heads.data()}; }

    [[nodiscard]] std::size_t bytes() const { return lists.bytes() + list_arcs.bytes() + heads.bytes(); }

    DeviceBuffer<ListPlace> lists;
    DeviceBuffer<Arc> list_arcs, heads;
};

/// The lists of a rank's out-arcs, which an ArcPlacer has placed.
struct PlacedArcs
{
    ColumnNumbers columns;
    ArcArrays arrays;        // for columns.slot_stride slots
    std::uint64_t arcs = 0;  // number of arcs of this rank, without padding
};

/// The lists that a directed graph has.
enum class ArcDirections { out, both };

/// Owns the device memory of an ArcListsView.
class ArcLists
{
public:
    ArcLists() = default;
    /// Copies the edges of this rank's vertices to the device. Pre: a grid of one column. The
    /// weights are uint32 or float32, and none is negative; in a graph without weights, each weight
    /// is the whole number 1. The order of the lists is kept; push-pull needs lists that are sorted
    /// by weight. Throws InputError if the graph has more than 2^31 vertices, and ResourceError if
    /// the device memory does not suffice.
    ArcLists(const DistributedGraph& graph, const OwnOutEdges& out, ArcDirections directions, const Stream& stream);
    /// Takes over the lists of an undirected graph. `vertex_of_column`: placed.columns.cols()
    /// elements or more. `slot_of_local`: placed.columns.slot_stride or more for a vertex without
    /// edges. Returns when all work is complete.
    ArcLists(PlacedArcs placed, DeviceBuffer<std::uint32_t> vertex_of_column,
             const DeviceBuffer<std::uint32_t>& slot_of_local, const Stream& stream);

    /// Makes the graph directed, with these lists of in-arcs, which an ArcPlacer has placed;
    /// without lists of in-arcs if `in` is empty. Returns when all work is complete.
    void add_in_arcs(ArcArrays in, const Stream& stream);

    // The view is valid while this object exists.
    [[nodiscard]] const ArcListsView& view() const { return view_; }
    [[nodiscard]] bool has_edges(std::uint32_t local, const Stream& stream) const
    {
        return local_slots_.has_edges(local, stream);
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return arrays_.bytes() + in_arrays_.bytes() + vertex_of_column_.bytes() + local_slots_.bytes();
    }

private:
    void set_in_arcs(const ArcArraysView& in, const Stream& stream);

    ArcListsView view_;
    ArcArrays arrays_;
    ArcArrays in_arrays_;  // lists of in-arcs of a directed graph; may be empty
    DeviceBuffer<std::uint32_t> vertex_of_column_;
    LocalSlots local_slots_;
};

}  // namespace wayfront::gpu
