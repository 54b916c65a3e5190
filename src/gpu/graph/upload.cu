#include <cstdint>
#include <span>
#include <utility>

#include "gpu/graph/list_sort.hpp"
#include "gpu/graph/upload.hpp"
#include "gpu/graph/upload_numbers.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

__global__ void expand_offsets(const std::uint64_t* groups, const std::uint32_t* relative, std::uint32_t host_rows,
                               std::uint32_t rows, std::uint64_t* offsets)
{
    for (std::uint64_t i = first_index(); i <= rows; i += index_stride()) {
        // Rows that exist only because the device's stride is longer are empty.
        const std::uint64_t row = i < host_rows ? i : host_rows;
        offsets[i] = groups[row >> kOffsetGroupBits] + relative[row];
    }
}

__global__ void renumber_columns(ColumnNumbers graph, HostColumns host, std::uint32_t* columns, std::uint64_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        columns[i] = host.on_device(graph, columns[i]);
}

NeighbourLists upload_lists(const Csr& edges, const ColumnNumbers& numbers, HostColumns columns, const Stream& stream)
{
    const CsrView host = edges.view();
    const std::size_t groups = (std::size_t{host.lists} >> kOffsetGroupBits) + 1;
    DeviceBuffer<std::uint64_t> group_offsets = upload(std::span(host.group_offsets, groups), stream);
    DeviceBuffer<std::uint32_t> relative =
        upload(std::span(host.relative_offsets, std::size_t{host.lists} + 1), stream);
    DeviceBuffer<std::uint64_t> offsets(PlainListsPlan(numbers.slot_stride, edges.edges()).offsets);
    launch(expand_offsets, numbers.slot_stride + std::uint64_t{1}, stream, group_offsets.data(), relative.data(),
           host.lists, numbers.slot_stride, offsets.data());

    stream.synchronize();
    group_offsets = {};
    relative = {};

    DeviceBuffer<std::uint32_t> neighbours = upload(edges.neighbours(), stream);
    if (numbers.ranks > 1) {
        launch(renumber_columns, neighbours.size(), stream, numbers, columns, neighbours.data(),
               std::uint64_t{neighbours.size()});
        // The host orders lists by slot, for all ranks together.
        neighbours = sort_lists(std::move(neighbours), offsets, stream);
    }
    return {numbers, std::move(offsets), std::move(neighbours), stream};
}

}  // namespace

DeviceGraph upload_graph(const DistributedGraph& graph, const OwnOutEdges& out, const Stream& stream)
{
    const CsrBlock& block = graph.block;
    DeviceGraph device;
    DeviceGraphView& view = device.view;
    view.set_ranks(block.col_chunks, block.own_col_chunk);
    view.slot_stride = (block.slot_stride + kTileSlots - 1) / kTileSlots * kTileSlots;
    const HostColumns columns = host_columns(graph);

    device.directed = graph.directed;
    device.in = upload_lists(block.in_edges, view, columns, stream);
    if (graph.directed) device.out = upload_lists(out.edges(), view, columns, stream);
    device.vertex_of_column = upload_vertices_of_columns(graph, view, stream);
    device.connected_vertices = graph.connected_vertices;
    device.directed_edges = graph.directed_edges;
    device.complete(upload_slots(graph, view, stream), stream);
    return device;
}

}  // namespace wayfront::gpu
