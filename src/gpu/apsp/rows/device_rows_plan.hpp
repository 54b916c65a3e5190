// The arrays that searches of rows (device_rows.hpp) allocate. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/rows/arc_sectors.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// The sizes of the arrays of ArcSectors.
struct ArcSectorsSize
{
    std::size_t vertices;
    std::size_t places;
    std::size_t long_lists;  // number of places with more arcs than a sector
    std::size_t rest_words;  // number of words of the rests of their lists

    [[nodiscard]] static ArcSectorsSize of(const ArcSectors& graph)
    {
        return {.vertices = graph.place_of_vertex.size(),
                .places = graph.sectors.size() / kSectorWords,
                .long_lists = graph.long_lists,
                .rest_words = graph.rest.size()};
    }
    /// The largest sizes: all vertices have edges, and all have long lists with a padded rest.
    [[nodiscard]] static ArcSectorsSize most(std::size_t vertices, std::size_t arcs)
    {
        return {.vertices = vertices,
                .places = vertices,
                .long_lists = vertices,
                .rest_words = words_of_arc(ArcForm::two_words) * arcs + (kRestWords - 1) * vertices};
    }
};

/// The arrays of the graph (arc_sectors.hpp), and for each launch a counter of searches and the
/// distances of its blocks. All launches share the width of windows.
struct DeviceRowsPlan : MemoryPlan
{
    /// `distance_words`: number of words of the distances of all blocks of a launch, 0 if distances
    /// are in shared memory.
    DeviceRowsPlan(const ArcSectorsSize& graph, std::size_t distance_words, std::size_t launches)
        : sectors(array<std::uint32_t>("sectors", graph.places, kSectorWords)),
          rest_begins(array<std::uint32_t>("begins of long lists", graph.long_lists + 1)),
          rest(array<std::uint32_t>("rests of long lists", graph.rest_words)),
          place_of_vertex(array<std::uint32_t>("places of vertices", graph.vertices)),
          begun(array<std::uint32_t>("searches that have begun", launches)),
          distances(array<std::uint32_t>("distances", launches, distance_words)),
          width(array<std::uint32_t>("width of windows", 1))
    {
    }

    PlannedArray<std::uint32_t> sectors, rest_begins, rest, place_of_vertex, begun, distances, width;
};

}  // namespace wayfront::gpu::apsp
