// The kernel that counts numbers of edges between all pairs of vertices, for summaries.
//
// Each vertex has a set of targets: those that are within k edges of it after level k, which joins the
// set with those of its out-neighbours. So the number of vertices at distance k from a vertex follows
// from the sizes of its sets, and is counted where the set is. 1024 targets are a batch, whose sets are
// 128 bytes: eight lanes have 16 bytes each, and a warp has four vertices. The two arrays of sets, by
// turns the last level's and the next one's, stay in the L2 cache. One cooperative launch goes through
// all batches. A dense level reads the sets of all neighbours once: 15 us for 65536 vertices of degree
// 10 at 5.5 TB/s, and about four of the seven levels of such a graph are dense. In others, few sets have
// changed in the last level, and only these are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/bit_parallel.cuh"
#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/launch.cuh"
#include "graph/csr.hpp"

namespace wayfront::gpu {

struct HopCounts
{
    std::uint64_t pairs;    // of wanted sources and targets that a level found
    std::uint64_t changed;  // sets that have grown
    [[nodiscard]] static WAYFRONT_HD constexpr WordReduction reduction(int /*word*/) { return WordReduction::sum; }
};

struct HopCountView
{
    CsrView out;
    std::uint32_t slots = 0;
    std::uint32_t heavy = 0;                        // the first slots, which may have many neighbours; the others have few
    uint4* sets[2] = {};                            // kLanesOfSet for each slot
    std::uint8_t* grown[2] = {};                    // whether the slot's set in that array is larger than that of the level before
    const std::uint32_t* multiplicities = nullptr;  // how many times each slot is among the sources
    SourceFacts* facts = nullptr;                   // of each slot; 0 before the launch
    unsigned long long* levels = nullptr;           // pairs at distance 1, 2, ...; 0 before the launch
    std::uint32_t most_levels = 0;                  // room in `levels`
    std::uint32_t* deepest = nullptr;               // the largest distance
    GridBarrierView<HopCounts> barrier;
};

class HopCounter
{
public:
    static constexpr std::uint32_t kLanesOfSet = 8;
    static constexpr std::uint32_t kFewNeighbours = 32;

    __device__ explicit HopCounter(const HopCountView& view) : view_(view), barrier_(view.barrier) {}

    __device__ void run()
    {
        for (std::uint32_t first = 0; first < view_.slots; first += kBatchSources) count_batch(first);
        barrier_.finish();
    }

private:
    static constexpr std::uint32_t kSetsOfWarp = 32 / kLanesOfSet;

    [[nodiscard]] static __device__ std::uint32_t piece() { return lane_id() % kLanesOfSet; }
    [[nodiscard]] static __device__ std::uint32_t group() { return lane_id() / kLanesOfSet; }

    /// The targets are `first` and the slots that follow.
    __device__ void count_batch(std::uint32_t first)
    {
        const std::uint32_t count = min(view_.slots - first, kBatchSources);
        for (std::uint64_t i = first_index(); i < std::uint64_t{view_.slots} * kLanesOfSet; i += index_stride()) {
            const auto slot = static_cast<std::uint32_t>(i / kLanesOfSet);
            // A target reaches itself.
            const std::uint32_t own = slot - first < count ? slot - first : kBatchSources;
            view_.sets[0][i] = bit_of_piece(own, static_cast<std::uint32_t>(i % kLanesOfSet));
            if (i % kLanesOfSet == 0) view_.grown[0][slot] = own < count ? 1 : 0;
        }
        std::uint64_t grown = count;
        barrier_.reduce({0, 0});
        for (std::uint32_t depth = 1; grown > 0; ++depth) {
            own_ = {0, 0};
            dense_ = grown * 2 > view_.slots;
            level<true>(depth, count);
            level<false>(depth, count);
            const HopCounts found = barrier_.reduce(own_).counts;
            grown = found.changed;
            if (first_index() != 0 || grown == 0) continue;
            if (depth <= view_.most_levels) view_.levels[depth - 1] += found.pairs;
            if (depth > *view_.deepest) *view_.deepest = depth;
        }
    }

