// The kernels of batched Bellman-Ford (batched_search.hpp).
//
// The kernels are bound by the reads and writes of costs: a relaxation of a batch takes an atomic
// operation on 32 neighbouring words, and a pass over all costs takes 12 bytes per vertex and
// source.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/rows/device_element.cuh"
#include "gpu/papers/batched/batched_search_plan.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::apsp {

struct BatchedView
{
    std::uint32_t vertices = 0;
    std::uint32_t sources = 32;             // number of sources in a batch
    const std::uint32_t* begins = nullptr;  // beginning of each vertex's arcs, then the end of the last list
    const BatchedArc* arcs = nullptr;
    // By element v * sources + t, for vertex v and source t.
    std::uint32_t* costs = nullptr;
    std::uint32_t* new_costs = nullptr;
    // Whether the cost of vertex v from source t has changed: bit t % 32 of word v * (sources / 32)
    // + t / 32. With one source: word v.
    std::uint32_t* changed = nullptr;
    std::uint32_t* any = nullptr;  // whether this phase has changed a cost
};

inline constexpr std::uint32_t kBatchedThreads = 256;

/// Adds a weight to a cost. The sum is infinite if it exceeds 32 bits, which costs of paths that
/// are not shortest paths may do.
template <typename Distances>
[[nodiscard]] __device__ std::uint32_t sum_or_far(std::uint32_t cost, std::uint32_t weight)
{
    const std::uint32_t sum = Distances::sum(cost, weight);
    return sum < cost ? Distances::kFar : sum;
}

/// Sets all costs to infinity, except the costs of the `count` sources from themselves, which are
/// 0.
template <typename Distances>
__global__ void begin_batch(BatchedView view, const std::uint32_t* sources, std::uint32_t count)
{
    const std::uint64_t elements = std::uint64_t{view.vertices} * view.sources;
    for (std::uint64_t i = first_index(); i < elements; i += index_stride()) {
        const auto t = static_cast<std::uint32_t>(i % view.sources);
        const bool own = t < count && sources[t] == i / view.sources;
        view.costs[i] = own ? 0 : Distances::kFar;
        view.new_costs[i] = own ? 0 : Distances::kFar;
        // The 32 neighbouring elements of a warp belong to one word. With one source, they belong
        // to 32 words.
        if (view.sources == 1)
            view.changed[i] = own ? 1 : 0;
        else if (const std::uint32_t word = __ballot_sync(kAllLanes, own); lane_id() == 0)
            view.changed[i / 32] = word;
    }
}

/// Relaxes the arcs of vertices whose costs changed. One warp for each vertex and 32 sources.
template <typename Distances, bool through_shared>
__global__ void __launch_bounds__(kBatchedThreads) relax_batch(BatchedView view)
{
    __shared__ BatchedArc shared[kBatchedThreads];
    BatchedArc* const arcs = shared + threadIdx.x / 32 * 32;
    const std::uint32_t groups = view.sources / 32;
    const std::uint64_t items = std::uint64_t{view.vertices} * groups;
    for (std::uint64_t item = first_index() / 32; item < items; item += index_stride() / 32) {
        const std::uint32_t mask = view.changed[item];
        if (mask == 0) continue;
        __syncwarp();  // all lanes have read the word
        if (lane_id() == 0) view.changed[item] = 0;
        const auto vertex = static_cast<std::uint32_t>(item / groups);
        const std::uint64_t source = item % groups * 32 + lane_id();
        const bool active = (mask >> lane_id() & 1) != 0;
        const std::uint32_t cost = active ? view.costs[std::uint64_t{vertex} * view.sources + source] : 0;
        const std::uint32_t end = view.begins[vertex + 1];
        const auto relax = [&](BatchedArc arc) {
            if (active)
                atomicMin(view.new_costs + std::uint64_t{arc.target} * view.sources + source,
                          sum_or_far<Distances>(cost, arc.weight));
        };
        for (std::uint32_t first = view.begins[vertex]; first < end; first += 32) {
            const std::uint32_t count = end - first < 32 ? end - first : 32;
            if constexpr (through_shared) {
                if (lane_id() < count) arcs[lane_id()] = view.arcs[first + lane_id()];
                __syncwarp();
                for (std::uint32_t i = 0; i < count; ++i) relax(arcs[i]);
                __syncwarp();
            } else {
                for (std::uint32_t i = 0; i < count; ++i) relax(view.arcs[first + i]);
            }
        }
    }
}

/// Relaxes the arcs of vertices whose costs changed, for a single source. One thread for each
/// vertex.
template <typename Distances>
__global__ void relax_one(BatchedView view)
{
    for (std::uint64_t v = first_index(); v < view.vertices; v += index_stride()) {
        if (view.changed[v] == 0) continue;
        view.changed[v] = 0;
        const std::uint32_t cost = view.costs[v];
        const std::uint32_t end = view.begins[v + 1];
        for (std::uint32_t e = view.begins[v]; e < end; ++e)
            atomicMin(view.new_costs + view.arcs[e].target, sum_or_far<Distances>(cost, view.arcs[e].weight));
    }
}

/// Replaces the costs that became smaller, and marks them as changed.
template <typename Distances>
__global__ void update_batch(BatchedView view)
{
    const std::uint64_t elements = std::uint64_t{view.vertices} * view.sources;
    bool any = false;
    for (std::uint64_t i = first_index(); i < elements; i += index_stride()) {
        const std::uint32_t cost = view.new_costs[i];
        const bool smaller = cost < view.costs[i];
        if (smaller) view.costs[i] = cost;
        any = any || smaller;
        if (view.sources == 1) {
            if (smaller) view.changed[i] = 1;
        } else if (const std::uint32_t word = __ballot_sync(kAllLanes, smaller); lane_id() == 0 && word != 0) {
            view.changed[i / 32] = word;
        }
    }
    if (any) *view.any = 1;
}

/// Writes the costs of the first `count` sources as rows. A thread block of 32 x 8 threads
/// transposes the costs of 32 vertices and 32 sources.
template <typename Distances, typename Out>
__global__ void write_rows(BatchedView view, std::uint32_t count, Out* rows, std::uint64_t stride)
{
    __shared__ std::uint32_t tile[32][33];
    const std::uint32_t vertex = blockIdx.x * 32;
    const std::uint32_t source = blockIdx.y * 32;
    for (std::uint32_t i = threadIdx.y; i < 32; i += 8)
        if (vertex + i < view.vertices && source + threadIdx.x < view.sources)
            tile[i][threadIdx.x] = view.costs[std::uint64_t{vertex + i} * view.sources + source + threadIdx.x];
    __syncthreads();
    for (std::uint32_t i = threadIdx.y; i < 32; i += 8)
        if (vertex + threadIdx.x < view.vertices && source + i < count)
            rows[(source + i) * stride + vertex + threadIdx.x] = element_of<Out, Distances>(tile[threadIdx.x][i]);
}

}  // namespace wayfront::gpu::apsp
