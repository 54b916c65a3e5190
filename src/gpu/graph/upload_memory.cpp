#include "gpu/graph/upload_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "gpu/graph/slot_tile.hpp"
#include "gpu/kron/construction_memory.hpp"

namespace wayfront::gpu {

namespace {

constexpr std::size_t kRowBytes = 8 + 32 + 12;  // place, near lists, what fills a list up
constexpr std::size_t kUploadRowBytes = 24;     // offsets, as expanded and of the final places, and what sorting knows of a list

}  // namespace

std::size_t upload_memory(SearchKind kind, Vertex vertices, EdgeCount edges, int ranks)
{
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t own = (static_cast<std::size_t>(vertices) + p - 1) / p;
    const std::size_t connected = std::min(own, 2 * static_cast<std::size_t>(edges) / p + 1);
    const std::size_t slots = (connected + kTileSlots - 1) / kTileSlots * kTileSlots;
    const std::size_t lists = 2 * static_cast<std::size_t>(edges) / p;
    const std::size_t columns = sizeof(std::uint32_t) * lists;
    // The input's numbers of all columns; the slots of own vertices, which of these have one, and how many before each word.
    const std::size_t graph = columns + kRowBytes * slots + sizeof(std::uint32_t) * (p * slots + own + 2 * ((own + 31) / 32 + 1));
    const std::size_t uploading = graph + columns + kUploadRowBytes * slots;
    const std::size_t searching = graph + search_state_bytes(kind, static_cast<std::uint32_t>(slots), ranks, own, lists, true);
    return std::max(uploading, searching) + kDeviceReserveBytes;
}

void require_upload_memory(SearchKind kind, Vertex vertices, EdgeCount edges, int ranks, std::size_t free_bytes)
{
    const std::size_t needed = upload_memory(kind, vertices, edges, ranks);
    if (needed <= free_bytes) return;
    throw ResourceError("not enough GPU memory: a graph of " + std::to_string(vertices) + " vertices and " + std::to_string(edges) + " edges over " +
                        std::to_string(ranks) + (ranks == 1 ? " rank needs " : " ranks needs ") + bytes_in_words(static_cast<double>(needed)) +
                        " on the GPU of each, " + bytes_in_words(static_cast<double>(free_bytes)) +
                        " are free; use more ranks, each with a GPU, or --engine cpu");
}

}  // namespace wayfront::gpu