    /// Bit `bit` of a set, in a piece of it.
    [[nodiscard]] static __device__ uint4 bit_of_piece(std::uint32_t bit, std::uint32_t piece)
    {
        const auto word = [&](std::uint32_t w) { return bit / 32 == piece * 4 + w ? 1U << (bit % 32) : 0U; };
        return {word(0), word(1), word(2), word(3)};
    }
    /// The first `count` bits of a set, in the lane's piece.
    [[nodiscard]] static __device__ uint4 first_bits(std::uint32_t count)
    {
        const auto word = [&](std::uint32_t w) {
            const std::uint32_t begin = (piece() * 4 + w) * 32;
            return count <= begin ? 0U : count - begin >= 32 ? ~0U : (1U << (count - begin)) - 1;
        };
        return {word(0), word(1), word(2), word(3)};
    }
    [[nodiscard]] static __device__ uint4 both(const uint4& a, const uint4& b) { return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w}; }
    [[nodiscard]] static __device__ uint4 without(const uint4& a, const uint4& b) { return {a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w}; }
    [[nodiscard]] static __device__ bool any(const uint4& a) { return (a.x | a.y | a.z | a.w) != 0; }
    [[nodiscard]] static __device__ std::uint32_t size(const uint4& a)
    {
        return static_cast<std::uint32_t>(__popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w));
    }

    /// The lanes of the group whose flag is set. All lanes of the warp call.
    [[nodiscard]] static __device__ std::uint32_t lanes_of_group(bool flag)
    {
        return __ballot_sync(kAllLanes, flag) >> group() * kLanesOfSet & ((1U << kLanesOfSet) - 1);
    }

    /// Makes the next sets of the heavy vertices, for each of which a warp shares out the neighbours to its groups, or of the others.
    template <bool heavy>
    __device__ void level(std::uint32_t depth, std::uint32_t count)
    {
        const std::uint32_t begin = heavy ? 0 : view_.heavy;
        const std::uint32_t end = heavy ? view_.heavy : view_.slots;
        const std::uint32_t step = heavy ? 1 : kSetsOfWarp;
        const uint4* const from = view_.sets[(depth - 1) % 2];
        uint4* const to = view_.sets[depth % 2];
        const uint4 all = first_bits(count);
        for (std::uint64_t base = begin + first_index() / 32 * step; base < end; base += index_stride() / 32 * step) {
            const std::uint64_t slot = base + (heavy ? 0 : group());
            const bool there = slot < end;
            const uint4 own = there ? __ldcg(from + slot * kLanesOfSet + piece()) : all;
            uint4 found = own;
            join<heavy>(there ? static_cast<std::uint32_t>(slot) : view_.slots, depth, all, found);
            if (heavy) {
                for (std::uint32_t offset = kLanesOfSet; offset < 32; offset *= 2) {
                    const auto far = static_cast<int>(offset);
                    found = both(found, {__shfl_xor_sync(kAllLanes, found.x, far), __shfl_xor_sync(kAllLanes, found.y, far),
                                         __shfl_xor_sync(kAllLanes, found.z, far), __shfl_xor_sync(kAllLanes, found.w, far)});
                }
            }
            std::uint32_t fresh = size(without(found, own));
            for (std::uint32_t offset = 1; offset < kLanesOfSet; offset *= 2) fresh += __shfl_xor_sync(kAllLanes, fresh, static_cast<int>(offset));
            if (!there || (heavy && group() != 0)) continue;
            to[slot * kLanesOfSet + piece()] = found;
            if (piece() == 0) note(static_cast<std::uint32_t>(slot), depth, fresh);
        }
    }

    /// Joins `found` with the neighbours' sets until it has all bits. No slot has the number view_.slots. All lanes call.
    template <bool heavy>
    __device__ void join(std::uint32_t slot, std::uint32_t depth, const uint4& all, uint4& found) const
    {
        constexpr std::uint32_t at_once = 4;
        constexpr std::uint32_t stride = heavy ? 32 : kLanesOfSet;
        const uint4* const from = view_.sets[(depth - 1) % 2];
        const std::uint8_t* const grown = view_.grown[(depth - 1) % 2];
        std::uint64_t at = 0;
        std::uint64_t end = 0;
        if (slot < view_.slots) {
            at = view_.out.begin(slot) + (heavy ? group() * kLanesOfSet : 0);
            end = view_.out.end(slot);
        }
        for (;; at += stride) {
            const bool misses = any(without(all, found));
            const std::uint32_t lanes_that_miss = lanes_of_group(misses);
            const bool more = at < end && lanes_that_miss != 0;
            if (!__any_sync(kAllLanes, more)) return;
            const std::uint64_t e = at + piece();
            bool wanted = more && e < end;
            const std::uint32_t neighbour = wanted ? view_.out.neighbours[e] : 0;
            if (wanted && !dense_) wanted = __ldcg(grown + neighbour) != 0;
            const std::uint32_t lanes = lanes_of_group(wanted);
#pragma unroll
            for (std::uint32_t k = 0; k < kLanesOfSet; k += at_once) {
                uint4 sets[at_once];
#pragma unroll
                for (std::uint32_t j = 0; j < at_once; ++j) {
                    const std::uint32_t of = __shfl_sync(kAllLanes, neighbour, static_cast<int>(group() * kLanesOfSet + k + j));
                    sets[j] = {0, 0, 0, 0};
                    if (misses && (lanes >> (k + j) & 1) != 0) sets[j] = __ldcg(from + std::uint64_t{of} * kLanesOfSet + piece());
                }
#pragma unroll
                for (std::uint32_t j = 0; j < at_once; ++j) found = both(found, sets[j]);
            }
        }
    }

    /// Adds what a level found to the facts of a vertex, which one lane of the grid has in a level.
    __device__ void note(std::uint32_t slot, std::uint32_t depth, std::uint32_t fresh)
    {
        view_.grown[depth % 2][slot] = fresh > 0 ? 1 : 0;
        if (fresh == 0) return;
        SourceFacts& facts = view_.facts[slot];
        // Atomic, so that the lane does not wait for what was there.
        atomicAdd(&facts.reached, static_cast<unsigned long long>(fresh));
        atomicAdd(&facts.sum, static_cast<unsigned long long>(fresh) * depth);
        atomicMax(&facts.eccentricity, static_cast<unsigned long long>(depth));
        own_.pairs += std::uint64_t{fresh} * view_.multiplicities[slot];
        ++own_.changed;
    }

    const HopCountView& view_;
    GridBarrier<HopCounts> barrier_;
    HopCounts own_ = {0, 0};  // of the thread in a level
    bool dense_ = false;      // most sets have grown in the last level: all are read
};

/// The facts of sources, by their position; 0 for vertices without edges, which have the slot `none`.
__global__ void copy_facts(const SourceFacts* facts_of_slots, const std::uint32_t* slot_of_vertex, std::uint32_t none, const std::uint32_t* sources,
                           std::uint32_t count, SourceFacts* facts)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t slot = slot_of_vertex[sources[i]];
        facts[i] = slot != none ? facts_of_slots[slot] : SourceFacts{0, 0, 0};
    }
}

__global__ void count_multiplicities(const std::uint32_t* slot_of_vertex, std::uint32_t none, const std::uint32_t* sources, std::uint32_t count,
                                     std::uint32_t* multiplicities)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t slot = slot_of_vertex[sources[i]];
        if (slot != none) atomicAdd(multiplicities + slot, 1U);
    }
}

}  // namespace wayfront::gpu
