#include <algorithm>

#include "base/error.hpp"
#include "gpu/apsp/matrix/floyd_warshall.cuh"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/small_floyd_warshall.hpp"
#include "gpu/apsp/matrix/stored_distance.hpp"
#include "gpu/apsp/matrix/task_floyd_warshall.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"
#include "graph/distances.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Largest number of blocks in the second and the third dimension of a grid.
constexpr std::uint32_t kMostBlocksOfDimension = 65535;

/// A tile of kTileRows vertices' columns: half of a piece for pairs of distances; two pieces for
/// distances of 64 bits, which use most registers of a multiprocessor.
template <typename Sums>
using PivotProduct = TileProduct<Sums, kTileRows / Sums::kOfWord / TileProduct<Sums, 1>::kWords>;

/// A piece of the tiles outside of the pivot's row and column.
template <typename Sums>
using RestProduct = TileProduct<Sums, 2>;

/// The number of words in a row of a pivot tile.
template <typename Sums>
constexpr std::uint32_t kPivotWords = PivotProduct<Sums>::kWords;

/// The number of pieces whose columns a pivot tile covers; 1 if it covers half of a piece.
template <typename Sums>
constexpr std::uint32_t kPivotPieces = std::max(1U, kPivotWords<Sums> / RestProduct<Sums>::kWords);

/// A matrix whose stride is in words of the sums.
template <typename Sums>
struct TypedView : FloydWarshallView
{
    using Word = typename Sums::Word;

    [[nodiscard]] __device__ Word* words() const { return reinterpret_cast<Word*>(matrix); }
    [[nodiscard]] __device__ Word* column_words() const { return reinterpret_cast<Word*>(columns); }
};

/// Matrix number `number` of all matrices that are closed together.
template <typename Sums>
__device__ TypedView<Sums> matrix_of(FloydWarshallView view, std::uint32_t number)
{
    view.matrix += std::size_t{number} * view.size * view.stride;
    view.columns += std::size_t{number} * kTileRows * view.size * kHostWords<Sums>;
    view.stride /= kHostWords<Sums>;
    return {view};
}

/// Closes the pivot tile by Floyd-Warshall, one vertex after the other; the first `count` rows and
/// columns have vertices. One block. In all three kernels, blockIdx.z is the number of the matrix.
template <typename Sums>
__global__ void __launch_bounds__(kTileThreads)
    close_pivot(FloydWarshallView all, std::uint32_t pivot, std::uint32_t count)
{
    const TypedView<Sums> view = matrix_of<Sums>(all, blockIdx.z);
    using Word = typename Sums::Word;
    constexpr std::uint32_t words = kPivotWords<Sums>;
    PivotProduct<Sums> tile(nullptr);
    Word* const matrix = view.words() + std::size_t{pivot} * kTileRows * view.stride + std::size_t{pivot} * words;
    tile.load(matrix, view.stride);
    if constexpr (Sums::kOfWord == 1) {
        alignas(16) __shared__ Word closure[PivotProduct<Sums>::kClosureWords];
        tile.close(closure, count);
    } else {
        __shared__ Word rows[2][words];
        __shared__ Word columns[2][kTileRows];
        for (std::uint32_t k = 0; k < count; ++k) {
            Word* const row = rows[k % 2];
            Word* const column = columns[k % 2];
            const std::uint32_t word_of_k = k / Sums::kOfWord;
            constexpr std::uint32_t of_group = PivotProduct<Sums>::kGroup;
            tile.for_each_group([&](std::uint32_t own_row, std::uint32_t word, const Word(&group)[of_group]) {
#pragma unroll
                for (std::uint32_t e = 0; e < of_group; ++e) {
                    if (own_row == k) row[word + e] = group[e];
                    if (word + e == word_of_k)
                        column[own_row] = Sums::spread(group[e], static_cast<int>(k % Sums::kOfWord));
                }
            });
            __syncthreads();  // until the next barrier, threads read the other halves of the arrays
            tile.for_each_group([&](std::uint32_t own_row, std::uint32_t word, Word(&group)[of_group]) {
#pragma unroll
                for (std::uint32_t e = 0; e < of_group; ++e) Sums::relax_one(group[e], column[own_row], row[word + e]);
            });
        }
    }
    tile.store(matrix, view.stride);
    tile.store_transposed(view.column_words() + std::size_t{pivot} * kTileRows, view.size);
}

