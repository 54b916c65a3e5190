// The kernel of breadth-first search from many sources at once (M. Then et al., "The more the
// merrier: efficient multi-source graph traversal", PVLDB 8, 2014).
//
// A vertex has a set of 1024 sources, one line of 128 bytes; a lane has one word of the set. Each
// level is bottom-up: a warp takes a vertex whose set is not full, and joins the frontier's sets of
// its in-neighbours until no source is missing. A byte of each vertex says whether its frontier set
// is empty, so that sparse levels read few sets. One cooperative launch searches from all sources,
// batch by batch. The sets of a batch stay in the L2 cache: dense levels are bound by 128 bytes per
// in-edge and level at about 5.5 TB/s, which is 1 ms for each level of 65536 searches in a graph of
// 65536 vertices of degree 10.
//
// The sources that reach a vertex in a level are counted by vertical counters: plane p of a lane
// has bit p of the counts of the 32 sources of its word, so that adding a set takes a few
// operations for 32 sources.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/hops/bit_parallel_plan.hpp"
#include "gpu/apsp/rows/source_facts.hpp"
#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/launch.cuh"
#include "graph/csr.hpp"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kBitParallelThreads = 1024;
inline constexpr std::uint32_t kMostPlanes = 16;  // number of bits of a distance; the rows are uint16

struct BitParallelView
{
    CsrView in;
    std::uint32_t slots = 0;
    std::uint32_t no_slot = 0;  // slot number of the vertices without edges
    const std::uint32_t* slot_of_vertex = nullptr;
    const std::uint32_t* sources = nullptr;  // vertices
    std::uint32_t count = 0;
    std::uint32_t* seen = nullptr;  // set of each slot
    std::uint32_t* frontiers[2] = {};
    // For each frontier: whether the set of each slot has a source.
    std::uint8_t* active[2] = {};
    std::uint32_t* level_counts[2] = {};   // counts of each source of the batch; 0 between launches
    SourceFacts* facts = nullptr;          // facts of each source; 0 before the launch
    unsigned long long* levels = nullptr;  // pairs at distance 1, 2, ...; 0 before the launch
    std::uint32_t most_levels = 0;         // capacity of `levels`
    // Bit planes of distances, each with a set for each slot; null if only counts are wanted.
    std::uint32_t* planes[kMostPlanes] = {};
    std::uint32_t plane_count = 0;
    std::uint32_t* deepest = nullptr;  // largest distance
    GridBarrierView<BitParallelCounts> barrier;
};

/// Counts, for each of 32 bits, the added words in which this bit is set.
class VerticalCounter
{
public:
    __device__ void add(std::uint32_t word)
    {
#pragma unroll
        for (int plane = 0; plane < kPlanes; ++plane) {
            const std::uint32_t carry = planes_[plane] & word;
            planes_[plane] ^= word;
            word = carry;
        }
        ++added_;
    }
    [[nodiscard]] __device__ bool full() const
    {
        return added_ == (1 << kPlanes) - 1;
    }

    /// Adds the counts to counts[bit * 32], and resets them.
    __device__ void drain(std::uint32_t* counts)
    {
        if (added_ == 0) return;
#pragma unroll
        for (int bit = 0; bit < 32; ++bit) {
            std::uint32_t count = 0;
#pragma unroll
            for (int plane = 0; plane < kPlanes; ++plane) count += (planes_[plane] >> bit & 1) << plane;
            if (count > 0) atomicAdd(counts + bit * 32, count);
        }
#pragma unroll
        for (int plane = 0; plane < kPlanes; ++plane) planes_[plane] = 0;
        added_ = 0;
    }

private:
    static constexpr int kPlanes = 5;

    std::uint32_t planes_[kPlanes] = {};
    int added_ = 0;
};

class BitParallel
{
public:
    __device__ BitParallel(const BitParallelView& view, std::uint32_t* counts)
        : view_(view), counts_(counts), barrier_(view.barrier)
    {
        for (std::uint32_t i = threadIdx.x; i < kBatchSources; i += blockDim.x) counts_[i] = 0;
        __syncthreads();
    }

