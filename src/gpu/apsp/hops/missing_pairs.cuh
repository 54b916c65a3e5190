// Finds the pairs of vertices that are missing when the sets of hop_counts.cuh end.
//
// A pair is a place and a target. A level finds a pair if a neighbour of its place reaches the
// target. The sets of the previous level have a bit for this: in the neighbour's set or, if the
// graph is symmetric and the neighbour is in a lower batch, in the target's set. The bits of the
// pairs that a level has found are set after all pairs have been looked up. Pairs that are not in
// the list have been found by the last level of the sets or before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/hops/hop_counter_plan.hpp"
#include "gpu/apsp/hops/hop_graph.hpp"
#include "gpu/apsp/hops/hop_set.cuh"
#include "gpu/apsp/hops/hop_share.hpp"
#include "gpu/apsp/rows/source_facts.hpp"
#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kStagedPairs = 64;  // number of pairs of a warp

/// A list of pairs, each of which has a place and a target.
struct PairListView
{
    uint2* pairs = nullptr;
    std::uint64_t room = 0;
    unsigned long long* size = nullptr;  // number of pairs; 0 before the launch; more than `room` if pairs were lost
    // For each place: number of its pairs that the first level after the sets did not find; 0
    // before the launch.
    std::uint32_t* left = nullptr;
    // For each place: number of its pairs that the current level found; 0 before the launch.
    std::uint32_t* found = nullptr;
};

template <typename Index>
struct HopCountView
{
    HopGraphView<Index> graph;
    HopShare share;  // batches that are counted
    // Whether a pair is counted for both of its ends. Otherwise it is counted for its place, which
    // is necessary if ranks divide the batches.
    bool symmetric = false;
    uint4* sets[2] = {};  // kPiecesOfSet pieces for each place
    std::uint16_t* sizes[2] = {};
    std::uint8_t* grown[2] = {};
    // The sets of all batches of the rank and of one more batch; null: the first sets contain only
    // the targets themselves.
    uint4* matrix = nullptr;
    std::uint16_t* first_sizes = nullptr;  // sizes of the first sets of all batches
    std::uint32_t first_depth = 0;         // depth of the first sets
    // The depth, above first_depth, of the sets that leave few missing pairs; 0: sets find all
    // pairs.
    std::uint32_t last_depth = 0;
    PairListView missing;
    // Number of times that each place is among the sources.
    const std::uint32_t* multiplicities = nullptr;
    // Facts of each place. Before the launch: the facts of the first sets, or 0 if there are
    // several ranks.
    SourceFacts* facts = nullptr;
    // Number of pairs at distance 1, 2, ... Before the launch: the pairs of the first sets.
    unsigned long long* levels = nullptr;
    std::uint32_t most_levels = 0;     // capacity of `levels`
    std::uint32_t* deepest = nullptr;  // largest distance
    GridBarrierView<HopTotals> barrier;

    /// The sets of the batch with this number among those of the rank. The first sets of a batch
    /// are stored after its last sets. The last sets overwrite the first sets of the previous
    /// batch.
    [[nodiscard]] __device__ uint4* last_sets(std::uint32_t number) const
    {
        return matrix + std::size_t{number} * graph.places * kPiecesOfSet;
    }
    [[nodiscard]] __device__ uint4* first_sets(std::uint32_t number) const { return last_sets(number + 1); }
};

/// Adds the number of pairs of wanted sources at a distance. Only one thread does this.
template <typename Index>
__device__ void note_level(const HopCountView<Index>& view, std::uint32_t depth, std::uint64_t pairs)
{
    if (first_index() != 0 || pairs == 0) return;
    if (depth <= view.most_levels) view.levels[depth - 1] += pairs;
    if (depth > *view.deepest) *view.deepest = depth;
}

/// Appends the pairs of a warp to a list. The warp stages pairs in shared memory.
class PairWriter
{
public:
    /// `staged`: room for kStagedPairs pairs of the warp.
    __device__ PairWriter(const PairListView& list, uint2* staged) : list_(list), staged_(staged) {}

