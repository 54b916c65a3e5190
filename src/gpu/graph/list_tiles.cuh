// Expands many lists in kernels of kBlockThreads threads; list_tiles.hpp describes the method and
// names the paper. First, the narrow lists are expanded and the pieces of the wide lists are
// queued. Another kernel then expands these pieces.
#pragma once

#include "gpu/graph/block_sums.cuh"
#include "gpu/graph/list_tiles.hpp"
#include "gpu/graph/work_items.cuh"

namespace wayfront::gpu {

inline constexpr int kLaneEdges = 4;  // number of edges of a thread whose loads are in flight together

/// The edges of a list that is expanded: [begin, begin + length) in the array of neighbours.
struct ListEdges
{
    std::uint32_t list = 0;
    std::uint64_t begin = 0;
    std::uint64_t length = 0;
};

/// Stands for no edge, as an index in the array of neighbours.
inline constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};

/// A queue of pieces in device memory, with room for all pieces.
struct PieceQueue
{
    WidePiece* pieces = nullptr;
    std::uint64_t* size = nullptr;
};

/// The shared memory of a block that expands a tile of lists.
struct TileMemory
{
    // For list i: the index in the array of neighbours that edge 0 of the tile would have in this
    // list.
    std::uint64_t origins[kTileLists];
    std::uint32_t lists[kTileLists];
    std::uint32_t before[kTileLists];  // number of narrow edges in all earlier lists
    std::uint64_t warp_sums[kBlockWarps];
    std::uint64_t first_piece;
};

/// Whether the wide lists are to be queued, or have been queued before.
enum class WideLists { queued, known };

/// Calls f(edges, lists) for the edges of the narrow lists among `count` lists. edges_at(i) returns
/// the edges of list i. In each call, a lane has kLaneEdges edges and the list of each. All threads
/// of the block call, and all lanes of a warp call f together.
template <WideLists wide, typename EdgesAt, typename F>
__device__ void expand_narrow_lists(TileMemory& tile, std::uint64_t count, const PieceQueue& queue, EdgesAt&& edges_at,
                                    F&& f)
{
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kTileLists; first < count;
         first += std::uint64_t{gridDim.x} * kTileLists) {
        const ListEdges own = first + threadIdx.x < count ? edges_at(first + threadIdx.x) : ListEdges{};
        TileSum total;
        const TileSum before{block_prefix(TileSum::of_list(own.length).packed, tile.warp_sums, total.packed)};
        // The difference may wrap below 0; adding the number of the edge wraps it back.
        tile.origins[threadIdx.x] = own.begin - before.narrow_edges();
        tile.lists[threadIdx.x] = own.list;
        tile.before[threadIdx.x] = before.narrow_edges();
        const bool queues = wide == WideLists::queued && total.pieces() != 0;
        if (threadIdx.x == 0 && queues) tile.first_piece = add_to(queue.size, total.pieces());
        __syncthreads();
        if (queues) write_items(queue.pieces + tile.first_piece, before.pieces(), own.list, wide_pieces(own.length));

        const std::uint32_t narrow_edges = total.narrow_edges();
        for (std::uint32_t round = 0; round < narrow_edges; round += kBlockThreads * kLaneEdges) {
            std::uint64_t edges[kLaneEdges];
            std::uint32_t lists[kLaneEdges];
#pragma unroll
            for (int k = 0; k < kLaneEdges; ++k) {
                const std::uint32_t edge = round + static_cast<std::uint32_t>(k) * kBlockThreads + threadIdx.x;
                const std::uint32_t list = edge < narrow_edges ? list_of_edge(tile.before, kTileLists, edge) : 0;
                edges[k] = edge < narrow_edges ? tile.origins[list] + edge : kNoEdge;
                lists[k] = tile.lists[list];
            }
            f(edges, lists);
        }
        __syncthreads();  // the next pass of the loop overwrites the tile's memory
    }
}

/// Calls f(edges, lists) as expand_narrow_lists() does, for the pieces in the queue, with one piece
/// per warp. edges_of() returns the edges of a list. Neighbouring pieces go to different blocks.
template <typename EdgesOf, typename F>
__device__ void expand_wide_lists(const PieceQueue& queue, EdgesOf&& edges_of, F&& f)
{
    const std::uint64_t pieces = *queue.size;
    const std::uint64_t warps = std::uint64_t{gridDim.x} * kBlockWarps;
    for (std::uint64_t i = std::uint64_t{threadIdx.x / 32} * gridDim.x + blockIdx.x; i < pieces; i += warps) {
        const WidePiece piece = queue.pieces[i];
        const ListEdges of_list = edges_of(piece.list);
        const std::uint64_t first = std::uint64_t{piece.piece} * kPieceEdges;
        const std::uint64_t begin = of_list.begin + first;
        const std::uint64_t end = begin + (of_list.length - first < kPieceEdges ? of_list.length - first : kPieceEdges);
        for (std::uint64_t round = begin; round < end; round += 32 * kLaneEdges) {
            std::uint64_t edges[kLaneEdges];
            std::uint32_t lists[kLaneEdges];
#pragma unroll
            for (int k = 0; k < kLaneEdges; ++k) {
                const std::uint64_t edge = round + static_cast<std::uint64_t>(k) * 32 + lane_id();
                edges[k] = edge < end ? edge : kNoEdge;
                lists[k] = piece.list;
            }
            f(edges, lists);
        }
    }
}

}  // namespace wayfront::gpu
