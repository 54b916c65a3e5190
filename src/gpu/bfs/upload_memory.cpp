#include "gpu/bfs/upload_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "gpu/graph/device_graph_plan.hpp"

namespace wayfront::gpu::bfs {

std::size_t upload_memory(SearchKind kind, Vertex vertices, EdgeCount edges, int ranks)
{
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t own = (static_cast<std::size_t>(vertices) + p - 1) / p;
    const std::size_t connected = std::min(own, 2 * static_cast<std::size_t>(edges) / p + 1);
    const std::size_t slots = (connected + kTileSlots - 1) / kTileSlots * kTileSlots;
    const std::size_t lists = 2 * static_cast<std::size_t>(edges) / p;
    const auto graph = PlacedListsPlan::most(static_cast<std::uint32_t>(slots), lists);
    const ColumnsPlan columns(p, slots);
    const LocalSlotsPlan locals(own, own);
    const std::size_t uploading =
        bytes_of(graph, columns, locals, PlainListsPlan(slots, lists), PlacingPlan(slots), ListSortPlan(slots));
    const std::size_t searching = bytes_of(graph, columns, locals) +
                                  search_state_bytes(kind, static_cast<std::uint32_t>(slots), ranks, own, lists, true);
    return std::max(uploading, searching) + kDeviceReserveBytes;
}

void require_upload_memory(SearchKind kind, Vertex vertices, EdgeCount edges, int ranks, std::size_t free_bytes)
{
    const std::size_t needed = upload_memory(kind, vertices, edges, ranks);
    if (needed <= free_bytes) return;
    throw ResourceError("not enough GPU memory: a graph of " + std::to_string(vertices) + " vertices and " +
                        std::to_string(edges) + " edges over " + std::to_string(ranks) +
                        (ranks == 1 ? " rank needs " : " ranks needs ") + bytes_in_words(static_cast<double>(needed)) +
                        " on the GPU of each, " + bytes_in_words(static_cast<double>(free_bytes)) +
                        " are free; use more ranks, each with a GPU, or --engine cpu");
}

}  // namespace wayfront::gpu::bfs
