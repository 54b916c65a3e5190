// Floyd-Warshall on matrices that do not fill a GPU, in one kernel.
//
// Up to 64 vertices: a block closes a matrix in its registers, and a launch has a block for each of
// many matrices. Up to about a thousand vertices: the tiles of the matrix stay in the registers of
// concurrent blocks. A step adds the paths over kStepVertices vertices. At the beginning of the
// step, the blocks that have the rows and columns of these vertices publish them in device memory.
// One block has no tile and closes the squares, which are the common elements of a step's rows and
// columns: while the other blocks add the paths of a step, it closes the square of the next step.
// The other blocks multiply their columns by the closed square, and the product by their rows.
//
// Published words need no flag: their memory contains kUnset before, and a thread that reads kUnset
// reads the word again. Each vertex has its own memory, and a launch prepares the memory of the
// next launch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/apsp/matrix/register_tile.cuh"
#include "gpu/runtime/fresh_load.cuh"

namespace wayfront::gpu::apsp {

/// The memory that the blocks of one matrix share: the rows and columns of each step's vertices,
/// and the squares of the steps. All words are kUnset when the launch begins.
struct SharedPanels
{
    std::uint32_t* rows = nullptr;     // view.size words for each vertex
    std::uint32_t* columns = nullptr;  // columns of each vertex, stored as rows
    // The square of each step at the beginning of the previous step, with kSquareWords words.
    std::uint32_t* open = nullptr;
    std::uint32_t* closed = nullptr;  // the closed square of each step

    static constexpr std::uint32_t kSquareWords = kStepVertices * kStepVertices;

    /// Pre: `memory` has ResidentPanelsPlan::words_of_launch(size) words.
    SharedPanels(std::uint32_t* memory, std::uint32_t size)
        : rows(memory),
          columns(rows + std::size_t{size} * size),
          open(columns + std::size_t{size} * size),
          closed(open + std::size_t{size} * kStepVertices)
    {
    }
};

struct ResidentView
{
    FloydWarshallView matrix;
    SharedPanels panels;
    SharedPanels next;  // memory of the next launch
    std::uint32_t vertices;

    [[nodiscard]] __device__ std::uint32_t steps() const { return (vertices + kStepVertices - 1) / kStepVertices; }
};

/// A thread's part of kStepVertices rows of `Words` words that another block publishes.
template <typename Sums, std::uint32_t Words>
class AwaitedPanel
{
public:
    __device__ AwaitedPanel(const std::uint32_t* panel, std::size_t stride) : from_(panel), stride_(stride)
    {
        for (uint4& word : words_) word = {Sums::kUnset, Sums::kUnset, Sums::kUnset, Sums::kUnset};
    }

    /// Starts to read the words.
    __device__ void begin() { static_cast<void>(read()); }

    /// Reads all words that are still unset, with all loads in flight together. Returns whether all
    /// words are now set.
    [[nodiscard]] __device__ bool read()
    {
        bool complete = true;
#pragma unroll
        for (std::uint32_t e = 0; e < kCount; ++e)
            if (is_unset(words_[e]))
                words_[e] = load_fresh(reinterpret_cast<const uint4*>(from_ + row(e) * stride_ + column(e)));
#pragma unroll
        for (std::uint32_t e = 0; e < kCount; ++e) complete = complete && !is_unset(words_[e]);
        return complete;
    }

    __device__ void store(std::uint32_t* to, std::uint32_t to_stride) const
    {
#pragma unroll
        for (std::uint32_t e = 0; e < kCount; ++e)
            *reinterpret_cast<uint4*>(to + row(e) * to_stride + column(e)) = words_[e];
    }

private:
    static constexpr std::uint32_t kFours = Words / 4;
    static constexpr std::uint32_t kCount = kStepVertices * kFours / kRegisterTileThreads;
    static_assert(kStepVertices * kFours % kRegisterTileThreads == 0);

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

