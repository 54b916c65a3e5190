// The kernel of the resident search (kernel.hpp). Its code takes long to compile: each file
// search_*.cu compiles it for one type of distances, and for one GPU or several.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/long_lists.cuh"
#include "gpu/sssp/resident_search.cuh"
#include "gpu/sssp/search.hpp"
#include "gpu/sssp/search_kernel.hpp"
#include "gpu/sssp/slot_results.cuh"

namespace wayfront::gpu::sssp {

template <typename Distance, Reach kReach>
__global__ void __launch_bounds__(kSsspThreads, 1)
    search(const __grid_constant__ SsspView view, const __grid_constant__ SsspSource source)
{
    extern __shared__ __align__(16) unsigned char memory[];
    auto& stores = *reinterpret_cast<SsspStores<kReach>*>(memory);
    constexpr bool several = kReach == Reach::peers;
    // One GPU: a source without edges reaches no vertex. Several GPUs: each GPU must take part in
    // the barriers.
    if (several || source.are_several() || source.slot(view.graph.local_slots, 0) != LocalSlotsView::kNone)
        SsspKernel<Distance, kReach>(view, stores).run(source);
}

static_assert(sizeof(PullStores) + sizeof(SingleVertices) <= sizeof(SsspStores<Reach::single_gpu>));
// 2048 bytes are left for static variables.
static_assert(sizeof(SsspStores<Reach::peers>) + 2048 <= DeviceSssp::kSharedBytesOfPeers);
static_assert(sizeof(SsspStores<Reach::single_gpu>) + 2048 <= std::size_t{99} << 10);

template <typename Distance, Reach kReach>
SsspLaunch SearchKernel<Distance, kReach>::plan()
{
    const auto* const kernel = reinterpret_cast<const void*>(search<Distance, kReach>);
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    SsspLaunch size;
    // Shared memory that a block leaves free is L1 cache (gpu/bfs/shared_memory.hpp), which is of
    // more use than distances of further hubs.
    constexpr std::size_t wanted = std::size_t{kReach == Reach::peers ? 163U : 131U} << 10;
    size.shared_bytes = std::min(wanted, shared_memory_per_block()) - attributes.sharedSizeBytes;
    const std::size_t least = sizeof(SsspStores<kReach>);
    if (size.shared_bytes < least)
        throw ResourceError("the search for shortest paths needs " + std::to_string(least) +
                            " bytes of shared memory for each block, " + std::to_string(size.shared_bytes) +
                            " are there");
    size.hubs = static_cast<std::uint32_t>((size.shared_bytes - sizeof(PullStores)) / sizeof(std::uint32_t));
    size.blocks = cooperative_blocks(kernel, kSsspThreads, size.shared_bytes, "the search for shortest paths");
    return size;
}

template <typename Distance, Reach kReach>
void SearchKernel<Distance, kReach>::launch(const SsspView& view, SsspSource source, const SsspLaunch& size,
                                            const Stream& stream)
{
    launch_cooperative(search<Distance, kReach>, size.blocks, kSsspThreads, size.shared_bytes, stream, view, source);
    launch_write_results<Distance, kReach>(view, source, stream);
}

}  // namespace wayfront::gpu::sssp
