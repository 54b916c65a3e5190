// The nearest source of each vertex after a search from several sources on one GPU
// (algo/nearest_sources.hpp defines the term).
//
// The nearest sources follow from the distances and parents of the search, as in
// algo/nearest_in_memory.hpp. First, each vertex gets the root of its tree as its source, by
// pointer jumping. Then, if a tight arc leads from a vertex with a smaller source to a vertex with
// a greater source, the end of the arc takes the smaller source and passes it on, until nothing
// changes. One cooperative kernel (nearest_kernel.cuh) does this for levels and for lengths of
// paths.
//
// A label is one 64-bit word that atomic operations replace: the source in the upper half, the
// parent in the lower half. A vertex takes a source only if it is smaller than its own source. So
// the parent of a vertex has taken the source before the vertex, and parents form a tree even if
// arcs have length 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/local_slots.hpp"
#include "gpu/graph/search_sources.hpp"
#include "gpu/graph/work_items.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Number of arcs at the beginning of a list that four lanes of a warp follow.
inline constexpr std::uint32_t kNearestHeadArcs = 64;
/// Number of arcs in a piece of the remaining list; a warp follows a piece.
inline constexpr std::uint32_t kNearestPieceArcs = 256;

/// The counts that a barrier sums over all threads.
struct NearestCounts
{
    std::uint64_t least_rest = 0;  // minimum of 2^32 - 1 - distance, which gives the largest distance
    std::uint64_t vertices = 0;    // number of vertices that have changed, or have not found their root yet

    static WAYFRONT_HD constexpr WordReduction reduction(int word)
    {
        return word == 0 ? WordReduction::minimum : WordReduction::sum;
    }
    [[nodiscard]] static WAYFRONT_HD constexpr NearestCounts none()
    {
        return {(std::uint64_t{1} << kCountBits) - 1, 0};
    }
};

/// Sizes of lists, by number of the round modulo 3; 0 before the first round.
struct NearestSizes
{
    std::uint32_t listed[3];  // number of vertices in the list of the round
    std::uint32_t pieces[3];  // number of pieces of the lists of the round's vertices
};

/// The arguments of the kernel: plain pointers.
struct NearestView
{
    LocalSlotsView local_slots;
    const std::uint32_t* vertex_of_slot = nullptr;  // the input's number, which is also the local number
    std::uint32_t slots = 0;
    // Results of the search by local number. The parent of an unreached vertex is -1.
    const std::uint32_t* result_distances = nullptr;
    std::int32_t* result_parents = nullptr;  // replaced by the parents towards the nearest sources
    std::int32_t* nearest = nullptr;         // by local number; -1 if the vertex is not reached
    // Arrays by slot. All bits of labels and ancestors are set before the kernel.
    std::uint32_t* distances = nullptr;
    std::uint64_t* labels = nullptr;
    std::uint32_t* ancestors = nullptr;
    // Two lists of slots, used in turn. The first list is in the memory of the ancestors.
    std::uint32_t* listed[2] = {};
    WorkItem* pieces = nullptr;
    NearestSizes* sizes = nullptr;
    GridBarrierView<NearestCounts> barrier;
};

/// The device memory for a graph with this number of slots and out-arcs.
struct NearestPlan : MemoryPlan
{
    NearestPlan(std::size_t slots, std::size_t arcs, std::size_t local_count)
        : distances(array<std::uint32_t>("distances of slots", slots)),
          labels(array<std::uint64_t>("nearest sources of slots", slots)),
          listed{array<std::uint32_t>("list of slots", slots), array<std::uint32_t>("list of slots", slots)},
          pieces(array<WorkItem>("pieces of lists", arcs / kNearestHeadArcs + arcs / kNearestPieceArcs + 1)),
          sizes(array<NearestSizes>("sizes of lists", 1)),
          nearest(array<std::int32_t>("nearest sources", local_count)),
          barrier(array<GridBarrierState<NearestCounts>>("barrier", 1))
    {
    }

    PlannedArray<std::uint32_t> distances;
    PlannedArray<std::uint64_t> labels;
    std::array<PlannedArray<std::uint32_t>, 2> listed;
    PlannedArray<WorkItem> pieces;
    PlannedArray<NearestSizes> sizes;
    PlannedArray<std::int32_t> nearest;
    PlannedArray<GridBarrierState<NearestCounts>> barrier;
};

/// The sources of a graph's searches from several sources, and the memory of the search for the
/// nearest sources.
class NearestSources
{
public:
    struct Graph
    {
        LocalSlotsView local_slots;
        const std::uint32_t* vertex_of_slot = nullptr;
        std::uint32_t slots = 0;
        std::uint64_t arcs = 0;  // number of out-arcs
    };

    /// Allocates all memory except that of many sources. The graph is on one GPU and outlives the
    /// object. Waits for the stream. Throws ResourceError.
    NearestSources(const Graph& graph, const Stream& stream);

    /// See SourceMemory::set().
    [[nodiscard]] SearchSources set(std::span<const Vertex> sources, const Stream& stream)
    {
        return sources_.set(sources, stream);
    }
    [[nodiscard]] std::uint32_t without_edges(const Stream& stream) const { return sources_.without_edges(stream); }

    /// The arguments of the kernel. Their memory is ready after the work in the stream.
    [[nodiscard]] NearestView begin(const std::uint32_t* distances, std::int32_t* parents, const Stream& stream);
    /// Number of blocks of the kernel.
    [[nodiscard]] unsigned blocks() const { return blocks_; }

    /// Copies the result of the kernel, by local number. Waits for the stream.
    void copy(std::span<std::int32_t> nearest, const Stream& stream);

    [[nodiscard]] std::size_t bytes() const { return memory_.bytes() + sources_.bytes(); }
    /// Upper bound of bytes().
    [[nodiscard]] static std::size_t most_bytes(std::size_t slots, std::size_t arcs, std::size_t local_count)
    {
        return bytes_of(NearestPlan(slots, arcs, local_count)) + SourceMemory::most_bytes(local_count);
    }

private:
    Graph graph_;
    SourceMemory sources_;
    NearestPlan plan_;
    DeviceArrays memory_;
    unsigned blocks_;
};

}  // namespace wayfront::gpu
