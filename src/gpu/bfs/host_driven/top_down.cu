// Top-down levels of the GPU engine: two-phase expansion by length (gpu/graph/list_tiles.hpp names
// the paper), with exact claims.
//
// A row is found by the first thread that sets its bit in `seen` (T. Hiragushi and D. Takahashi's
// paper, section 3.1: bottom-up levels need an exact bitmap). A plain load reads the word before
// the atomic operation. The loaded word may be outdated: a bit that is set in it is set; a bit that
// is not set is claimed by the atomic.
#include <algorithm>

#include "base/types.hpp"
#include "gpu/bfs/host_driven/kernels.hpp"
#include "gpu/graph/block_sums.cuh"
#include "gpu/graph/list_tiles.cuh"

namespace wayfront::gpu::bfs {

namespace {

constexpr unsigned kBlocksPerMultiprocessor = 8;  // number of thread blocks that fills a multiprocessor

/// Claims rows for columns: one row per lane and entry of `rows`; kNoLocal is no row. Accesses of
/// one kind are in flight together. All lanes call.
__device__ void claim(const LevelView& level, const std::uint32_t (&rows)[kLaneEdges],
                      const std::uint32_t (&columns)[kLaneEdges], Appender& found)
{
    bool open[kLaneEdges];
#pragma unroll
    for (int k = 0; k < kLaneEdges; ++k) open[k] = rows[k] != kNoLocal && !has_bit(level.seen, rows[k]);
#pragma unroll
    for (int k = 0; k < kLaneEdges; ++k) {
        const std::uint32_t bit = 1U << (rows[k] % 32);
        if (open[k]) open[k] = (atomicOr(&level.seen[rows[k] / 32], bit) & bit) == 0;
    }
#pragma unroll
    for (int k = 0; k < kLaneEdges; ++k)
        if (open[k]) level.parents[rows[k]] = columns[k];
#pragma unroll
    for (int k = 0; k < kLaneEdges; ++k) found.add(open[k], rows[k]);
}

/// Claims the rows at the ends of edges. All lanes call.
__device__ void claim_ends(const BlockView& block, const LevelView& level, const std::uint64_t (&edges)[kLaneEdges],
                           const std::uint32_t (&columns)[kLaneEdges], Appender& found)
{
    std::uint32_t rows[kLaneEdges];
#pragma unroll
    for (int k = 0; k < kLaneEdges; ++k)
        rows[k] = edges[k] != kNoEdge ? block.out_edges.neighbours[edges[k]] : kNoLocal;
    claim(level, rows, columns, found);
}

[[nodiscard]] __device__ ListEdges edges_of_column(const BlockView& block, std::uint32_t column)
{
    const std::uint64_t begin = block.out_edges.begin(column);
    return {column, begin, block.out_edges.end(column) - begin};
}

[[nodiscard]] __device__ PieceQueue queue_of(const LevelView& level)
{
    return {level.pieces, &level.header->pieces};
}

/// Expands the narrow lists of the frontier, and appends the pieces of its wide lists to a queue.
__global__ __launch_bounds__(kBlockThreads) void expand_narrow(BlockView block, LevelView level, std::uint64_t count)
{
    __shared__ TileMemory tile;
    __shared__ AppendMemory append_memory;
    Appender found(append_memory, level.found_list, &level.header->found);
    expand_narrow_lists<WideLists::queued>(
        tile, count, queue_of(level), [&](std::uint64_t i) { return edges_of_column(block, level.frontier_list[i]); },
        [&](const auto& edges, const auto& columns) { claim_ends(block, level, edges, columns, found); });
    found.finish();
}

/// Expands the pieces of wide lists from the queue.
__global__ __launch_bounds__(kBlockThreads) void expand_wide(BlockView block, LevelView level)
{
    __shared__ AppendMemory append_memory;
    Appender found(append_memory, level.found_list, &level.header->found);
    expand_wide_lists(
        queue_of(level), [&](std::uint32_t column) { return edges_of_column(block, column); },
        [&](const auto& edges, const auto& columns) { claim_ends(block, level, edges, columns, found); });
    found.finish();
}

}  // namespace

void launch_top_down_kernels(const BlockView& block, const LevelView& level, std::uint64_t count, int multiprocessors,
                             const Stream& stream)
{
    if (count == 0) return;
    const auto most_blocks = static_cast<std::uint64_t>(multiprocessors) * kBlocksPerMultiprocessor;
    const std::uint64_t tiles = (count + kTileLists - 1) / kTileLists;
    expand_narrow<<<static_cast<unsigned>(std::min(tiles, most_blocks)), kBlockThreads, 0, stream.get()>>>(block, level,
                                                                                                           count);
    check_launch();
    expand_wide<<<static_cast<unsigned>(most_blocks), kBlockThreads, 0, stream.get()>>>(block, level);
    check_launch();
}

}  // namespace wayfront::gpu::bfs
