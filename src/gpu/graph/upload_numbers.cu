#include "base/error.hpp"
#include "gpu/graph/upload_numbers.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu {

namespace {

__global__ void place_vertices(ColumnNumbers columns, HostColumns host, const std::int32_t* vertices,
                               std::uint32_t* placed)
{
    const std::uint64_t count = std::uint64_t{host.stride} * host.ranks;
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        placed[host.on_device(columns, static_cast<std::uint32_t>(i))] = static_cast<std::uint32_t>(vertices[i]);
}

__global__ void adapt_slots(std::uint32_t* slots, std::uint64_t count, std::uint32_t host_none, std::uint32_t none)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        if (slots[i] == host_none) slots[i] = none;
}

}  // namespace

HostColumns host_columns(const DistributedGraph& graph)
{
    return {graph.block.slot_stride, graph.block.col_chunks};
}

DeviceBuffer<std::uint32_t> upload_vertices_of_columns(const DistributedGraph& graph, const ColumnNumbers& columns,
                                                       const Stream& stream)
{
    DeviceBuffer<std::uint32_t> placed(ColumnsPlan(columns.ranks, columns.slot_stride).vertex_of_column);
    graph.vertex_of_column.visit([&]<typename Id>(std::span<const Id> vertices) {
        if constexpr (sizeof(Id) == sizeof(std::int32_t)) {
            const DeviceBuffer<std::int32_t> host_order = upload(vertices, stream);
            fill_bytes_async(placed.span(), 0xFF, stream);
            launch(place_vertices, graph.block.cols(), stream, columns, host_columns(graph), host_order.data(),
                   placed.data());
            stream.synchronize();
        } else {
            throw InputError(
                "graphs of more than 2^31 vertices do not fit the 32-bit vertex numbers of searches on GPUs");
        }
    });
    return placed;
}

DeviceBuffer<std::uint32_t> upload_slots(const DistributedGraph& graph, const ColumnNumbers& columns,
                                         const Stream& stream)
{
    DeviceBuffer<std::uint32_t> slots = upload(graph.slot_of_local.span(), stream);
    launch(adapt_slots, slots.size(), stream, slots.data(), std::uint64_t{slots.size()}, graph.block.slot_stride,
           columns.slot_stride);
    stream.synchronize();
    return slots;
}

}  // namespace wayfront::gpu
