// The arrays that searches of rows (device_rows.hpp) allocate. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/rows/arc_sectors.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// The arrays of the graph (arc_sectors.hpp), and for each launch a counter of searches and the
/// distances of its blocks. All launches share the width of windows.
struct DeviceRowsPlan : MemoryPlan
{
    /// `long_lists`: number of places with more arcs than a sector. `rest_words`: number of words
    /// of the rests of their lists. `distance_words`: number of words of the distances of all
    /// blocks of a launch, 0 if distances are in shared memory.
    DeviceRowsPlan(std::size_t vertices, std::size_t places, std::size_t long_lists, std::size_t rest_words,
                   std::size_t distance_words, std::size_t launches)
        : sectors(array<std::uint32_t>("sectors", places, kSectorWords)),
          rest_begins(array<std::uint32_t>("begins of long lists", long_lists + 1)),
          rest(array<std::uint32_t>("rests of long lists", rest_words)),
          place_of_vertex(array<std::uint32_t>("places of vertices", vertices)),
          begun(array<std::uint32_t>("searches that have begun", launches)),
          distances(array<std::uint32_t>("distances", launches, distance_words)),
          width(array<std::uint32_t>("width of windows", 1))
    {
    }
    DeviceRowsPlan(const ArcSectors& graph, std::size_t distance_words, std::size_t launches)
        : DeviceRowsPlan(graph.place_of_vertex.size(), graph.sectors.size() / kSectorWords, graph.long_lists,
                         graph.rest.size(), distance_words, launches)
    {
    }
    /// The plan with the most memory: all vertices have edges, and all have long lists with a
    /// padded rest.
    static DeviceRowsPlan most(std::size_t vertices, std::size_t arcs, std::size_t distance_words, std::size_t launches)
    {
        return {vertices,       vertices,
                vertices,       words_of_arc(ArcForm::two_words) * arcs + (kRestWords - 1) * vertices,
                distance_words, launches};
    }

    PlannedArray<std::uint32_t> sectors, rest_begins, rest, place_of_vertex, begun, distances, width;
};

}  // namespace wayfront::gpu::apsp
