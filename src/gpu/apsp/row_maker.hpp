// Rows of all pairs in device memory, and how they reach the host or a summary. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "gpu/apsp/row_summary.hpp"

namespace wayfront::gpu {

class Stream;

/// Makes rows in device memory.
class RowMaker
{
public:
    RowMaker() = default;
    RowMaker(const RowMaker&) = delete;
    RowMaker& operator=(const RowMaker&) = delete;
    virtual ~RowMaker() = default;

    [[nodiscard]] virtual std::string description() const = 0;
    [[nodiscard]] virtual std::size_t vertices() const = 0;
    /// Elements from row to row.
    [[nodiscard]] virtual std::size_t stride() const = 0;
    /// Starts to make the rows of `count` sources in device memory: in `buffer`, or in memory of its
    /// own.
    [[nodiscard]] virtual RowsView make(const std::uint32_t* sources, std::uint32_t count, std::span<std::byte> buffer, const Stream& stream) = 0;
    /// Adds the rows of `count` sources, whose first has a position, to a summary without making them,
    /// and returns true; or returns false if it has no way to.
    virtual bool summarise(const std::uint32_t* /*sources*/, std::uint32_t /*count*/, std::size_t /*first*/, algo::Summary& /*summary*/,
                           const Stream& /*stream*/)
    {
        return false;
    }
    /// The number of sources that summarise() takes at a time, if that is more than a batch of rows; otherwise 0. Then it returns true.
    [[nodiscard]] virtual std::size_t summary_sources() const { return 0; }
    /// Whether it makes rows in the buffer.
    [[nodiscard]] virtual bool uses_buffer() const { return true; }
};

/// The rows of a maker as batches in pinned host memory. While a batch is copied to the host, the next
/// is made. Its two buffers of rows take at most `memory_bytes`, or have one row each. Without `rows`,
/// only summarise() may be called. Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_device_row_producer(std::unique_ptr<RowMaker> maker, algo::DistanceType type, bool rows,
                                                                          std::size_t memory_bytes);

/// The bytes of device memory that buffers of one row each take.
[[nodiscard]] std::size_t least_row_bytes(std::size_t vertices, algo::DistanceType type);

}  // namespace wayfront::gpu