    const std::uint32_t* from_;
    std::size_t stride_;
    uint4 words_[kCount];
};

/// Returns when all panels have been published.
template <typename... Panels>
__device__ void wait_for(Panels&... panels)
{
    for (bool complete = false; !complete;) {
        complete = true;
        ((complete = panels.read() && complete), ...);
    }
}

/// The work of a block whose tile has 16 Rows x 16 Columns distances.
///
/// A wide tile has two parts, side by side, which the block computes one after the other. It begins
/// with the part that has columns of the next step, or with the left part if neither has. So it can
/// publish the columns and a part of the rows before it computes the other part. Other blocks with
/// the same columns need the parts of the rows in the same order.
template <typename Sums, std::uint32_t Rows, std::uint32_t Columns>
class ResidentTile
{
    static constexpr std::uint32_t kParts = Columns > 4 ? 2 : 1;

public:
    using Part = RegisterTile<Sums, Rows, Columns / kParts>;
    using LeftProduct = RegisterTile<Sums, Rows, kStepVertices / 16>;

    // Padded, so that stores of columns share few banks.
    static constexpr std::uint32_t kLeftStride = Part::kRows + 4;
    static constexpr std::uint32_t kSharedWords =
        kStepVertices * (2 * kLeftStride + kParts * Part::kColumns) + SharedPanels::kSquareWords;

    __device__ ResidentTile(const ResidentView& view, std::uint32_t tile_row, std::uint32_t tile_column,
                            std::uint32_t* shared)
        : view_(view),
          size_(view.matrix.size),
          first_row_(tile_row * Part::kRows),
          first_column_(tile_column * kParts * Part::kColumns),
          left_(shared),
          left_product_(left_ + kStepVertices * kLeftStride),
          right_(left_product_ + kStepVertices * kLeftStride),
          square_(right_ + kStepVertices * kParts * Part::kColumns)
    {
    }

    __device__ void run()
    {
        std::uint32_t* const rows = view_.matrix.matrix + std::size_t{first_row_} * view_.matrix.stride;
#pragma unroll
        for (std::uint32_t part = 0; part < kParts; ++part) {
            parts_[part].load(rows + column_of(part), view_.matrix.stride);
            publish_square(0, part);
            publish(0, part);
        }
#pragma unroll
        for (std::uint32_t part = 0; part < kParts; ++part) prepare_next(0, part);
        for (std::uint32_t step = 0; step < view_.steps(); ++step) {
            const bool right_part_first = (step + 1) * kStepVertices - column_of(kParts - 1) < Part::kColumns;
            if (kParts == 1 || !right_part_first)
                multiply_step<0>(step);
            else
                multiply_step<kParts - 1>(step);
#pragma unroll
            for (std::uint32_t part = 0; part < kParts; ++part) prepare_next(step + 1, part);
        }
#pragma unroll
        for (std::uint32_t part = 0; part < kParts; ++part)
            parts_[part].store(rows + column_of(part), view_.matrix.stride);
    }

private:
    using Right = AwaitedPanel<Sums, Part::kColumns>;

    /// The first column of a part.
    [[nodiscard]] __device__ std::uint32_t column_of(std::uint32_t part) const
    {
        return first_column_ + part * Part::kColumns;
    }

    /// Publishes the square of the step if it is in the part.
    __device__ void publish_square(std::uint32_t step, std::uint32_t part) const
    {
        const std::uint32_t row = step * kStepVertices - first_row_;
        const std::uint32_t column = step * kStepVertices - column_of(part);
        if (row < Part::kRows && column < Part::kColumns && step < view_.steps())
            parts_[part].store_part({row, kStepVertices, column, kStepVertices},
                                    view_.panels.open + step * SharedPanels::kSquareWords, kStepVertices);
    }

    /// Publishes the rows and columns of the step, and the square of the next step, if they are in
    /// the part.
    __device__ void publish(std::uint32_t step, std::uint32_t part) const
    {
        if (step == view_.steps()) return;
        store_panels(parts_[part], step, part, view_.panels);
        publish_square(step + 1, part);
    }

