#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/kron_recursive.cuh"
#include "gpu/kron/numbering.hpp"

namespace wayfront::gpu::kron {

namespace {

/// Degree classes are sorted by 63 - class, so that the busiest come first and vertices without
/// edges last. A 32-bit degree has classes 0 .. 63.
constexpr std::uint8_t kNoEdgesKey = 63;
constexpr int kClassBits = 6;

/// wayfront::degree_class: two classes per octave.
__device__ std::uint32_t class_of(std::uint32_t degree)
{
    if (degree < 2) return degree;
    const auto octave = static_cast<std::uint32_t>(31 - __clz(static_cast<int>(degree)));
    return 2 * octave + ((degree >> (octave - 1)) & 1U);
}

/// Counts the degrees of own vertices, by recursive number. The degrees of other vertices stay 0.
__global__ void __launch_bounds__(TuplePass::kThreads)
    count_degrees(const __grid_constant__ KronGenerator generator, std::uint64_t tuples, std::uint32_t ranks,
                  std::uint32_t rank, std::uint32_t* degrees)
{
    for_each_recursive_pair(generator, tuples, [&](std::uint64_t, RecursivePair pair, bool there) {
        if (!there || pair.source == pair.target) return;
        if (is_dealt_to(generator.parameters, pair.source, ranks, rank)) atomicAdd(&degrees[pair.source], 1U);
        if (is_dealt_to(generator.parameters, pair.target, ranks, rank)) atomicAdd(&degrees[pair.target], 1U);
    });
}

/// Stores the degrees of own vertices by local number, and prepares the arrays for sorting.
__global__ void deal_degrees(KronParameters parameters, DeviceGraphView graph, const std::uint32_t* degree_of_recursive,
                             std::uint32_t* degree_of_local, std::uint8_t* class_keys, std::uint32_t* locals)
{
    const std::uint64_t vertices = std::uint64_t{1} << parameters.scale;
    for (std::uint64_t i = first_index(); i < vertices; i += index_stride()) {
        const std::uint32_t vertex = kron_detail::scramble(parameters, static_cast<std::uint32_t>(i));
        if (vertex % graph.ranks != graph.rank) continue;
        const std::uint32_t local = vertex / graph.ranks;
        const std::uint32_t degree = degree_of_recursive[i];
        degree_of_local[local] = degree;
        class_keys[local] = static_cast<std::uint8_t>(kNoEdgesKey - class_of(degree));
        locals[local] = local;
    }
}

/// Sets `connected` to the number of sorted keys that belong to vertices with edges; leaves it
/// unchanged if there is none.
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

/// Writes degrees[slot] for slots 0 .. slots; 0 for slots that no vertex has.
__global__ void list_degrees(const std::uint32_t* local_of_slot, const std::uint32_t* degree_of_local,
                             std::uint32_t connected, std::uint32_t slots, std::uint64_t* degrees)
{
    for (std::uint64_t i = first_index(); i <= slots; i += index_stride())
        degrees[i] = i < connected ? degree_of_local[local_of_slot[i]] : 0;
}

/// Writes the columns of all vertices. Rank r gave its local vertices the slots at slots[r * part]
/// onwards.
__global__ void place_columns(KronParameters parameters, DeviceGraphView graph, const std::uint32_t* slots,
                              std::uint64_t part, std::uint32_t* column_of_recursive, std::uint32_t* vertex_of_column)
{
    const std::uint64_t vertices = std::uint64_t{1} << parameters.scale;
    for (std::uint64_t i = first_index(); i < vertices; i += index_stride()) {
        const std::uint32_t vertex = kron_detail::scramble(parameters, static_cast<std::uint32_t>(i));
        const std::uint32_t owner = vertex % graph.ranks;
        const std::uint32_t slot = slots[owner * part + vertex / graph.ranks];
        const bool connected = slot != graph.slot_stride;
        const std::uint32_t column = connected ? graph.column(owner, slot) : kNoColumn;
        column_of_recursive[i] = column;
        if (connected) vertex_of_column[column] = vertex;
    }
}

/// The local numbers of own vertices by slot, and the degrees that they were sorted by.
struct OwnOrder
{
    DeviceBuffer<std::uint32_t> degree_of_local;
    DeviceBuffer<std::uint32_t> local_of_slot;  // the vertices without edges come last
    std::uint32_t connected = 0;
};

OwnOrder order_own_vertices(const KronParameters& parameters, const DeviceGraphView& graph,
                            const DeviceBuffer<std::uint32_t>& degree_of_recursive, const Stream& stream,
                            ConstructionReport& report)
{
    const std::uint32_t count = graph.local_count;
    OwnOrder order;
    const OrderPlan plan(count);
    order.degree_of_local = DeviceBuffer<std::uint32_t>(plan.degree_of_local);
    DeviceBuffer<std::uint8_t> key_buffers[2] = {DeviceBuffer<std::uint8_t>(plan.keys[0]),
                                                 DeviceBuffer<std::uint8_t>(plan.keys[1])};
    DeviceBuffer<std::uint32_t> local_buffers[2] = {DeviceBuffer<std::uint32_t>(plan.locals[0]),
                                                    DeviceBuffer<std::uint32_t>(plan.locals[1])};
    DeviceBuffer<std::uint32_t> connected(1);
    DeviceBuffer<std::byte> scratch;
    fill_bytes_async(connected.span(), 0, stream);
    launch(deal_degrees, std::uint64_t{1} << parameters.scale, stream, parameters, graph, degree_of_recursive.data(),
           order.degree_of_local.data(), key_buffers[0].data(), local_buffers[0].data());

    SortBuffers keys{key_buffers[0].data(), key_buffers[1].data()};
    SortBuffers locals{local_buffers[0].data(), local_buffers[1].data()};
    // The input's order is kept inside a class.
    sort_pairs(keys, locals, count, kClassBits, scratch, stream);
    launch(find_connected, count, stream, keys.current, count, connected.data());
    copy_async(std::span<const std::uint32_t>(connected.span()), std::span(&order.connected, 1), stream);
    stream.synchronize();
    report.note(degree_of_recursive.bytes() + plan.bytes() + scratch.bytes());
    order.local_of_slot = std::move(local_buffers[locals.current == local_buffers[0].data() ? 0 : 1]);
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

}  // namespace

Numbering number_vertices(const TuplePass& tuples, DeviceCollectives& ranks, const Stream& stream, PhaseLog* log,
                          ConstructionReport& report)
{
    const std::uint64_t vertices = tuples.vertices();
    const auto rank_count = static_cast<std::uint32_t>(ranks.ranks());
    // The most vertices that a rank owns.
    const std::uint64_t part = (vertices + rank_count - 1) / rank_count;
    Numbering numbers;
    DeviceGraphView& graph = numbers.view;
    graph.set_ranks(rank_count, static_cast<std::uint32_t>(ranks.rank()));
    graph.local_count =
        static_cast<std::uint32_t>(vertices > graph.rank ? (vertices - graph.rank + rank_count - 1) / rank_count : 0);

    // Holds the degrees first, then the columns; each degree is read for the last time before a
    // column overwrites it.
    DeviceBuffer<std::uint32_t> by_recursive(VertexTablePlan(vertices).by_recursive);
    {
        const Phase phase(log, "count degrees");
        fill_bytes_async(by_recursive.span(), 0, stream);
        tuples.launch(count_degrees, stream, graph.ranks, graph.rank, by_recursive.data());
        stream.synchronize();
    }

    const Phase phase(log, "number vertices");
    OwnOrder order = order_own_vertices(tuples.parameters(), graph, by_recursive, stream, report);
    numbers.connected = order.connected;
    std::int64_t most_connected = numbers.connected;
    numbers.connected_of_all = numbers.connected;
    ranks.max(std::span(&most_connected, 1));
    ranks.sum(std::span(&numbers.connected_of_all, 1));
    graph.slot_stride = stride_for(most_connected, ranks.ranks());

    const SlotsPlan slots_plan(graph.local_count, graph.slot_stride);
    numbers.slot_of_local = DeviceBuffer<std::uint32_t>(slots_plan.slot_of_local);
    launch(place_slots, graph.local_count, stream, order.local_of_slot.data(), graph.local_count, numbers.connected,
           graph.slot_stride, numbers.slot_of_local.data());

    numbers.row_starts = DeviceBuffer<std::uint64_t>(slots_plan.row_starts);
    launch(list_degrees, graph.slot_stride + std::uint64_t{1}, stream, order.local_of_slot.data(),
           order.degree_of_local.data(), numbers.connected, graph.slot_stride, numbers.row_starts.data());
    DeviceBuffer<std::byte> scratch;
    exclusive_sum(numbers.row_starts.span(), scratch, stream);
    stream.synchronize();
    order = {};

    DeviceBuffer<std::uint32_t> slots_of_all(GatheredSlotsPlan(rank_count, part).slots);
    if (ranks.ranks() > 1) {
        const std::span<std::uint32_t> own = slots_of_all.span().subspan(part * graph.rank, graph.local_count);
        fill_bytes_async(slots_of_all.span().subspan(part * graph.rank, part), 0xFF, stream);
        copy_async(std::span<const std::uint32_t>(numbers.slot_of_local.span()), own, stream);
        ranks.all_gather(std::as_writable_bytes(slots_of_all.span()).data(), part * sizeof(std::uint32_t), stream);
    }
    numbers.vertex_of_column = DeviceBuffer<std::uint32_t>(ColumnsPlan(rank_count, graph.slot_stride).vertex_of_column);
    fill_bytes_async(numbers.vertex_of_column.span(), 0xFF, stream);
    launch(place_columns, vertices, stream, tuples.parameters(), graph,
           ranks.ranks() > 1 ? slots_of_all.data() : numbers.slot_of_local.data(), part, by_recursive.data(),
           numbers.vertex_of_column.data());
    stream.synchronize();
    numbers.column_of_recursive = std::move(by_recursive);
    report.note(numbers.bytes() + slots_of_all.bytes() + scratch.bytes());
    return numbers;
}

}  // namespace wayfront::gpu::kron
