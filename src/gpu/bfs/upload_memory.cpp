#include "gpu/bfs/upload_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "gpu/bfs/grid/search.hpp"
#include "gpu/graph/device_graph_plan.hpp"
#include "gpu/graph/nearest_sources.hpp"

namespace wayfront::gpu::bfs {

namespace {

/// Upper limits for a rank's part of a graph.
struct Part
{
    std::size_t vertices;  // number of vertices of the rank
    std::uint32_t slots;   // number of vertices with edges
    std::size_t edges;     // number of edges of the lists in one direction
};

Part part_of(const UploadedSize& size, int ranks)
{
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t vertices = (static_cast<std::size_t>(size.vertices) + p - 1) / p;
    const std::size_t ends = 2 * static_cast<std::size_t>(size.edges) / p;
    const std::size_t connected = std::min(vertices, ends + 1);
    return {vertices, static_cast<std::uint32_t>((connected + kTileSlots - 1) / kTileSlots * kTileSlots),
            size.directed ? ends / 2 : ends};
}

std::size_t column_upload_memory(SearchKind kind, const UploadedSize& size, int ranks)
{
    const Part part = part_of(size, ranks);
    // Bytes of the lists in one direction, and in both directions.
    const auto lists = PlacedListsPlan::most(part.slots, part.edges);
    const std::size_t placed = bytes_of(lists) * (size.directed ? 2 : 1);
    const ColumnsPlan columns(static_cast<std::size_t>(ranks), part.slots);
    const LocalSlotsPlan locals(part.vertices, part.vertices);
    const std::size_t uploading = placed + bytes_of(columns, locals, PlainListsPlan(part.slots, part.edges),
                                                    PlacingPlan(part.slots), ListSortPlan(part.slots));
    const std::size_t nearest = size.nearest ? NearestSources::most_bytes(part.slots, part.edges, part.vertices) : 0;
    const std::size_t searching = placed + bytes_of(NearVerticesPlan::most(part.slots), columns, locals) +
                                  search_state_bytes(kind, {part.slots, part.vertices, part.edges}, ranks, true) +
                                  nearest;
    return std::max(uploading, searching);
}

std::size_t grid_upload_memory(const UploadedSize& size, comm::GridShape grid)
{
    const Part part = part_of(size, grid.size());
    const auto row_chunks = static_cast<std::uint32_t>(grid.columns);
    const auto col_chunks = static_cast<std::uint32_t>(grid.rows);
    const std::uint32_t rows = row_chunks * part.slots;
    const std::uint32_t cols = col_chunks * part.slots;
    const std::size_t placed =
        bytes_of(PlacedListsPlan::most(rows, part.edges), PlacedListsPlan::most(cols, part.edges));
    const ColumnsPlan columns(col_chunks, part.slots);
    const LocalSlotsPlan locals(part.vertices, part.vertices);
    // The lists that are being placed are also in memory in the host's order.
    const std::uint32_t longer = std::max(rows, cols);
    const std::size_t uploading =
        placed +
        bytes_of(columns, locals, PlainListsPlan(longer, part.edges), PlacingPlan(longer), ListSortPlan(longer)) +
        part.edges * sizeof(std::uint32_t);
    const std::size_t searching =
        placed + bytes_of(NearVerticesPlan::most(rows), columns, locals) + part.slots * sizeof(std::uint32_t) +
        GridSearch::state_bytes_for({part.slots, row_chunks, col_chunks, part.edges, part.vertices}, true);
    return std::max(uploading, searching);
}

}  // namespace

std::size_t upload_memory(SearchKind kind, const UploadedSize& size, comm::GridShape grid)
{
    const std::size_t bytes =
        grid.columns > 1 ? grid_upload_memory(size, grid) : column_upload_memory(kind, size, grid.rows);
    return bytes + kDeviceReserveBytes;
}

void require_upload_memory(SearchKind kind, const UploadedSize& size, comm::GridShape grid, std::size_t free_bytes)
{
    const std::size_t needed = upload_memory(kind, size, grid);
    if (needed <= free_bytes) return;
    const int ranks = grid.size();
    throw ResourceError("not enough GPU memory: a graph of " + std::to_string(size.vertices) + " vertices and " +
                        std::to_string(size.edges) + " edges over " + std::to_string(ranks) +
                        (ranks == 1 ? " rank needs " : " ranks needs ") + bytes_in_words(static_cast<double>(needed)) +
                        " on the GPU of each, " + bytes_in_words(static_cast<double>(free_bytes)) +
                        " are free; use more ranks, each with a GPU, or --engine cpu");
}

}  // namespace wayfront::gpu::bfs