    /// Resets the memory of the step's rows and columns for the next launch. Other blocks do not
    /// wait for this.
    __device__ void prepare_next(std::uint32_t step, std::uint32_t part) const
    {
        if (step == view_.steps()) return;
        Part unset;
        unset.fill(Sums::kUnset);
        store_panels(unset, step, part, view_.next);
    }

    /// Stores the rows and columns of the step that are in the part, with the values of `tile`.
    __device__ void store_panels(const Part& tile, std::uint32_t step, std::uint32_t part,
                                 const SharedPanels& panels) const
    {
        const std::uint32_t row = step * kStepVertices - first_row_;
        const std::uint32_t column = step * kStepVertices - column_of(part);
        const std::size_t place = std::size_t{step} * kStepVertices * size_;
        if (column < Part::kColumns)
            tile.store_columns(column, kStepVertices, panels.columns + place + first_row_, size_);
        if (row < Part::kRows)
            tile.store_part({row, kStepVertices, 0, Part::kColumns}, panels.rows + place + column_of(part), size_);
    }

    /// Adds the paths over the vertices of the step: waits for the step's closed square and for the
    /// columns beside the tile; multiplies these; waits for the rows above or below the tile;
    /// multiplies the product by these rows.
    template <std::uint32_t First>
    __device__ void multiply_step(std::uint32_t step)
    {
        constexpr std::uint32_t last = kParts - 1 - First;
        const std::size_t place = std::size_t{step} * kStepVertices * size_;
        AwaitedPanel<Sums, Part::kRows> left(view_.panels.columns + place + first_row_, size_);
        AwaitedPanel<Sums, kStepVertices> square(view_.panels.closed + step * SharedPanels::kSquareWords,
                                                 kStepVertices);
        Right first_rows(view_.panels.rows + place + column_of(First), size_);
        wait_for(left, square);
        left.store(left_, kLeftStride);
        square.store(square_, kStepVertices);
        __syncthreads();  // no thread still reads the rows and the product of the previous step
        first_rows.begin();
        LeftProduct product;
        product.fill(Sums::kInfinity);
        product.multiply(left_, kLeftStride, square_, kStepVertices, kStepVertices);
        product.store_columns(0, kStepVertices, left_product_, kLeftStride);
        if constexpr (kParts == 1) {
            multiply_part<First>(step, first_rows);
        } else {
            Right last_rows(view_.panels.rows + place + column_of(last), size_);
            last_rows.begin();
            multiply_part<First>(step, first_rows);
            multiply_part<last>(step, last_rows);
        }
    }

    /// Waits for rows, and combines the part with the product of left_product_ and these rows.
    template <std::uint32_t Number>
    __device__ void multiply_part(std::uint32_t step, Right& rows)
    {
        std::uint32_t* const right = right_ + Number * kStepVertices * Part::kColumns;
        wait_for(rows);
        rows.store(right, Part::kColumns);
        __syncthreads();
        parts_[Number].multiply(left_product_, kLeftStride, right, Part::kColumns, kStepVertices);
        publish(step + 1, Number);
    }

    const ResidentView& view_;
    std::uint32_t size_;
    std::uint32_t first_row_, first_column_;
    std::uint32_t* left_;
    std::uint32_t* left_product_;
    std::uint32_t* right_;
    std::uint32_t* square_;
    Part parts_[kParts];
};

/// The work of the block that closes squares.
template <typename Sums>
class PivotSquares
{
public:
    using Square = RegisterTile<Sums, kStepVertices / 16, kStepVertices / 16>;

    static constexpr std::uint32_t kColumnStride = kStepVertices + 4;
    static constexpr std::uint32_t kSharedWords =
        2 * kStepVertices * kColumnStride + 3 * SharedPanels::kSquareWords + Square::kClosureWords;

    __device__ PivotSquares(const ResidentView& view, std::uint32_t* shared)
        : view_(view),
          left_(shared),
          left_product_(left_ + kStepVertices * kColumnStride),
          right_(left_product_ + kStepVertices * kColumnStride),
          open_(right_ + SharedPanels::kSquareWords),
          closed_(open_ + SharedPanels::kSquareWords),
          closure_(closed_ + SharedPanels::kSquareWords)
    {
    }

