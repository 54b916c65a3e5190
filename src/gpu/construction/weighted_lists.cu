#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "gpu/construction/construction_plans.hpp"
#include "gpu/construction/edge_keys.cuh"
#include "gpu/construction/row_batches.hpp"
#include "gpu/construction/weighted_lists.hpp"
#include "gpu/graph/place_arcs.cuh"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/runtime/scratch.hpp"

namespace wayfront::gpu::construction {

namespace {

__device__ std::uint64_t in_weight_units(std::uint32_t weight_bits)
{
    return static_cast<std::uint64_t>(__uint_as_float(weight_bits) * 0x1p31F);
}

/// The arcs of a batch, one for each distinct key, in the order of their rows.
struct BatchArcs
{
    std::uint64_t* keys;     // (row - first row of the batch) << weight_bits | bits of the weight
    std::uint32_t* columns;  // column of each arc
    int weight_bits;         // WeightForm::bits
};

/// Writes the arcs of distinct keys, those of a tile from sorted.starts[tile] on, each with the
/// smallest of its weights in the tile, and the offsets of the batch's rows that have edges. Adds
/// the weights to *weight_units if they are multiples of the unit. A warp handles one tile.
template <bool kInUnits>
__global__ void compact_weighted(KeyTiles sorted, const std::uint32_t* weights, BatchArcs arcs, BatchOffsets offsets,
                                 unsigned long long* weight_units)
{
    const std::uint64_t tile = first_index() / 32;
    if (tile >= sorted.tiles) return;
    const std::uint64_t* const keys = sorted.keys;
    const Batch& batch = sorted.batch;
    const std::uint64_t column_mask = (std::uint64_t{1} << batch.column_bits) - 1;
    std::uint64_t place = sorted.starts[tile];
    const std::uint64_t tile_end = min((tile + 1) * kTileKeys, batch.keys);
    unsigned long long sum = 0;
    for_each_key(keys, batch.keys, tile, [&](std::uint64_t key, std::uint64_t before, std::uint64_t index) {
        const std::uint32_t distinct = distinct_lanes(key, before);
        if ((distinct >> lane_id() & 1U) != 0) {
            std::uint32_t lightest = weights[index];
            for (std::uint64_t i = index + 1; i < tile_end && keys[i] == key; ++i) lightest = min(lightest, weights[i]);
            const std::uint64_t own_place = place + lanes_below(distinct);
            const std::uint64_t row = key >> batch.column_bits;
            arcs.keys[own_place] = row << arcs.weight_bits | lightest;
            arcs.columns[own_place] = static_cast<std::uint32_t>(key & column_mask);
            if (before >> batch.column_bits != row) offsets.of_rows[batch.first_row + row] = offsets.first + own_place;
            if constexpr (kInUnits) sum += in_weight_units(lightest);
        }
        place += static_cast<std::uint64_t>(__popc(distinct));
    });
    if constexpr (kInUnits) {
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(kAllLanes, sum, offset);
        if (lane_id() == 0) atomicAdd(weight_units, sum);
    }
}

/// Lowers the weights of arcs whose duplicates continue in later tiles, after compact_weighted(). A
/// warp handles the duplicates of the last key before its tile, so that many warps read many copies
/// of one edge.
template <bool kInUnits>
__global__ void lower_continued(KeyTiles sorted, const std::uint32_t* weights, BatchArcs arcs,
                                unsigned long long* weight_units)
{
    const std::uint64_t tile = first_index() / 32 + 1;  // no key precedes the first tile
    if (tile >= sorted.tiles) return;
    const std::uint64_t* const keys = sorted.keys;
    const Batch& batch = sorted.batch;
    const std::uint64_t first = tile * kTileKeys;
    const std::uint64_t key = keys[first - 1];
    if (keys[first] != key) return;
    const std::uint64_t tile_end = min(first + kTileKeys, batch.keys);
    std::uint32_t lightest = ~0U;
    for (std::uint64_t i = first + lane_id(); i < tile_end && keys[i] == key; i += 32)
        lightest = min(lightest, weights[i]);
    lightest = __reduce_min_sync(kAllLanes, lightest);
    if (lane_id() != 0) return;
    const auto lowered = static_cast<unsigned long long>(key >> batch.column_bits << arcs.weight_bits | lightest);
    auto* const arc = reinterpret_cast<unsigned long long*>(&arcs.keys[sorted.starts[tile] - 1]);
    const unsigned long long before = atomicMin(arc, lowered);
    if constexpr (kInUnits) {
        const std::uint64_t mask = (std::uint64_t{1} << arcs.weight_bits) - 1;
        if (lowered < before)  // the sum wraps around to the correct value
            atomicAdd(weight_units,
                      in_weight_units(lightest) - in_weight_units(static_cast<std::uint32_t>(before & mask)));
    }
}

/// Returns the weight of an arc of a batch.
struct WeightOfArc
{
    const std::uint64_t* keys;
    std::uint64_t mask;
    bool is_float;

