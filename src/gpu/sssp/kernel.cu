#include <type_traits>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/long_lists.cuh"
#include "gpu/sssp/resident_search.cuh"
#include "gpu/sssp/results.cuh"
#include "gpu/sssp/search.hpp"
#include "gpu/sssp/settle.cuh"

namespace wayfront::gpu {

namespace {

template <typename Distance, bool kSeveral>
__global__ void __launch_bounds__(kSsspThreads, 1) search(const __grid_constant__ SsspView view, SsspSource source)
{
    extern __shared__ __align__(16) unsigned char memory[];
    auto& stores = *reinterpret_cast<SsspStores<kSeveral>*>(memory);
    const bool is_own = !kSeveral || source.local != SsspSource::kElsewhere;
    const std::uint32_t slot = is_own ? view.graph.local_slots.slot_of(source.local) : LocalSlotsView::kNone;
    // On several GPUs, this one takes part in all steps in any case.
    if (kSeveral || slot != LocalSlotsView::kNone)
        SsspKernel<Distance, kSeveral>(view, stores).run(slot);
    else
        clear_distances<Distance>(view, 0);  // nothing is reached from a vertex without edges
}

static_assert(sizeof(SsspStores<true>) + 2048 <= DeviceSssp::kSharedBytesOfSeveral, "with room for static variables");

/// What the search has found for a slot.
template <typename Distance, bool kSeveral>
struct SlotResults
{
    SsspView view;

    [[nodiscard]] __device__ SlotResult operator()(std::uint32_t slot) const
    {
        if (slot >= view.first_leaf) return of_leaf(slot - view.first_leaf);
        const StoredBounds found = view.own.bounds[Gpus<kSeveral>::column(view, slot)];
        return {found.upper, found.has_parent() ? found.parent() : view.own.parents[slot]};
    }

private:
    [[nodiscard]] __device__ SlotResult of_leaf(std::uint32_t leaf) const
    {
        const Arc only = view.leaf_arcs[leaf];
        const std::uint32_t there = view.own.bounds[only.end].upper;
        const std::uint32_t distance = Distance::sum(there, only.weight);
        if (Distance::kOverflows && distance == Distance::kInfinity && there != Distance::kInfinity) view.summary->overflow = 1;
        return {distance, SlotResult::kVertex + view.leaf_parents[leaf]};
    }
};

/// Copies the arcs of leaves, and the input's numbers of their ends.
__global__ void collect_leaves(ArcListsView graph, std::uint32_t first, std::uint32_t count, Arc* arcs, std::uint32_t* parents)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const Arc only = graph.heads[(first + i) * kHeadArcs];
        arcs[i] = only;
        parents[i] = graph.vertex_of_column[only.end];
    }
}

__global__ void clear_states(PushState* states, std::uint32_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) states[i] = {PushState::kNothing, PushState::kNothing, 0, 0};
}

}  // namespace

void clear_push_states(const SsspView& view, const Stream& stream)
{
    launch(clear_states, view.graph.slots, stream, view.own.pushed, view.graph.slots);
}

void collect_sssp_leaves(const ArcListsView& graph, std::uint32_t first, std::span<Arc> arcs, std::span<std::uint32_t> parents, const Stream& stream)
{
    const auto count = static_cast<std::uint32_t>(arcs.size());
    launch(collect_leaves, count, stream, graph, first, count, arcs.data(), parents.data());
}

namespace {

/// Calls f with a WholeDistance or a FloatDistance, and a std::bool_constant: whether several GPUs
/// search together.
template <typename F>
void with_kernel(WeightType type, bool several, F&& f)
{
    with_distance(type, [&](auto distance) {
        if (several)
            f(distance, std::true_type{});
        else
            f(distance, std::false_type{});
    });
}

}  // namespace

SsspLaunch plan_sssp_launch(WeightType type, bool several)
{
    SsspLaunch how;
    with_kernel(type, several, [&](auto distance, auto on_several) {
        const auto* const kernel = reinterpret_cast<const void*>(search<decltype(distance), on_several.value>);
        int device = 0;
        int most = 0;  // of a block
        cudaFuncAttributes attributes{};
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        check(cudaFuncGetAttributes(&attributes, kernel));
        how.shared_bytes = static_cast<std::size_t>(most) - attributes.sharedSizeBytes;
        const std::size_t least = sizeof(SsspStores<on_several.value>);
        if (how.shared_bytes < least)
            throw ResourceError("the search for shortest paths needs " + std::to_string(least) + " bytes of shared memory for each block, " +
                                std::to_string(how.shared_bytes) + " are there");
        how.hubs = static_cast<std::uint32_t>((how.shared_bytes - sizeof(PullStores)) / sizeof(std::uint32_t));
        how.blocks = cooperative_blocks(kernel, kSsspThreads, how.shared_bytes, "the search for shortest paths");
    });
    return how;
}

void launch_sssp(const SsspView& view, SsspSource source, WeightType type, const SsspLaunch& how, const Stream& stream)
{
    with_kernel(type, view.graph.columns.ranks > 1, [&](auto distance, auto on_several) {
        using Distance = decltype(distance);
        launch_cooperative(search<Distance, on_several.value>, how.blocks, kSsspThreads, how.shared_bytes, stream, view, source);
        launch_write_results<Distance>(view.graph, SlotResults<Distance, on_several.value>{view},
                                       {view.result_distances, view.result_parents, &view.summary->reached}, source, stream);
    });
}

}  // namespace wayfront::gpu
