#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "gpu/construction/construction_plans.hpp"
#include "gpu/construction/numbering.hpp"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::construction {

namespace {

constexpr int kClassBits = 6;

/// Sets `connected` to the number of sorted keys that belong to vertices with edges. Leaves
/// `connected` unchanged if no vertex has edges.
__global__ void find_connected(const std::uint8_t* sorted_keys, std::uint32_t count, std::uint32_t* connected)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        if (sorted_keys[i] != kNoEdgesKey && (i + 1 == count || sorted_keys[i + 1] == kNoEdgesKey))
            *connected = static_cast<std::uint32_t>(i) + 1;
}

__global__ void place_slots(const std::uint32_t* local_of_slot, std::uint32_t count, std::uint32_t connected,
                            std::uint32_t none, std::uint32_t* slot_of_local)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        slot_of_local[local_of_slot[i]] = i < connected ? static_cast<std::uint32_t>(i) : none;
}

/// Writes degrees[slot] for the slots 0 .. slots; 0 for slots without a vertex.
__global__ void list_degrees(const std::uint32_t* local_of_slot, const std::uint32_t* degree_of_local,
                             std::uint32_t connected, std::uint32_t slots, std::uint64_t* degrees)
{
    for (std::uint64_t i = first_index(); i <= slots; i += index_stride())
        degrees[i] = i < connected ? degree_of_local[local_of_slot[i]] : 0;
}

/// The local numbers of own vertices by slot, and the degrees by which they were sorted.
struct OwnOrder
{
    DeviceBuffer<std::uint32_t> degree_of_local;
    DeviceBuffer<std::uint32_t> out_degree_of_local;
    DeviceBuffer<std::uint32_t> local_of_slot;  // vertices without edges come last
    std::uint32_t connected = 0;
};

OwnOrder order_own_vertices(const TupleSource& tuples, const DeviceGraphView& graph, const DegreeArrays& of_ends,
                            std::size_t table_bytes, ConstructionRun& run)
{
    const Stream& stream = run.stream;
    const std::uint32_t count = graph.local_count;
    OwnOrder order;
    const OrderPlan plan(count, tuples.directed());
    order.degree_of_local = DeviceBuffer<std::uint32_t>(plan.degree_of_local);
    order.out_degree_of_local = DeviceBuffer<std::uint32_t>(plan.out_degree_of_local);
    DeviceBuffer<std::uint8_t> key_buffers[2] = {DeviceBuffer<std::uint8_t>(plan.keys[0]),
                                                 DeviceBuffer<std::uint8_t>(plan.keys[1])};
    DeviceBuffer<std::uint32_t> local_buffers[2] = {DeviceBuffer<std::uint32_t>(plan.locals[0]),
                                                    DeviceBuffer<std::uint32_t>(plan.locals[1])};
    DeviceBuffer<std::uint32_t> connected(1);
    DeviceBuffer<std::byte> scratch;
    fill_bytes_async(connected.span(), 0, stream);
    tuples.deal_degrees(graph, of_ends,
                        {{order.degree_of_local.data(), order.out_degree_of_local.data()},
                         key_buffers[0].data(),
                         local_buffers[0].data()},
                        stream);

    PairBuffers<std::uint8_t> locals{.keys = {key_buffers[0].data(), key_buffers[1].data()},
                                     .values = {local_buffers[0].data(), local_buffers[1].data()}};
    // The sort keeps the input's order within a class.
    sort_pairs(locals, count, kClassBits, scratch, stream);
    launch(find_connected, count, stream, locals.keys.current, count, connected.data());
    copy_async(std::span<const std::uint32_t>(connected.span()), std::span(&order.connected, 1), stream);
    stream.synchronize();
    run.report.note(table_bytes + plan.bytes() + scratch.bytes());
    order.local_of_slot = std::move(local_buffers[locals.values.current == local_buffers[0].data() ? 0 : 1]);
    return order;
}

std::uint32_t stride_for(std::int64_t connected, int ranks)
{
    const std::int64_t tiles = std::max<std::int64_t>((connected + kTileSlots - 1) / kTileSlots, 1);
    const std::int64_t stride = tiles * kTileSlots;
    if (stride * ranks >= static_cast<std::int64_t>(kNoColumn))
        throw InputError("a block of " + std::to_string(stride * ranks) + " columns does not fit 32-bit indices");
    return static_cast<std::uint32_t>(stride);
}

