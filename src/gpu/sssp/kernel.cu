#include <type_traits>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/long_lists.cuh"
#include "gpu/sssp/resident_search.cuh"
#include "gpu/sssp/results.cuh"
#include "gpu/sssp/search.hpp"
#include "gpu/sssp/settle.cuh"
#include "gpu/sssp/single_vertices.cuh"

namespace wayfront::gpu::sssp {

namespace {

template <typename Distance, bool kSeveral>
__global__ void __launch_bounds__(kSsspThreads, 1) search(const __grid_constant__ SsspView view, SsspSource source)
{
    extern __shared__ __align__(16) unsigned char memory[];
    auto& stores = *reinterpret_cast<SsspStores<kSeveral>*>(memory);
    const bool is_own = !kSeveral || source.local != SsspSource::kElsewhere;
    const std::uint32_t slot = is_own ? view.graph.local_slots.slot_of(source.local) : LocalSlotsView::kNone;
    // On one GPU, nothing is reached from a source without edges. On several, this one takes part in
    // any case.
    if (kSeveral || slot != LocalSlotsView::kNone) SsspKernel<Distance, kSeveral>(view, stores).run(slot);
}

static_assert(sizeof(PullStores) + sizeof(SingleVertices) <= sizeof(SsspStores<false>));
static_assert(sizeof(SsspStores<true>) + 2048 <= DeviceSssp::kSharedBytesOfSeveral, "with room for static variables");

/// What the search has found for some slots. The loads of all of them are under way together.
template <typename Distance, bool kSeveral>
struct SlotResults
{
    SsspView view;
    std::uint32_t source;  // the input's number

    __device__ void operator()(const std::uint32_t (&slots)[kTogether], SlotResult (&found)[kTogether]) const
    {
        uint2 first[kTogether];  // bounds, or the arc of a leaf
        std::uint32_t leaf_parents[kTogether];
#pragma unroll
        for (std::uint32_t i = 0; i < kTogether; ++i) {
            const bool leaf = is_leaf(slots[i]);
            const uint4 whole = leaf ? *reinterpret_cast<const uint4*>(view.leaves + (slots[i] - view.first_leaf)) : uint4{};
            const bool bounded = !leaf && slots[i] != LocalSlotsView::kNone;
            first[i] = bounded ? *reinterpret_cast<const uint2*>(view.own.bounds + column(slots[i])) : uint2{whole.x, whole.y};
            leaf_parents[i] = whole.z;
        }
        std::uint32_t second[kTogether];  // the distance of a leaf's neighbour, or a parent that is elsewhere
#pragma unroll
        for (std::uint32_t i = 0; i < kTogether; ++i) {
            const bool leaf = is_leaf(slots[i]);
            const std::uint32_t* const at = leaf ? &view.own.bounds[first[i].x].upper : view.own.parents + slots[i];
            const bool wanted =
                leaf ? first[i].x < view.first_leaf_column : slots[i] != LocalSlotsView::kNone && !StoredBounds{first[i].x, first[i].y}.has_parent();
            // A leaf whose neighbour is a leaf, too, is reached only if this neighbour is the source.
            const std::uint32_t otherwise = leaf && leaf_parents[i] != source ? Distance::kInfinity : 0;
            second[i] = wanted ? *at : otherwise;
        }
#pragma unroll
        for (std::uint32_t i = 0; i < kTogether; ++i) {
            const StoredBounds bounds{first[i].x, first[i].y};
            if (is_leaf(slots[i]))
                found[i] = {of_leaf(second[i], first[i].y), SlotResult::kVertex + leaf_parents[i]};
            else
                found[i] = {known_distance<Distance>(bounds.upper), bounds.has_parent() ? bounds.parent() : second[i]};
        }
    }

private:
    [[nodiscard]] __device__ bool is_leaf(std::uint32_t slot) const
    {
        return slot >= view.first_leaf && slot != LocalSlotsView::kNone;
    }
    [[nodiscard]] __device__ std::uint32_t column(std::uint32_t slot) const
    {
        return Gpus<kSeveral>::column(view, slot);
    }