    __device__ void run()
    {
        for (std::uint32_t step = 0; step < view_.steps(); ++step) {
            const std::size_t place = std::size_t{step} * SharedPanels::kSquareWords;
            unset_next(place);
            AwaitedPanel<Sums, kStepVertices> open(view_.panels.open + place, kStepVertices);
            if (step == 0) {
                wait_for(open);
                open.store(open_, kStepVertices);
                __syncthreads();
                square_.load(open_, kStepVertices);
            } else {
                take_last_step(open, step);
            }
            square_.close(closure_, kStepVertices);
            square_.store(view_.panels.closed + place, kStepVertices);
            square_.store(closed_, kStepVertices);
        }
    }

private:
    /// Resets the memory of a step's squares for the next launch.
    __device__ void unset_next(std::size_t place) const
    {
        Square unset;
        unset.fill(Sums::kUnset);
        unset.store(view_.next.open + place, kStepVertices);
        unset.store(view_.next.closed + place, kStepVertices);
    }

    /// Adds the paths over the vertices of the previous step, whose closed square is in closed_.
    __device__ void take_last_step(AwaitedPanel<Sums, kStepVertices>& open, std::uint32_t step)
    {
        const std::size_t place = std::size_t{step - 1} * kStepVertices * view_.matrix.size + step * kStepVertices;
        AwaitedPanel<Sums, kStepVertices> left(view_.panels.columns + place, view_.matrix.size);
        AwaitedPanel<Sums, kStepVertices> right(view_.panels.rows + place, view_.matrix.size);
        wait_for(open, left, right);
        open.store(open_, kStepVertices);
        left.store(left_, kColumnStride);
        right.store(right_, kStepVertices);
        __syncthreads();
        Square product;
        product.fill(Sums::kInfinity);
        product.multiply(left_, kColumnStride, closed_, kStepVertices, kStepVertices);
        product.store_columns(0, kStepVertices, left_product_, kColumnStride);
        square_.load(open_, kStepVertices);
        __syncthreads();
        square_.multiply(left_product_, kColumnStride, right_, kStepVertices, kStepVertices);
    }

    const ResidentView& view_;
    std::uint32_t* left_;
    std::uint32_t* left_product_;
    std::uint32_t* right_;
    std::uint32_t* open_;
    std::uint32_t* closed_;
    std::uint32_t* closure_;
    Square square_;
};

/// Closes matrices of up to kMostOfBlock vertices, one in each block.
template <typename Sums>
__global__ void __launch_bounds__(kRegisterTileThreads) close_small(FloydWarshallView view, std::uint32_t vertices)
{
    using Tile = RegisterTile<Sums, kMostOfBlock / 16, kMostOfBlock / 16>;
    using Word = typename Sums::Word;
    alignas(16) __shared__ Word closure[Tile::kClosureWords];
    auto* const own = reinterpret_cast<Word*>(view.matrix + std::size_t{blockIdx.x} * view.size * view.stride);
    Tile tile;
    tile.load(own, view.stride / kHostWords<Sums>);
    tile.close(closure, vertices);
    tile.store(own, view.stride / kHostWords<Sums>);
}

/// Closes a matrix. Cooperative launch with a block for each tile and one block for the squares.
template <typename Sums, std::uint32_t Rows, std::uint32_t Columns>
__global__ void __launch_bounds__(kRegisterTileThreads) close_resident(ResidentView view)
{
    using Tile = ResidentTile<Sums, Rows, Columns>;
    using Squares = PivotSquares<Sums>;
    constexpr std::uint32_t words =
        Tile::kSharedWords > Squares::kSharedWords ? Tile::kSharedWords : Squares::kSharedWords;
    alignas(16) __shared__ std::uint32_t shared[words];
    if (blockIdx.x == gridDim.x - 1) return Squares(view, shared).run();
    const std::uint32_t in_row = (view.vertices + 16 * Columns - 1) / (16 * Columns);
    Tile(view, blockIdx.x / in_row, blockIdx.x % in_row, shared).run();
}

}  // namespace wayfront::gpu::apsp
