// Rows of all pairs in device memory, and their way to the host or to a summary. Free of CUDA's
// headers.
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

/// The sources of rows, in both memories, which outlive the work.
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
    /// Elements from row to row.
    [[nodiscard]] virtual std::size_t stride() const = 0;
    /// Starts to make the rows of sources in device memory: in `buffer`, or in memory of its own.
    [[nodiscard]] virtual RowsView make(const RowSources& sources, std::span<std::byte> buffer,
                                        const Stream& stream) = 0;
    /// Adds the rows of `count` sources to a summary without making them, and returns true. The
    /// first source has position `first`. Returns false if the maker cannot do this.
    virtual bool summarise(const std::uint32_t* /*sources*/, std::uint32_t /*count*/, std::size_t /*first*/,
                           algo::Summary& /*summary*/, const Stream& /*stream*/)
    {
        return false;
    }
    /// RowProducer::summarise_together().
    virtual bool summarise_together(std::span<const Vertex> /*sources*/, std::span<const IndexRange> /*left*/,
                                    algo::Summary& /*summary*/, const Stream& /*stream*/)
    {
        return false;
    }
    /// The number of sources that summarise() takes at a time, if that is more than a batch of
    /// rows; summarise() then returns true. Otherwise 0.
    [[nodiscard]] virtual std::size_t summary_sources() const { return 0; }
    /// The sources that share a pass.
    [[nodiscard]] virtual std::size_t sources_of_pass() const { return 1; }
    /// Whether the maker makes rows in the buffer.
    [[nodiscard]] virtual bool uses_buffer() const { return true; }
};

/// The rows of a maker as batches in pinned host memory. While the host uses a batch, the next one is
/// made and copied. Its two buffers of rows take at most `memory_bytes`, or have one row each.
/// Without `rows`, there is one buffer, only summarise() may be called, and the batches of `sources`
/// sources have nearly equal sizes (0: not known). Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_device_row_producer(std::unique_ptr<RowMaker> maker,
                                                                          algo::DistanceType type, bool rows,
                                                                          std::size_t sources,
                                                                          std::size_t memory_bytes);

/// The bytes of device memory of a producer beside those of its maker, if its buffers have one row
/// each. `row_bytes`: 0 if the maker does not use the buffers. `summary_sources`: if it is not 0,
/// there are no rows, and the maker summarises this number of sources at a time.
[[nodiscard]] std::size_t least_producer_bytes(std::size_t row_bytes, std::size_t summary_sources = 0);

}  // namespace wayfront::gpu::apsp
