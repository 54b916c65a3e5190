#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "base/error.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/edge_keys.cuh"
#include "gpu/kron/row_lists.hpp"
#include "gpu/runtime/scratch.hpp"

namespace wayfront::gpu {

namespace {

/// Writes the keys of the batch's edges in any order, and sets *end, which was 0, to their number.
__global__ void __launch_bounds__(TuplePass::kThreads)
    make_keys(const __grid_constant__ KronGenerator generator, std::uint64_t tuples, const __grid_constant__ DeviceGraphView graph,
              const std::uint32_t* column_of_recursive, Batch batch, std::uint64_t* keys, unsigned long long* end)
{
    __shared__ std::uint64_t staged[kWarps][kStagedKeys];
    WarpStage stage(staged[threadIdx.x / 32], keys, end);
    // Adds the edge if its row is own and in the batch. `row` counts from the batch's first row;
    // for an earlier row it wraps around to more than batch.rows.
    const auto add = [&](bool own, std::uint32_t row_column, std::uint32_t column) {
        const std::uint32_t slot = graph.ranks == 1 ? row_column : graph.slot_of(row_column);
        const std::uint32_t row = slot - batch.first_row;
        stage.add(own && row < batch.rows, std::uint64_t{row} << batch.column_bits | column);
    };
    for_each_recursive_pair(generator, tuples, [&](std::uint64_t, RecursivePair pair, bool there) {
        const bool edge = there && pair.source != pair.target;
        const bool own_source = edge && is_dealt_to(generator.parameters, pair.source, graph.ranks, graph.rank);
        const bool own_target = edge && is_dealt_to(generator.parameters, pair.target, graph.ranks, graph.rank);
        std::uint32_t source_column = 0;
        std::uint32_t target_column = 0;
        if (own_source || own_target) {
            source_column = column_of_recursive[pair.source];
            target_column = column_of_recursive[pair.target];
        }
        add(own_source, source_column, target_column);
        add(own_target, target_column, source_column);
        if (!stage.has_room()) stage.flush();
    });
    stage.flush();
}

/// Counts the different keys that begin in each tile; a warp handles one tile. Keys are sorted.
__global__ void count_distinct(const std::uint64_t* keys, std::uint64_t count, std::uint64_t tiles, std::uint64_t* distinct)
{
    const std::uint64_t tile = first_index() / 32;
    if (tile >= tiles) return;
    std::uint32_t found = 0;
    for_each_key(keys, count, tile,
                 [&](std::uint64_t key, std::uint64_t before) { found += static_cast<std::uint32_t>(__popc(distinct_lanes(key, before))); });
    if (lane_id() == 0) distinct[tile] = found;
}

/// Writes the columns of different keys, those of a tile from tile_starts[tile] on, and the offsets
/// of the batch's rows; a warp handles one tile. The batch's lists begin at `first_edge` of all
/// lists. Every row of the batch has an edge.
__global__ void compact(const std::uint64_t* keys, Batch batch, std::uint64_t tiles, const std::uint64_t* tile_starts, std::uint64_t first_edge,
                        std::uint32_t* columns, std::uint64_t* offsets)
{
    const std::uint64_t tile = first_index() / 32;
    if (tile >= tiles) return;
    const std::uint64_t column_mask = (std::uint64_t{1} << batch.column_bits) - 1;
    std::uint64_t place = tile_starts[tile];
    for_each_key(keys, batch.keys, tile, [&](std::uint64_t key, std::uint64_t before) {
        const std::uint32_t distinct = distinct_lanes(key, before);
        if ((distinct >> lane_id() & 1U) != 0) {
            const std::uint64_t own_place = place + lanes_below(distinct);
            columns[own_place] = static_cast<std::uint32_t>(key & column_mask);
            const std::uint64_t row = key >> batch.column_bits;
            if (before >> batch.column_bits != row) offsets[batch.first_row + row] = first_edge + own_place;
        }
        place += static_cast<std::uint64_t>(__popc(distinct));
    });
}

struct RowSplit
{
    std::uint64_t row;
    std::uint64_t edge;  // where the row's list begins
};

/// Writes splits[i] for i = 0 .. parts: the first row whose list begins at or after the i-th of
/// `parts` equal parts of all edges.
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

/// Writes the offsets of the lists after the last one with edges, which are empty.
__global__ void end_offsets(std::uint64_t first, std::uint64_t last, std::uint64_t edges, std::uint64_t* offsets)
{
    for (std::uint64_t i = first + first_index(); i <= last; i += index_stride()) offsets[i] = edges;
}

std::size_t sort_scratch_bytes(std::uint64_t keys, const Stream& stream)
{
    std::size_t bytes = 0;
    cub::DoubleBuffer<std::uint64_t> none(nullptr, nullptr);
    check(cub::DeviceRadixSort::SortKeys(nullptr, bytes, none, static_cast<std::int64_t>(keys), 0, 64, stream.get()));
    return bytes;
}

/// The most keys of a batch, so that lists of all `edges` fit, too.
std::uint64_t most_batch_keys(std::uint64_t edges, std::size_t live_bytes, const Stream& stream, const ConstructionOptions& options)
{
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (options.memory_bytes != 0) free_bytes = std::min(free_bytes, options.memory_bytes - std::min(options.memory_bytes, live_bytes));
    const std::size_t fixed = edges * sizeof(std::uint32_t) + sort_scratch_bytes(edges, stream) + kDeviceReserveBytes;
    const std::uint64_t fitting = free_bytes > fixed ? (free_bytes - fixed) / kBatchBytesPerEdge : 0;
    return options.batch_edges == 0 ? fitting : std::min(fitting, options.batch_edges);
}

/// Divides the rows into as few batches as possible, of about equally many edges and at most
/// `most_keys` keys each.
std::vector<Batch> choose_batches(const Numbering& numbers, std::uint64_t edges, std::uint64_t most_keys, const Stream& stream)
{
    const int column_bits = std::bit_width(numbers.view.cols() - 1);
    const std::uint64_t fewest = most_keys == 0 ? kMostBatches + 1 : (edges + most_keys - 1) / most_keys;
    for (std::uint64_t parts = fewest; parts <= kMostBatches; ++parts) {
        DeviceBuffer<RowSplit> device_splits(parts + 1);
        std::vector<RowSplit> splits(parts + 1);
        launch(split_rows, parts + 1, stream, numbers.row_starts.data(), std::uint64_t{numbers.connected}, parts, device_splits.data());
        copy_async(std::span<const RowSplit>(device_splits.span()), std::span(splits), stream);
        stream.synchronize();

        std::vector<Batch> batches;
        for (std::uint64_t i = 0; i < parts; ++i) {
            const RowSplit& first = splits[i];
            const RowSplit& last = splits[i + 1];
            if (last.row == first.row) continue;  // the row before has more edges than a part
            batches.push_back(
                {static_cast<std::uint32_t>(first.row), static_cast<std::uint32_t>(last.row - first.row), last.edge - first.edge, column_bits});
        }
        if (std::ranges::all_of(batches, [&](const Batch& batch) { return batch.keys <= most_keys; })) return batches;
    }
    throw ResourceError("out of GPU memory: construction of " + std::to_string(edges) + " edges on one GPU would take more than " +
                        std::to_string(kMostBatches) + " batches; use more GPUs or a smaller graph");
}

/// The buffers that all batches share.
struct Workspace
{
    DeviceBuffer<std::uint64_t> keys;
    DeviceBuffer<std::uint64_t> other_keys;
    DeviceBuffer<std::uint64_t> tile_starts;  // one for each tile, and one more
    DeviceBuffer<unsigned long long> end;
    DeviceBuffer<std::byte> scratch;

