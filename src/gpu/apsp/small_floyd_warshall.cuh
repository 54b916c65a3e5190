// Floyd-Warshall on matrices that do not fill a GPU, each in one kernel.
//
// Up to 64 vertices: a block closes a matrix in its registers; a launch has a block for each of many
// matrices. Up to about a thousand: the tiles of the matrix stay in the registers of blocks that run
// together. A step takes kStepVertices vertices, whose rows and columns, as they are at its begin, the
// blocks that have them publish in device memory, with a flag for each block. Every block closes
// the square of rows and columns of the step itself, multiplies its columns by it, and multiplies the
// product by its rows, so that a step waits for other blocks once.
//
// On an H200 a step takes about 2 us until what was published is read, 0.6 us for the closure, and
// the product of its tile: for 1024 vertices in tiles of 64 x 128, 32 steps of 3.2 us of arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda/atomic>

#include "gpu/apsp/floyd_warshall_view.hpp"
#include "gpu/apsp/register_tile.cuh"

namespace wayfront::gpu {

inline constexpr std::uint32_t kStepVertices = 32;

/// What the blocks of one matrix share.
struct SharedPanelsView
{
    // Rows and columns at the begin of their step: one of view.size words for each vertex. Columns are stored as rows.
    std::uint32_t* rows = nullptr;
    std::uint32_t* columns = nullptr;
    /// Of each step, and each row or column of tiles: the number of the launch that has published.
    std::uint32_t* row_flags = nullptr;
    std::uint32_t* column_flags = nullptr;
    std::uint32_t flags_of_step = 0;
    std::uint32_t launch = 0;  // from 1
};

/// The work of a block, whose tile has 16 Rows x 16 Columns distances.
template <typename Sums, std::uint32_t Rows, std::uint32_t Columns>
class ResidentTile
{
public:
    using Word = typename Sums::Word;
    using Tile = RegisterTile<Sums, Rows, Columns>;
    using Pivot = RegisterTile<Sums, kStepVertices / 16, kStepVertices / 16>;
    using LeftProduct = RegisterTile<Sums, Rows, kStepVertices / 16>;

    static constexpr std::uint32_t kLeftStride = Tile::kRows + 4;  // so that stores of columns share few banks
    static constexpr std::uint32_t kSharedWords =
        kStepVertices * (2 * kLeftStride + Tile::kColumns) + kStepVertices * kStepVertices + Pivot::kClosureWords;

    __device__ ResidentTile(const FloydWarshallView& view, const SharedPanelsView& panels, std::uint32_t tile_row, std::uint32_t tile_column,
                            Word* shared)
        : view_(view),
          panels_(panels),
          tile_row_(tile_row),
          tile_column_(tile_column),
          left_(shared),
          left_product_(left_ + kStepVertices * kLeftStride),
          right_(left_product_ + kStepVertices * kLeftStride),
          pivot_(right_ + kStepVertices * Tile::kColumns),
          closure_(pivot_ + kStepVertices * kStepVertices)
    {
    }

    /// Closes the matrix, `vertices` of whose rows and columns have vertices.
    __device__ void run(std::uint32_t vertices)
    {
        Word* const own = view_.matrix + std::size_t{tile_row_} * Tile::kRows * view_.stride + std::size_t{tile_column_} * Tile::kColumns;
        tile_.load(own, view_.stride);
        const std::uint32_t steps = (vertices + kStepVertices - 1) / kStepVertices;
        for (std::uint32_t step = 0; step < steps; ++step) {
            publish(step);
            wait(step);
            take(step);
        }
        tile_.store(own, view_.stride);
    }

private:
    using Flag = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;

    /// Publishes what the step needs of the own tile.
    __device__ void publish(std::uint32_t step)
    {
        const std::uint32_t first = step * kStepVertices;
        const bool has_rows = first / Tile::kRows == tile_row_;
        const bool has_columns = first / Tile::kColumns == tile_column_;
        const std::size_t place = std::size_t{first} * view_.size;
        if (has_rows) tile_.store_rows(first % Tile::kRows, kStepVertices, panels_.rows + place + tile_column_ * Tile::kColumns, view_.size);
        if (has_columns) tile_.store_columns(first % Tile::kColumns, kStepVertices, panels_.columns + place + tile_row_ * Tile::kRows, view_.size);
        if (!has_rows && !has_columns) return;
        __threadfence();
        __syncthreads();
        if (threadIdx.x != 0) return;
        if (has_rows) Flag(panels_.row_flags[step * panels_.flags_of_step + tile_column_]).store(panels_.launch, cuda::memory_order_release);
        if (has_columns) Flag(panels_.column_flags[step * panels_.flags_of_step + tile_row_]).store(panels_.launch, cuda::memory_order_release);
    }

