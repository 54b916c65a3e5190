#include <cstdint>
#include <span>
#include <utility>

#include "gpu/graph/list_sort.hpp"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/graph/upload.hpp"
#include "gpu/graph/upload_numbers.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

/// The numbering of a block's rows or columns on the host and on the device.
struct Side
{
    HostColumns host;
    ColumnNumbers device;

    [[nodiscard]] std::uint32_t count() const { return device.cols(); }
    [[nodiscard]] bool same_order() const { return device.ranks == 1; }
};

/// Lists as the host stores them.
struct HostLists
{
    const std::uint64_t* groups;
    const std::uint32_t* relative;

    [[nodiscard]] __device__ std::uint64_t begin(std::uint32_t list) const
    {
        return groups[list >> kOffsetGroupBits] + relative[list];
    }
};

/// Writes the lengths of the lists in the device's order. A list that does not exist on the host,
/// because the device's stride is longer, is empty.
__global__ void list_lengths(HostLists lists, Side side, std::uint64_t* lengths)
{
    const std::uint32_t count = side.device.cols();
    for (std::uint64_t i = first_index(); i <= count; i += index_stride()) {
        const std::uint32_t list =
            i < count ? side.host.on_host(side.device, static_cast<std::uint32_t>(i)) : side.host.cols();
        lengths[i] = list < side.host.cols() ? lists.begin(list + 1) - lists.begin(list) : 0;
    }
}

/// Copies the lists into the device's order. Each warp copies one list at a time.
__global__ void order_lists(HostLists lists, Side side, const std::uint64_t* offsets, const std::uint32_t* from,
                            std::uint32_t* to)
{
    for (std::uint64_t i = first_index() / 32; i < side.device.cols(); i += index_stride() / 32) {
        const std::uint64_t length = offsets[i + 1] - offsets[i];
        if (length == 0) continue;
        const std::uint64_t begin = lists.begin(side.host.on_host(side.device, static_cast<std::uint32_t>(i)));
        for (std::uint64_t k = lane_id(); k < length; k += 32) to[offsets[i] + k] = from[begin + k];
    }
}

__global__ void renumber(Side side, std::uint32_t* neighbours, std::uint64_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        neighbours[i] = side.host.on_device(side.device, neighbours[i]);
}

/// Uploads a list for each member of `owners`; its elements are members of `ends`.
NeighbourLists upload_lists(const Csr& edges, const Side& owners, const Side& ends, const Stream& stream)
{
    const CsrView host = edges.view();
    const std::size_t groups = (std::size_t{host.lists} >> kOffsetGroupBits) + 1;
    DeviceBuffer<std::uint64_t> group_offsets = upload(std::span(host.group_offsets, groups), stream);
    DeviceBuffer<std::uint32_t> relative =
        upload(std::span(host.relative_offsets, std::size_t{host.lists} + 1), stream);
    const HostLists lists{group_offsets.data(), relative.data()};
    DeviceBuffer<std::uint64_t> offsets(PlainListsPlan(owners.count(), edges.edges()).offsets);
    launch(list_lengths, owners.count() + std::uint64_t{1}, stream, lists, owners, offsets.data());
    {
        DeviceBuffer<std::byte> scratch;
        exclusive_sum(offsets.span(), scratch, stream);
        stream.synchronize();
    }
    DeviceBuffer<std::uint32_t> neighbours = upload(edges.neighbours(), stream);
    if (!owners.same_order()) {
        DeviceBuffer<std::uint32_t> ordered(PlainListsPlan(owners.count(), edges.edges()).columns);
        launch(order_lists, std::uint64_t{owners.count()} * 32, stream, lists, owners, offsets.data(),
               neighbours.data(), ordered.data());
        stream.synchronize();
        neighbours = std::move(ordered);
    }
    group_offsets = {};
    relative = {};
    if (!ends.same_order()) {
        launch(renumber, neighbours.size(), stream, ends, neighbours.data(), std::uint64_t{neighbours.size()});
        // The host orders lists by slot over all ranks, so the renumbered lists are sorted.
        neighbours = sort_lists(std::move(neighbours), offsets, stream);
    }
    return {{owners.count(), ends.count()}, std::move(offsets), std::move(neighbours), stream};
}

std::uint32_t device_stride(const CsrBlock& block)
{
    return (block.slot_stride + kTileSlots - 1) / kTileSlots * kTileSlots;
}

/// Sets the numbering of the view's columns, and returns it.
Side set_columns(const DistributedGraph& graph, DeviceGraphView& view)
{
    view.set_ranks(graph.block.col_chunks, graph.block.own_col_chunk);
    view.slot_stride = device_stride(graph.block);
    return {host_columns(graph), view};
}

/// Uploads all arrays except the lists, which `device` already has.
void complete(const DistributedGraph& graph, DeviceGraph& device, const Stream& stream)
{
    device.directed = graph.directed;
    device.vertex_of_column = upload_vertices_of_columns(graph, device.view, stream);
    device.connected_vertices = graph.connected_vertices;
    device.directed_edges = graph.directed_edges;
    device.complete(upload_slots(graph, device.view, stream), stream);
}

}  // namespace

DeviceGraph upload_graph(const DistributedGraph& graph, const OwnOutEdges& out, const Stream& stream)
{
    DeviceGraph device;
    const Side columns = set_columns(graph, device.view);
    Side own = columns;
    own.device.set_ranks(1, 0);
    own.host.ranks = 1;
    device.in = upload_lists(graph.block.in_edges, own, columns, stream);
    if (graph.directed) device.out = upload_lists(out.edges(), own, columns, stream);
    complete(graph, device, stream);
    return device;
}

DeviceBlock upload_block(const DistributedGraph& graph, const Stream& stream)
{
    const CsrBlock& block = graph.block;
    DeviceBlock device;
    const Side columns = set_columns(graph, device.graph.view);
    device.rows.set_ranks(block.row_chunks, block.own_row_chunk);
    device.rows.slot_stride = device_stride(block);
    const Side rows{{block.slot_stride, block.row_chunks}, device.rows};
    device.graph.in = upload_lists(block.in_edges, rows, columns, stream);
    device.graph.out = upload_lists(block.out_edges(), columns, rows, stream);
    device.out_degrees = upload(block.out_degrees.span(), stream);
    complete(graph, device.graph, stream);
    return device;
}

}  // namespace wayfront::gpu
