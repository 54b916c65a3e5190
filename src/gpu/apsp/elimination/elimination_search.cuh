// The kernels of all pairs by elimination (algo/apsp/elimination.hpp).
//
// A warp has a group of 32 sources, one for each lane. The sources of a group are far apart in the
// list, since neighbouring sources would count their distances in the same bins at the same time.
// The first kernel finds the ways up: the shortest paths from each source to its ancestors that
// only lead up, with one warp per source. The second kernel goes through the positions. A lane
// stores the distances from its source to the ancestors of the current position. Only this lane
// writes and reads them, so that no thread waits for another. Positions are divided into chunks, so
// that a few sources keep many warps busy: a warp begins a chunk with the ancestors of its first
// position.
//
// Neighbouring warps work on the same chunk and read the same arcs. A step takes about 50
// instructions and about five accesses to lines of 128 bytes. Most of these ancestors are near in
// the tree, so that their lines are in a cache.
#pragma once

#include <cstdint>

#include "algo/apsp/elimination.hpp"
#include "gpu/apsp/elimination/elimination_search.hpp"
#include "gpu/apsp/elimination/elimination_search_plan.hpp"
#include "gpu/runtime/launch.cuh"
#include "graph/distances.hpp"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kFarAway = algo::Elimination::kFar;
inline constexpr unsigned kEliminationThreads = 256;
inline constexpr unsigned kEliminationBlocks = 6;  // number of blocks per multiprocessor

struct EliminationView
{
    std::uint32_t positions = 0;
    std::uint32_t height = 0;
    std::uint32_t chunk = 1;  // number of positions in a chunk
    std::uint32_t chunks = 0;
    const EliminationStep* steps = nullptr;
    const algo::EliminationArc* down = nullptr;
    const std::uint32_t* up_begins = nullptr;
    const algo::EliminationArc* up = nullptr;
    const std::uint32_t* parents = nullptr;
    const std::uint32_t* position_of_vertex = nullptr;
    // The ancestors of the first position of each chunk, from the root on.
    const std::uint32_t* ancestors = nullptr;
    const std::uint32_t* ancestor_begins = nullptr;  // index of each chunk's first ancestor, and the end of the last
    const std::uint32_t* sources = nullptr;          // vertices
    std::uint32_t count = 0;
    std::uint32_t* up_distances = nullptr;  // distances of the ways up: for each group, 32 words for each depth
    std::uint32_t* paths = nullptr;  // distances to ancestors: for each warp of the launch, 32 words for each depth

    [[nodiscard]] __device__ std::uint32_t groups() const { return (count + 31) / 32; }
};

/// Finds the ways up from each source. One warp for each source.
__global__ void find_up_distances(EliminationView view)
{
    constexpr std::uint32_t none = algo::Elimination::kNoPosition;
    for (std::uint64_t i = first_index() / 32; i < view.count; i += index_stride() / 32) {
        const std::uint32_t source = view.position_of_vertex[view.sources[i]];
        if (source == none) continue;
        std::uint32_t* const up_distances =
            view.up_distances + i % view.groups() * view.height * 32 + i / view.groups();
        const std::uint32_t depth = view.steps[source].depth;
        for (std::uint32_t d = lane_id(); d <= depth; d += 32) up_distances[d * 32] = d == depth ? 0 : kFarAway;
        __syncwarp();
        // The depth of an ancestor is one less than the depth of its child.
        std::uint32_t d = depth;
        for (std::uint32_t p = source; p != none; p = view.parents[p], --d) {
            const std::uint32_t distance = up_distances[d * 32];
            if (distance < kFarAway) {
                for (std::uint32_t a = view.up_begins[p] + lane_id(); a < view.up_begins[p + 1]; a += 32) {
                    const algo::EliminationArc arc = view.up[a];
                    const std::uint32_t sum = distance + arc.weight;
                    if (sum < up_distances[arc.depth * 32]) up_distances[arc.depth * 32] = sum;
                }
            }
            __syncwarp();
        }
    }
}

