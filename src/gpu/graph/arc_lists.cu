#include <span>
#include <utility>
#include <variant>

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "base/error.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/graph/place_arcs.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/scratch.hpp"
#include "gpu/runtime/staging.hpp"

namespace wayfront::gpu {

namespace {

/// The host's lists, and the bits of their weights, in device memory.
struct CsrLists
{
    CsrView csr;
    const std::uint32_t* weights;

    [[nodiscard]] __device__ std::uint32_t degree(std::uint32_t row) const
    {
        return row < csr.lists ? static_cast<std::uint32_t>(csr.degree(row)) : 0;
    }
    [[nodiscard]] __device__ Arc arc(std::uint32_t row, std::uint32_t k) const
    {
        const std::uint64_t place = csr.begin(row) + k;
        return {csr.neighbours[place], weights[place]};
    }
};

/// Each warp copies one list at a time.
__global__ void copy_lists(CsrLists lists, const std::uint64_t* begins, Arc* arcs)
{
    for (std::uint64_t i = first_index() / 32; i < lists.csr.lists; i += index_stride() / 32) {
        const auto row = static_cast<std::uint32_t>(i);
        const std::uint32_t degree = lists.degree(row);
        for (std::uint32_t k = lane_id(); k < degree; k += 32) arcs[begins[i] + k] = lists.arc(row, k);
    }
}

/// Facts about the degree of a slot, or about those of all slots.
struct DegreeFacts
{
    std::uint32_t first_leaf = 0;  // the slot behind the last one whose list has several arcs
    double squares = 0;            // sum of the squares of the degrees

    __host__ __device__ DegreeFacts operator()(const DegreeFacts& a, const DegreeFacts& b) const
    {
        return {a.first_leaf > b.first_leaf ? a.first_leaf : b.first_leaf, a.squares + b.squares};
    }
};

struct DegreeFactsOfSlot
{
    const ListPlace* lists;

    __device__ DegreeFacts operator()(std::uint32_t slot) const
    {
        const double degree = lists[slot].degree();
        return {degree > 1 ? slot + 1 : 0, degree * degree};
    }
};

DegreeFacts degree_facts(const DeviceBuffer<ListPlace>& lists, const Stream& stream)
{
    const auto slots = thrust::make_transform_iterator(thrust::make_counting_iterator<std::uint32_t>(0), DegreeFactsOfSlot{lists.data()});
    DeviceBuffer<DegreeFacts> all(1);
    DeviceBuffer<std::byte> scratch;
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Reduce(memory, bytes, slots, all.data(), static_cast<std::int64_t>(lists.size()), DegreeFacts{}, DegreeFacts{},
                                         stream.get());
    });
    return fetch(all.data(), stream);
}

struct HostWeights
{
    std::span<const std::uint32_t> bits;
    std::uint32_t none = 0;
};

HostWeights weight_bits(const BlockWeights& weights)
{
    if (const auto* whole = std::get_if<HostBuffer<std::uint32_t>>(&weights)) return {whole->span(), kInfiniteWhole};
    const auto& floats = std::get<HostBuffer<float>>(weights);
    return {{reinterpret_cast<const std::uint32_t*>(floats.data()), floats.size()}, kInfiniteFloat};
}

ArcArrays copied_lists(const CsrBlock& block, Staging& staging, const Stream& stream)
{
    const DeviceCsr csr(block.out_edges().view(), staging, stream);
    const HostWeights host = weight_bits(block.out_weights());
    DeviceBuffer<std::uint32_t> weights(PlainWeightsPlan(host.bits.size()).weights);
    staging.to_device(host.bits, weights.data(), stream);

    const std::uint32_t slots = block.slot_stride;
    const CsrLists lists{csr.view(), weights.data()};
    ArcPlacer placer(slots, host.none, stream);
    ArcArrays arrays(ArcArraysPlan(slots, placer.measure(lists, 0, slots)));
    placer.place_heads(lists, 0, slots, arrays);
    launch(copy_lists, std::uint64_t{slots} * 32, stream, lists, placer.begins(), arrays.list_arcs.data());
    stream.synchronize();
    return arrays;
}

}  // namespace

ArcLists::ArcLists(const DistributedGraph& graph, const Stream& stream)
{
    const CsrBlock& block = graph.block;
    const std::uint32_t slots = block.slot_stride;
    Staging staging;
    ArcArrays arrays = copied_lists(block, staging, stream);
    DeviceBuffer<std::uint32_t> vertex_of_slot(ColumnsPlan(1, slots).vertex_of_column);
    graph.vertex_of_column.visit([&]<typename Id>(std::span<const Id> vertices) {
        if constexpr (sizeof(Id) == sizeof(std::uint32_t))
            staging.to_device(std::span(reinterpret_cast<const std::uint32_t*>(vertices.data()), slots), vertex_of_slot.data(), stream);
        else
            throw InputError("graphs of more than 2^31 vertices do not fit the 32-bit vertex numbers of searches on GPUs");
    });
    DeviceBuffer<std::uint32_t> slot_of_local(graph.slot_of_local.size());
    staging.to_device(graph.slot_of_local.span(), slot_of_local.data(), stream);
    *this = ArcLists(std::move(arrays), weight_bits(block.out_weights()).bits.size(), std::move(vertex_of_slot), slot_of_local, stream);
}

ArcLists::ArcLists(ArcArrays placed, std::uint64_t arcs, DeviceBuffer<std::uint32_t> vertex_of_slot, const DeviceBuffer<std::uint32_t>& slot_of_local,
                   const Stream& stream)
    : arrays_(std::move(placed)),
      vertex_of_slot_(std::move(vertex_of_slot)),
      local_slots_(slot_of_local, static_cast<std::uint32_t>(arrays_.lists.size()), stream)
{
    const DegreeFacts facts = degree_facts(arrays_.lists, stream);
    view_ = {static_cast<std::uint32_t>(arrays_.lists.size()),
             arcs,
             arrays_.lists.data(),
             arrays_.list_arcs.data(),
             arrays_.heads.data(),
             vertex_of_slot_.data(),
             local_slots_.view(),
             facts.first_leaf,
             arcs > 0 ? facts.squares / static_cast<double>(arcs) : 0};
}

}  // namespace wayfront::gpu