    /// Waits for the rows above and below the tile, the columns beside it, and the square of the step.
    __device__ void wait(std::uint32_t step)
    {
        const std::uint32_t first = step * kStepVertices;
        std::uint32_t* flag = nullptr;
        if (threadIdx.x == 0) flag = &panels_.row_flags[step * panels_.flags_of_step + tile_column_];
        if (threadIdx.x == 1) flag = &panels_.column_flags[step * panels_.flags_of_step + tile_row_];
        if (threadIdx.x == 2) flag = &panels_.row_flags[step * panels_.flags_of_step + first / Tile::kColumns];
        if (flag != nullptr)
            while (Flag(*flag).load(cuda::memory_order_acquire) != panels_.launch) {
            }
        __syncthreads();  // the shared memory of the step before is not read any more, either
    }

    /// Takes the paths over the vertices of the step.
    __device__ void take(std::uint32_t step)
    {
        const std::size_t place = std::size_t{step} * kStepVertices * view_.size;
        copy<Tile::kRows>(left_, kLeftStride, panels_.columns + place + tile_row_ * Tile::kRows);
        copy<Tile::kColumns>(right_, Tile::kColumns, panels_.rows + place + tile_column_ * Tile::kColumns);
        Pivot pivot;
        pivot.load(panels_.rows + place + step * kStepVertices, view_.size);
        pivot.close(closure_, kStepVertices);
        pivot.store(pivot_, kStepVertices);
        __syncthreads();
        LeftProduct product;
        product.fill(Sums::kInfinity);
        product.multiply(left_, kLeftStride, pivot_, kStepVertices, kStepVertices);
        product.store_columns(0, kStepVertices, left_product_, kLeftStride);
        __syncthreads();
        tile_.multiply(left_product_, kLeftStride, right_, Tile::kColumns, kStepVertices);
    }

    /// Copies the first words of kStepVertices rows to shared memory, past the L1 cache, which has no use for them.
    template <std::uint32_t Words>
    __device__ void copy(Word* to, std::uint32_t to_stride, const Word* from)
    {
        constexpr std::uint32_t fours = Words / 4;
        for (std::uint32_t i = threadIdx.x; i < kStepVertices * fours; i += kRegisterTileThreads)
            *reinterpret_cast<uint4*>(to + i / fours * to_stride + i % fours * 4) =
                __ldcg(reinterpret_cast<const uint4*>(from + i / fours * view_.size + i % fours * 4));
    }

    const FloydWarshallView& view_;
    const SharedPanelsView& panels_;
    std::uint32_t tile_row_, tile_column_;
    Word* left_;
    Word* left_product_;
    Word* right_;
    Word* pivot_;
    Word* closure_;
    Tile tile_;
};

/// Closes a matrix of up to kMostOfBlock vertices in each block.
template <typename Sums>
__global__ void __launch_bounds__(kRegisterTileThreads) close_small(FloydWarshallView view, std::uint32_t vertices)
{
    using Tile = RegisterTile<Sums, kMostOfBlock / 16, kMostOfBlock / 16>;
    alignas(16) __shared__ std::uint32_t closure[Tile::kClosureWords];
    std::uint32_t* const own = view.matrix + std::size_t{blockIdx.x} * view.size * view.stride;
    Tile tile;
    tile.load(own, view.stride);
    tile.close(closure, vertices);
    tile.store(own, view.stride);
}

/// Closes a matrix. A cooperative launch, with a block for each tile.
template <typename Sums, std::uint32_t Rows, std::uint32_t Columns>
__global__ void __launch_bounds__(kRegisterTileThreads) close_resident(FloydWarshallView view, SharedPanelsView panels, std::uint32_t vertices)
{
    using Tile = ResidentTile<Sums, Rows, Columns>;
    alignas(16) __shared__ std::uint32_t shared[Tile::kSharedWords];
    const std::uint32_t in_row = (vertices + 16 * Columns - 1) / (16 * Columns);
    Tile tile(view, panels, blockIdx.x / in_row, blockIdx.x % in_row, shared);
    tile.run(vertices);
}

}  // namespace wayfront::gpu