/// Calls visit.step(vertex, distance) for all positions of a chunk and the lane's source, and
/// visit.end() after each chunk.
template <typename Visit>
__device__ void search_chunks(const EliminationView& view, Visit visit)
{
    const std::uint32_t groups = view.groups();
    const std::uint64_t tasks = std::uint64_t{groups} * view.chunks;
    std::uint32_t* const path = view.paths + first_index() / 32 * view.height * 32 + lane_id();
    for (std::uint64_t task = first_index() / 32; task < tasks; task += index_stride() / 32) {
        const auto group = static_cast<std::uint32_t>(task % groups);
        const auto chunk = static_cast<std::uint32_t>(task / groups);
        const std::uint32_t i = lane_id() * groups + group;
        const std::uint32_t source =
            i < view.count ? view.position_of_vertex[view.sources[i]] : algo::Elimination::kNoPosition;
        const std::uint32_t* const up_distances =
            view.up_distances + std::uint64_t{group} * view.height * 32 + lane_id();
        const auto search_position = [&](std::uint32_t p, const EliminationStep& step, std::uint32_t end) {
            std::uint32_t least = kFarAway;
            if (source - p < step.size) least = up_distances[step.depth * 32];
#pragma unroll 4
            for (std::uint32_t a = step.arcs; a < end; ++a) {
                const algo::EliminationArc arc = view.down[a];
                least = min(least, path[arc.depth * 32] + arc.weight);
            }
            path[step.depth * 32] = least;
            return least;
        };
        for (std::uint32_t a = view.ancestor_begins[chunk]; a < view.ancestor_begins[chunk + 1]; ++a) {
            const std::uint32_t p = view.ancestors[a];
            search_position(p, view.steps[p], view.steps[p + 1].arcs);
        }
        visit.begin(i);
        const std::uint32_t begin = chunk * view.chunk;
        const std::uint32_t last = min(begin + view.chunk, view.positions);
        EliminationStep step = view.steps[begin];
        for (std::uint32_t p = begin; p < last; ++p) {
            const EliminationStep next = view.steps[p + 1];
            visit.step(step.vertex, search_position(p, step, next.arcs));
            step = next;
        }
        visit.end(i);
    }
}

/// A visit that writes distances to rows.
template <typename Out>
struct RowWriter
{
    Out* rows;
    std::uint64_t stride;
    std::uint32_t count;
    Out* row = nullptr;

    __device__ void begin(std::uint32_t i) { row = i < count ? rows + i * stride : nullptr; }
    __device__ void step(std::uint32_t vertex, std::uint32_t distance)
    {
        if (row != nullptr) row[vertex] = distance < kFarAway ? static_cast<Out>(distance) : unreached<Out>();
    }
    __device__ void end(std::uint32_t /*i*/) {}
};

template <typename Out>
__global__ void __launch_bounds__(kEliminationThreads, kEliminationBlocks)
    write_distances(EliminationView view, Out* rows, std::uint64_t stride)
{
    search_chunks(view, RowWriter<Out>{rows, stride, view.count});
}

/// Writes the distances from and to vertices without edges.
template <typename Out>
__global__ void write_isolated(EliminationView view, std::uint32_t vertices, Out* rows, std::uint64_t stride)
{
    for (std::uint64_t i = first_index(); i < std::uint64_t{vertices} * view.count; i += index_stride()) {
        const auto vertex = static_cast<std::uint32_t>(i % vertices);
        const std::uint64_t row = i / vertices;
        if (view.position_of_vertex[vertex] == algo::Elimination::kNoPosition)
            rows[row * stride + vertex] = vertex == view.sources[row] ? Out{0} : unreached<Out>();
    }
}

/// A visit that sums the distances from the lane's source, and counts the distances of the block in
/// bins.
struct DistanceCounter
{
    EliminationFacts* facts;
    std::uint32_t* bins;  // in shared memory
    int exponent;
    std::uint32_t count;
    std::uint64_t sum = 0;
    std::uint32_t reached = 0;
    std::uint32_t most = 0;

    __device__ void begin(std::uint32_t /*i*/)
    {
        sum = 0;
        reached = 0;
        most = 0;
    }
    __device__ void step(std::uint32_t /*vertex*/, std::uint32_t distance)
    {
        if (distance >= kFarAway) return;
        sum += distance;
        ++reached;
        most = max(most, distance);
        const std::uint32_t bin = distance >> exponent;
        if (bin < EliminationSearch::kBins) atomicAdd(bins + bin, 1U);
    }
    __device__ void end(std::uint32_t i)
    {
        if (i >= count || reached == 0) return;
        static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
        atomicAdd(reinterpret_cast<unsigned long long*>(&facts[i].sum), static_cast<unsigned long long>(sum));
        atomicAdd(&facts[i].reached, reached);
        atomicMax(&facts[i].most, most);
    }
};

__global__ void __launch_bounds__(kEliminationThreads, kEliminationBlocks)
    count_distances(EliminationView view, int exponent, EliminationFacts* facts, unsigned long long* bins)
{
    __shared__ std::uint32_t own[EliminationSearch::kBins];
    for (std::uint32_t bin = threadIdx.x; bin < EliminationSearch::kBins; bin += blockDim.x) own[bin] = 0;
    __syncthreads();
    search_chunks(view, DistanceCounter{facts, own, exponent, view.count});
    __syncthreads();
    for (std::uint32_t bin = threadIdx.x; bin < EliminationSearch::kBins; bin += blockDim.x)
        if (own[bin] > 0) atomicAdd(bins + bin, static_cast<unsigned long long>(own[bin]));
}

}  // namespace wayfront::gpu::apsp
