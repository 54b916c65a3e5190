// The kernel that counts the pairs of vertices at each number of edges by sets, for summaries
// (hop_counter.hpp).
//
// Each place has a set of targets. A level joins the sets of the place's out-neighbours, so that
// after level k the set has the targets within k edges. The number of vertices at distance k
// follows from the sizes of the sets of levels k - 1 and k. A batch has 1024 targets, and its sets
// have 128 bytes: eight lanes have a piece of 16 bytes each, and a warp has four places. A dense
// level reads the sets of all neighbours once. In other levels, few sets have grown in the last
// level, and only these are read. The sets stay in the L2 cache. One cooperative launch counts all
// batches.
//
// If there is memory for the sets of all batches, the first sets are those that searches have found
// (hop_spheres.cuh). The sets end at a depth that leaves few missing pairs, which are listed and
// found one by one (missing_pairs.cuh). The sets of this last level are not counted, since the
// number of its pairs follows from the list. If the graph is symmetric, these sets are not made for
// all places: a pair belongs to the batch of its lower place.
//
// Several ranks divide the batches (hop_share.hpp). Then the last sets are made for all places,
// since a rank cannot read the sets of another rank.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/hops/hop_graph.hpp"
#include "gpu/apsp/hops/hop_set.cuh"
#include "gpu/apsp/hops/missing_pairs.cuh"
#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::apsp {

/// With this number of threads in a block, a lane has registers for 16 pieces that are loaded
/// together.
inline constexpr unsigned kHopThreads = 512;

template <typename Index>
class HopCounts
{
public:
    /// `staged`: shared memory for kStagedPairs pairs of each warp.
    __device__ HopCounts(const HopCountView<Index>& view, uint2* staged)
        : view_(view), barrier_(view.barrier), list_(view.missing, staged + threadIdx.x / 32 * kStagedPairs)
    {
    }

    __device__ void run()
    {
        for (std::uint32_t i = 0; i < view_.share.batches_of(view_.graph.batches()); ++i) count_batch(i);
        if (view_.last_depth > 0) {
            list_.flush();
            barrier_.reduce({0, 0});
            MissingPairs<Index>(view_, barrier_).run();
        }
        barrier_.finish();
    }

private:
    static constexpr std::uint32_t kSetsOfWarp = 32 / kPiecesOfSet;
    // Number of neighbours after which most sets of a last level are full.
    static constexpr std::uint32_t kUntilFull = 6;

    /// The sets of a batch after a level.
    struct Sets
    {
        uint4* pieces;  // kPiecesOfSet pieces for each place
        std::uint16_t* sizes;
        std::uint8_t* grown;  // whether the set has grown in this level
    };
    /// Two entries of a list of 16 entries, which the eight lanes of a group have together.
    struct Entries
    {
        std::uint32_t lower, upper;
    };

    [[nodiscard]] static __device__ std::uint32_t piece() { return lane_id() % kPiecesOfSet; }
    [[nodiscard]] static __device__ std::uint32_t group() { return lane_id() / kPiecesOfSet; }
    /// A mask of the lanes of the group whose flag is set. All lanes of the warp call.
    [[nodiscard]] static __device__ std::uint32_t lanes_of_group(bool flag)
    {
        return __ballot_sync(kAllLanes, flag) >> group() * kPiecesOfSet & ((1U << kPiecesOfSet) - 1);
    }
    [[nodiscard]] __device__ Sets array(std::uint32_t i) const
    {
        return {view_.sets[i], view_.sizes[i], view_.grown[i]};
    }

    /// Counts a batch. `number`: number of the batch among those of the rank.
    __device__ void count_batch(std::uint32_t number)
    {
        first_ = view_.share.batch(number) * kHopTargets;
        count_ = min(view_.graph.places - first_, kHopTargets);
        all_ = first_bits(count_, piece());
        if (view_.matrix != nullptr) {
            from_ = {view_.first_sets(number), view_.first_sizes + std::size_t{number} * view_.graph.places, nullptr};
            dense_ = true;
        } else {
            begin_with_targets();
        }
        for (std::uint32_t depth = view_.first_depth + 1; depth != view_.last_depth; ++depth) {
            depth_ = depth;
            to_ = array(next_);
            next_ ^= 1;
            own_ = {0, 0};
            level<false>();
            const HopTotals found = barrier_.reduce(own_).counts;
            note_level(view_, depth, found.pairs);
            if (found.changed == 0 && view_.last_depth == 0) return;
            dense_ = found.changed * 2 > view_.graph.places;
            from_ = to_;
        }
        // The next batch writes to the other array, and reads its first sets from the matrix.
        to_ = {view_.last_sets(number), nullptr, nullptr};
        level<true>();
        if (view_.last_depth == view_.first_depth + 1) barrier_.reduce({0, 0});
    }

