#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gpu/graph/place_arcs.cuh"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/edge_keys.cuh"
#include "gpu/kron/row_batches.hpp"
#include "gpu/kron/weighted_lists.hpp"

namespace wayfront::gpu::kron {

namespace {

constexpr std::uint64_t kWeightMask = (std::uint64_t{1} << kWeightBits) - 1;

__device__ std::uint64_t in_weight_units(std::uint32_t weight_bits)
{
    return static_cast<std::uint64_t>(__uint_as_float(weight_bits) * 0x1p31F);
}

/// The arcs of a batch, one for each different key, in the order of their rows.
struct BatchArcs
{
    std::uint64_t* keys;     // (row - first row of the batch) << kWeightBits | bits of the weight
    std::uint32_t* columns;  // of the arcs
};

/// Writes the arcs of different keys, those of a tile from tile_starts[tile] on, each with the
/// smallest of its weights, and the offsets of the batch's rows; adds the weights to *weight_units.
/// A warp handles one tile. The batch's lists begin at `first_arc` of all lists. Every row of the
/// batch has an edge.
__global__ void compact_weighted(const std::uint64_t* keys, const std::uint32_t* weights, Batch batch,
                                 std::uint64_t tiles, const std::uint64_t* tile_starts, std::uint64_t first_arc,
                                 BatchArcs arcs, std::uint64_t* offsets, unsigned long long* weight_units)
{
    const std::uint64_t tile = first_index() / 32;
    if (tile >= tiles) return;
    const std::uint64_t column_mask = (std::uint64_t{1} << batch.column_bits) - 1;
    std::uint64_t place = tile_starts[tile];
    unsigned long long sum = 0;
    for_each_key(keys, batch.keys, tile, [&](std::uint64_t key, std::uint64_t before, std::uint64_t index) {
        const std::uint32_t distinct = distinct_lanes(key, before);
        if ((distinct >> lane_id() & 1U) != 0) {
            std::uint32_t lightest = weights[index];
            for (std::uint64_t i = index + 1; i < batch.keys && keys[i] == key; ++i)
                lightest = min(lightest, weights[i]);
            const std::uint64_t own_place = place + lanes_below(distinct);
            const std::uint64_t row = key >> batch.column_bits;
            arcs.keys[own_place] = row << kWeightBits | lightest;
            arcs.columns[own_place] = static_cast<std::uint32_t>(key & column_mask);
            if (before >> batch.column_bits != row) offsets[batch.first_row + row] = first_arc + own_place;
            sum += in_weight_units(lightest);
        }
        place += static_cast<std::uint64_t>(__popc(distinct));
    });
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(kAllLanes, sum, offset);
    if (lane_id() == 0) atomicAdd(weight_units, sum);
}

/// The lists of edges with duplicates; only their degrees.
struct CountedLists
{
    const std::uint64_t* row_starts;

    [[nodiscard]] __device__ std::uint32_t degree(std::uint32_t row) const
    {
        return static_cast<std::uint32_t>(row_starts[row + 1] - row_starts[row]);
    }
};

/// The sorted lists of a batch, or of rows without edges.
struct BatchLists
{
    const std::uint64_t* offsets;  // of all rows' lists, without padding
    std::uint64_t first_arc;       // the offset of the batch's first arc
    std::uint32_t first_row;
    const std::uint64_t* keys;  // as in BatchArcs
    const std::uint32_t* columns;