    __device__ double operator()(std::uint64_t i) const
    {
        const auto bits = static_cast<std::uint32_t>(keys[i] & mask);
        return is_float ? static_cast<double>(__uint_as_float(bits)) : static_cast<double>(bits);
    }
};

/// The sum of the weights of a batch. On the same GPU, the result is always the same.
double sum_of_weights(const std::uint64_t* keys, std::uint64_t count, const WeightForm& form,
                      DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    const auto weights = thrust::make_transform_iterator(
        thrust::make_counting_iterator<std::uint64_t>(0),
        WeightOfArc{keys, (std::uint64_t{1} << form.bits) - 1, form.infinite == kInfiniteFloat});
    DeviceBuffer<double> sum(1);
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Reduce(memory, bytes, weights, sum.data(), static_cast<std::int64_t>(count),
                                         cuda::std::plus<double>{}, 0.0, stream.get());
    });
    return fetch(sum.data(), stream);
}

/// Lists with duplicates, of which only the degrees are known.
struct CountedLists
{
    const std::uint64_t* row_starts;

    [[nodiscard]] __device__ std::uint32_t degree(std::uint32_t row) const
    {
        return static_cast<std::uint32_t>(row_starts[row + 1] - row_starts[row]);
    }
};

/// The sorted lists of a batch, or the lists of rows without edges.
struct BatchLists
{
    const std::uint64_t* offsets;  // offsets of all rows' lists, without padding
    std::uint64_t first_arc;       // offset of the batch's first arc
    std::uint32_t first_row;
    BatchArcs arcs;

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
        return {arcs.columns[i],
                static_cast<std::uint32_t>(arcs.keys[i] & ((std::uint64_t{1} << arcs.weight_bits) - 1))};
    }
    [[nodiscard]] __device__ std::uint32_t row_of(std::uint64_t i) const
    {
        return first_row + static_cast<std::uint32_t>(arcs.keys[i] >> arcs.weight_bits);
    }
};

/// Copies the batch's arcs to their lists.
__global__ void copy_arcs(BatchLists lists, std::uint64_t count, const std::uint64_t* begins, Arc* arcs)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t row = lists.row_of(i);
        arcs[begins[row] + (lists.first_arc + i - lists.offsets[row])] = lists.at(i);
    }
}

/// Writes the places, heads and padding of the rows, after the lists of earlier rows.
void place_rows(const BatchLists& lists, RowRange rows, ArcPlacer& placer, ArcArrays& arrays)
{
    (void)placer.measure(lists, rows);
    placer.place_heads(lists, rows, arrays);
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
    DeviceBuffer<std::uint64_t> tile_starts;  // one entry for each tile, and one more
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

/// The number of bits of a row of the batch.
int row_bits(const Batch& batch)
{
    return std::bit_width(batch.rows - 1);
}

/// Largest number of keys of a batch after the finished lists have been allocated.
std::uint64_t most_batch_keys(std::uint64_t edges, std::size_t live_bytes, const ConstructionRun& run)
{
    const std::size_t free_bytes = allowed_bytes(live_bytes, run.options);
    const std::size_t fixed = sort_pairs_scratch_bytes(edges, run.stream) + kDeviceReserveBytes;
    const std::uint64_t fitting = free_bytes > fixed ? (free_bytes - fixed) / kWeightedBatchBytesPerEdge : 0;
    return run.options.batch_edges == 0 ? fitting : std::min(fitting, run.options.batch_edges);
}

/// The sorted arcs of a batch, in buffers of the workspace.
struct SortedBatch
{
    std::uint64_t count;
    BatchArcs arcs;
};

/// The lists that are to be made.
struct ListsTask
{
    const NumberedTuples& from;
    const WeightForm& form;
    std::uint64_t* offsets;
    unsigned long long* weight_units;
};

/// Makes and sorts the arcs of a batch, whose lists begin at `first_arc` of all lists. Writes the
/// offsets of its rows that have edges.
SortedBatch sort_batch(const ListsTask& task, const Batch& batch, std::uint64_t first_arc, Workspace& work,
                       const ConstructionRun& run)
{
    const Stream& stream = run.stream;
    PhaseLog* const log = run.options.log;
    {
        const Phase phase(log, "make keys");
        make_batch_keys(task.from, batch, {work.keys.data(), work.values.data(), work.end.data()}, stream);
    }
    PairBuffers<std::uint64_t> pairs{.keys = {work.keys.data(), work.other_keys.data()},
                                     .values = {work.values.data(), work.other_values.data()}};
    const SortBuffers<std::uint64_t>& keys = pairs.keys;
    const SortBuffers<std::uint32_t>& values = pairs.values;
    {
        const Phase phase(log, "sort keys");
        sort_pairs(pairs, batch.keys, batch.column_bits + row_bits(batch), work.scratch, stream);
        stream.synchronize();
    }
    std::uint64_t count = 0;
    {
        const Phase phase(log, "compact lists");
        count = count_distinct_keys(keys.current, batch.keys, work.tile_starts, work.scratch, stream);
        const std::uint64_t tiles = (batch.keys + kTileKeys - 1) / kTileKeys;
        const KeyTiles sorted{keys.current, batch, tiles, work.tile_starts.data()};
        const BatchArcs arcs{keys.other, values.other, task.form.bits};
        const auto compact = task.form.in_units ? compact_weighted<true> : compact_weighted<false>;
        compact<<<tile_blocks(tiles), kTileThreads, 0, stream.get()>>>(sorted, values.current, arcs,
                                                                       {task.offsets, first_arc}, task.weight_units);
        check_launch();
        const auto lower = task.form.in_units ? lower_continued<true> : lower_continued<false>;
        lower<<<tile_blocks(tiles), kTileThreads, 0, stream.get()>>>(sorted, values.current, arcs, task.weight_units);
        check_launch();
        stream.synchronize();
    }
    const Phase phase(log, "sort lists");
    PairBuffers<std::uint64_t> by_weight{.keys = keys.swapped(), .values = values.swapped()};
    sort_pairs(by_weight, count, task.form.bits + row_bits(batch), work.scratch, stream);
    stream.synchronize();
    return {count, {by_weight.keys.current, by_weight.values.current, task.form.bits}};
}

}  // namespace

