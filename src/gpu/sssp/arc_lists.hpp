// A graph with weights in device memory: for every vertex the list of its arcs by ascending weight.
//
// An arc is 8 bytes, its neighbour and its weight together, and lists begin at multiples of four
// arcs and are padded with arcs of infinite weight. The four lightest arcs of a vertex, which are
// most of what a search reads of it, are also its head: one 32-byte sector of memory at the
// vertex's slot, which no place of a list has to be read for. Slots are numbered by descending
// degree class (graph/distributed_graph.hpp), so that the lists of a warp's vertices are about
// equally long.
#pragma once

#include <cstdint>

#include "gpu/graph/device_graph_plan.hpp"
#include "gpu/graph/local_slots.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

/// The weight is stored as its bits: a float that is not negative, or an unsigned whole number.
/// Both are ordered as unsigned numbers.
struct alignas(8) Arc
{
    std::uint32_t slot;
    std::uint32_t weight;
};

inline constexpr std::uint32_t kHeadArcs = 4;

/// The lists as an argument of kernels: plain pointers and numbers.
struct ArcListsView
{
    std::uint32_t slots = 0;
    std::uint64_t arcs = 0;  // of all lists, without padding
    const ListPlace* lists = nullptr;
    const Arc* list_arcs = nullptr;
    const Arc* heads = nullptr;                     // kHeadArcs of each slot
    const std::uint32_t* vertex_of_slot = nullptr;  // the input's number
    LocalSlotsView local_slots;
};

struct ArcListsPlan : MemoryPlan
{
    /// `arcs`: including padding.
    ArcListsPlan(std::size_t slots, std::size_t arcs)
        : lists(array<ListPlace>("places of lists", slots)),
          list_arcs(array<Arc>("arcs", arcs)),
          heads(array<Arc>("lightest arcs", slots, kHeadArcs)),
          vertex_of_slot(array<std::uint32_t>("vertices of slots", slots))
    {
    }

    PlannedArray<ListPlace> lists;
    PlannedArray<Arc> list_arcs, heads;
    PlannedArray<std::uint32_t> vertex_of_slot;
};

/// Owns the memory that an ArcListsView points to.
class ArcLists
{
public:
    ArcLists() = default;
    /// Copies the out-edges of a graph on one rank to the device. Pre: the weights are uint32 or
    /// float32, and none is negative; the arcs keep the order of the lists, and push-pull needs them
    /// sorted by weight. Throws InputError if the graph
    /// has more than 2^31 vertices, ResourceError if device memory does not suffice or a vertex has
    /// over 2^30 edges.
    ArcLists(const DistributedGraph& graph, const Stream& stream);

    [[nodiscard]] const ArcListsView& view() const { return view_; }  // valid while this object lives
    [[nodiscard]] bool has_edges(std::uint32_t local, const Stream& stream) const { return local_slots_.has_edges(local, stream); }
    [[nodiscard]] std::size_t bytes() const
    {
        return lists_.bytes() + arcs_.bytes() + heads_.bytes() + vertex_of_slot_.bytes() + local_slots_.bytes();
    }

private:
    ArcListsView view_;
    DeviceBuffer<ListPlace> lists_;
    DeviceBuffer<Arc> arcs_, heads_;
    DeviceBuffer<std::uint32_t> vertex_of_slot_;
    LocalSlots local_slots_;
};

}  // namespace wayfront::gpu