    [[nodiscard]] __device__ std::uint32_t degree(std::uint32_t row) const
    {
        return static_cast<std::uint32_t>(offsets[row + 1] - offsets[row]);
    }
    [[nodiscard]] __device__ Arc arc(std::uint32_t row, std::uint32_t k) const
    {
        return at(offsets[row] - first_arc + k);
    }
    [[nodiscard]] __device__ Arc at(std::uint64_t i) const
    {
        return {columns[i], static_cast<std::uint32_t>(keys[i] & kWeightMask)};
    }
    [[nodiscard]] __device__ std::uint32_t row_of(std::uint64_t i) const
    {
        return first_row + static_cast<std::uint32_t>(keys[i] >> kWeightBits);
    }
};

/// Copies the batch's arcs to the places of their lists.
__global__ void copy_arcs(BatchLists lists, std::uint64_t count, const std::uint64_t* begins, Arc* arcs)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t row = lists.row_of(i);
        arcs[begins[row] + (lists.first_arc + i - lists.offsets[row])] = lists.at(i);
    }
}

/// Writes `value` to elements `first` to `last`.
__global__ void fill_offsets(std::uint64_t first, std::uint64_t last, std::uint64_t value, std::uint64_t* offsets)
{
    for (std::uint64_t i = first + first_index(); i <= last; i += index_stride()) offsets[i] = value;
}

/// The buffers that all batches share.
struct Workspace
{
    DeviceBuffer<std::uint64_t> keys, other_keys;
    DeviceBuffer<std::uint32_t> values, other_values;
    DeviceBuffer<std::uint64_t> tile_starts;  // one for each tile, and one more
    DeviceBuffer<unsigned long long> end;
    DeviceBuffer<std::byte> scratch;

    explicit Workspace(const WeightedBatchPlan& plan)
        : keys(plan.keys),
          other_keys(plan.other_keys),
          values(plan.values),
          other_values(plan.other_values),
          tile_starts(plan.tile_starts),
          end(1)
    {
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return keys.bytes() + other_keys.bytes() + values.bytes() + other_values.bytes() + tile_starts.bytes() +
               end.bytes() + scratch.bytes();
    }
};

/// The number of bits of a batch's rows.
int row_bits(const Batch& batch)
{
    return std::bit_width(batch.rows - 1);
}

/// The most keys of a batch, if the finished lists have been allocated.
std::uint64_t most_batch_keys(std::uint64_t edges, std::size_t live_bytes, const Stream& stream,
                              const ConstructionOptions& options)
{
    const std::size_t free_bytes = allowed_bytes(live_bytes, options);
    const std::size_t fixed = sort_pairs_scratch_bytes(edges, stream) + kDeviceReserveBytes;
    const std::uint64_t fitting = free_bytes > fixed ? (free_bytes - fixed) / kWeightedBatchBytesPerEdge : 0;
    return options.batch_edges == 0 ? fitting : std::min(fitting, options.batch_edges);
}

/// The sorted arcs of a batch, in buffers of the workspace.
struct SortedBatch
{
    std::uint64_t count;
    BatchArcs arcs;
};

/// Makes and sorts the arcs of a batch, whose lists begin at `first_arc` of all lists, and writes
/// the offsets of its rows.
SortedBatch sort_batch(const TuplePass& tuples, const Numbering& numbers, const Batch& batch, std::uint64_t first_arc,
                       std::uint64_t* offsets, unsigned long long* weight_units, Workspace& work, const Stream& stream,
                       PhaseLog* log)
{
    {
        const Phase phase(log, "make keys");
        make_batch_keys(tuples, numbers, batch, WeightedKeys{work.keys.data(), work.values.data()}, work.end, stream);
    }
    SortBuffers keys{work.keys.data(), work.other_keys.data()};
    SortBuffers values{work.values.data(), work.other_values.data()};
    {
        const Phase phase(log, "sort keys");
        sort_pairs(keys, values, batch.keys, batch.column_bits + row_bits(batch), work.scratch, stream);
        stream.synchronize();
    }
    std::uint64_t count = 0;
    {
        const Phase phase(log, "compact lists");
        count = count_distinct_keys(keys.current, batch.keys, work.tile_starts, work.scratch, stream);
        const std::uint64_t tiles = (batch.keys + kTileKeys - 1) / kTileKeys;
        compact_weighted<<<tile_blocks(tiles), kTileThreads, 0, stream.get()>>>(
            keys.current, values.current, batch, tiles, work.tile_starts.data(), first_arc, {keys.other, values.other},
            offsets, weight_units);
        check_launch();
        stream.synchronize();
    }
    const Phase phase(log, "sort lists");
    SortBuffers by_weight = keys.swapped();
    SortBuffers columns = values.swapped();
    sort_pairs(by_weight, columns, count, kWeightBits + row_bits(batch), work.scratch, stream);
    stream.synchronize();
    return {count, {by_weight.current, columns.current}};
}

}  // namespace

