// The arguments of the GPU engine's kernels: plain pointers into device memory.
//
// Bitmaps are those of the host, read as words of 32 bits. Host and device are little-endian, so
// bit i of a bitmap is bit i % 32 of word i / 32.
#pragma once

#include <cstdint>

#include "gpu/bfs/host_driven/work.hpp"
#include "gpu/graph/list_tiles.hpp"
#include "graph/csr.hpp"

namespace wayfront::gpu::bfs {

/// A block of the adjacency matrix in device memory, in the host's numbering.
struct BlockView
{
    CsrView in_edges;                                   // by row
    CsrView out_edges;                                  // by column
    const std::uint32_t* first_in_neighbour = nullptr;  // by row; cols for a row without in-neighbours
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
};

/// The counts of one level, all 0 when the level begins. The list of found rows follows the header
/// in memory, so that one copy transfers both.
struct LevelHeader
{
    std::uint64_t found;     // number of found rows
    std::uint64_t frontier;  // number of columns in the list that was made from a bitmap
    std::uint64_t pieces;    // number of pieces of wide lists
    std::uint64_t unused;    // pads the header, so that the list begins at a multiple of 32 bytes
};
inline constexpr std::size_t kHeaderWords = sizeof(LevelHeader) / sizeof(std::uint32_t);

struct LevelView
{
    std::uint32_t* seen = nullptr;             // bitmap of rows
    std::uint32_t* parents = nullptr;          // column of each row's parent
    std::uint32_t* frontier_bitmap = nullptr;  // bitmap of columns
    std::uint32_t* frontier_list = nullptr;
    LevelHeader* header = nullptr;
    std::uint32_t* found_list = nullptr;
    std::uint32_t* found_bitmap = nullptr;  // bitmap of rows
    WidePiece* pieces = nullptr;            // room for the wide lists of all columns
};

}  // namespace wayfront::gpu::bfs
