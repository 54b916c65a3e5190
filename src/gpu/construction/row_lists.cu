#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "gpu/construction/construction_plans.hpp"
#include "gpu/construction/edge_keys.cuh"
#include "gpu/construction/row_batches.hpp"
#include "gpu/construction/row_lists.hpp"
#include "gpu/graph/sums_and_sorts.hpp"

namespace wayfront::gpu::construction {

namespace {

/// Writes the columns of distinct keys, those of a tile from sorted.starts[tile] on, and the offsets
/// of the batch's rows that have edges. A warp handles one tile.
__global__ void compact(KeyTiles sorted, std::uint32_t* columns, BatchOffsets offsets)
{
    const std::uint64_t tile = first_index() / 32;
    if (tile >= sorted.tiles) return;
    const Batch& batch = sorted.batch;
    const std::uint64_t column_mask = (std::uint64_t{1} << batch.column_bits) - 1;
    std::uint64_t place = sorted.starts[tile];
    for_each_key(sorted.keys, batch.keys, tile, [&](std::uint64_t key, std::uint64_t before, std::uint64_t) {
        const std::uint32_t distinct = distinct_lanes(key, before);
        if ((distinct >> lane_id() & 1U) != 0) {
            const std::uint64_t own_place = place + lanes_below(distinct);
            columns[own_place] = static_cast<std::uint32_t>(key & column_mask);
            const std::uint64_t row = key >> batch.column_bits;
            if (before >> batch.column_bits != row) offsets.of_rows[batch.first_row + row] = offsets.first + own_place;
        }
        place += static_cast<std::uint64_t>(__popc(distinct));
    });
}

/// Writes the offsets of the empty lists after the last list with edges.
__global__ void end_offsets(std::uint64_t first, std::uint64_t last, std::uint64_t edges, std::uint64_t* offsets)
{
    for (std::uint64_t i = first + first_index(); i <= last; i += index_stride()) offsets[i] = edges;
}

/// Largest number of keys of a batch that leaves room for lists of all `edges`.
std::uint64_t most_batch_keys(std::uint64_t edges, std::size_t live_bytes, const ConstructionRun& run)
{
    const std::size_t free_bytes = allowed_bytes(live_bytes, run.options);
    const std::size_t fixed =
        edges * sizeof(std::uint32_t) + sort_keys_scratch_bytes(edges, run.stream) + kDeviceReserveBytes;
    const std::uint64_t fitting = free_bytes > fixed ? (free_bytes - fixed) / kBatchBytesPerEdge : 0;
    return run.options.batch_edges == 0 ? fitting : std::min(fitting, run.options.batch_edges);
}

/// The buffers that all batches share.
struct Workspace
{
    DeviceBuffer<std::uint64_t> keys;
    DeviceBuffer<std::uint64_t> other_keys;
    DeviceBuffer<std::uint64_t> tile_starts;  // one entry for each tile, and one more
    DeviceBuffer<unsigned long long> end;
    DeviceBuffer<std::byte> scratch;