    __device__ void run()
    {
        for (std::uint32_t first = 0; first < view_.count; first += kBatchSources) search(first);
        barrier_.finish();
    }

private:
    __device__ void search(std::uint32_t first)
    {
        const std::uint32_t count = view_.count - first < kBatchSources ? view_.count - first : kBatchSources;
        const std::uint64_t words = std::uint64_t{view_.slots} * kSetWords;
        for (std::uint64_t i = first_index(); i < words; i += index_stride()) {
            view_.seen[i] = 0;
            view_.frontiers[0][i] = 0;
            for (std::uint32_t plane = 0; plane < view_.plane_count; ++plane) view_.planes[plane][i] = 0;
        }
        for (std::uint64_t i = first_index(); i < view_.slots; i += index_stride()) view_.active[0][i] = 0;
        barrier_.reduce({0});
        for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
            const std::uint32_t slot = slot_of(first + static_cast<std::uint32_t>(i));
            if (slot == view_.no_slot) continue;
            const std::uint64_t word = std::uint64_t{slot} * kSetWords + i / 32;
            atomicOr(view_.seen + word, 1U << (i % 32));
            atomicOr(view_.frontiers[0] + word, 1U << (i % 32));
            view_.active[0][slot] = 1;
        }
        all_ = 0;
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
            const std::uint32_t i = lane_id() * 32 + bit;
            if (i < count && slot_of(first + i) != view_.no_slot) all_ |= 1U << bit;
        }
        barrier_.reduce({0});

        for (std::uint32_t depth = 1;; ++depth) {
            const std::uint64_t found = level(depth);
            const std::uint64_t total = barrier_.reduce({found}).counts.found;
            note_level(first, count, depth, total);
            if (total == 0) break;
        }
    }

    [[nodiscard]] __device__ std::uint32_t slot_of(std::uint32_t source) const
    {
        return view_.slot_of_vertex[view_.sources[source]];
    }

    /// Makes the next frontier, and returns the number of pairs that this thread found.
    __device__ std::uint64_t level(std::uint32_t depth)
    {
        const std::uint32_t from = (depth - 1) % 2;
        const std::uint32_t to = depth % 2;
        VerticalCounter counter;
        std::uint64_t found = 0;
        for (std::uint64_t i = first_index() / 32; i < view_.slots; i += index_stride() / 32) {
            const auto slot = static_cast<std::uint32_t>(i);
            const std::uint64_t own = i * kSetWords + lane_id();
            const std::uint32_t seen = __ldcg(view_.seen + own);
            const std::uint32_t missing = all_ & ~seen;
            std::uint32_t fresh = 0;
            if (__any_sync(kAllLanes, missing != 0)) fresh = missing & joined(slot, from, missing);
            const bool any = __any_sync(kAllLanes, fresh != 0) != 0;
            if (lane_id() == 0) view_.active[to][slot] = any ? 1 : 0;
            if (!any) continue;
            view_.frontiers[to][own] = fresh;
            view_.seen[own] = seen | fresh;
            for (std::uint32_t plane = 0; plane < view_.plane_count; ++plane)
                if ((depth >> plane & 1) != 0) view_.planes[plane][own] |= fresh;
            found += static_cast<std::uint64_t>(__popc(fresh));
            counter.add(fresh);
            if (counter.full()) counter.drain(counts_ + lane_id());
        }
        counter.drain(counts_ + lane_id());
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < kBatchSources; i += blockDim.x) {
            if (counts_[i] == 0) continue;
            atomicAdd(view_.level_counts[to] + i, counts_[i]);
            counts_[i] = 0;
        }
        return found;
    }

    /// The union of the frontier's sets of the in-neighbours. The union may be incomplete if it
    /// already has all missing sources.
    __device__ std::uint32_t joined(std::uint32_t slot, std::uint32_t from, std::uint32_t missing)
    {
        constexpr int at_once = 8;
        const std::uint64_t end = view_.in.end(slot);
        std::uint32_t all = 0;
        for (std::uint64_t begin = view_.in.begin(slot); begin < end; begin += 32) {
            const std::uint64_t e = begin + lane_id();
            const std::uint32_t neighbour = e < end ? view_.in.neighbours[e] : 0;
            std::uint32_t wanted = __ballot_sync(kAllLanes, e < end && __ldcg(view_.active[from] + neighbour) != 0);
            while (wanted != 0) {
                std::uint32_t sets[at_once] = {};
#pragma unroll
                for (int k = 0; k < at_once; ++k) {
                    if (wanted == 0) continue;
                    const std::uint32_t of = __shfl_sync(kAllLanes, neighbour, __ffs(static_cast<int>(wanted)) - 1);
                    wanted &= wanted - 1;
                    sets[k] = __ldcg(view_.frontiers[from] + std::uint64_t{of} * kSetWords + lane_id());
                }
#pragma unroll
                for (int k = 0; k < at_once; ++k) all |= sets[k];
                if (!__any_sync(kAllLanes, (missing & ~all) != 0)) return all;
            }
        }
        return all;
    }

    /// Adds the counts of a level to the facts of the sources, and resets the counts, which the
    /// level after the next uses.
    __device__ void note_level(std::uint32_t first, std::uint32_t count, std::uint32_t depth, std::uint64_t total)
    {
        std::uint32_t* const counts = view_.level_counts[depth % 2];
        for (std::uint64_t i = first_index(); i < kBatchSources; i += index_stride()) {
            // The count of source 32 w + b is at 32 b + w.
            const auto source = static_cast<std::uint32_t>(i % 32 * 32 + i / 32);
            const std::uint32_t found = __ldcg(counts + i);
            if (found == 0) continue;
            counts[i] = 0;
            if (source >= count) continue;
            SourceFacts& facts = view_.facts[first + source];
            facts.reached += found;
            facts.sum += static_cast<unsigned long long>(found) * depth;
            facts.eccentricity = depth;
        }
        if (first_index() == 0 && total > 0) {
            if (depth <= view_.most_levels) view_.levels[depth - 1] += total;
            if (depth > *view_.deepest) *view_.deepest = depth;
        }
    }

    const BitParallelView& view_;
    std::uint32_t* counts_;  // in shared memory
    GridBarrier<BitParallelCounts> barrier_;
    std::uint32_t all_ = 0;  // the sources of the lane's word that have edges
};