/// Returns the beginning of the list of each slot for these degrees.
DeviceBuffer<std::uint64_t> starts_of(const OwnOrder& order, const DeviceBuffer<std::uint32_t>& degree_of_local,
                                      std::uint32_t slots, DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    DeviceBuffer<std::uint64_t> starts(SlotsPlan(0, slots).row_starts);
    launch(list_degrees, slots + std::uint64_t{1}, stream, order.local_of_slot.data(), degree_of_local.data(),
           order.connected, slots, starts.data());
    exclusive_sum(starts.span(), scratch, stream);
    stream.synchronize();
    return starts;
}

/// The slots of the vertices of all ranks, `part` for each rank; empty if there is one rank.
/// Collective.
DeviceBuffer<std::uint32_t> gather_slots(const Numbering& numbers, std::uint64_t part, DeviceCollectives& ranks,
                                         const Stream& stream)
{
    DeviceBuffer<std::uint32_t> slots(GatheredSlotsPlan(numbers.view.ranks, part).slots);
    if (ranks.ranks() == 1) return slots;
    const std::span<std::uint32_t> own = slots.span().subspan(part * numbers.view.rank, part);
    fill_bytes_async(own, 0xFF, stream);
    copy_async(numbers.slot_of_local.span(), own.first(numbers.view.local_count), stream);
    ranks.all_gather(std::as_writable_bytes(slots.span()).data(), part * sizeof(std::uint32_t), stream);
    return slots;
}

}  // namespace

Numbering number_vertices(const TupleSource& tuples, DeviceCollectives& ranks, ConstructionRun& run)
{
    const Stream& stream = run.stream;
    const std::uint64_t vertices = tuples.vertices();
    const auto rank_count = static_cast<std::uint32_t>(ranks.ranks());
    // Largest number of vertices that a rank owns.
    const std::uint64_t part = (vertices + rank_count - 1) / rank_count;
    Numbering numbers;
    DeviceGraphView& graph = numbers.view;
    graph.set_ranks(rank_count, static_cast<std::uint32_t>(ranks.rank()));
    graph.local_count =
        static_cast<std::uint32_t>(vertices > graph.rank ? (vertices - graph.rank + rank_count - 1) / rank_count : 0);

    // This array first contains the degrees, then the columns. Each degree is read for the last
    // time before a column overwrites it.
    const bool directed = tuples.directed();
    const VertexTablePlan table(vertices, directed);
    DeviceBuffer<std::uint32_t> by_end(table.by_end);
    DeviceBuffer<std::uint32_t> out_degrees(table.out_degrees);
    const DegreeArrays of_ends{by_end.data(), out_degrees.data()};
    {
        const Phase phase(run.options.log, "count degrees");
        fill_bytes_async(by_end.span(), 0, stream);
        fill_bytes_async(out_degrees.span(), 0, stream);
        tuples.count_degrees(graph, of_ends, stream);
        stream.synchronize();
    }

    const Phase phase(run.options.log, "number vertices");
    OwnOrder order = order_own_vertices(tuples, graph, of_ends, table.bytes(), run);
    out_degrees = {};
    numbers.connected = order.connected;
    std::int64_t most_connected = numbers.connected;
    numbers.connected_of_all = numbers.connected;
    ranks.max(std::span(&most_connected, 1));
    ranks.sum(std::span(&numbers.connected_of_all, 1));
    graph.slot_stride = stride_for(most_connected, ranks.ranks());

    numbers.slot_of_local = DeviceBuffer<std::uint32_t>(SlotsPlan(graph.local_count, graph.slot_stride).slot_of_local);
    launch(place_slots, graph.local_count, stream, order.local_of_slot.data(), graph.local_count, numbers.connected,
           graph.slot_stride, numbers.slot_of_local.data());

    DeviceBuffer<std::byte> scratch;
    numbers.row_starts = starts_of(order, order.degree_of_local, graph.slot_stride, scratch, stream);
    if (directed)
        numbers.out_row_starts = starts_of(order, order.out_degree_of_local, graph.slot_stride, scratch, stream);
    order = {};

    const DeviceBuffer<std::uint32_t> slots_of_all = gather_slots(numbers, part, ranks, stream);
    numbers.vertex_of_column = DeviceBuffer<std::uint32_t>(ColumnsPlan(rank_count, graph.slot_stride).vertex_of_column);
    fill_bytes_async(numbers.vertex_of_column.span(), 0xFF, stream);
    tuples.place_columns(graph, {ranks.ranks() > 1 ? slots_of_all.data() : numbers.slot_of_local.data(), part},
                         {by_end.data(), numbers.vertex_of_column.data()}, stream);
    stream.synchronize();
    numbers.column_of_end = std::move(by_end);
    run.report.note(numbers.bytes() + slots_of_all.bytes() + scratch.bytes());
    return numbers;
}

}  // namespace wayfront::gpu::construction