    /// Makes the sets of level 0, in which each target reaches itself.
    __device__ void begin_with_targets()
    {
        from_ = array(next_);
        next_ ^= 1;
        for (std::uint64_t i = first_index(); i < std::uint64_t{view_.graph.places} * kPiecesOfSet;
             i += index_stride()) {
            const auto place = static_cast<std::uint32_t>(i / kPiecesOfSet);
            const std::uint32_t own = place - first_;
            from_.pieces[i] = bit_of_piece(own, static_cast<std::uint32_t>(i % kPiecesOfSet));
            if (i % kPiecesOfSet != 0) continue;
            from_.sizes[place] = own < count_ ? 1 : 0;
            from_.grown[place] = own < count_ ? 1 : 0;
        }
        dense_ = count_ * 2 > view_.graph.places;
        barrier_.reduce({0, 0});
    }

    template <bool last>
    __device__ void level()
    {
        const std::uint32_t begin = last && view_.symmetric ? first_ / kHopTargets : 0;
        long_lists<last>(begin);
        short_lists<last>(begin);
    }

    /// Makes the sets of places with at most kHopEntries neighbours, of batch `begin` and of the
    /// batches after it.
    template <bool last>
    __device__ void short_lists(std::uint32_t begin)
    {
        // The first place with a short list in each batch, rounded down to a multiple of kSetsOfWarp.
        const std::uint32_t first_short = view_.graph.long_places / kSetsOfWarp * kSetsOfWarp;
        const std::uint32_t quads_of_batch = (kHopTargets - first_short) / kSetsOfWarp;
        if (quads_of_batch == 0) return;
        const std::uint32_t quads = (view_.graph.batches() - begin) * quads_of_batch;
        const auto place_of = [&](std::uint32_t quad) {
            return (begin + quad / quads_of_batch) * kHopTargets + first_short + quad % quads_of_batch * kSetsOfWarp +
                   group();
        };
        const auto has_place_at = [&](std::uint32_t quad, std::uint32_t place) {
            return quad < quads && place < view_.graph.places && !view_.graph.is_long(place);
        };
        const auto entries_of = [&](std::uint32_t quad) {
            const std::uint32_t place = place_of(quad);
            if (!has_place_at(quad, place)) return Entries{place, place};
            const Index* const head = view_.graph.head(place);
            return Entries{head[piece()], head[kPiecesOfSet + piece()]};
        };
        const auto warp = static_cast<std::uint32_t>(first_index() / 32);
        const auto stride = static_cast<std::uint32_t>(index_stride() / 32);
        Entries next = entries_of(warp);
        for (std::uint32_t quad = warp; quad < quads; quad += stride) {
            const Entries entries = next;
            next = entries_of(quad + stride);  // loaded while the sets are read
            const std::uint32_t place = place_of(quad);
            const bool has_place = has_place_at(quad, place);
            const std::uint32_t before = !last && has_place && piece() == 0 ? __ldcg(from_.sizes + place) : 0;
            uint4 found = has_place ? first_of(place) : all_;
            join<last ? kUntilFull : kHopEntries, kHopEntries>(entries, place, found);
            keep<last>(place, has_place, before, found);
        }
    }

    /// Makes the sets of places that may have more neighbours. A warp divides the neighbours among
    /// its groups.
    template <bool last>
    __device__ void long_lists(std::uint32_t begin)
    {
        const std::uint32_t long_places = view_.graph.long_places;
        const auto end = static_cast<std::uint32_t>(view_.graph.batches() - begin) * long_places;
        const auto stride = static_cast<std::uint32_t>(index_stride() / 32);
        for (auto i = static_cast<std::uint32_t>(first_index() / 32); i < end; i += stride) {
            const std::uint32_t place = (begin + i / long_places) * kHopTargets + i % long_places;
            if (place >= view_.graph.places) continue;
            const std::uint32_t before = !last && lane_id() == 0 ? __ldcg(from_.sizes + place) : 0;
            const std::uint32_t* const rest = view_.graph.rest(place);
            const std::uint32_t chunks = rest[1] - rest[0] + 1;  // number of chunks, including the head
            uint4 found = first_of(place);
            for (std::uint32_t base = 0; base < chunks && __any_sync(kAllLanes, any(without(all_, found))); base += 2) {
                const std::uint32_t chunk = base + lane_id() / kHopEntries;
                std::uint32_t neighbour = place;
                if (chunk < chunks)
                    neighbour = (chunk == 0 ? view_.graph.head(place)
                                            : view_.graph.chunk(rest[0] + chunk - 1))[lane_id() % kHopEntries];
                join<kPiecesOfSet, kPiecesOfSet>({neighbour, place}, place, found);
            }
            for (std::uint32_t offset = kPiecesOfSet; offset < 32; offset *= 2) {
                const auto far = static_cast<int>(offset);
                found =
                    both(found, {__shfl_xor_sync(kAllLanes, found.x, far), __shfl_xor_sync(kAllLanes, found.y, far),
                                 __shfl_xor_sync(kAllLanes, found.z, far), __shfl_xor_sync(kAllLanes, found.w, far)});
            }
            keep<last>(place, group() == 0, before, found);
        }
    }

