// The arrays of blocked Floyd-Warshall on one GPU (floyd_warshall.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// The matrices, and the transposed tiles that close_in_tiles() needs.
struct FloydWarshallPlan : MemoryPlan
{
    FloydWarshallPlan(std::uint32_t n, MinPlusSums sums, std::uint32_t matrices)
        : size(padded_size(n, sums)),
          stride(words_of(sums, size)),
          matrix(array<std::uint32_t>("matrices", matrices, size, stride)),
          columns(array<std::uint32_t>("transposed tiles", matrices, has_tiles() ? size : 0, kTileRows,
                                       words_of_spread(sums)))
    {
    }
    [[nodiscard]] bool has_tiles() const { return size % kTileRows == 0; }

    std::uint32_t size;  // number of rows of a matrix
    std::size_t stride;  // number of words in a row
    PlannedArray<std::uint32_t> matrix, columns;
};

/// The arrays that the blocks of close_resident() share, for the current launch and for the next
/// one.
struct ResidentPanelsPlan : MemoryPlan
{
    static constexpr std::uint32_t kLaunches = 2;

    /// `size`: number of rows of the matrix.
    explicit ResidentPanelsPlan(std::uint32_t size)
        : words(array<std::uint32_t>("panels and squares", kLaunches, words_of_launch(size)))
    {
    }
    /// Number of words for size x size rows and columns, and for an open and a closed square of
    /// each step.
    [[nodiscard]] static constexpr std::size_t words_of_launch(std::uint32_t size)
    {
        return 2 * std::size_t{size} * (size + kStepVertices);
    }

    PlannedArray<std::uint32_t> words;
};

/// The arrays that the blocks of close_by_tasks() share.
struct TasksPlan : MemoryPlan
{
    TasksPlan(std::uint32_t vertices, std::uint32_t matrices)
        : next(array<std::uint32_t>("next task", 1)),
          steps(array<std::uint32_t>("steps of tiles", matrices, tiles_in(vertices), tiles_in(vertices)))
    {
    }
    [[nodiscard]] static constexpr std::uint32_t tiles_in(std::uint32_t vertices)
    {
        return (vertices + kTaskTile - 1) / kTaskTile;
    }

    PlannedArray<std::uint32_t> next, steps;
};

/// The arcs that are loaded into a matrix.
struct MatrixArcsPlan : MemoryPlan
{
    explicit MatrixArcsPlan(std::size_t count) : arcs(array<MatrixArc>("arcs", count)) {}

    PlannedArray<MatrixArc> arcs;
};

}  // namespace wayfront::gpu::apsp
