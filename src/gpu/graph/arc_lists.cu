#include <span>
#include <utility>
#include <variant>

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/graph/place_arcs.cuh"
#include "gpu/graph/upload_numbers.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/scratch.hpp"
#include "gpu/runtime/staging.hpp"

namespace wayfront::gpu {

namespace {

/// The host's lists and the bits of their weights, in device memory.
struct CsrLists
{
    CsrView csr;
    const std::uint32_t* weights;  // null if each weight is 1
    HostColumns host;
    ColumnNumbers columns;

    [[nodiscard]] __device__ std::uint32_t degree(std::uint32_t row) const
    {
        return row < csr.lists ? static_cast<std::uint32_t>(csr.degree(row)) : 0;
    }
    [[nodiscard]] __device__ Arc arc(std::uint32_t row, std::uint32_t k) const
    {
        const std::uint64_t place = csr.begin(row) + k;
        return {host.on_device(columns, csr.neighbours[place]), weights == nullptr ? 1 : weights[place]};
    }
};

/// Copies the arcs of the lists to `arcs`. Each warp copies one list at a time.
__global__ void copy_lists(CsrLists lists, const std::uint64_t* begins, Arc* arcs)
{
    for (std::uint64_t i = first_index() / 32; i < lists.csr.lists; i += index_stride() / 32) {
        const auto row = static_cast<std::uint32_t>(i);
        const std::uint32_t degree = lists.degree(row);
        for (std::uint32_t k = lane_id(); k < degree; k += 32) arcs[begins[i] + k] = lists.arc(row, k);
    }
}

/// Figures of the degrees of a slot, or of all slots.
struct DegreeFacts
{
    std::uint32_t first_leaf = 0;  // the slot after the last slot that has several arcs
    double end_degrees = 0;        // ArcListsView::end_degrees

    __host__ __device__ DegreeFacts operator()(const DegreeFacts& a, const DegreeFacts& b) const
    {
        return {a.first_leaf > b.first_leaf ? a.first_leaf : b.first_leaf, a.end_degrees + b.end_degrees};
    }
};

struct DegreeFactsOfSlot
{
    ArcListsView graph;

    __device__ DegreeFacts operator()(std::uint32_t slot) const
    {
        const double out = graph.lists[slot].degree();
        if (graph.is_symmetric()) return {out > 1 ? slot + 1 : 0, out * out};
        const double in = graph.in.lists[slot].degree();
        return {in + out > 1 ? slot + 1 : 0, in * out};
    }
};

DegreeFacts degree_facts(const ArcListsView& graph, const Stream& stream)
{
    const auto slots =
        thrust::make_transform_iterator(thrust::make_counting_iterator<std::uint32_t>(0), DegreeFactsOfSlot{graph});
    DeviceBuffer<DegreeFacts> all(1);
    DeviceBuffer<std::byte> scratch;
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Reduce(memory, bytes, slots, all.data(), static_cast<std::int64_t>(graph.slots),
                                         DegreeFacts{}, DegreeFacts{}, stream.get());
    });
    return fetch(all.data(), stream);
}

struct HostWeights
{
    std::span<const std::uint32_t> bits;  // empty if each weight is the whole number 1
    std::uint32_t none = 0;
};

HostWeights weight_bits(const BlockWeights& weights)
{
    if (weight_type(weights) == WeightType::none) return {{}, kInfiniteWhole};
    if (const auto* whole = std::get_if<HostBuffer<std::uint32_t>>(&weights)) return {whole->span(), kInfiniteWhole};
    const auto& floats = std::get<HostBuffer<float>>(weights);
    return {{reinterpret_cast<const std::uint32_t*>(floats.data()), floats.size()}, kInfiniteFloat};
}

/// The lists of this rank's vertices, and the weights of their edges.
struct HostLists
{
    const Csr& edges;
    HostWeights weights;
};

ColumnNumbers numbers_of(const CsrBlock& block)
{
    ColumnNumbers columns;
    columns.set_ranks(block.col_chunks, block.own_col_chunk);
    columns.slot_stride =
        block.col_chunks == 1 ? block.slot_stride : (block.slot_stride + kTileSlots - 1) / kTileSlots * kTileSlots;
    return columns;
}

ArcArrays copied_lists(const DistributedGraph& graph, const HostLists& host, const ColumnNumbers& columns,
                       const Stream& stream)
{
    Staging staging;
    const DeviceCsr csr(host.edges.view(), staging, stream);
    DeviceBuffer<std::uint32_t> weights(PlainWeightsPlan(host.weights.bits.size()).weights);
    staging.to_device(host.weights.bits, weights.data(), stream);

    const std::uint32_t slots = columns.slot_stride;
    const CsrLists lists{csr.view(), weights.data(), host_columns(graph), columns};
    ArcPlacer placer(columns, host.weights.none, stream);
    ArcArrays arrays(ArcArraysPlan(slots, placer.measure(lists, {0, slots})));
    placer.place_heads(lists, {0, slots}, arrays);
    launch(copy_lists, std::uint64_t{slots} * 32, stream, lists, placer.begins(), arrays.list_arcs.data());
    stream.synchronize();
    return arrays;
}

}  // namespace

ArcLists::ArcLists(const DistributedGraph& graph, const OwnOutEdges& out, ArcDirections directions,
                   const Stream& stream)
{
    const ColumnNumbers columns = numbers_of(graph.block);
    PlacedArcs placed{columns, copied_lists(graph, {out.edges(), weight_bits(out.weights())}, columns, stream),
                      out.edges().edges()};
    *this = ArcLists(std::move(placed), upload_vertices_of_columns(graph, columns, stream),
                     upload_slots(graph, columns, stream), stream);
    if (!graph.directed) return;
    ArcArrays in;
    if (directions == ArcDirections::both)
        in = copied_lists(graph, {graph.block.in_edges, weight_bits(graph.block.in_weights)}, columns, stream);
    add_in_arcs(std::move(in), stream);
}

void ArcLists::add_in_arcs(ArcArrays in, const Stream& stream)
{
    in_arrays_ = std::move(in);
    set_in_arcs(in_arrays_.view(), stream);
}

ArcLists::ArcLists(PlacedArcs placed, DeviceBuffer<std::uint32_t> vertex_of_column,
                   const DeviceBuffer<std::uint32_t>& slot_of_local, const Stream& stream)
    : arrays_(std::move(placed.arrays)),
      vertex_of_column_(std::move(vertex_of_column)),
      local_slots_(slot_of_local, placed.columns.slot_stride, stream)
{
    view_ = {arrays_.view(),     {}, placed.columns.slot_stride, placed.arcs, placed.columns, vertex_of_column_.data(),
             local_slots_.view()};
    set_in_arcs(view_, stream);
}

void ArcLists::set_in_arcs(const ArcArraysView& in, const Stream& stream)
{
    view_.in = in;
    const DegreeFacts facts = in.lists != nullptr ? degree_facts(view_, stream) : DegreeFacts{};
    view_.first_leaf = facts.first_leaf;
    view_.end_degrees = facts.end_degrees;
}

}  // namespace wayfront::gpu