    /// The set of a place before its neighbours' sets are added. In a dense level, this set
    /// contains only the place itself, since the neighbours' sets contain all other targets of its
    /// old set.
    [[nodiscard]] __device__ uint4 first_of(std::uint32_t place) const
    {
        if (dense_) return bit_of_piece(place - first_, piece());
        return __ldcg(from_.pieces + std::size_t{place} * kPiecesOfSet + piece());
    }
    [[nodiscard]] __device__ bool wanted(std::uint32_t neighbour, std::uint32_t place) const
    {
        return neighbour != place && (dense_ || __ldcg(from_.grown + neighbour) != 0);
    }

    /// Joins `found` with the sets of the group's wanted neighbours until it has all bits. The
    /// lanes of the group have `count` entries together: entry i is the lower one of lane i, or the
    /// upper one of lane i - 8. All lanes call.
    template <std::uint32_t at_once, std::uint32_t count>
    __device__ void join(const Entries& entries, std::uint32_t place, uint4& found) const
    {
        std::uint32_t lanes = lanes_of_group(wanted(entries.lower, place));
        if (count > kPiecesOfSet) lanes |= lanes_of_group(wanted(entries.upper, place)) << kPiecesOfSet;
#pragma unroll
        for (std::uint32_t k = 0; k < count; k += at_once) {
            const std::uint32_t needed = any(without(all_, found)) ? lanes >> k : 0;
            if (!__any_sync(kAllLanes, needed != 0)) return;
            uint4 sets[at_once];
#pragma unroll
            for (std::uint32_t j = 0; j < at_once; ++j) {
                sets[j] = {0, 0, 0, 0};
                if (k + j >= count) continue;
                const std::uint32_t entry = k + j < kPiecesOfSet ? entries.lower : entries.upper;
                const std::uint32_t of =
                    __shfl_sync(kAllLanes, entry, static_cast<int>(group() * kPiecesOfSet + (k + j) % kPiecesOfSet));
                if ((needed >> j & 1) != 0) sets[j] = __ldcg(from_.pieces + std::size_t{of} * kPiecesOfSet + piece());
            }
#pragma unroll
            for (std::uint32_t j = 0; j < at_once; ++j) found = both(found, sets[j]);
        }
    }

    /// Stores the set of the place if `has_place`. Counts the bits of the set or, in the last
    /// level, lists the missing pairs. All lanes call.
    template <bool last>
    __device__ void keep(std::uint32_t place, bool has_place, std::uint32_t before, const uint4& found)
    {
        if (has_place) to_.pieces[std::size_t{place} * kPiecesOfSet + piece()] = found;
        if (last) {
            uint4 missing = has_place ? without(all_, found) : uint4{0, 0, 0, 0};
            // If both places are in the batch, the higher place lists the pair.
            if (view_.symmetric && place - first_ < kHopTargets)
                missing = without(missing, without(all_, first_bits(place - first_, piece())));
            list_.add(place, first_ + piece() * 128, missing);
            return;
        }
        std::uint32_t size = size_of(found);
        for (std::uint32_t offset = 1; offset < kPiecesOfSet; offset *= 2)
            size += __shfl_xor_sync(kAllLanes, size, static_cast<int>(offset));
        if (!has_place || piece() != 0) return;
        to_.sizes[place] = static_cast<std::uint16_t>(size);
        to_.grown[place] = size > before ? 1 : 0;
        if (size == before) return;
        const std::uint32_t fresh = size - before;
        SourceFacts& facts = view_.facts[place];
        // Atomic operations are used because the lane then does not wait for the old value.
        atomicAdd(&facts.reached, static_cast<unsigned long long>(fresh));
        atomicAdd(&facts.sum, static_cast<unsigned long long>(fresh) * depth_);
        atomicMax(&facts.eccentricity, static_cast<unsigned long long>(depth_));
        own_.pairs += std::uint64_t{fresh} * view_.multiplicities[place];
        ++own_.changed;
    }

    const HopCountView<Index>& view_;
    GridBarrier<HopTotals> barrier_;
    PairWriter list_;
    std::uint32_t next_ = 0;  // index of the array that the next level writes

    std::uint32_t first_ = 0;   // first target of the batch
    std::uint32_t count_ = 0;   // number of targets
    uint4 all_ = {0, 0, 0, 0};  // the lane's piece of a full set
    std::uint32_t depth_ = 0;
    Sets from_ = {};
    Sets to_ = {};
    bool dense_ = false;      // whether most sets have grown in the last level, so that all are read
    HopTotals own_ = {0, 0};  // counts of this thread in a level
};

}  // namespace wayfront::gpu::apsp