/// Multiplies the tiles in the pivot's row and column by the pivot tile. The first blocks take one
/// tile of the row each, the others one tile of the column each.
template <typename Sums>
__global__ void __launch_bounds__(kTileThreads) update_panels(FloydWarshallView all, std::uint32_t pivot)
{
    const TypedView<Sums> view = matrix_of<Sums>(all, blockIdx.z);
    using Word = typename Sums::Word;
    extern __shared__ uint4 fours[];
    auto* const shared = reinterpret_cast<Word*>(fours);
    constexpr std::uint32_t words = RestProduct<Sums>::kWords;
    const std::uint32_t in_row = static_cast<std::uint32_t>(view.stride) / words;
    Word* const pivot_row = view.words() + std::size_t{pivot} * kTileRows * view.stride;
    const std::uint32_t pivot_word = pivot * kPivotWords<Sums>;
    if (blockIdx.x < in_row) {
        const std::uint32_t first = blockIdx.x * words;
        const bool has_pivot = pivot_word / words == blockIdx.x / kPivotPieces<Sums> * kPivotPieces<Sums>;
        if (has_pivot && kPivotWords<Sums> >= words) return;
        Word* const own = pivot_row + first;
        RestProduct<Sums> tile(shared);
        tile.load(own, view.stride);
        tile.multiply(view.column_words() + std::size_t{pivot} * kTileRows, view.size, own, view.stride);
        // The pivot tile must not change, since other blocks read it.
        const std::uint32_t kept = has_pivot ? pivot_word - first : 0;
        tile.store(own, view.stride, kept, has_pivot ? kept + kPivotWords<Sums> : 0);
    } else {
        const std::uint32_t row = blockIdx.x - in_row;
        if (row == pivot) return;
        Word* const own = view.words() + std::size_t{row} * kTileRows * view.stride + pivot_word;
        Word* const own_columns = view.column_words() + std::size_t{row} * kTileRows;
        PivotProduct<Sums> tile(shared);
        tile.load(own, view.stride);
        tile.store_transposed(own_columns, view.size);
        __syncthreads();
        tile.multiply(own_columns, view.size, pivot_row + pivot_word, view.stride);
        tile.store(own, view.stride);
        tile.store_transposed(own_columns, view.size);
    }
}

/// Combines all other tiles with the products of the pivot's column and row. If half of a tile is
/// in the pivot's column, this half does not change.
template <typename Sums>
__global__ void __launch_bounds__(kTileThreads, 2) update_rest(FloydWarshallView all, std::uint32_t pivot)
{
    const TypedView<Sums> view = matrix_of<Sums>(all, blockIdx.z);
    using Word = typename Sums::Word;
    extern __shared__ uint4 fours[];
    auto* const shared = reinterpret_cast<Word*>(fours);
    constexpr std::uint32_t words = RestProduct<Sums>::kWords;
    if (blockIdx.y == pivot) return;
    if (kPivotWords<Sums> >= words && blockIdx.x / kPivotPieces<Sums> == pivot) return;
    Word* const own =
        view.words() + std::size_t{blockIdx.y} * kTileRows * view.stride + std::size_t{blockIdx.x} * words;
    RestProduct<Sums> tile(shared);
    tile.load(own, view.stride);
    tile.multiply(view.column_words() + std::size_t{blockIdx.y} * kTileRows, view.size,
                  view.words() + std::size_t{pivot} * kTileRows * view.stride + std::size_t{blockIdx.x} * words,
                  view.stride);
    tile.store(own, view.stride);
}

template <typename Sums>
using Stored = StoredDistance<Sums::kKind>;

/// Makes all distances infinite, except those of vertices to themselves. `words`: number of words
/// of the sums.
template <typename Sums>
__global__ void clear(FloydWarshallView all, std::uint64_t words)
{
    using Word = typename Sums::Word;
    const TypedView<Sums> view = matrix_of<Sums>(all, 0);
    for (std::uint64_t i = first_index(); i < words; i += index_stride()) {
        const auto row = static_cast<std::uint32_t>(i / view.stride % view.size);
        const auto first = static_cast<std::uint32_t>(i % view.stride) * Sums::kOfWord;
        Word word = Sums::kInfinity;
        if (first == row / Sums::kOfWord * Sums::kOfWord) {
            if constexpr (Sums::kOfWord == 1)
                word = 0;
            else
                word &= row % 2 == 0 ? 0xFFFF0000 : 0x0000FFFF;
        }
        view.words()[i] = word;
    }
}

