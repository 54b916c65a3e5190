// Batches of rows whose edges are sorted together, if the memory does not suffice for all edges at
// once; and functions for lists with weights and without weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/construction/numbering.hpp"
#include "gpu/construction/options.hpp"
#include "gpu/construction/tuple_source.hpp"

namespace wayfront::gpu::construction {

/// Device memory in bytes that can still be allocated when construction has allocated `live_bytes`.
[[nodiscard]] std::size_t allowed_bytes(std::size_t live_bytes, const ConstructionOptions& options);

/// Divides the rows into as few batches as possible, of about equally many edges and at most
/// `most_keys` keys each. Returns no batches if there are no edges. `row_starts`: begins of the
/// rows' lists with duplicates. `edges`: number of edges with duplicates. Rows after the last row
/// with edges are in no batch. Throws ResourceError if there would be more than kMostBatches
/// batches.
[[nodiscard]] std::vector<Batch> choose_batches(const Numbering& numbers, const std::uint64_t* row_starts,
                                                std::uint64_t edges, std::uint64_t most_keys, const Stream& stream);

/// Fills the arrays with the batch's edges; *keys.end may have any value before. Throws ResultError
/// if the number of edges is not batch.keys.
void make_batch_keys(const NumberedTuples& from, const Batch& batch, const KeyArrays& keys, const Stream& stream);

/// Starts to replace each offset kNoOffset, which marks a row without edges, by the offset of the
/// next row with edges. The last offset is not kNoOffset.
void fill_missing_offsets(std::span<std::uint64_t> offsets, DeviceBuffer<std::byte>& scratch, const Stream& stream);
inline constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};

/// Writes to tile_starts[tile] the number of distinct keys before each tile of kTileKeys sorted
/// keys. Returns the number of all distinct keys, which is also the last element. Waits for the
/// stream.
[[nodiscard]] std::uint64_t count_distinct_keys(const std::uint64_t* sorted, std::uint64_t count,
                                                DeviceBuffer<std::uint64_t>& tile_starts,
                                                DeviceBuffer<std::byte>& scratch, const Stream& stream);

/// The sorted keys of a batch, in tiles of kTileKeys keys.
struct KeyTiles
{
    const std::uint64_t* keys;
    Batch batch;
    std::uint64_t tiles;          // number of tiles
    const std::uint64_t* starts;  // number of distinct keys before each tile: see count_distinct_keys()
};

/// Where the offsets of a batch's lists are written.
struct BatchOffsets
{
    std::uint64_t* of_rows;  // offsets of all rows' lists
    std::uint64_t first;     // offset of the batch's first list
};

/// Threads and blocks of kernels in which a warp handles one tile of keys.
inline constexpr unsigned kTileThreads = 256;
[[nodiscard]] inline unsigned tile_blocks(std::uint64_t tiles)
{
    return static_cast<unsigned>((tiles * 32 + kTileThreads - 1) / kTileThreads);
}

}  // namespace wayfront::gpu::construction
