#include "gpu/bfs/upload_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "gpu/graph/device_graph_plan.hpp"

namespace wayfront::gpu::bfs {

std::size_t upload_memory(SearchKind kind, const UploadedSize& size, int ranks)
{
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t own = (static_cast<std::size_t>(size.vertices) + p - 1) / p;
    const std::size_t ends = 2 * static_cast<std::size_t>(size.edges) / p;
    const std::size_t connected = std::min(own, ends + 1);
    const auto slots = static_cast<std::uint32_t>((connected + kTileSlots - 1) / kTileSlots * kTileSlots);
    // The lists in one direction, and those in both.
    const std::size_t edges = size.directed ? ends / 2 : ends;
    const auto lists = PlacedListsPlan::most(slots, edges);
    const std::size_t placed = bytes_of(lists) * (size.directed ? 2 : 1);
    const ColumnsPlan columns(p, slots);
    const LocalSlotsPlan locals(own, own);
    const std::size_t uploading =
        placed + bytes_of(columns, locals, PlainListsPlan(slots, edges), PlacingPlan(slots), ListSortPlan(slots));
    const std::size_t searching = placed + bytes_of(NearVerticesPlan::most(slots), columns, locals) +
                                  search_state_bytes(kind, slots, ranks, own, edges, true);
    return std::max(uploading, searching) + kDeviceReserveBytes;
}

void require_upload_memory(SearchKind kind, const UploadedSize& size, int ranks, std::size_t free_bytes)
{
    const std::size_t needed = upload_memory(kind, size, ranks);
    if (needed <= free_bytes) return;
    throw ResourceError("not enough GPU memory: a graph of " + std::to_string(size.vertices) + " vertices and " +
                        std::to_string(size.edges) + " edges over " + std::to_string(ranks) +
                        (ranks == 1 ? " rank needs " : " ranks needs ") + bytes_in_words(static_cast<double>(needed)) +
                        " on the GPU of each, " + bytes_in_words(static_cast<double>(free_bytes)) +
                        " are free; use more ranks, each with a GPU, or --engine cpu");
}

}  // namespace wayfront::gpu::bfs
