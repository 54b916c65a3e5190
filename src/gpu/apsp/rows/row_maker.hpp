// Makers of rows of all pairs in device memory, and a producer that copies the rows to the host or
// summarises them. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "gpu/apsp/rows/row_summary.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// The sources of rows, in device memory and in host memory. Both arrays outlive the work.
struct RowSources
{
    const std::uint32_t* on_device = nullptr;
    std::span<const std::uint32_t> on_host;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(on_host.size()); }
};

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
    /// Number of elements from row to row.
    [[nodiscard]] virtual std::size_t stride() const = 0;
    /// Starts to make the rows of sources in device memory: in `buffer`, or in memory of the maker.
    [[nodiscard]] virtual RowsView make(const RowSources& sources, std::span<std::byte> buffer,
                                        const Stream& stream) = 0;
    /// Adds the rows of `count` sources to a summary without making rows, and returns true. The
    /// first source has position `first`. Returns false if the maker cannot do this.
    virtual bool summarise(const std::uint32_t* /*sources*/, std::uint32_t /*count*/, std::size_t /*first*/,
                           algo::Summary& /*summary*/, const Stream& /*stream*/)
    {
        return false;
    }
    /// See RowProducer::summarise_together().
    virtual bool summarise_together(std::span<const Vertex> /*sources*/, std::span<const IndexRange> /*left*/,
                                    algo::Summary& /*summary*/, const Stream& /*stream*/)
    {
        return false;
    }
    /// Number of sources per call of summarise(), if it is larger than a batch of rows; summarise()
    /// then returns true. Otherwise 0.
    [[nodiscard]] virtual std::size_t summary_sources() const { return 0; }
    /// Number of sources that one pass takes together.
    [[nodiscard]] virtual std::size_t sources_of_pass() const { return 1; }
    /// Whether the maker makes the rows in the buffer.
    [[nodiscard]] virtual bool uses_buffer() const { return true; }
};

/// Makes a producer whose batches of rows are in pinned host memory. While the host uses a batch,
/// the GPU makes and copies the next batch. The two row buffers take at most `memory_bytes`, or
/// have one row each. If `rows` is false, there is one buffer, only summarise() may be called, and
/// the batches of `sources` sources have nearly equal sizes (0: number of sources not known).
/// Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_device_row_producer(std::unique_ptr<RowMaker> maker,
                                                                          algo::DistanceType type, bool rows,
                                                                          std::size_t sources,
                                                                          std::size_t memory_bytes);

/// The device memory of a producer, without that of its maker, if its buffers have one row each.
/// `row_bytes`: bytes of a row; 0 if the maker does not use the buffers. `summary_sources`: if not
/// 0, there are no rows, and the maker summarises this number of sources at a time.
[[nodiscard]] std::size_t least_producer_bytes(std::size_t row_bytes, std::size_t summary_sources = 0);

}  // namespace wayfront::gpu::apsp