    /// Adds pairs of `place`: a pair for each set bit, which means one of the 128 targets from
    /// `first` on. All lanes call.
    __device__ void add(std::uint32_t place, std::uint32_t first, const uint4& bits)
    {
        if (!__any_sync(kAllLanes, any(bits))) return;
        std::uint32_t total = 0;
        const std::uint32_t at = warp_prefix(size_of(bits), total);
        if (total > kStagedPairs) {
            const std::uint64_t begin = reserve(total);
            write(place, first, bits, at, [&](std::uint32_t i, uint2 pair) { store(begin + i, pair); });
            return;
        }
        if (filled_ + total > kStagedPairs) flush();
        write(place, first, bits, filled_ + at, [&](std::uint32_t i, uint2 pair) { staged_[i] = pair; });
        filled_ += total;
        __syncwarp();
    }

    /// Writes the staged pairs to the list. All lanes call.
    __device__ void flush()
    {
        if (filled_ == 0) return;
        const std::uint64_t begin = reserve(filled_);
        for (std::uint32_t i = lane_id(); i < filled_; i += 32) store(begin + i, staged_[i]);
        filled_ = 0;
        __syncwarp();
    }

private:
    [[nodiscard]] __device__ std::uint64_t reserve(std::uint32_t count) const
    {
        unsigned long long begin = 0;
        if (lane_id() == 0) begin = atomicAdd(list_.size, static_cast<unsigned long long>(count));
        const std::uint32_t lower = __shfl_sync(kAllLanes, static_cast<std::uint32_t>(begin), 0);
        const std::uint32_t upper = __shfl_sync(kAllLanes, static_cast<std::uint32_t>(begin >> 32), 0);
        return std::uint64_t{upper} << 32 | lower;
    }
    __device__ void store(std::uint64_t at, uint2 pair) const
    {
        if (at < list_.room) list_.pairs[at] = pair;
    }
    template <typename Store>
    __device__ void write(std::uint32_t place, std::uint32_t first, const uint4& bits, std::uint32_t at,
                          const Store& store) const
    {
        const std::uint32_t words[] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
        for (std::uint32_t w = 0; w < 4; ++w)
            for (std::uint32_t word = words[w]; word != 0; word &= word - 1)
                store(at++,
                      uint2{place, first + w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(word))) - 1});
    }

    const PairListView& list_;
    uint2* staged_;
    std::uint32_t filled_ = 0;
};

template <typename Index>
class MissingPairs
{
public:
    __device__ MissingPairs(const HopCountView<Index>& view, GridBarrier<HopTotals>& barrier)
        : view_(view), barrier_(barrier)
    {
    }

    /// Finds the pairs of the list level by level, and adds them to the facts of all places. Does
    /// nothing if the list is incomplete.
    __device__ void run()
    {
        const std::uint64_t size = __ldcg(view_.missing.size);
        if (size > view_.missing.room) return;
        bool more = true;
        for (std::uint32_t depth = view_.last_depth + 1; more; ++depth) {
            const bool first = depth == view_.last_depth + 1;
            std::uint64_t found = 0;
            for (std::uint64_t i = first_index(); i < size; i += index_stride())
                found += look_up(view_.missing.pairs[i], first) ? 1 : 0;
            more = barrier_.reduce({found, 0}).counts.pairs > 0;
            if (!more && !first) break;

            HopTotals own{0, 0};
            for (std::uint64_t i = first_index(); i < view_.graph.places; i += index_stride())
                note(static_cast<std::uint32_t>(i), depth, first, own);
            for (std::uint64_t i = first_index(); i < size; i += index_stride()) settle(view_.missing.pairs[i]);
            const HopTotals all = barrier_.reduce(own).counts;
            note_level(view_, depth - 1, all.changed);
            note_level(view_, depth, all.pairs);
        }
    }

private:
    // Mark of a found pair. It is added to the pair's place until all pairs have been looked up.
    static constexpr std::uint32_t kFound = 1U << 31;
    static constexpr std::uint32_t kSettled = ~0U;  // replaces the place of a settled pair

    /// The bit of the sets, and its word, that is 1 if a place reaches a target.
    struct Bit
    {
        std::uint32_t* word;
        std::uint32_t mask;
    };
    [[nodiscard]] __device__ Bit bit_of(std::uint32_t place, std::uint32_t target) const
    {
        if (view_.symmetric && place / kHopTargets < target / kHopTargets) {
            const std::uint32_t lower = place;
            place = target;
            target = lower;
        }
        auto* const set = reinterpret_cast<std::uint32_t*>(view_.last_sets(view_.share.number(target / kHopTargets)) +
                                                           std::size_t{place} * kPiecesOfSet);
        return {set + target % kHopTargets / 32, 1U << target % 32};
    }
    [[nodiscard]] __device__ bool reaches(std::uint32_t place, std::uint32_t target) const
    {
        const Bit bit = bit_of(place, target);
        return (__ldcg(bit.word) & bit.mask) != 0;
    }