WeightedLists make_weighted_lists(const NumberedTuples& from, const WeightForm& form, std::size_t live_bytes,
                                  ConstructionRun& run)
{
    const Stream& stream = run.stream;
    Numbering& numbers = from.numbers;
    // The offsets overwrite the starts with duplicates after the batches are chosen.
    DeviceBuffer<std::uint64_t>& starts = numbers.starts(from.rows);
    std::uint64_t* const offsets = starts.data();
    // The number of edges with duplicates.
    const std::uint64_t edges = fetch(offsets + numbers.connected, stream);
    WeightedLists lists;
    PlacedArcs& placed = lists.placed;
    placed.columns = numbers.view;
    if (placed.columns.ranks == 1)
        placed.columns.slot_stride = static_cast<std::uint32_t>(weighted_slots(numbers.connected));
    const std::uint32_t slots = placed.columns.slot_stride;
    ArcPlacer placer(placed.columns, form.infinite, stream);
    placed.arrays = ArcArrays(ArcArraysPlan(slots, placer.measure(CountedLists{offsets}, {0, slots})));
    const auto lasting_bytes = [&] { return live_bytes + numbers.bytes() + placed.arrays.bytes() + placer.bytes(); };
    const std::uint64_t most_keys = most_batch_keys(edges, lasting_bytes(), run);
    const std::vector<Batch> batches = choose_batches(numbers, offsets, edges, most_keys, stream);
    run.report.note_batches(batches.size());

    const bool may_be_empty = from.rows != RowEnds::both;  // rows of connected vertices may be empty
    if (may_be_empty) fill_bytes_async(starts.span(), 0xFF, stream);
    DeviceBuffer<unsigned long long> weight_units(1);
    fill_bytes_async(weight_units.span(), 0, stream);
    const ListsTask task{from, form, offsets, weight_units.data()};
    std::uint32_t done_rows = 0;
    if (!batches.empty()) {
        Workspace work(WeightedBatchPlan(std::ranges::max(batches, {}, &Batch::keys).keys));
        for (const Batch& batch : batches) {
            const std::uint64_t first_arc = placed.arcs;
            const SortedBatch sorted = sort_batch(task, batch, first_arc, work, run);
            placed.arcs += sorted.count;
            if (!form.in_units)
                lists.weight_sum += sum_of_weights(sorted.arcs.keys, sorted.count, form, work.scratch, stream);
            const Phase phase(run.options.log, "place lists");
            done_rows = batch.first_row + batch.rows;
            launch(fill_offsets, 1, stream, std::uint64_t{done_rows}, std::uint64_t{done_rows}, placed.arcs, offsets);
            if (may_be_empty)
                fill_missing_offsets(starts.span().subspan(batch.first_row, std::size_t{batch.rows} + 1), work.scratch,
                                     stream);
            const BatchLists made{offsets, first_arc, batch.first_row, sorted.arcs};
            place_rows(made, {batch.first_row, batch.rows}, placer, placed.arrays);
            launch(copy_arcs, sorted.count, stream, made, sorted.count, placer.begins(),
                   placed.arrays.list_arcs.data());
            stream.synchronize();
        }
        run.report.note(lasting_bytes() + work.bytes());
    }
    // The slots without a vertex, and the last slots whose vertices have no such edges.
    launch(fill_offsets, slots - done_rows + std::uint64_t{1}, stream, std::uint64_t{done_rows}, std::uint64_t{slots},
           placed.arcs, offsets);
    const BatchLists empty{offsets, placed.arcs, done_rows, {nullptr, nullptr, form.bits}};
    place_rows(empty, {done_rows, slots - done_rows}, placer, placed.arrays);
    lists.weight_units = fetch(weight_units.data(), stream);
    run.report.note(lasting_bytes());
    starts = {};
    numbers.free_columns_if_done();
    return lists;
}

}  // namespace wayfront::gpu::construction
