// Divides matrices into batches that are closed together. Free of CUDA's headers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// The size and the type of a graph's matrix.
struct BulkMatrix
{
    std::uint32_t vertices = 0;
    std::size_t arcs = 0;
    algo::DistanceType type = algo::DistanceType::int32;  // type of the rows
    MinPlusSums sums = MinPlusSums::wholes;
};

/// A batch of matrices of one size, type and kind of sums. Smaller matrices are padded with
/// unreachable vertices.
struct BulkBatch
{
    std::uint32_t vertices = 0;
    algo::DistanceType type = algo::DistanceType::int32;
    MinPlusSums sums = MinPlusSums::wholes;
    std::vector<std::size_t> matrices;  // indices of the matrices
};

/// The sums of a matrix that is closed together with many others, from the result of sums_for().
/// Distances of 16 bits take half of the time, unless their larger tiles make the matrix larger.
[[nodiscard]] constexpr MinPlusSums sums_of_many(MinPlusSums sums, std::uint32_t vertices)
{
    const bool larger =
        padded_size(vertices, MinPlusSums::shorts) > padded_size(vertices, MinPlusSums::unsigned_wholes);
    return sums == MinPlusSums::shorts && larger ? MinPlusSums::unsigned_wholes : sums;
}

/// The bytes of `rows` rows of matrices padded to `vertices` vertices; shorter rows end with gaps.
[[nodiscard]] constexpr std::size_t bulk_row_bytes(std::size_t rows, std::uint32_t vertices, algo::DistanceType type)
{
    return rows * vertices * algo::bytes_of(type);
}

/// The input and output arrays of a batch, without the matrices.
struct BulkPlan : MemoryPlan
{
    /// `row_count`: number of rows of all matrices. `vertices`: number of vertices of each matrix.
    BulkPlan(std::size_t arc_count, std::size_t row_count, std::uint32_t vertices, algo::DistanceType type)
        : arcs(array<MatrixArc>("arcs", arc_count)),
          rows(array<std::uint32_t>("rows", row_count)),
          distances(array<std::byte>("distances", bulk_row_bytes(row_count, vertices, type)))
    {
    }

    PlannedArray<MatrixArc> arcs;
    PlannedArray<std::uint32_t> rows;  // numbers of the rows
    PlannedArray<std::byte> distances;
};

/// The device memory in bytes of a matrix in a batch of matrices with `vertices` vertices.
[[nodiscard]] inline std::size_t bulk_device_bytes(const BulkMatrix& matrix, std::uint32_t vertices)
{
    return DeviceFloydWarshall::most_bytes(vertices, matrix.sums) +
           BulkPlan(matrix.arcs, matrix.vertices, vertices, matrix.type).bytes();
}

struct BulkLimits
{
    std::size_t device_bytes = 0;  // device memory of a batch
    std::size_t row_bytes = 0;     // bytes of the rows of a batch
    std::size_t matrices = 0;      // number of matrices in a batch
};

/// Divides matrices into batches. A batch has at least one matrix, even if this matrix exceeds the
/// limits.
[[nodiscard]] inline std::vector<BulkBatch> divide_into_batches(std::span<const BulkMatrix> matrices,
                                                                const BulkLimits& limits)
{
    std::vector<std::size_t> order(matrices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto kind = [&](std::size_t i) {
        return std::tuple(matrices[i].type, matrices[i].sums, ~matrices[i].vertices);
    };
    std::ranges::stable_sort(order, {}, kind);
    std::vector<BulkBatch> batches;
    std::size_t device_bytes = 0;
    std::size_t rows = 0;
    for (const std::size_t i : order) {
        const BulkMatrix& matrix = matrices[i];
        const auto joins = [&](const BulkBatch& batch) {
            // Smallest number of vertices with which a matrix joins a batch, in percent of the
            // vertices of the batch's largest matrix; such a matrix has half of its work.
            constexpr std::uint64_t least_share = 80;
            const bool nearly_equal =
                padded_size(matrix.vertices, matrix.sums) == padded_size(batch.vertices, batch.sums) ||
                100 * std::uint64_t{matrix.vertices} >= least_share * batch.vertices;
            return matrix.type == batch.type && matrix.sums == batch.sums && nearly_equal &&
                   batch.matrices.size() < limits.matrices &&
                   device_bytes + bulk_device_bytes(matrix, batch.vertices) <= limits.device_bytes &&
                   bulk_row_bytes(rows + matrix.vertices, batch.vertices, batch.type) <= limits.row_bytes;
        };
        if (batches.empty() || !joins(batches.back())) {
            batches.push_back({matrix.vertices, matrix.type, matrix.sums, {}});
            device_bytes = 0;
            rows = 0;
        }
        BulkBatch& batch = batches.back();
        batch.matrices.push_back(i);
        device_bytes += bulk_device_bytes(matrix, batch.vertices);
        rows += matrix.vertices;
    }
    return batches;
}

}  // namespace wayfront::gpu::apsp
