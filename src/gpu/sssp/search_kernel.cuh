// The kernel of the resident search (kernel.hpp) as code. It takes long to compile: each file search_*.cu
// compiles it for one type of distances, for one GPU or for several.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/long_lists.cuh"
#include "gpu/sssp/resident_search.cuh"
#include "gpu/sssp/results.cuh"
#include "gpu/sssp/search.hpp"
#include "gpu/sssp/search_kernel.hpp"
#include "gpu/sssp/settle.cuh"
#include "gpu/sssp/single_vertices.cuh"

namespace wayfront::gpu::sssp {

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
// With room for static variables.
static_assert(sizeof(SsspStores<true>) + 2048 <= DeviceSssp::kSharedBytesOfSeveral);
static_assert(sizeof(SsspStores<false>) + 2048 <= std::size_t{99} << 10);

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
            const uint4 whole =
                leaf ? *reinterpret_cast<const uint4*>(view.leaves + (slots[i] - view.first_leaf)) : uint4{};
            const bool bounded = !leaf && slots[i] != LocalSlotsView::kNone;
            first[i] =
                bounded ? *reinterpret_cast<const uint2*>(view.own.bounds + column(slots[i])) : uint2{whole.x, whole.y};
            leaf_parents[i] = whole.z;
        }
        std::uint32_t second[kTogether];  // the distance of a leaf's neighbour, or a parent that is elsewhere
#pragma unroll
        for (std::uint32_t i = 0; i < kTogether; ++i) {
            const bool leaf = is_leaf(slots[i]);
            const std::uint32_t* const at = leaf ? &view.own.bounds[first[i].x].upper : view.own.parents + slots[i];
            const bool wanted =
                leaf ? first[i].x < view.first_leaf_column
                     : slots[i] != LocalSlotsView::kNone && !StoredBounds{first[i].x, first[i].y}.has_parent();
            // A leaf whose neighbour is a leaf, too, is reached only if this neighbour is the source.
            // The arc of a leaf without in-arcs leads from the leaf itself.
            const bool is_apart = leaf && (leaf_parents[i] != source || first[i].x == column(slots[i]));
            const std::uint32_t otherwise = is_apart ? Distance::kInfinity : 0;
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
        if (Distance::kOverflows && distance == Distance::kInfinity && there != Distance::kInfinity)
            view.summary->overflow = 1;
        return distance;
    }
};

template <typename Distance, bool kSeveral>
SsspLaunch SearchKernel<Distance, kSeveral>::plan()
{
    const auto* const kernel = reinterpret_cast<const void*>(search<Distance, kSeveral>);
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    SsspLaunch how;
    // What a block does not take of a multiprocessor's memory is L1 cache (gpu/bfs/shared_memory.hpp),
    // which pays more than distances of further hubs.
    constexpr std::size_t wanted = std::size_t{kSeveral ? 163U : 131U} << 10;
    how.shared_bytes = std::min(wanted, shared_memory_per_block()) - attributes.sharedSizeBytes;
    const std::size_t least = sizeof(SsspStores<kSeveral>);
    if (how.shared_bytes < least)
        throw ResourceError("the search for shortest paths needs " + std::to_string(least) +
                            " bytes of shared memory for each block, " + std::to_string(how.shared_bytes) +
                            " are there");
    how.hubs = static_cast<std::uint32_t>((how.shared_bytes - sizeof(PullStores)) / sizeof(std::uint32_t));
    how.blocks = cooperative_blocks(kernel, kSsspThreads, how.shared_bytes, "the search for shortest paths");
    return how;
}

template <typename Distance, bool kSeveral>
void SearchKernel<Distance, kSeveral>::launch(const SsspView& view, SsspSource source, const SsspLaunch& how,
                                              const Stream& stream)
{
    launch_cooperative(search<Distance, kSeveral>, how.blocks, kSsspThreads, how.shared_bytes, stream, view, source);
    launch_write_results<Distance>(view.graph, SlotResults<Distance, kSeveral>{view, source.vertex},
                                   {view.result_distances, view.result_parents, &view.summary->reached}, source,
                                   stream);
}

}  // namespace wayfront::gpu::sssp