    /// Whether one of a place's neighbours reaches the target.
    [[nodiscard]] __device__ bool found(std::uint32_t place, std::uint32_t target) const
    {
        const auto any_of = [&](const Index* entries) {
            for (std::uint32_t i = 0; i < kHopEntries; ++i) {
                if (entries[i] == place) return false;
                if (reaches(entries[i], target)) return true;
            }
            return false;
        };
        if (any_of(view_.graph.head(place))) return true;
        if (!view_.graph.is_long(place)) return false;
        const std::uint32_t end = view_.graph.rest(place)[1];
        for (std::uint32_t chunk = view_.graph.rest(place)[0]; chunk < end; ++chunk)
            if (any_of(view_.graph.chunk(chunk))) return true;
        return false;
    }

    /// Returns whether the level finds the pair, and counts the pair for its ends.
    [[nodiscard]] __device__ bool look_up(uint2& pair, bool first)
    {
        const auto [place, target] = uint2{pair};
        if (place == kSettled) return false;
        // In a symmetric graph, the pair is looked up from the end with fewer neighbours.
        const bool swapped = view_.symmetric && target % kHopTargets > place % kHopTargets;
        const bool is_found = swapped ? found(target, place) : found(place, target);
        if (is_found) pair.x |= kFound;
        if (!is_found && !first) return false;
        std::uint32_t* const counts = is_found ? view_.missing.found : view_.missing.left;
        atomicAdd(counts + place, 1U);
        if (view_.symmetric) atomicAdd(counts + target, 1U);
        return is_found;
    }
    /// Sets the bit of a pair that the level found, and marks the pair as settled.
    __device__ void settle(uint2& pair)
    {
        const auto [place, target] = uint2{pair};
        if (place == kSettled || (place & kFound) == 0) return;
        const auto set = [](const Bit& bit) { atomicOr(bit.word, bit.mask); };
        set(bit_of(place - kFound, target));
        // If both places are in the same batch, each has a bit for the other.
        if (view_.symmetric && (place - kFound) / kHopTargets == target / kHopTargets)
            set(bit_of(target, place - kFound));
        pair.x = kSettled;
    }

    /// Number of the rank's targets that a place reached before the last level of the sets,
    /// including itself.
    [[nodiscard]] __device__ std::uint64_t reached_before(std::uint32_t place) const
    {
        const std::uint64_t reached = view_.facts[place].reached;
        if (view_.share.ranks == 1) return reached + 1;
        // With several ranks, the facts are those of the sets. Searches have counted other targets,
        // too, so the sizes of the first sets are added.
        std::uint64_t first = 0;
        for (std::uint32_t number = 0; number < view_.share.batches_of(view_.graph.batches()); ++number)
            first += view_.first_sizes[std::size_t{number} * view_.graph.places + place];
        return first + reached;
    }

    /// Adds the pairs that a level found to the facts of a place. If `first`, also adds the pairs
    /// that the last level of the sets found, which `own.changed` counts.
    __device__ void note(std::uint32_t place, std::uint32_t depth, bool first, HopTotals& own) const
    {
        const std::uint64_t wanted = view_.multiplicities[place];
        const std::uint32_t found = __ldcg(view_.missing.found + place);
        view_.missing.found[place] = 0;
        SourceFacts& facts = view_.facts[place];
        const auto add = [&](std::uint64_t count, std::uint32_t distance) {
            if (count == 0) return;
            facts.reached += count;
            facts.sum += count * distance;
            facts.eccentricity = distance;
        };
        if (first) {
            const std::uint64_t targets = view_.share.places_of(view_.graph.places);
            const std::uint64_t by_sets = targets - reached_before(place) - found - __ldcg(view_.missing.left + place);
            add(by_sets, depth - 1);
            own.changed += by_sets * wanted;
        }
        add(found, depth);
        own.pairs += found * wanted;
    }

    const HopCountView<Index>& view_;
    GridBarrier<HopTotals>& barrier_;
};

}  // namespace wayfront::gpu::apsp