    [[nodiscard]] __device__ std::uint32_t of_leaf(std::uint32_t upper, std::uint32_t weight) const
    {
        const std::uint32_t there = known_distance<Distance>(upper);
        const std::uint32_t distance = Distance::sum(there, weight);
        if (Distance::kOverflows && distance == Distance::kInfinity && there != Distance::kInfinity) view.summary->overflow = 1;
        return distance;
    }
};

__global__ void collect_leaves(ArcListsView graph, std::uint32_t first, std::uint32_t count, Leaf* leaves)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const Arc only = graph.heads[(first + i) * kHeadArcs];
        leaves[i] = {only, graph.vertex_of_column[only.end]};
    }
}

/// Stores, on all GPUs, the LightestArcs of this GPU's vertices that pull.
template <typename Distance>
__global__ void store_lightest(SsspView view)
{
    for (std::uint64_t slot = first_index(); slot < view.first_leaf; slot += index_stride()) {
        const Arc* const head = view.graph.heads + slot * kHeadArcs;
        const auto lightest = LightestArcs<typename Distance::Weights>::of(head[0].weight, head[1].weight);
        const std::uint32_t column = view.graph.columns.own_column(static_cast<std::uint32_t>(slot));
        for (std::uint32_t gpu = 0; gpu < view.graph.columns.ranks; ++gpu) view.peers[gpu].lightest[column] = lightest.word;
    }
}

// That a thread clears together; a divisor of first_leaf_column.
constexpr std::uint32_t kClearedColumns = sizeof(uint4) / sizeof(std::uint32_t);

/// Makes all vertices but leaves unknown, with the bounds that their lightest arcs allow.
template <typename Distance>
__global__ void make_unknown(SsspView view)
{
    const std::uint32_t count = view.first_leaf_column / kClearedColumns;
    const bool pulls = view.pull_from != SsspView::kNever;
    const auto* const lightest = reinterpret_cast<const uint4*>(view.own.lightest);
    auto* const bounds = reinterpret_cast<uint4*>(view.own.bounds);
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const uint4 arcs = pulls ? __ldcs(lightest + i) : uint4{};
        bounds[2 * i] = {kUnknown<Distance>, arcs.x, kUnknown<Distance>, arcs.y};
        bounds[2 * i + 1] = {kUnknown<Distance>, arcs.z, kUnknown<Distance>, arcs.w};
    }
}

__global__ void clear_states(PushState* states, std::uint32_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) states[i] = {PushState::kNothing, PushState::kNothing, 0};
}

}  // namespace

void clear_push_states(const SsspView& view, const Stream& stream)
{
    launch(clear_states, view.graph.slots, stream, view.own.pushed, view.graph.slots);
}

void clear_bounds(const SsspView& view, WeightType type, const Stream& stream)
{
    with_distance(type, [&](auto distance) { launch(make_unknown<decltype(distance)>, view.first_leaf_column / kClearedColumns, stream, view); });
}

void store_lightest_arcs(const SsspView& view, WeightType type, const Stream& stream)
{
    with_distance(type, [&](auto distance) { launch(store_lightest<decltype(distance)>, view.first_leaf, stream, view); });
}

void collect_sssp_leaves(const ArcListsView& graph, std::uint32_t first, std::span<Leaf> leaves, const Stream& stream)
{
    const auto count = static_cast<std::uint32_t>(leaves.size());
    launch(collect_leaves, count, stream, graph, first, count, leaves.data());
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
        launch_write_results<Distance>(view.graph, SlotResults<Distance, on_several.value>{view, source.vertex},
                                       {view.result_distances, view.result_parents, &view.summary->reached}, source, stream);
    });
}

}  // namespace wayfront::gpu::sssp