    explicit Workspace(const BatchPlan& plan)
        : keys(plan.keys), other_keys(plan.other_keys), tile_starts(plan.tile_starts), end(1)
    {
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return keys.bytes() + other_keys.bytes() + tile_starts.bytes() + end.bytes() + scratch.bytes();
    }
};

/// Sorts the batch's keys. Returns the buffer that contains them.
const std::uint64_t* sort_batch(const Batch& batch, Workspace& work, const Stream& stream)
{
    SortBuffers keys{work.keys.data(), work.other_keys.data()};
    sort_keys(keys, batch.keys, batch.column_bits + std::bit_width(batch.rows - 1), work.scratch, stream);
    stream.synchronize();
    return keys.current;
}

/// Makes the columns of the batch's lists from sorted keys, and writes the offsets of its rows.
/// Returns the columns.
DeviceBuffer<std::uint32_t> compact_keys(const std::uint64_t* sorted, const Batch& batch, BatchOffsets offsets,
                                         Workspace& work, const Stream& stream)
{
    DeviceBuffer<std::uint32_t> columns(
        count_distinct_keys(sorted, batch.keys, work.tile_starts, work.scratch, stream));
    const std::uint64_t tiles = (batch.keys + kTileKeys - 1) / kTileKeys;
    compact<<<tile_blocks(tiles), kTileThreads, 0, stream.get()>>>({sorted, batch, tiles, work.tile_starts.data()},
                                                                   columns.data(), offsets);
    check_launch();
    stream.synchronize();
    return columns;
}

DeviceBuffer<std::uint32_t> concatenate(std::vector<DeviceBuffer<std::uint32_t>> parts, std::uint64_t size,
                                        const Stream& stream)
{
    if (parts.size() == 1) return std::move(parts.front());
    DeviceBuffer<std::uint32_t> whole(size);
    std::size_t place = 0;
    for (const DeviceBuffer<std::uint32_t>& part : parts) {
        copy_async(part.span(), whole.span().subspan(place, part.size()), stream);
        place += part.size();
    }
    stream.synchronize();
    return whole;
}

}  // namespace

RowLists make_row_lists(const NumberedTuples& from, std::size_t live_bytes, ConstructionRun& run)
{
    const Stream& stream = run.stream;
    Numbering& numbers = from.numbers;
    DeviceBuffer<std::uint64_t>& starts = numbers.starts(from.rows);
    // The number of edges with duplicates.
    const std::uint64_t edges = fetch(starts.data() + numbers.connected, stream);
    const auto lasting_bytes = [&] { return live_bytes + numbers.bytes(); };
    const std::uint64_t most_keys = most_batch_keys(edges, lasting_bytes(), run);
    const std::vector<Batch> batches = choose_batches(numbers, starts.data(), edges, most_keys, stream);
    run.report.note_batches(batches.size());

    // The offsets overwrite the starts with duplicates, which are not read any more.
    RowLists lists;
    lists.offsets = std::exchange(starts, {});
    const bool may_be_empty = from.rows != RowEnds::both;  // rows of connected vertices may be empty
    if (may_be_empty) fill_bytes_async(lists.offsets.span(), 0xFF, stream);
    std::vector<DeviceBuffer<std::uint32_t>> parts;
    std::uint64_t done = 0;
    if (!batches.empty()) {
        Workspace work(BatchPlan(std::ranges::max(batches, {}, &Batch::keys).keys));
        for (const Batch& batch : batches) {
            {
                const Phase phase(run.options.log, "make keys");
                make_batch_keys(from, batch, {work.keys.data(), nullptr, work.end.data()}, stream);
            }
            const std::uint64_t* sorted = nullptr;
            {
                const Phase phase(run.options.log, "sort keys");
                sorted = sort_batch(batch, work, stream);
            }
            const Phase phase(run.options.log, "compact lists");
            parts.push_back(compact_keys(sorted, batch, {lists.offsets.data(), done}, work, stream));
            done += parts.back().size();
        }
        run.report.note(lasting_bytes() + lists.offsets.bytes() + work.bytes() + done * sizeof(std::uint32_t));
    }
    numbers.free_columns_if_done();
    const Phase phase(run.options.log, "join lists");
    launch(end_offsets, std::uint64_t{numbers.view.slot_stride} - numbers.connected + 1, stream,
           std::uint64_t{numbers.connected}, std::uint64_t{numbers.view.slot_stride}, done, lists.offsets.data());
    if (may_be_empty) {
        DeviceBuffer<std::byte> scratch;
        fill_missing_offsets(lists.offsets.span().first(std::size_t{numbers.connected} + 1), scratch, stream);
        stream.synchronize();
    }
    stream.synchronize();
    const std::size_t parts_bytes = parts.size() > 1 ? done * sizeof(std::uint32_t) : 0;
    lists.neighbours = concatenate(std::move(parts), done, stream);
    run.report.note(lasting_bytes() + lists.offsets.bytes() + lists.neighbours.bytes() + parts_bytes);
    return lists;
}

}  // namespace wayfront::gpu::construction
