#include <algorithm>

#include "gpu/graph/device_graph.hpp"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

__global__ void padded_lengths(const std::uint64_t* offsets, std::uint32_t rows, std::uint64_t* lengths)
{
    for (std::uint64_t row = first_index(); row <= rows; row += index_stride())
        lengths[row] = row < rows ? (offsets[row + 1] - offsets[row] + kListAlign - 1) / kListAlign * kListAlign : 0;
}

__global__ void place_lists(const std::uint64_t* offsets, const std::uint64_t* begins, std::uint32_t rows,
                            ListPlace* lists)
{
    for (std::uint64_t row = first_index(); row < rows; row += index_stride())
        lists[row] = ListPlace::make(begins[row], offsets[row + 1] - offsets[row]);
}

/// Copies the lists to `neighbours`, with padding. Each warp copies one row at a time.
__global__ void copy_lists(const std::uint64_t* offsets, const std::uint32_t* columns, ListNumbers numbers,
                           const ListPlace* lists, std::uint32_t* neighbours)
{
    for (std::uint64_t row = first_index() / 32; row < numbers.count; row += index_stride() / 32) {
        const std::uint64_t from = offsets[row];
        const std::uint64_t to = lists[row].begin();
        const std::uint32_t degree = lists[row].degree();
        const std::uint32_t padded = (degree + kListAlign - 1) / kListAlign * kListAlign;
        for (std::uint32_t i = lane_id(); i < padded; i += 32)
            neighbours[to + i] = i < degree ? columns[from + i] : numbers.none;
    }
}

/// Sets bounds[k] to 1 + the last row that has a k-th in-neighbour, and bounds[kNearLists] to the
/// largest degree.
__global__ void find_bounds(const std::uint64_t* offsets, std::uint32_t rows, std::uint32_t* bounds)
{
    for (std::uint64_t row = first_index(); row < rows; row += index_stride()) {
        const std::uint64_t degree = offsets[row + 1] - offsets[row];
        for (int k = 0; k < kNearLists; ++k)
            if (degree > static_cast<std::uint64_t>(k) && bounds[k] <= row)
                atomicMax(&bounds[k], static_cast<std::uint32_t>(row) + 1);
        const auto capped =
            static_cast<std::uint32_t>(degree < ListPlace::kMostDegree + 1 ? degree : ListPlace::kMostDegree + 1);
        if (capped > bounds[kNearLists]) atomicMax(&bounds[kNearLists], capped);
    }
}

__global__ void fill_near(NeighbourListsView lists, std::uint32_t k, std::uint32_t none, std::uint32_t* near,
                          std::uint32_t rows)
{
    for (std::uint64_t row = first_index(); row < rows; row += index_stride()) {
        const ListPlace list = lists.lists[row];
        near[row] = k < list.degree() ? lists.neighbours[list.begin() + k] : none;
    }
}

/// Writes the input's number of each column; ~0 for cols().
__global__ void name_columns(DeviceGraphView graph, const std::uint32_t* columns, std::uint32_t count,
                             std::uint32_t* vertices)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        vertices[i] = columns[i] != graph.cols() ? graph.vertex_of_column[columns[i]] : ~0U;
}

}  // namespace

NeighbourLists::NeighbourLists(ListNumbers numbers, DeviceBuffer<std::uint64_t> offsets,
                               DeviceBuffer<std::uint32_t> neighbours, const Stream& stream)
    : view_{numbers}
{
    const std::uint32_t rows = numbers.count;
    view_.edges = neighbours.size();

    std::array<std::uint32_t, kNearLists + 1> limits{};
    DeviceBuffer<std::uint32_t> bounds(limits.size());
    fill_bytes_async(bounds.span(), 0, stream);
    launch(find_bounds, rows, stream, offsets.data(), rows, bounds.data());
    copy_async(std::span<const std::uint32_t>(bounds.span()), std::span<std::uint32_t>(limits), stream);
    stream.synchronize();
    if (limits[kNearLists] > ListPlace::kMostDegree)
        throw ResourceError("a vertex with over 2^30 edges on one GPU; use more GPUs");
    std::copy_n(limits.begin(), kNearLists, view_.near_rows.begin());

    DeviceBuffer<std::uint64_t> begins(PlacingPlan(rows).begins);
    launch(padded_lengths, rows + std::uint64_t{1}, stream, offsets.data(), rows, begins.data());
    DeviceBuffer<std::byte> scratch;
    exclusive_sum(begins.span().first(std::size_t{rows} + 1), scratch, stream);
    const PlacedListsPlan plan(rows, fetch(begins.data() + rows, stream), view_.near_rows);
    neighbours_ = DeviceBuffer<std::uint32_t>(plan.neighbours);
    lists_ = DeviceBuffer<ListPlace>(plan.lists);
    launch(place_lists, rows, stream, offsets.data(), begins.data(), rows, lists_.data());
    launch(copy_lists, std::uint64_t{rows} * 32, stream, offsets.data(), neighbours.data(), numbers, lists_.data(),
           neighbours_.data());
    stream.synchronize();
    begins = {};
    view_.lists = lists_.data();
    view_.neighbours = neighbours_.data();
    for (std::uint32_t k = 0; k < kNearLists; ++k) {
        near_[k] = DeviceBuffer<std::uint32_t>(plan.near[k]);
        view_.near[k] = near_[k].data();
        launch(fill_near, view_.near_rows[k], stream, view_, k, numbers.none, near_[k].data(), view_.near_rows[k]);
    }
    stream.synchronize();
}

std::size_t NeighbourLists::bytes() const
{
    std::size_t sum = lists_.bytes() + neighbours_.bytes();
    for (const auto& list : near_) sum += list.bytes();
    return sum;
}

void DeviceGraph::complete(DeviceBuffer<std::uint32_t> slot_of_local, const Stream& stream)
{
    view.in = in.view();
    view.out = out.lists().size() > 0 ? out.view() : in.view();
    view.vertex_of_column = vertex_of_column.data();
    view.local_count = static_cast<std::uint32_t>(slot_of_local.size());
    local_slots = LocalSlots(slot_of_local, view.slot_stride, stream);
    view.local_slots = local_slots.view();
    for (std::uint32_t k = 0; k < kNearLists; ++k) {
        const std::uint32_t rows = view.in.near_rows[k];
        near_vertices[k] = DeviceBuffer<std::uint32_t>(NearVerticesPlan(view.in.near_rows).near_vertices[k]);
        view.near_vertices[k] = near_vertices[k].data();
        launch(name_columns, rows, stream, view, view.in.near[k], rows, near_vertices[k].data());
    }
    stream.synchronize();
}

std::size_t DeviceGraph::bytes() const
{
    std::size_t sum = in.bytes() + out.bytes() + vertex_of_column.bytes() + local_slots.bytes();
    for (const auto& list : near_vertices) sum += list.bytes();
    return sum;
}

}  // namespace wayfront::gpu
