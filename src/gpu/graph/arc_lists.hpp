// A graph with weights in device memory: for every vertex the list of its arcs by ascending weight.
//
// An arc is 8 bytes, its neighbour and its weight together, and lists begin at multiples of four
// arcs and are padded with arcs of infinite weight. The four lightest arcs of a vertex, which are
// most of the arcs that a search reads, are also its head: one 32-byte sector of memory at the
// vertex's slot, which is found without reading the place of the list. Slots are numbered by
// descending degree class (graph/distributed_graph.hpp), so that the lists of a warp's vertices are
// about equally long.
//
// With several ranks the grid is P x 1: a rank has the lists of its own slots, and its arcs lead to
// columns (gpu/graph/column_numbers.hpp).
//
// The lists are those of out-arcs. A directed graph may have a second set, of in-arcs, whose ends are
// where an arc comes from; in an undirected graph both are one.
//
// The lists are those of a graph that the host constructed, or of one that kernels constructed
// (gpu/construction, gpu/kron/construction.hpp); gpu/graph/place_arcs.cuh converts both to this form.
#pragma once

#include <cstdint>

#include "gpu/graph/arc_lists_plan.hpp"
#include "gpu/graph/column_numbers.hpp"
#include "gpu/graph/local_slots.hpp"
#include "gpu/runtime/buffer.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/own_out_edges.hpp"

namespace wayfront::gpu {

/// The lists of one direction: plain pointers.
struct ArcArraysView
{
    const ListPlace* lists = nullptr;
    const Arc* list_arcs = nullptr;
    const Arc* heads = nullptr;  // kHeadArcs of each slot
};

/// The lists of out-arcs, and those of in-arcs, as an argument of kernels.
struct ArcListsView : ArcArraysView
{
    ArcArraysView in;         // null in a directed graph without lists of in-arcs
    std::uint32_t slots = 0;  // of this rank
    std::uint64_t arcs = 0;   // out-arcs of all lists of this rank, without padding
    ColumnNumbers columns;
    const std::uint32_t* vertex_of_column = nullptr;  // the input's number
    LocalSlotsView local_slots;
    // The vertices at the slots from here on have one arc or none, in both directions together if
    // the graph is directed. Undefined without lists of in-arcs, like the next.
    std::uint32_t first_leaf = 0;
    // The sum, over the arcs, of the numbers of arcs of the vertices that they lead to.
    double end_degrees = 0;

    /// Whether out-arcs and in-arcs are one.
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

/// The lists that are kept of a directed graph.
enum class ArcDirections { out, both };

/// Owns the memory that an ArcListsView points to.
class ArcLists
{
public:
    ArcLists() = default;
    /// Copies the edges of this rank's vertices to the device. Pre: a grid of one column. The weights
    /// are uint32 or float32, and none is negative; in a graph without weights, each is the whole
    /// number 1. The arcs keep the order of the lists, and push-pull needs them sorted by weight.
    /// Throws InputError if the graph has more than 2^31 vertices, ResourceError if device memory
    /// does not suffice.
    ArcLists(const DistributedGraph& graph, const OwnOutEdges& out, ArcDirections directions, const Stream& stream);
    /// Takes the lists of an undirected graph that an ArcPlacer has placed: `arcs` without padding,
    /// of columns.slot_stride slots. `vertex_of_column` has columns.cols() elements or more;
    /// `slot_of_local` has columns.slot_stride or more for a vertex without edges. Returns when all
    /// work is done.
    ArcLists(ArcArrays placed, std::uint64_t arcs, const ColumnNumbers& columns,
             DeviceBuffer<std::uint32_t> vertex_of_column, const DeviceBuffer<std::uint32_t>& slot_of_local,
             const Stream& stream);

    /// Makes the graph a directed one, with these lists of in-arcs, which an ArcPlacer has placed, too; or
    /// with none, if `in` is empty. Returns when all work is done.
    void add_in_arcs(ArcArrays in, const Stream& stream);

    // Valid while this object lives.
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
    ArcArrays in_arrays_;  // of a directed graph, if they are wanted
    DeviceBuffer<std::uint32_t> vertex_of_column_;
    LocalSlots local_slots_;
};

}  // namespace wayfront::gpu
