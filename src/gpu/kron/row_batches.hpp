// The batches of rows whose edges are sorted together, if memory does not suffice for all edges at
// once, and the functions that making lists with weights and without them share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/kron/construction.hpp"
#include "gpu/kron/numbering.hpp"

namespace wayfront::gpu::kron {

/// Rows whose edges are sorted together.
struct Batch
{
    std::uint32_t first_row = 0;
    std::uint32_t rows = 0;
    std::uint64_t keys = 0;  // duplicates counted
    int column_bits = 0;
};

/// The bytes of device memory that can be allocated while construction has allocated `live_bytes`.
[[nodiscard]] std::size_t allowed_bytes(std::size_t live_bytes, const ConstructionOptions& options);

/// Divides the rows into as few batches as possible, of about equally many edges and at most
/// `most_keys` keys each; none if there are no edges. `edges`: duplicates counted. Throws
/// ResourceError if there would be more than kMostBatches.
[[nodiscard]] std::vector<Batch> choose_batches(const Numbering& numbers, std::uint64_t edges, std::uint64_t most_keys,
                                                const Stream& stream);

/// Throws ResultError if the number of edges made for a batch differs from the number counted.
void require_made(const Batch& batch, std::uint64_t made);

/// Writes to tile_starts[tile] the number of different keys before each tile of kTileKeys sorted
/// keys. Returns the number of all different keys, which is also the last element. Waits for the
/// stream.
[[nodiscard]] std::uint64_t count_distinct_keys(const std::uint64_t* sorted, std::uint64_t count,
                                                DeviceBuffer<std::uint64_t>& tile_starts,
                                                DeviceBuffer<std::byte>& scratch, const Stream& stream);

/// The blocks and threads of kernels in which a warp handles one tile of keys.
inline constexpr unsigned kTileThreads = 256;
[[nodiscard]] inline unsigned tile_blocks(std::uint64_t tiles)
{
    return static_cast<unsigned>((tiles * 32 + kTileThreads - 1) / kTileThreads);
}

}  // namespace wayfront::gpu::kron
