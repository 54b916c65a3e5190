// The arrays that searches of rows (device_rows.hpp) allocate. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/rows/arc_sectors.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// The graph (arc_sectors.hpp), and a counter of searches.
struct DeviceRowsPlan : MemoryPlan
{
    /// `long_lists` is the number of places with more arcs than a sector holds, `rest_words` the
    /// number of words of their other arcs.
    DeviceRowsPlan(std::size_t vertices, std::size_t places, std::size_t long_lists, std::size_t rest_words)
        : sectors(array<std::uint32_t>("sectors", places, kSectorWords)),
          rest_begins(array<std::uint32_t>("begins of long lists", long_lists + 1)),
          rest(array<std::uint32_t>("rests of long lists", rest_words)),
          place_of_vertex(array<std::uint32_t>("places of vertices", vertices)),
          taken(array<std::uint32_t>("searches that have begun", 1))
    {
    }
    explicit DeviceRowsPlan(const ArcSectors& graph)
        : DeviceRowsPlan(graph.place_of_vertex.size(), graph.sectors.size() / kSectorWords, graph.long_lists, graph.rest.size())
    {
    }
    /// The plan for the most memory: all vertices have edges and long lists, each of which is
    /// filled up.
    static DeviceRowsPlan most(std::size_t vertices, std::size_t arcs)
    {
        return {vertices, vertices, vertices, words_of_arc(ArcForm::two_words) * arcs + (kRestWords - 1) * vertices};
    }

    PlannedArray<std::uint32_t> sectors, rest_begins, rest, place_of_vertex, taken;
};

}  // namespace wayfront::gpu::apsp