WeightedLists make_weighted_lists(const TuplePass& tuples, Numbering& numbers, const Stream& stream,
                                  const ConstructionOptions& options, ConstructionReport& report)
{
    // Duplicates counted.
    const std::uint64_t edges = fetch(numbers.row_starts.data() + numbers.connected, stream);
    WeightedLists lists;
    lists.columns = numbers.view;
    if (lists.columns.ranks == 1)
        lists.columns.slot_stride = static_cast<std::uint32_t>(weighted_slots(numbers.connected));
    const std::uint32_t slots = lists.columns.slot_stride;
    ArcPlacer placer(lists.columns, kInfiniteFloat, stream);
    lists.arrays = ArcArrays(ArcArraysPlan(slots, placer.measure(CountedLists{numbers.row_starts.data()}, 0, slots)));
    const auto lasting_bytes = [&] { return numbers.bytes() + lists.arrays.bytes() + placer.bytes(); };
    const std::uint64_t most_keys = most_batch_keys(edges, lasting_bytes(), stream, options);
    const std::vector<Batch> batches = choose_batches(numbers, edges, most_keys, stream);
    report.batches = static_cast<int>(batches.size());

    // The offsets overwrite the starts that count duplicates, which are not needed any more.
    std::uint64_t* const offsets = numbers.row_starts.data();
    DeviceBuffer<unsigned long long> weight_units(1);
    fill_bytes_async(weight_units.span(), 0, stream);
    if (!batches.empty()) {
        Workspace work(WeightedBatchPlan(std::ranges::max(batches, {}, &Batch::keys).keys));
        for (const Batch& batch : batches) {
            const std::uint64_t first_arc = lists.arcs;
            const SortedBatch sorted =
                sort_batch(tuples, numbers, batch, first_arc, offsets, weight_units.data(), work, stream, options.log);
            lists.arcs += sorted.count;
            const Phase phase(options.log, "place lists");
            const std::uint32_t end = batch.first_row + batch.rows;
            launch(fill_offsets, 1, stream, std::uint64_t{end}, std::uint64_t{end}, lists.arcs, offsets);
            const BatchLists made{offsets, first_arc, batch.first_row, sorted.arcs.keys, sorted.arcs.columns};
            (void)placer.measure(made, batch.first_row, batch.rows);
            placer.place_heads(made, batch.first_row, batch.rows, lists.arrays);
            launch(copy_arcs, sorted.count, stream, made, sorted.count, placer.begins(), lists.arrays.list_arcs.data());
            stream.synchronize();
        }
        report.note(lasting_bytes() + work.bytes());
    }
    // The slots that no vertex has.
    launch(fill_offsets, slots - numbers.connected + std::uint64_t{1}, stream, std::uint64_t{numbers.connected},
           std::uint64_t{slots}, lists.arcs, offsets);
    const BatchLists empty{offsets, lists.arcs, numbers.connected, nullptr, nullptr};
    (void)placer.measure(empty, numbers.connected, slots - numbers.connected);
    placer.place_heads(empty, numbers.connected, slots - numbers.connected, lists.arrays);
    lists.weight_units = fetch(weight_units.data(), stream);
    report.note(lasting_bytes());
    numbers.column_of_recursive = {};
    numbers.row_starts = {};
    return lists;
}

}  // namespace wayfront::gpu::kron
