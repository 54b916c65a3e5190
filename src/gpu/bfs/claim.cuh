// Top-down levels: one thread claims each neighbour of the frontier.
//
// The bitmaps are exact, by atomics, as in T. Hiragushi and D. Takahashi's paper (section 3.1). The
// owner of a frontier vertex follows all its out-edges.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/graph/work_items.cuh"

namespace wayfront::gpu::bfs {

/// Runs of neighbouring lanes whose columns are in the same word of a bitmap. The first lane of a
/// run sets the bits of all its lanes.
struct WordRun
{
    std::uint32_t heads;  // bit l: whether a run begins at lane l

    __device__ explicit WordRun(std::uint32_t word)
    {
        const std::uint32_t lower = __shfl_up_sync(kAllLanes, word, 1);
        heads = __ballot_sync(kAllLanes, lane_id() == 0 || lower != word);
    }
    [[nodiscard]] __device__ bool is_head() const { return ((heads >> lane_id()) & 1U) != 0; }
    [[nodiscard]] __device__ int head() const
    {
        return 31 - __clz(static_cast<int>(heads & (~0U >> (31 - lane_id()))));
    }

    /// The combined bits of all lanes of a run, in its first lane.
    [[nodiscard]] __device__ std::uint32_t gather(std::uint32_t bits) const
    {
        const std::uint32_t later = heads & ~(~0U >> (31 - lane_id()));
        const std::uint32_t end = later != 0 ? static_cast<std::uint32_t>(__ffs(static_cast<int>(later)) - 1) : 32;
        for (std::uint32_t offset = 1; offset < 32; offset *= 2) {
            const std::uint32_t others = __shfl_down_sync(kAllLanes, bits, offset);
            if (lane_id() + offset < end) bits |= others;
        }
        return bits;
    }
};

/// Claims neighbours: each lane has one column, or out.none, per entry of `columns`. Returns the
/// number of vertices that this thread found. All lists begin with the same columns of large degrees. Lanes
/// whose columns share a word claim them with one atomic, because the hubs' words would otherwise be
/// the bottleneck of the level. All accesses of one kind are in flight together. All lanes of a warp
/// call.
///
/// `Claims` gives the words of bits, and stores claimed vertices:
///     word(column)              the word in this GPU's memory with the column's bit, which is set
///                               only if the vertex is visited or this GPU has claimed it
///     confirm(columns, claimed) keeps the claimed bits that no other GPU has claimed
///     store(columns, first)      stores the vertices whose bits this lane set first; returns the
///                               number that counts as found. All lanes call.
template <typename Claims, int Count>
__device__ std::uint32_t claim(const SearchView& view, Claims& claims, const std::uint32_t (&columns)[Count])
{
    const std::uint32_t none = view.graph.out.none;
    // The loaded words may be outdated. A bit that is set in such a word is set; a bit that is not
    // set is claimed by an atomic.
    std::uint32_t words[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) words[e] = *claims.word(columns[e] != none ? columns[e] : 0);
    wait_for_all(words, view.zero);
    bool open[Count];
    std::uint32_t claimed[Count];  // the first lane of a run claims for all lanes of the run
    int heads[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        open[e] = columns[e] != none && !is_set(words[e], columns[e]);
        const WordRun run(columns[e] / 32);
        heads[e] = run.head();
        claimed[e] = run.gather(open[e] ? 1U << (columns[e] % 32) : 0);
        if (!run.is_head()) claimed[e] = 0;
    }
    std::uint32_t before[Count] = {};
#pragma unroll
    for (int e = 0; e < Count; ++e)
        if (claimed[e] != 0) before[e] = atomicOr(claims.word(columns[e]), claimed[e]);
    keep_new(claimed, before, view.zero);
    claims.confirm(columns, claimed);
    bool first[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        const std::uint32_t word = __shfl_sync(kAllLanes, claimed[e], heads[e]);
        first[e] = open[e] && is_set(word, columns[e]);
    }
    return claims.store(columns, first);
}

/// Stores a visited vertex with its level and its parent, a number of the input.
__device__ inline void store_visit(const SearchView& view, const PeerState& owner, std::uint32_t slot,
                                   std::uint32_t parent, std::int32_t level)
{
    owner.parents[slot] = parent;
    if (view.keep_levels) owner.levels[slot] = level;
}

}  // namespace wayfront::gpu::bfs