/// Writes the distances of the batch's first `count` sources as rows. A warp takes 32 vertices and
/// 32 sources: a lane has one vertex, and the bits of its distances from all 32 sources.
__global__ void write_hop_rows(BitParallelView view, std::uint32_t vertices, std::uint16_t* rows, std::uint64_t stride)
{
    const std::uint64_t groups = (vertices + 31) / 32;
    for (std::uint64_t item = first_index() / 32; item < groups * kSetWords; item += index_stride() / 32) {
        const auto vertex = static_cast<std::uint32_t>(item % groups * 32 + lane_id());
        const auto word = static_cast<std::uint32_t>(item / groups);
        const std::uint32_t slot = vertex < vertices ? view.slot_of_vertex[vertex] : view.no_slot;
        const std::uint64_t own = std::uint64_t{slot} * kSetWords + word;
        const std::uint32_t seen = slot != view.no_slot ? view.seen[own] : 0;
        std::uint32_t planes[kMostPlanes] = {};
        for (std::uint32_t plane = 0; plane < kMostPlanes; ++plane)
            if (plane < view.plane_count && slot != view.no_slot) planes[plane] = view.planes[plane][own];
#pragma unroll 1
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
            const std::uint32_t source = word * 32 + bit;
            if (source >= view.count) break;
            std::uint32_t distance = 0;
#pragma unroll
            for (std::uint32_t plane = 0; plane < kMostPlanes; ++plane) distance |= (planes[plane] >> bit & 1) << plane;
            if ((seen >> bit & 1) == 0) distance = 0xFFFF;
            if (vertex == view.sources[source]) distance = 0;
            if (vertex < vertices) rows[source * stride + vertex] = static_cast<std::uint16_t>(distance);
        }
    }
}

}  // namespace wayfront::gpu::apsp
