#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "base/error.hpp"
#include "gpu/construction/construction_plans.hpp"
#include "gpu/construction/edge_keys.cuh"
#include "gpu/construction/row_batches.hpp"
#include "gpu/graph/sums_and_sorts.hpp"

namespace wayfront::gpu::construction {

namespace {

/// Counts the distinct keys that begin in each tile. Keys are sorted. A warp handles one tile.
__global__ void count_distinct(const std::uint64_t* keys, std::uint64_t count, std::uint64_t tiles,
                               std::uint64_t* distinct)
{
    const std::uint64_t tile = first_index() / 32;
    if (tile >= tiles) return;
    std::uint32_t different_keys = 0;
    for_each_key(keys, count, tile, [&](std::uint64_t key, std::uint64_t before, std::uint64_t) {
        different_keys += static_cast<std::uint32_t>(__popc(distinct_lanes(key, before)));
    });
    if (lane_id() == 0) distinct[tile] = different_keys;
}

struct RowSplit
{
    std::uint64_t row;
    std::uint64_t edge;  // beginning of the row's list
};

/// Divides all edges into `parts` equal parts, and writes splits[i] for i = 0 .. parts: the first
/// row whose list begins at or after the beginning of part i.
__global__ void split_rows(const std::uint64_t* row_starts, std::uint64_t rows, std::uint64_t parts, RowSplit* splits)
{
    for (std::uint64_t i = first_index(); i <= parts; i += index_stride()) {
        const std::uint64_t edge = row_starts[rows] * i / parts;
        std::uint64_t low = 0;
        std::uint64_t high = rows;
        while (low < high) {
            const std::uint64_t middle = (low + high) / 2;
            if (row_starts[middle] < edge)
                low = middle + 1;
            else
                high = middle;
        }
        splits[i] = {low, row_starts[low]};
    }
}

}  // namespace

std::size_t allowed_bytes(std::size_t live_bytes, const ConstructionOptions& options)
{
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes));
    return options.memory_bytes == 0
               ? free_bytes
               : std::min(free_bytes, options.memory_bytes - std::min(options.memory_bytes, live_bytes));
}

std::vector<Batch> choose_batches(const Numbering& numbers, const std::uint64_t* row_starts, std::uint64_t edges,
                                  std::uint64_t most_keys, const Stream& stream)
{
    if (edges == 0) return {};
    const int column_bits = std::bit_width(numbers.view.cols() - 1);
    const std::uint64_t fewest = most_keys == 0 ? kMostBatches + 1 : (edges + most_keys - 1) / most_keys;
    for (std::uint64_t parts = fewest; parts <= kMostBatches; ++parts) {
        DeviceBuffer<RowSplit> device_splits(parts + 1);
        std::vector<RowSplit> splits(parts + 1);
        launch(split_rows, parts + 1, stream, row_starts, std::uint64_t{numbers.connected}, parts,
               device_splits.data());
        copy_async(std::span<const RowSplit>(device_splits.span()), std::span(splits), stream);
        stream.synchronize();

        std::vector<Batch> batches;
        for (std::uint64_t i = 0; i < parts; ++i) {
            const RowSplit& first = splits[i];
            const RowSplit& last = splits[i + 1];
            if (last.row == first.row) continue;  // the previous row has more edges than a part
            batches.push_back({static_cast<std::uint32_t>(first.row), static_cast<std::uint32_t>(last.row - first.row),
                               last.edge - first.edge, column_bits});
        }
        if (std::ranges::all_of(batches, [&](const Batch& batch) { return batch.keys <= most_keys; })) return batches;
    }
    throw ResourceError("out of GPU memory: construction of " + std::to_string(edges) +
                        " edges on one GPU would take more than " + std::to_string(kMostBatches) +
                        " batches; use more GPUs or a smaller graph");
}

void make_batch_keys(const NumberedTuples& from, const Batch& batch, const KeyArrays& keys, const Stream& stream)
{
    fill_bytes_async(std::span(keys.end, 1), 0, stream);
    from.tuples.make_keys(from.rows, {from.numbers.view, from.numbers.column_of_end.data()}, batch, keys, stream);
    const std::uint64_t made = fetch(keys.end, stream);
    if (made != batch.keys)
        throw ResultError("construction made " + std::to_string(made) + " edges, but had counted " +
                          std::to_string(batch.keys));
}

void fill_missing_offsets(std::span<std::uint64_t> offsets, DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    least_from_here(offsets, scratch, stream);
}

std::uint64_t count_distinct_keys(const std::uint64_t* sorted, std::uint64_t count,
                                  DeviceBuffer<std::uint64_t>& tile_starts, DeviceBuffer<std::byte>& scratch,
                                  const Stream& stream)
{
    const std::uint64_t tiles = (count + kTileKeys - 1) / kTileKeys;
    count_distinct<<<tile_blocks(tiles), kTileThreads, 0, stream.get()>>>(sorted, count, tiles, tile_starts.data());
    check_launch();
    fill_bytes_async(tile_starts.span().subspan(tiles, 1), 0, stream);
    exclusive_sum(tile_starts.span().first(tiles + 1), scratch, stream);
    return fetch(tile_starts.data() + tiles, stream);
}

}  // namespace wayfront::gpu::construction
