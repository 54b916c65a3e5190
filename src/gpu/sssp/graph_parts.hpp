// A graph in parts, one for each thread block of the near-far search.
//
// The vertices of a part have local numbers 0, 1, ... An arc that leads to a vertex of another part
// ends at a *ghost*, a copy of that vertex, whose local number follows those of the part's own
// vertices. So all arcs of a part end at local numbers. A vertex that has ghosts elsewhere is on
// the *boundary* of its part, and has an entry in the part's inbox for the distances that other
// parts find for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::sssp {

struct alignas(32) GraphPart
{
    std::uint32_t vertices = 0;
    std::uint32_t ghosts = 0;
    std::uint32_t boundary = 0;      // number of boundary vertices
    std::uint32_t first_vertex = 0;  // index of the part's first vertex in arrays over all parts
    std::uint32_t first_ghost = 0;   // index of its first ghost in arrays over the ghosts of all parts
    // Index of its first boundary vertex in arrays over the boundary vertices of all parts.
    std::uint32_t first_boundary = 0;
};

/// A vertex's arcs that are not in its head.
struct alignas(8) ArcTail
{
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
};

struct GraphPartsView
{
    // Encoding of an arc's end: a local number, or kNoEnd. kHasTail is set in the last arc of a
    // head if the vertex has a tail.
    static constexpr std::uint32_t kHasTail = std::uint32_t{1} << 31;
    static constexpr std::uint32_t kNoEnd = kHasTail - 1;

    std::uint32_t count = 0;
    const GraphPart* parts = nullptr;
    // Arrays by vertex:
    const Arc* heads = nullptr;  // kHeadArcs arcs of each vertex; Arc::end is a local number
    const ArcTail* tails = nullptr;
    const std::uint32_t* slots = nullptr;
    const Arc* tail_arcs = nullptr;
    const std::uint32_t* vertex_of_slot = nullptr;
    const std::uint32_t* entry_of_ghost = nullptr;     // entry of each ghost in the inboxes
    const std::uint32_t* local_of_boundary = nullptr;  // local number of the boundary vertex of each entry
};

/// The largest numbers over all parts.
struct LargestPart
{
    std::uint32_t vertices = 0;
    std::uint32_t locals = 0;  // number of vertices and ghosts
    std::uint32_t ghosts = 0;
    std::uint32_t boundary = 0;
};

/// A graph in parts, in host memory.
struct HostGraphParts
{
    std::vector<GraphPart> parts;
    std::vector<Arc> heads;
    std::vector<ArcTail> tails;
    std::vector<std::uint32_t> slots;
    std::vector<Arc> tail_arcs;
    std::vector<std::uint32_t> vertex_of_slot;
    std::vector<std::uint32_t> entry_of_ghost;
    std::vector<std::uint32_t> local_of_boundary;
    LargestPart largest;
};

/// Divides a graph into `count` parts of equal size (graph/bisection.hpp). Returns no value if more
/// than `most_cut_arcs` arcs lead from part to part, which the first division into halves may show
/// already. Pre: the graph has slots; `lists` has the place in `arcs` of each slot's list.
[[nodiscard]] std::optional<HostGraphParts> divide_graph(std::span<const ListPlace> lists, std::span<const Arc> arcs,
                                                         std::uint32_t count, std::uint64_t most_cut_arcs);

/// Owns the device memory of a GraphPartsView.
class GraphParts
{
public:
    /// Copies the parts to the device. Throws ResourceError if the device memory does not suffice.
    GraphParts(const HostGraphParts& host, const Stream& stream);

    // The view is valid while this object exists.
    [[nodiscard]] const GraphPartsView& view() const { return view_; }
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }
    /// The number of entries of all inboxes.
    [[nodiscard]] std::size_t boundary() const { return boundary_; }

private:
    GraphPartsView view_;
    std::size_t boundary_ = 0;
    DeviceArrays memory_;
};

}  // namespace wayfront::gpu::sssp
