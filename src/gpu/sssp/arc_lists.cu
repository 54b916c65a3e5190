#include <span>
#include <type_traits>
#include <variant>

#include <cub/device/device_scan.cuh>

#include "base/error.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/scratch.hpp"
#include "gpu/runtime/staging.hpp"
#include "gpu/sssp/arc_lists.hpp"
#include "gpu/sssp/distance.cuh"

namespace wayfront::gpu {

namespace {

__global__ void padded_degrees(CsrView csr, std::uint64_t* lengths)
{
    for (std::uint64_t list = first_index(); list <= csr.lists; list += index_stride())
        lengths[list] = list < csr.lists ? (csr.degree(static_cast<std::uint32_t>(list)) + kListAlign - 1) / kListAlign * kListAlign : 0;
}

/// Each warp places one list at a time.
__global__ void place_arcs(CsrView csr, const std::uint32_t* weights, std::uint32_t no_weight, const std::uint64_t* begins, ListPlace* lists,
                           Arc* arcs, Arc* heads)
{
    for (std::uint64_t i = first_index() / 32; i < csr.lists; i += index_stride() / 32) {
        const auto list = static_cast<std::uint32_t>(i);
        const std::uint64_t from = csr.begin(list);
        const auto degree = static_cast<std::uint32_t>(csr.degree(list));
        if (lane_id() == 0) lists[i] = ListPlace::make(begins[i], degree);
        const std::uint32_t padded = (degree + kListAlign - 1) / kListAlign * kListAlign;
        const std::uint32_t end = padded > kHeadArcs ? padded : kHeadArcs;
        for (std::uint32_t k = lane_id(); k < end; k += 32) {
            const Arc arc = k < degree ? Arc{csr.neighbours[from + k], weights[from + k]} : Arc{list, no_weight};
            if (k < padded) arcs[begins[i] + k] = arc;
            if (k < kHeadArcs) heads[i * kHeadArcs + k] = arc;
        }
    }
}

struct HostWeights
{
    std::span<const std::uint32_t> bits;
    std::uint32_t none = 0;
};

HostWeights weight_bits(const BlockWeights& weights)
{
    if (const auto* whole = std::get_if<HostBuffer<std::uint32_t>>(&weights)) return {whole->span(), WholeDistance::kInfinity};
    const auto& floats = std::get<HostBuffer<float>>(weights);
    return {{reinterpret_cast<const std::uint32_t*>(floats.data()), floats.size()}, FloatDistance::kInfinity};
}

}  // namespace

ArcLists::ArcLists(const DistributedGraph& graph, const Stream& stream)
{
    const CsrBlock& block = graph.block;
    Staging staging;
    const DeviceCsr csr(block.out_edges().view(), staging, stream);
    const HostWeights host = weight_bits(block.out_weights());
    DeviceBuffer<std::uint32_t> weights(host.bits.size());
    staging.to_device(host.bits, weights.data(), stream);

    const std::uint32_t slots = block.slot_stride;
    DeviceBuffer<std::uint64_t> begins(PlacingPlan(slots).begins);
    launch(padded_degrees, slots + std::uint64_t{1}, stream, csr.view(), begins.data());
    DeviceBuffer<std::byte> scratch;
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, begins.data(), begins.data(), std::int64_t{slots} + 1, stream.get());
    });
    const ArcListsPlan plan(slots, fetch(begins.data() + slots, stream));
    lists_ = DeviceBuffer<ListPlace>(plan.lists);
    arcs_ = DeviceBuffer<Arc>(plan.list_arcs);
    heads_ = DeviceBuffer<Arc>(plan.heads);
    launch(place_arcs, std::uint64_t{slots} * 32, stream, csr.view(), weights.data(), host.none, begins.data(), lists_.data(), arcs_.data(),
           heads_.data());

    vertex_of_slot_ = DeviceBuffer<std::uint32_t>(plan.vertex_of_slot);
    graph.vertex_of_column.visit([&]<typename Id>(std::span<const Id> vertices) {
        if constexpr (sizeof(Id) == sizeof(std::uint32_t))
            staging.to_device(std::span(reinterpret_cast<const std::uint32_t*>(vertices.data()), slots), vertex_of_slot_.data(), stream);
        else
            throw InputError("graphs of more than 2^31 vertices do not fit the 32-bit vertex numbers of searches on GPUs");
    });
    DeviceBuffer<std::uint32_t> slot_of_local(graph.slot_of_local.size());
    staging.to_device(graph.slot_of_local.span(), slot_of_local.data(), stream);
    local_slots_ = LocalSlots(slot_of_local, slots, stream);
    stream.synchronize();
    view_ = {
        slots, csr.view().lists == 0 ? 0 : host.bits.size(), lists_.data(), arcs_.data(), heads_.data(), vertex_of_slot_.data(), local_slots_.view()};
}

}  // namespace wayfront::gpu
