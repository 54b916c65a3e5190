// Summaries of rows in device memory (algo/apsp/summary.hpp), without copying the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/summary.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

/// Rows of distances in device memory.
struct RowsView
{
    const std::byte* rows = nullptr;
    std::size_t stride = 0;  // number of elements from row to row; rows begin at multiples of 16 bytes
    std::uint32_t vertices = 0;
    const std::uint32_t* sources = nullptr;  // in device memory
    std::uint32_t count = 0;
    // Whether the row of a source is the row of its vertex in a whole matrix. If not, the row's
    // number is the position of the source in `sources`.
    bool in_place = false;
};

/// Summarises batches of rows, and owns the memory for this.
class RowSummariser
{
public:
    /// `rows`: largest number of rows in a batch.
    explicit RowSummariser(std::size_t rows) : RowSummariser(RowSummaryPlan(rows)) {}

    /// Adds rows to a summary. The first row has position `first`. Waits for the stream.
    void add(const RowsView& rows, algo::DistanceType type, std::size_t first, algo::Summary& summary,
             const Stream& stream);

private:
    explicit RowSummariser(const RowSummaryPlan& plan);

    DeviceBuffer<DeviceRowFacts> facts_;
    PinnedBuffer<DeviceRowFacts> host_facts_;
    DeviceBuffer<unsigned long long> bins_;  // bins of the distances 0, 1, ..., then bins of -1, -2, ...
    PinnedBuffer<unsigned long long> host_bins_;
};

}  // namespace wayfront::gpu::apsp
