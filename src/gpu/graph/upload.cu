#include <cstdint>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "gpu/graph/list_sort.hpp"
#include "gpu/graph/upload.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

/// The numbering of columns on the host: rank * stride + slot.
struct HostColumns
{
    std::uint32_t stride;
    std::uint32_t ranks;

    [[nodiscard]] __device__ std::uint32_t on_device(const DeviceGraphView& graph, std::uint32_t column) const
    {
        return graph.column(column / stride, column % stride);
    }
};

__global__ void expand_offsets(const std::uint64_t* groups, const std::uint32_t* relative, std::uint32_t host_rows, std::uint32_t rows,
                               std::uint64_t* offsets)
{
    for (std::uint64_t i = first_index(); i <= rows; i += index_stride()) {
        // Rows that exist only because the device's stride is longer are empty.
        const std::uint64_t row = i < host_rows ? i : host_rows;
        offsets[i] = groups[row >> kOffsetGroupBits] + relative[row];
    }
}

__global__ void renumber_columns(DeviceGraphView graph, HostColumns host, std::uint32_t* columns, std::uint64_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) columns[i] = host.on_device(graph, columns[i]);
}

__global__ void place_vertices(DeviceGraphView graph, HostColumns host, const std::int32_t* vertices, std::uint32_t* placed)
{
    const std::uint64_t columns = std::uint64_t{host.stride} * host.ranks;
    for (std::uint64_t i = first_index(); i < columns; i += index_stride())
        placed[host.on_device(graph, static_cast<std::uint32_t>(i))] = static_cast<std::uint32_t>(vertices[i]);
}

__global__ void adapt_slots(std::uint32_t* slots, std::uint64_t count, std::uint32_t host_none, std::uint32_t none)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        if (slots[i] == host_none) slots[i] = none;
}

}  // namespace

DeviceGraph upload_graph(const DistributedGraph& graph, const Stream& stream)
{
    const CsrBlock& block = graph.block;
    const CsrView host_csr = block.in_edges.view();
    DeviceGraph device;
    DeviceGraphView& view = device.view;
    view.set_ranks(block.col_chunks, block.own_col_chunk);
    view.slot_stride = (block.slot_stride + kTileSlots - 1) / kTileSlots * kTileSlots;
    const HostColumns columns{block.slot_stride, block.col_chunks};

    const std::size_t groups = (std::size_t{host_csr.lists} >> kOffsetGroupBits) + 1;
    DeviceBuffer<std::uint64_t> group_offsets = upload(std::span(host_csr.group_offsets, groups), stream);
    DeviceBuffer<std::uint32_t> relative = upload(std::span(host_csr.relative_offsets, std::size_t{host_csr.lists} + 1), stream);
    DeviceBuffer<std::uint64_t> offsets(PlainListsPlan(view.slot_stride, host_csr.begin(host_csr.lists)).offsets);
    launch(expand_offsets, view.slot_stride + std::uint64_t{1}, stream, group_offsets.data(), relative.data(), host_csr.lists, view.slot_stride,
           offsets.data());

    stream.synchronize();
    group_offsets = {};
    relative = {};

    DeviceBuffer<std::uint32_t> neighbours = upload(block.in_edges.neighbours(), stream);
    if (view.ranks > 1) {
        launch(renumber_columns, neighbours.size(), stream, view, columns, neighbours.data(), std::uint64_t{neighbours.size()});
        // The host orders lists by slot, for all ranks together.
        neighbours = sort_lists(std::move(neighbours), offsets, stream);
    }

    graph.vertex_of_column.visit([&]<typename Id>(std::span<const Id> vertices) {
        if constexpr (sizeof(Id) == sizeof(std::int32_t)) {
            const DeviceBuffer<std::int32_t> host_order = upload(vertices, stream);
            device.vertex_of_column = DeviceBuffer<std::uint32_t>(ColumnsPlan(view.ranks, view.slot_stride).vertex_of_column);
            fill_bytes_async(device.vertex_of_column.span(), 0xFF, stream);
            launch(place_vertices, block.cols(), stream, view, columns, host_order.data(), device.vertex_of_column.data());
            stream.synchronize();
        } else {
            throw InputError("graphs of more than 2^31 vertices do not fit the 32-bit vertex numbers of on-GPU searches");
        }
    });
    DeviceBuffer<std::uint32_t> slot_of_local = upload(graph.slot_of_local.span(), stream);
    launch(adapt_slots, slot_of_local.size(), stream, slot_of_local.data(), std::uint64_t{slot_of_local.size()}, block.slot_stride, view.slot_stride);
    stream.synchronize();

    device.connected_vertices = graph.connected_vertices;
    device.directed_edges = graph.directed_edges;
    device.complete(std::move(offsets), std::move(neighbours), std::move(slot_of_local), stream);
    return device;
}

}  // namespace wayfront::gpu
