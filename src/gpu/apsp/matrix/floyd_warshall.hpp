// Blocked Floyd-Warshall on one GPU, as the host sees it. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/apsp/rows/typed_rows.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// Whether a distance is one word of 32 bits.
[[nodiscard]] constexpr bool has_words_of_32_bits(MinPlusSums sums)
{
    return sums != MinPlusSums::shorts && sums != MinPlusSums::doubles;
}

[[nodiscard]] constexpr std::uint32_t bytes_of_distance(MinPlusSums sums)
{
    if (sums == MinPlusSums::shorts) return sizeof(std::uint16_t);
    return sums == MinPlusSums::doubles ? sizeof(double) : sizeof(std::uint32_t);
}

/// The number of 32-bit words of this number of distances. Pre: `distances` is even.
[[nodiscard]] constexpr std::size_t words_of(MinPlusSums sums, std::size_t distances)
{
    return distances * bytes_of_distance(sums) / sizeof(std::uint32_t);
}

/// The number of 32-bit words of a distance in transposed tiles.
[[nodiscard]] constexpr std::uint32_t words_of_spread(MinPlusSums sums)
{
    return sums == MinPlusSums::doubles ? 2 : 1;
}

/// The unit of a tile's side, in vertices: a tile has whole pieces of kTileRows rows and 128 words.
[[nodiscard]] constexpr std::uint32_t tile_unit(MinPlusSums sums)
{
    return sums == MinPlusSums::shorts ? 2 * kTileRows : kTileRows;
}

/// The number of rows and columns of the matrix in device memory: the number of vertices, padded to
/// whole tiles.
[[nodiscard]] constexpr std::uint32_t padded_size(std::uint32_t n, MinPlusSums sums)
{
    if (n <= kMostOfBlock && sums != MinPlusSums::shorts) return kMostOfBlock;
    const std::uint32_t tile = tile_unit(sums);
    return (n + tile - 1) / tile * tile;
}

/// The algorithm that closes the matrix.
enum class FloydWarshallForm : std::uint8_t {
    automatic,  // block, resident or tiles, by the size of the matrix
    // Three kernels per step of 128 vertices, on tiles in registers (floyd_warshall.cuh).
    tiles,
    // One kernel whose blocks keep their tiles in registers (small_floyd_warshall.cuh).
    resident,
    block,        // one block for each matrix (small_floyd_warshall.cuh)
    steps_of_32,  // three kernels per step of 32 vertices, as in the paper (task_floyd_warshall.cuh)
    tasks_of_32,  // one kernel with a counter of tasks, as in the paper
};

/// An arc as an element of the matrix. A double represents all weights of 32 bits, and whole
/// numbers below 2^53, exactly.
struct MatrixArc
{
    std::uint32_t row;
    std::uint32_t column;
    double weight;
};

/// The sums for distances of a type, if the type can represent all of them. Distances that are too
/// large for sums of 16 or 32 bits are stored with 32 or 64 bits, since sums of two distances,
/// including infinite ones, must not overflow.
[[nodiscard]] MinPlusSums sums_for(algo::DistanceType type, bool negative_weights, double most_distance);

/// The fastest sums for a matrix of n vertices, from the result of sums_for(). In small matrices,
/// distances of 16 bits are not faster: the steps wait longer than the shorter distances gain.
[[nodiscard]] constexpr MinPlusSums fastest_sums(MinPlusSums sums, std::size_t n)
{
    constexpr std::size_t small = 2048;
    return sums == MinPlusSums::shorts && n <= small ? MinPlusSums::unsigned_wholes : sums;
}

/// Starts to close matrices of `n` vertices by three kernels per step of kTileRows vertices. Pre:
/// the rows of the matrices are contiguous.
void close_in_tiles(const FloydWarshallView& view, std::uint32_t n, std::uint32_t matrices, MinPlusSums sums,
                    const Stream& stream);

/// Rows of a matrix by their numbers. `numbers` is in device memory.
struct ListedRows
{
    const std::uint32_t* numbers = nullptr;
    std::size_t count = 0;
};

/// Starts to copy the first distances of each listed row to `rows`. sums_for(rows.type) has chosen
/// `sums`.
void copy_matrix_rows(const FloydWarshallView& view, MinPlusSums sums, const ListedRows& listed, const TypedRows& rows,
                      const Stream& stream);

/// A matrix of distances in device memory, or many matrices of one size, which are closed together.
///
/// Matrices are stored one after the other: row v of matrix m is row m * padded_size() + v of all
/// rows.
class DeviceFloydWarshall
{
public:
    /// Allocates device memory for n x n distances of each matrix. Throws ResourceError.
    explicit DeviceFloydWarshall(std::uint32_t n, MinPlusSums sums, std::uint32_t matrices = 1);
    ~DeviceFloydWarshall();
    DeviceFloydWarshall(const DeviceFloydWarshall&) = delete;
    DeviceFloydWarshall& operator=(const DeviceFloydWarshall&) = delete;

    /// Starts to store the weights of arcs in device memory as distances. Pre: the arcs are
    /// distinct, and there are no loops.
    void load(const MatrixArc* arcs, std::size_t count, const Stream& stream);

    /// Whether the matrices can be closed in this form on this GPU.
    [[nodiscard]] bool can_run(FloydWarshallForm form) const;

    /// Starts to replace the distances by those of shortest paths. A negative distance of a vertex
    /// to itself means that the vertex is on a cycle of negative length; the distances are then
    /// undefined. `threads`: threads of a block in the paper's forms, a power of two from 64 to
    /// 1024.
    void run(const Stream& stream, FloydWarshallForm form = FloydWarshallForm::automatic, unsigned threads = 256);

    /// Starts to copy the listed rows one after the other, in the type for which sums_for() chose
    /// the sums. `stride`: number of elements from row to row.
    void copy_rows(const ListedRows& listed, algo::DistanceType type, std::byte* rows, std::size_t stride,
                   const Stream& stream) const;

    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of the bytes for one matrix that is closed in this form.
    [[nodiscard]] static std::size_t most_bytes(std::size_t n, MinPlusSums sums,
                                                FloydWarshallForm form = FloydWarshallForm::automatic);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
