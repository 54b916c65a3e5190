// The arguments of the kernels of the Bellman-Ford algorithm on a dense matrix.
//
// The method follows H. Zhang, Y. Qian, Y. Wang, R. Chen and C. Tian, "Parallel optimization of
// single source shortest path algorithm under CUDA", Computer Engineering and Design 40(8), 2019,
// doi:10.16208/j.issn1000-7024.2019.08.014 (the fixed-order algorithm). A pass computes the
// distances of all vertices from those of the last pass. Only the vertices whose distance has
// changed take part in a pass. These vertices are listed in the order of their numbers, so that
// predecessors do not depend on the division of the work: of several equal sums, the one with the
// smallest predecessor is kept. The threads of a block find the smallest sum by comparing halves.
//
// Departures from the paper: all passes run in one cooperative kernel, so that tiles of the matrix
// in shared memory (formula (2), dense/tiles.hpp) are read once for all passes; and each block
// compacts the changed vertices by a prefix sum instead of sorting them.
//
// A pass reads the rows of the changed vertices. Predicted: 60 us for all rows of n = 8192 (256 MiB
// at 4.3 TB/s on an H200); 3 us, for the barrier and the compaction, if tiles are in shared memory.
// The upload of such a matrix over PCIe takes about 5 ms.
#pragma once

#include <cstdint>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/papers/dense/tiles.hpp"

namespace wayfront::gpu::sssp {

/// The counts that a barrier sums over all threads.
struct DenseCounts
{
    std::uint64_t changed = 0;   // number of vertices whose distance became smaller
    std::uint64_t overflow = 0;  // number of columns with a sum that does not fit 32 bits

    static WAYFRONT_HD constexpr WordReduction reduction(int /*word*/) { return WordReduction::sum; }
};

struct DenseSummary
{
    std::uint64_t rows;     // number of changed vertices' rows, over all passes
    std::uint32_t changed;  // number of vertices that the last pass changed; 0 at the end of the search
    std::uint32_t passes;
    std::uint32_t overflow;  // not 0 if a sum did not fit 32 bits
};

struct DenseView
{
    DenseTiles tiles;
    GridBarrierView<DenseCounts> barrier;
    // Word of W[i][j] at DenseTiles::place(i, j); infinite without an edge.
    const std::uint32_t* matrix = nullptr;
    /// Pass k writes distances[k % 2] and changed[k % 2]. `changed` has a byte for each vertex, 0
    /// or 1, followed by zeros up to a multiple of kCompactedAtOnce.
    std::uint32_t* distances[2] = {};
    std::uint8_t* changed[2] = {};
    std::int32_t* predecessors = nullptr;  // -1: none
    DenseSummary* summary = nullptr;
    bool fixed_order = true;  // false: all reached vertices take part in each pass
};

}  // namespace wayfront::gpu::sssp
