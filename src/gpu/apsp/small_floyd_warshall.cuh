// Floyd-Warshall on matrices that do not fill a GPU, each in one kernel.
//
// Up to 64 vertices: a block closes a matrix in its registers; a launch has a block for each of many
// matrices. Up to about a thousand: the tiles of the matrix stay in the registers of blocks that run
// together. A step takes kStepVertices vertices, whose rows and columns, as they are at its begin, the
// blocks that have them publish in device memory. Every block closes the square of rows and columns of the
// step itself, multiplies its columns by it, and multiplies the product by its rows, so that a step waits
// for other blocks once.
//
// What is published needs no flag: until then, its place holds words that are no distances, and who reads these
// reads again. Each vertex has a place of its own; a launch prepares the places of the next one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/floyd_warshall_view.hpp"
#include "gpu/apsp/register_tile.cuh"
#include "gpu/runtime/fresh_load.cuh"

namespace wayfront::gpu {

inline constexpr std::uint32_t kStepVertices = 32;

/// What the blocks of one matrix share: rows and columns at the begin of their step, view.size words for each vertex. Columns are stored as rows.
struct SharedPanelsView
{
    std::uint32_t* rows = nullptr;  // unset when the launch begins
    std::uint32_t* columns = nullptr;
    std::uint32_t* next_rows = nullptr;  // of the next launch
    std::uint32_t* next_columns = nullptr;
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
        unset_next();
        Word* const own = view_.matrix + row_place(view_.stride) + first_column();
        tile_.load(own, view_.stride);
        const std::uint32_t steps = (vertices + kStepVertices - 1) / kStepVertices;
        for (std::uint32_t step = 0; step < steps; ++step) {
            publish(step);
            take(step);
        }
        tile_.store(own, view_.stride);
    }

private:
    /// Words of a matrix's rows or columns that a thread reads: rows of `Words` words.
    template <std::uint32_t Words>
    struct Panel
    {
        static constexpr std::uint32_t kFours = Words / 4;
        static constexpr std::uint32_t kCount = kStepVertices * kFours / kRegisterTileThreads;
        static_assert(kStepVertices * kFours % kRegisterTileThreads == 0);

        __device__ Panel(const Word* panel, std::size_t panel_stride) : from(panel), stride(panel_stride)
        {
            for (uint4& word : words) word = {Sums::kUnset, Sums::kUnset, Sums::kUnset, Sums::kUnset};
        }
        /// Reads the words that are not there yet, all at once. Returns whether all are there.
        __device__ bool read()
        {
            bool complete = true;
#pragma unroll
            for (std::uint32_t e = 0; e < kCount; ++e)
                if (is_unset(words[e])) words[e] = load_fresh(reinterpret_cast<const uint4*>(from + row(e) * stride + column(e)));
#pragma unroll
            for (std::uint32_t e = 0; e < kCount; ++e) complete = complete && !is_unset(words[e]);
            return complete;
        }
        __device__ void store(Word* to, std::uint32_t to_stride) const
        {
#pragma unroll
            for (std::uint32_t e = 0; e < kCount; ++e) *reinterpret_cast<uint4*>(to + row(e) * to_stride + column(e)) = words[e];
        }

        [[nodiscard]] static __device__ bool is_unset(const uint4& word)
        {
            return word.x == Sums::kUnset || word.y == Sums::kUnset || word.z == Sums::kUnset || word.w == Sums::kUnset;
        }
        [[nodiscard]] static __device__ std::uint32_t row(std::uint32_t e)
        {
            return (threadIdx.x + e * kRegisterTileThreads) / kFours;
        }
        [[nodiscard]] static __device__ std::uint32_t column(std::uint32_t e)
        {
            return (threadIdx.x + e * kRegisterTileThreads) % kFours * 4;
        }

        const Word* from;
        std::size_t stride;
        uint4 words[kCount];
    };

    [[nodiscard]] __device__ std::uint32_t first_row() const
    {
        return tile_row_ * Tile::kRows;
    }
    [[nodiscard]] __device__ std::uint32_t first_column() const
    {
        return tile_column_ * Tile::kColumns;
    }
    [[nodiscard]] __device__ std::size_t row_place(std::size_t stride) const
    {
        return first_row() * stride;
    }

    /// Prepares the places of the tile's rows and columns for the next launch.
    __device__ void unset_next()
    {
        tile_.fill(Sums::kUnset);
        tile_.store(panels_.next_rows + row_place(view_.size) + first_column(), view_.size);
        tile_.store_columns(0, Tile::kColumns, panels_.next_columns + std::size_t{first_column()} * view_.size + first_row(), view_.size);
    }

    /// Publishes what the step needs of the own tile.
    __device__ void publish(std::uint32_t step) const
    {
        const std::uint32_t first = step * kStepVertices;
        const std::size_t place = std::size_t{first} * view_.size;
        if (first / Tile::kRows == tile_row_) tile_.store_rows(first % Tile::kRows, kStepVertices, panels_.rows + place + first_column(), view_.size);
        if (first / Tile::kColumns == tile_column_)
            tile_.store_columns(first % Tile::kColumns, kStepVertices, panels_.columns + place + first_row(), view_.size);
    }

    /// Waits for the columns beside the tile, the rows above or below it, and the square of the step, and takes the paths over the
    /// vertices of the step.
    __device__ void take(std::uint32_t step)
    {
        const std::size_t place = std::size_t{step} * kStepVertices * view_.size;
        Panel<Tile::kRows> left(panels_.columns + place + first_row(), view_.size);
        Panel<Tile::kColumns> right(panels_.rows + place + first_column(), view_.size);
        Panel<kStepVertices> square(panels_.rows + place + step * kStepVertices, view_.size);
        for (bool complete = false; !complete;) {
            complete = square.read();
            complete = left.read() && complete;
            complete = right.read() && complete;
        }
        __syncthreads();  // the shared memory of the step before is not read any more
        left.store(left_, kLeftStride);
        right.store(right_, Tile::kColumns);
        square.store(pivot_, kStepVertices);
        __syncthreads();
        Pivot pivot;
        pivot.load(pivot_, kStepVertices);
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
