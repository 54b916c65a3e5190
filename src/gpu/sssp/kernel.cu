#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/search_kernel.hpp"
#include "gpu/sssp/stepped/kernels.hpp"

namespace wayfront::gpu::sssp {

namespace {

__global__ void collect_leaves(ArcListsView graph, std::uint32_t first, std::uint32_t count, Leaf* leaves)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const Arc only = graph.in.heads[(first + i) * kHeadArcs];
        leaves[i] = {only, graph.vertex_of_column[only.end]};
    }
}

/// Stores, on all peers, the LightestArcs of this GPU's vertices that pull.
template <typename Distance>
__global__ void store_lightest(SsspView view)
{
    for (std::uint64_t slot = first_index(); slot < view.first_leaf; slot += index_stride()) {
        const Arc* const head = view.graph.in.heads + slot * kHeadArcs;
        // In a directed graph, an arc back may have another weight.
        const std::uint32_t second = head[view.graph.is_symmetric() ? 1 : 0].weight;
        const auto lightest = LightestArcs<typename Distance::Weights>::of(head[0].weight, second);
        const std::uint32_t column = view.graph.columns.own_column(static_cast<std::uint32_t>(slot));
        for (std::uint32_t peer = 0; peer < view.peer_count; ++peer) view.peers[peer].lightest[column] = lightest.word;
    }
}

// Number of columns that a thread clears together; a divisor of first_leaf_column.
constexpr std::uint32_t kClearedColumns = sizeof(uint4) / sizeof(std::uint32_t);

/// Resets the bounds of all vertices but leaves: nothing is known of a vertex but its LightestArcs.
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
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        states[i] = {PushState::kNothing, PushState::kNothing, 0};
}

}  // namespace

void clear_push_states(const SsspView& view, const Stream& stream)
{
    launch(clear_states, view.graph.slots, stream, view.own.pushed, view.graph.slots);
}

void clear_bounds(const SsspView& view, WeightType type, const Stream& stream)
{
    with_distance(type, [&](auto distance) {
        launch(make_unknown<decltype(distance)>, view.first_leaf_column / kClearedColumns, stream, view);
    });
}

void store_lightest_arcs(const SsspView& view, WeightType type, const Stream& stream)
{
    with_distance(type,
                  [&](auto distance) { launch(store_lightest<decltype(distance)>, view.first_leaf, stream, view); });
}

void collect_sssp_leaves(const ArcListsView& graph, std::uint32_t first, std::span<Leaf> leaves, const Stream& stream)
{
    const auto count = static_cast<std::uint32_t>(leaves.size());
    launch(collect_leaves, count, stream, graph, first, count, leaves.data());
}

SsspLaunch plan_sssp_launch(WeightType type, Reach reach)
{
    SsspLaunch size;
    with_distance(type, [&](auto distance) {
        using Distance = decltype(distance);
        switch (reach) {
            case Reach::single_gpu:
                size = SearchKernel<Distance, Reach::single_gpu>::plan();
                break;
            case Reach::peers:
                size = SearchKernel<Distance, Reach::peers>::plan();
                break;
            case Reach::messages:
                size = StepKernels<Distance>::plan();
                break;
        }
    });
    return size;
}

}  // namespace wayfront::gpu::sssp
