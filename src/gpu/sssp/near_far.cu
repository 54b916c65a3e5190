#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "gpu/runtime/device.hpp"
#include "gpu/sssp/near_far.cuh"
#include "gpu/sssp/near_far.hpp"
#include "gpu/sssp/near_far_messenger.cuh"
#include "gpu/sssp/near_far_parents.cuh"
#include "gpu/sssp/near_far_workers.cuh"
#include "gpu/sssp/results.cuh"

namespace wayfront::gpu::sssp {

namespace {

template <typename Distance, SharedPart shared_part>
__global__ void __launch_bounds__(kNearFarThreads, 1) search_near_far(NearFarView view, SsspSource sources)
{
    extern __shared__ uint4 near_far_memory[];
    __shared__ NearFarCounters counters;
    auto* const memory = reinterpret_cast<std::byte*>(near_far_memory);
    if (sources.are_several() || sources.slot(view.graph.local_slots, 0) != LocalSlotsView::kNone)
        NearFar<Distance, shared_part>(view, counters, memory).run(sources, memory);
    else
        for (std::uint64_t i = first_index(); i < view.graph.slots; i += index_stride())
            view.distances[i] = Distance::kInfinity;
}

template <typename Distance>
__global__ void find_parents(NearFarView view)
{
    for (std::uint64_t slot = first_index(); slot < view.graph.slots; slot += index_stride())
        offer_as_parent<Distance>(view, static_cast<std::uint32_t>(slot));
}

/// Reads the distance and the parent of a slot from the arrays of the search.
template <typename Distance>
struct NearFarResults
{
    const std::uint32_t* distances;
    const std::uint32_t* parents;
    std::uint32_t* without_parent;

    [[nodiscard]] __device__ SlotResult operator()(std::uint32_t slot) const
    {
        constexpr SlotResult unreached{Distance::kInfinity, 0};
        const std::uint32_t distance = distances[slot];
        const std::uint32_t parent = parents[slot];
        if (distance == Distance::kInfinity) return unreached;
        if (parent != ~0U) return {distance, parent};
        atomicAdd(without_parent, 1U);
        return unreached;
    }
};

template <typename Distance>
auto near_far_kernel(SharedPart shared)
{
    if (shared == SharedPart::heads_and_distances) return search_near_far<Distance, SharedPart::heads_and_distances>;
    if (shared == SharedPart::distances) return search_near_far<Distance, SharedPart::distances>;
    return search_near_far<Distance, SharedPart::nothing>;
}

}  // namespace

NearFarDevice prepare_near_far(WeightType type)
{
    NearFarDevice limits;
    with_distance(type, [&](auto distance) {
        using Distance = decltype(distance);
        const std::size_t most = shared_memory_per_block();
        limits.shared_bytes = most;
        const auto kernels = {search_near_far<Distance, SharedPart::nothing>,
                              search_near_far<Distance, SharedPart::distances>,
                              search_near_far<Distance, SharedPart::heads_and_distances>};
        for (const auto kernel : kernels) {
            cudaFuncAttributes attributes{};
            check(cudaFuncGetAttributes(&attributes, kernel));
            limits.shared_bytes = std::min(limits.shared_bytes, most - attributes.sharedSizeBytes);
        }
        for (const auto kernel : kernels)
            allow_shared_memory(reinterpret_cast<const void*>(kernel), limits.shared_bytes, "near-far");
        limits.parts = static_cast<std::uint32_t>(multiprocessors());
    });
    return limits;
}

void launch_near_far(const NearFarView& view, std::size_t boundary, SsspSource source, WeightType type,
                     const Stream& stream)
{
    with_distance(type, [&](auto distance) {
        using Distance = decltype(distance);
        const std::uint32_t slots = view.graph.slots;
        fill_bytes_async(std::span(view.control, 1), 0, stream);
        fill_bytes_async(std::span(view.inboxes, boundary), 0xFF, stream);
        fill_bytes_async(std::span(view.parents, slots), 0xFF, stream);
        const auto kernel = near_far_kernel<Distance>(view.layout.shared);
        launch_cooperative(kernel, view.parts.count, kNearFarThreads, view.layout.bytes(), stream, view, source);
        launch(find_parents<Distance>, slots, stream, view);
        launch_write_results<Distance>(
            view.graph,
            EachSlot<NearFarResults<Distance>>{{view.distances, view.parents, &view.summary->without_parent}},
            {view.result_distances, view.result_parents, &view.summary->reached}, source, stream);
    });
}

}  // namespace wayfront::gpu::sssp
