// What the kernels of the GPU engine work on: plain pointers into device memory.
//
// Bitmaps are the host's, read as words of 32 bits: both sides are little-endian, so bit i is bit i % 32 of word i / 32.
#pragma once

#include <cstdint>

#include "gpu/bfs/host_driven/work.hpp"
#include "graph/csr.hpp"

namespace wayfront::gpu {

/// A block of the adjacency matrix in device memory, in the host's numbering.
struct BlockView
{
    CsrView in_edges;                                   // by row
    CsrView out_edges;                                  // by column
    const std::uint32_t* first_in_neighbour = nullptr;  // of each row; cols where it has none
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
};

/// A piece of a wide list: kPieceEdges edges of one column, or what is left of them.
struct WidePiece
{
    std::uint32_t column;
    std::uint32_t piece;
};

/// Counts of one level, all 0 when it begins. The list of found rows stands behind it in memory, so that one copy brings both.
struct LevelHeader
{
    std::uint64_t found;     // rows
    std::uint64_t frontier;  // columns that were made from a bitmap into the list
    std::uint64_t pieces;    // of wide lists
    std::uint64_t unused;    // the list begins on a multiple of 32 bytes
};
inline constexpr std::size_t kHeaderWords = sizeof(LevelHeader) / sizeof(std::uint32_t);

struct LevelView
{
    std::uint32_t* seen = nullptr;             // rows, bitmap
    std::uint32_t* parents = nullptr;          // rows: columns
    std::uint32_t* frontier_bitmap = nullptr;  // columns
    std::uint32_t* frontier_list = nullptr;
    LevelHeader* header = nullptr;
    std::uint32_t* found_list = nullptr;
    std::uint32_t* found_bitmap = nullptr;  // rows
    WidePiece* pieces = nullptr;            // room for the wide lists of all columns
};

}  // namespace wayfront::gpu
