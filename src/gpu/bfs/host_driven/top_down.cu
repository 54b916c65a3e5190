// Top-down levels of the GPU engine: two-phase expansion by length (work.hpp names the paper), with
// exact claiming.
//
// The thread that sets a row's bit in `seen` first finds the row (T. Hiragushi and D. Takahashi's
// paper, section 3.1: bottom-up levels need an exact bitmap). Before the atomic operation a plain
// load reads the word, which may be out of date: a bit that is set in it is set; a bit that is not
// set is claimed by the atomic.
#include <algorithm>

#include "base/types.hpp"
#include "gpu/bfs/host_driven/block_sums.cuh"
#include "gpu/bfs/host_driven/kernels.hpp"
#include "gpu/graph/work_items.cuh"

namespace wayfront::gpu {

namespace {

constexpr int kLaneEdges = 4;              // edges that a thread has in flight together
constexpr unsigned kBlocksAProcessor = 8;  // enough to fill a multiprocessor

struct TileMemory
{
    // For list i, the index among the neighbours that edge 0 of the tile would have in this list.
    std::uint64_t origins[kTileVertices];
    std::uint32_t columns[kTileVertices];
    std::uint32_t before[kTileVertices];  // the number of narrow edges in the lists before
    std::uint64_t warp_sums[kBlockWarps];
    std::uint64_t first_piece;
};

/// Claims rows for columns: one row (kNoLocal: none) for each lane and place. All lanes call
/// together. Accesses of one kind are in flight together.
__device__ void claim(const LevelView& level, const std::uint32_t (&rows)[kLaneEdges], const std::uint32_t (&columns)[kLaneEdges], Appender& found)
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

/// Expands the narrow lists of the frontier, and appends the pieces of the wide lists to their
/// queue.
__global__ __launch_bounds__(kBlockThreads) void expand_narrow_lists(BlockView block, LevelView level, std::uint64_t count)
{
    __shared__ TileMemory tile;
    __shared__ AppendMemory append_memory;
    Appender found(append_memory, level.found_list, &level.header->found);
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kTileVertices; first < count; first += std::uint64_t{gridDim.x} * kTileVertices) {
        std::uint32_t column = 0;
        std::uint64_t begin = 0;
        std::uint64_t degree = 0;
        if (first + threadIdx.x < count) {
            column = level.frontier_list[first + threadIdx.x];
            begin = block.out_edges.begin(column);
            degree = block.out_edges.end(column) - begin;
        }
        TileSum total;
        const TileSum before{block_prefix(TileSum::of_list(degree).packed, tile.warp_sums, total.packed)};
        // May wrap below 0; adding the edge's number wraps it back.
        tile.origins[threadIdx.x] = begin - before.narrow_edges();
        tile.columns[threadIdx.x] = column;
        tile.before[threadIdx.x] = before.narrow_edges();
        if (threadIdx.x == 0 && total.pieces() != 0) tile.first_piece = add_to(&level.header->pieces, total.pieces());
        __syncthreads();
        if (total.pieces() != 0) write_items(level.pieces + tile.first_piece, before.pieces(), column, wide_pieces(degree));

        const std::uint32_t edges = total.narrow_edges();
        for (std::uint32_t round = 0; round < edges; round += kBlockThreads * kLaneEdges) {
            std::uint32_t rows[kLaneEdges];
            std::uint32_t columns[kLaneEdges];
#pragma unroll
            for (int k = 0; k < kLaneEdges; ++k) {
                const std::uint32_t edge = round + static_cast<std::uint32_t>(k) * kBlockThreads + threadIdx.x;
                const std::uint32_t list = edge < edges ? list_of_edge(tile.before, kTileVertices, edge) : 0;
                rows[k] = edge < edges ? block.out_edges.neighbours[tile.origins[list] + edge] : kNoLocal;
                columns[k] = tile.columns[list];
            }
            claim(level, rows, columns, found);
        }
        __syncthreads();  // the tile's memory is overwritten next
    }
    found.finish();
}

/// Expands the pieces of wide lists, one by each warp. Different blocks take neighbouring pieces.
__global__ __launch_bounds__(kBlockThreads) void expand_wide_lists(BlockView block, LevelView level)
{
    __shared__ AppendMemory append_memory;
    Appender found(append_memory, level.found_list, &level.header->found);
    const std::uint64_t pieces = level.header->pieces;
    const std::uint64_t warps = std::uint64_t{gridDim.x} * kBlockWarps;
    for (std::uint64_t i = std::uint64_t{threadIdx.x / 32} * gridDim.x + blockIdx.x; i < pieces; i += warps) {
        const WidePiece piece = level.pieces[i];
        const std::uint64_t list_end = block.out_edges.end(piece.column);
        const std::uint64_t begin = block.out_edges.begin(piece.column) + std::uint64_t{piece.piece} * kPieceEdges;
        const std::uint64_t end = list_end - begin < kPieceEdges ? list_end : begin + kPieceEdges;
        for (std::uint64_t round = begin; round < end; round += 32 * kLaneEdges) {
            std::uint32_t rows[kLaneEdges];
            std::uint32_t columns[kLaneEdges];
#pragma unroll
            for (int k = 0; k < kLaneEdges; ++k) {
                const std::uint64_t edge = round + static_cast<std::uint64_t>(k) * 32 + lane_id();
                rows[k] = edge < end ? block.out_edges.neighbours[edge] : kNoLocal;
                columns[k] = piece.column;
            }
            claim(level, rows, columns, found);
        }
    }
    found.finish();
}

}  // namespace

void launch_top_down_kernels(const BlockView& block, const LevelView& level, std::uint64_t count, int multiprocessors, const Stream& stream)
{
    if (count == 0) return;
    const auto most_blocks = static_cast<std::uint64_t>(multiprocessors) * kBlocksAProcessor;
    const std::uint64_t tiles = (count + kTileVertices - 1) / kTileVertices;
    expand_narrow_lists<<<static_cast<unsigned>(std::min(tiles, most_blocks)), kBlockThreads, 0, stream.get()>>>(block, level, count);
    check_launch();
    expand_wide_lists<<<static_cast<unsigned>(most_blocks), kBlockThreads, 0, stream.get()>>>(block, level);
    check_launch();
}

}  // namespace wayfront::gpu