    explicit Workspace(const BatchPlan& plan) : keys(plan.keys), other_keys(plan.other_keys), tile_starts(plan.tile_starts), end(1) {}
    [[nodiscard]] std::size_t bytes() const { return keys.bytes() + other_keys.bytes() + tile_starts.bytes() + end.bytes() + scratch.bytes(); }
};

/// Fills work.keys with the keys of the batch's edges.
void make_batch_keys(const TuplePass& tuples, const Numbering& numbers, const Batch& batch, Workspace& work, const Stream& stream)
{
    fill_bytes_async(work.end.span(), 0, stream);
    tuples.launch(make_keys, stream, numbers.view, numbers.column_of_recursive.data(), batch, work.keys.data(), work.end.data());
    const unsigned long long made = fetch(work.end.data(), stream);
    if (made != batch.keys) throw ResultError("construction made " + std::to_string(made) + " edges, but had counted " + std::to_string(batch.keys));
}

/// Sorts the batch's keys, and returns the buffer that contains them.
const std::uint64_t* sort_keys(const Batch& batch, Workspace& work, const Stream& stream)
{
    cub::DoubleBuffer<std::uint64_t> keys(work.keys.data(), work.other_keys.data());
    const int bits = batch.column_bits + std::bit_width(batch.rows - 1);
    run_with_scratch(work.scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, static_cast<std::int64_t>(batch.keys), 0, bits, stream.get());
    });
    stream.synchronize();
    return keys.Current();
}