/// Stores the weights of arcs. Different threads may store the two distances of a word.
template <typename Sums>
__global__ void place_arcs(FloydWarshallView view, const MatrixArc* arcs, std::uint64_t count)
{
    using Element = typename Stored<Sums>::Element;
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        auto* const row = reinterpret_cast<Element*>(view.matrix + arcs[i].row * view.stride);
        row[arcs[i].column] = Stored<Sums>::of_weight(arcs[i].weight);
    }
}

/// Copies `elements` distances of the listed rows. `Out`: type of the distances of `to`.
template <typename Sums, typename Out>
__global__ void copy_elements(FloydWarshallView view, const std::uint32_t* numbers, std::uint64_t elements,
                              TypedRows to)
{
    using Element = typename Stored<Sums>::Element;
    for (std::uint64_t i = first_index(); i < elements; i += index_stride()) {
        const std::uint64_t column = i % to.length;
        const auto* const row =
            reinterpret_cast<const Element*>(view.matrix + std::size_t{numbers[i / to.length]} * view.stride);
        reinterpret_cast<Out*>(to.begin)[i / to.length * to.stride + column] =
            Stored<Sums>::template as<Out>(row[column]);
    }
}

template <typename Kernel>
void allow_shared_bytes(Kernel kernel, std::size_t bytes)
{
    allow_shared_memory(reinterpret_cast<const void*>(kernel), bytes, "Floyd-Warshall");
}

}  // namespace

void close_in_tiles(const FloydWarshallView& view, std::uint32_t n, std::uint32_t matrices, MinPlusSums sums,
                    const Stream& stream)
{
    with_sums(sums, [&](auto tag) {
        using Sums = decltype(tag);
        constexpr std::size_t shared = RestProduct<Sums>::kSharedBytes;
        constexpr std::size_t shared_of_panels = std::max(shared, PivotProduct<Sums>::kSharedBytes);
        allow_shared_bytes(update_panels<Sums>, shared_of_panels);
        allow_shared_bytes(update_rest<Sums>, shared);
        const std::uint32_t rows = view.size / kTileRows;
        const auto in_row = static_cast<std::uint32_t>(view.stride / kHostWords<Sums> / RestProduct<Sums>::kWords);
        for (std::uint32_t pivot = 0; pivot * kTileRows < n; ++pivot) {
            const std::uint32_t left = n - pivot * kTileRows;
            close_pivot<Sums><<<dim3(1, 1, matrices), kTileThreads, 0, stream.get()>>>(
                view, pivot, left < kTileRows ? left : kTileRows);
            check_launch();
            if (rows == 1) break;
            update_panels<Sums>
                <<<dim3(in_row + rows, 1, matrices), kTileThreads, shared_of_panels, stream.get()>>>(view, pivot);
            check_launch();
            update_rest<Sums><<<dim3(in_row, rows, matrices), kTileThreads, shared, stream.get()>>>(view, pivot);
            check_launch();
        }
    });
}

void copy_matrix_rows(const FloydWarshallView& view, MinPlusSums sums, const ListedRows& listed, const TypedRows& rows,
                      const Stream& stream)
{
    const std::uint64_t elements = std::uint64_t{listed.count} * rows.length;
    with_sums(sums, [&](auto tag) {
        using Sums = decltype(tag);
        const auto copy = [&](auto element) {
            launch(copy_elements<Sums, decltype(element)>, elements, stream, view, listed.numbers, elements, rows);
        };
        if constexpr (Sums::kKind == MinPlusSums::doubles)
            algo::with_distance_type(rows.type, copy);
        else if (rows.type == algo::DistanceType::uint16)
            copy(std::uint16_t{});
        else
            copy(std::uint32_t{});
    });
}

struct DeviceFloydWarshall::State
{
    State(std::uint32_t vertices, MinPlusSums min_plus, std::uint32_t count)
        : n(vertices), sums(min_plus), matrices(count), plan(n, sums, matrices), memory(plan)
    {
        view.size = plan.size;
        view.stride = plan.stride;
        view.matrix = memory[plan.matrix].data();
        view.columns = memory[plan.columns].data();
    }

    std::uint32_t n;
    MinPlusSums sums;
    std::uint32_t matrices;
    FloydWarshallPlan plan;
    DeviceArrays memory;
    FloydWarshallView view;
    ResidentPanels panels;
    TaskBuffers tasks;
};

DeviceFloydWarshall::DeviceFloydWarshall(std::uint32_t n, MinPlusSums sums, std::uint32_t matrices)
    : state_(std::make_unique<State>(n, sums, matrices))
{
}

