#include "gpu/sssp/near_far.cuh"
#include "gpu/sssp/near_far.hpp"
#include "gpu/sssp/results.cuh"

namespace wayfront::gpu {

namespace {

template <typename Distance>
__global__ void __launch_bounds__(kNearFarThreads, 1) search_near_far(NearFarView view, SsspSource source)
{
    extern __shared__ NearFarStores near_far_memory[];
    const std::uint32_t slot = view.graph.local_slots.slot_of(source.local);
    if (slot != LocalSlotsView::kNone) NearFar<Distance>(view, near_far_memory[0]).run(slot);
}

/// distance << 32 | parent of each slot.
template <typename Distance>
struct LabelResults
{
    const std::uint64_t* labels;

    [[nodiscard]] __device__ std::uint64_t operator()(std::uint32_t slot) const
    {
        const std::uint64_t label = labels[slot];
        return label == PushState::kNothing ? std::uint64_t{Distance::kInfinity} << 32 : label;
    }
};

}  // namespace

void prepare_near_far(WeightType type)
{
    with_distance(type, [](auto distance) {
        check(cudaFuncSetAttribute(search_near_far<decltype(distance)>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(sizeof(NearFarStores))));
    });
}

void launch_near_far(const NearFarView& view, SsspSource source, WeightType type, const Stream& stream)
{
    with_distance(type, [&](auto distance) {
        using Distance = decltype(distance);
        check(cudaMemsetAsync(view.labels, 0xFF, view.graph.slots * sizeof(std::uint64_t), stream.get()));
        search_near_far<Distance><<<1, kNearFarThreads, sizeof(NearFarStores), stream.get()>>>(view, source);
        check_launch();
        launch_write_results<Distance>(view.graph, LabelResults<Distance>{view.labels},
                                       {view.result_distances, view.result_parents, &view.summary->reached}, source, stream);
    });
}

}  // namespace wayfront::gpu