/// Returns the columns of the batch's lists, made from sorted keys, and writes the offsets of its
/// rows.
DeviceBuffer<std::uint32_t> compact_keys(const std::uint64_t* sorted, const Batch& batch, std::uint64_t first_edge, Workspace& work,
                                         DeviceBuffer<std::uint64_t>& offsets, const Stream& stream)
{
    constexpr unsigned threads = 256;
    const std::uint64_t tiles = (batch.keys + kTileKeys - 1) / kTileKeys;
    const auto blocks = static_cast<unsigned>((tiles * 32 + threads - 1) / threads);
    std::uint64_t* tile_starts = work.tile_starts.data();
    count_distinct<<<blocks, threads, 0, stream.get()>>>(sorted, batch.keys, tiles, tile_starts);
    check_launch();
    fill_bytes_async(work.tile_starts.span().subspan(tiles, 1), 0, stream);
    run_with_scratch(work.scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, tile_starts, tile_starts, static_cast<std::int64_t>(tiles + 1), stream.get());
    });
    DeviceBuffer<std::uint32_t> columns(fetch(tile_starts + tiles, stream));
    compact<<<blocks, threads, 0, stream.get()>>>(sorted, batch, tiles, tile_starts, first_edge, columns.data(), offsets.data());
    check_launch();
    stream.synchronize();
    return columns;
}

DeviceBuffer<std::uint32_t> concatenate(std::vector<DeviceBuffer<std::uint32_t>> parts, std::uint64_t size, const Stream& stream)
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

RowLists make_row_lists(const TuplePass& tuples, Numbering& numbers, const Stream& stream, const ConstructionOptions& options,
                        ConstructionReport& report)
{
    const std::uint64_t edges = fetch(numbers.row_starts.data() + numbers.connected, stream);  // duplicates counted
    const std::uint64_t most_keys = most_batch_keys(edges, numbers.bytes(), stream, options);
    const std::vector<Batch> batches = edges == 0 ? std::vector<Batch>{} : choose_batches(numbers, edges, most_keys, stream);
    report.batches = static_cast<int>(batches.size());

    // The offsets overwrite the starts with duplicates, which are not needed any more.
    RowLists lists;
    lists.offsets = std::move(numbers.row_starts);
    std::vector<DeviceBuffer<std::uint32_t>> parts;
    std::uint64_t done = 0;
    if (!batches.empty()) {
        Workspace work(BatchPlan(std::ranges::max(batches, {}, &Batch::keys).keys));
        for (const Batch& batch : batches) {
            {
                const Phase phase(options.log, "make keys");
                make_batch_keys(tuples, numbers, batch, work, stream);
            }
            const std::uint64_t* sorted = nullptr;
            {
                const Phase phase(options.log, "sort keys");
                sorted = sort_keys(batch, work, stream);
            }
            const Phase phase(options.log, "compact lists");
            parts.push_back(compact_keys(sorted, batch, done, work, lists.offsets, stream));
            done += parts.back().size();
        }
        report.note(numbers.bytes() + lists.offsets.bytes() + work.bytes() + done * sizeof(std::uint32_t));
    }
    numbers.column_of_recursive = {};
    const Phase phase(options.log, "join lists");
    launch(end_offsets, std::uint64_t{numbers.view.slot_stride} - numbers.connected + 1, stream, std::uint64_t{numbers.connected},
           std::uint64_t{numbers.view.slot_stride}, done, lists.offsets.data());
    stream.synchronize();
    const std::size_t parts_bytes = parts.size() > 1 ? done * sizeof(std::uint32_t) : 0;
    lists.neighbours = concatenate(std::move(parts), done, stream);
    report.note(numbers.bytes() + lists.offsets.bytes() + lists.neighbours.bytes() + parts_bytes);
    return lists;
}

}  // namespace wayfront::gpu