DeviceFloydWarshall::~DeviceFloydWarshall() = default;

void DeviceFloydWarshall::load(const MatrixArc* arcs, std::size_t count, const Stream& stream)
{
    const State& state = *state_;
    with_sums(state.sums, [&](auto sums) {
        using Sums = decltype(sums);
        const std::uint64_t words = state.plan.matrix.count / kHostWords<Sums>;
        launch(clear<Sums>, words, stream, state.view, words);
        launch(place_arcs<Sums>, count, stream, state.view, arcs, std::uint64_t{count});
    });
}

bool DeviceFloydWarshall::can_run(FloydWarshallForm form) const
{
    const State& state = *state_;
    const bool has_words = has_words_of_32_bits(state.sums);
    switch (form) {
        case FloydWarshallForm::tiles:
            return state.plan.has_tiles() && state.matrices <= kMostBlocksOfDimension;
        case FloydWarshallForm::resident:
            return has_words && state.matrices == 1 && fits_resident(state.n);
        case FloydWarshallForm::block:
            return state.sums != MinPlusSums::shorts && state.n <= kMostOfBlock;
        case FloydWarshallForm::steps_of_32:
        case FloydWarshallForm::tasks_of_32:
            return has_words && fits_tasks(state.n, state.matrices);
        case FloydWarshallForm::automatic:
            break;
    }
    return can_run(FloydWarshallForm::block) || can_run(FloydWarshallForm::resident) ||
           can_run(FloydWarshallForm::tiles);
}

void DeviceFloydWarshall::run(const Stream& stream, FloydWarshallForm form, unsigned threads)
{
    State& state = *state_;
    if (form == FloydWarshallForm::automatic) {
        form = FloydWarshallForm::tiles;
        for (const FloydWarshallForm smaller : {FloydWarshallForm::block, FloydWarshallForm::resident})
            if (form == FloydWarshallForm::tiles && can_run(smaller)) form = smaller;
    }
    const MatrixBatch batch{.view = state.view, .vertices = state.n, .matrices = state.matrices, .sums = state.sums};
    switch (form) {
        case FloydWarshallForm::block:
            return close_in_blocks(state.view, state.n, state.matrices, state.sums, stream);
        case FloydWarshallForm::resident:
            return close_resident(state.view, state.n, state.sums, state.panels, stream);
        case FloydWarshallForm::steps_of_32:
            return close_in_steps(batch, threads, stream);
        case FloydWarshallForm::tasks_of_32:
            return close_by_tasks(batch, threads, state.tasks, stream);
        default:
            close_in_tiles(state.view, state.n, state.matrices, state.sums, stream);
    }
}

void DeviceFloydWarshall::copy_rows(const ListedRows& listed, algo::DistanceType type, std::byte* rows,
                                    std::size_t stride, const Stream& stream) const
{
    const State& state = *state_;
    copy_matrix_rows(state.view, state.sums, listed, {.type = type, .begin = rows, .stride = stride, .length = state.n},
                     stream);
}

std::size_t DeviceFloydWarshall::bytes() const
{
    const State& state = *state_;
    return state.memory.bytes() + state.panels.words.bytes() + state.tasks.memory.bytes();
}

std::size_t DeviceFloydWarshall::most_bytes(std::size_t n, MinPlusSums sums, FloydWarshallForm form)
{
    const auto vertices = static_cast<std::uint32_t>(n);
    const FloydWarshallPlan matrix(vertices, sums, 1);
    const ResidentPanelsPlan panels(has_words_of_32_bits(sums) && n <= kMostResident ? matrix.size : 0);
    const std::size_t tasks = form == FloydWarshallForm::tasks_of_32 ? TasksPlan(vertices, 1).bytes() : 0;
    return bytes_of(matrix, panels) + tasks;
}

MinPlusSums sums_for(algo::DistanceType type, bool negative_weights, double most_distance)
{
    if (type == algo::DistanceType::float64) return MinPlusSums::doubles;
    if (type == algo::DistanceType::float32)
        return negative_weights ? MinPlusSums::floats : MinPlusSums::unsigned_floats;
    if (negative_weights) return most_distance <= kMostWhole ? MinPlusSums::wholes : MinPlusSums::doubles;
    if (type == algo::DistanceType::uint16 && most_distance < kShortInfinity) return MinPlusSums::shorts;
    return MinPlusSums::unsigned_wholes;
}

}  // namespace wayfront::gpu::apsp
