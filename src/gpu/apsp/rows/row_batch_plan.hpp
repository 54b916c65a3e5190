// The shape of rows in device memory, and the arrays of batches of rows and of their summaries
// (row_maker.hpp, row_summary.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/summary.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// Number of elements from row to row. Each row begins at a multiple of 16 bytes.
[[nodiscard]] constexpr std::size_t row_stride(std::size_t vertices, algo::DistanceType type)
{
    const std::size_t of_16_bytes = 16 / algo::bytes_of(type);
    return (vertices + of_16_bytes - 1) / of_16_bytes * of_16_bytes;
}
[[nodiscard]] constexpr std::size_t row_stride_bytes(std::size_t vertices, algo::DistanceType type)
{
    return row_stride(vertices, type) * algo::bytes_of(type);
}

/// The arrays of one batch of rows.
struct RowBatchPlan : MemoryPlan
{
    /// `row_bytes`: bytes of a row; 0 if the rows are not in the memory of the batch.
    RowBatchPlan(std::size_t count, std::size_t row_bytes)
        : sources(array<std::uint32_t>("sources", count)), rows(array<std::byte>("rows", count, row_bytes))
    {
    }

    PlannedArray<std::uint32_t> sources;
    PlannedArray<std::byte> rows;
};

/// A whole matrix of rows.
struct RowMatrixPlan : MemoryPlan
{
    RowMatrixPlan(std::size_t count, std::size_t row_bytes) : rows(array<std::byte>("matrix", count, row_bytes)) {}

    PlannedArray<std::byte> rows;
};

/// The figures of a row.
struct DeviceRowFacts
{
    double sum;
    double most;
    double least;
    std::uint64_t reached;
};

/// The arrays of a summary of this number of rows.
struct RowSummaryPlan : MemoryPlan
{
    explicit RowSummaryPlan(std::size_t rows)
        : facts(array<DeviceRowFacts>("facts of rows", rows)),
          bins(array<unsigned long long>("bins of distances", 2, algo::DistanceHistogram::kBins))
    {
    }

    PlannedArray<DeviceRowFacts> facts;
    PlannedArray<unsigned long long> bins;  // bins of the distances 0, 1, ..., then bins of -1, -2, ...
};

}  // namespace wayfront::gpu::apsp
