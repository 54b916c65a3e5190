// Prepares frontiers for a level, and begins and ends a search.
//
// A top-down level does not append the vertices that it finds to a queue, because a counter to
// which all warps add would cost more than the level. The frontier is the difference between
// `visited` and `expanded`: a scan of both bitmaps makes the work items of the next level.
#pragma once

#include "gpu/bfs/claim.cuh"
#include "gpu/bfs/publish.cuh"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/bfs/view.hpp"
#include "gpu/graph/work_items.cuh"
#include "gpu/runtime/bits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu::bfs {

/// This rank's part of a frontier, word by word. load() only reads, so that the loads of several
/// words are in flight together. mark_expanded() must be called once for each loaded word: it
/// stores the word in own_frontier, and adds its vertices to `expanded`.
struct FrontierWords
{
    FrontierLocation location;
    // The bitmap of all columns that contains the frontier, for FrontierLocation::columns.
    const std::uint32_t* columns;

    struct Loaded
    {
        std::uint32_t frontier = 0;
        std::uint32_t visited = 0;
        std::uint32_t expanded = 0;
    };

    [[nodiscard]] __device__ std::uint32_t count(const SearchView& view) const { return view.graph.slot_stride / 32; }

    [[nodiscard]] __device__ Loaded load(const SearchView& view, std::uint32_t w) const
    {
        Loaded loaded;
        if (location == FrontierLocation::own_frontier) {
            loaded.frontier = view.own_frontier[w];
            return loaded;
        }
        loaded.visited = view.own.visited[w];
        if (location == FrontierLocation::columns)
            loaded.frontier = columns[view.graph.column(view.graph.rank, w * 32) / 32];
        else
            loaded.expanded = view.expanded[w];
        return loaded;
    }

    __device__ std::uint32_t mark_expanded(const SearchView& view, std::uint32_t w, const Loaded& loaded) const
    {
        if (location == FrontierLocation::own_frontier) return loaded.frontier;
        const std::uint32_t word =
            location == FrontierLocation::columns ? loaded.frontier : loaded.visited & ~loaded.expanded;
        if (location == FrontierLocation::columns || word != 0) view.expanded[w] = loaded.visited;
        view.own_frontier[w] = word;
        return word;
    }
};

/// Calls f(w, word w of the frontier) for the words from first_word on, by all lanes of a warp
/// together. Slots of large degrees are neighbours, so the words of neighbouring warps go to different
/// blocks, and so do neighbouring words at the beginning. `Words`: FrontierWords, or another class
/// with the same functions. Pre: first_word begins a tile.
template <typename Words, typename F>
__device__ void for_each_frontier_word(const SearchView& view, const Words& frontier, std::uint32_t first_word, F&& f)
{
    constexpr std::uint32_t in_flight = 4;
    const std::uint32_t words = frontier.count(view);
    // Number of words that are distributed cyclically to the blocks.
    const std::uint32_t dealt = first_word == 0 && 32 * gridDim.x <= words ? 32 * gridDim.x : 0;
    const std::uint32_t stride = gridDim.x * blockDim.x;
    for (std::uint32_t i = first_word + static_cast<std::uint32_t>(spread_index()); i < words;
         i += in_flight * stride) {
        typename Words::Loaded loaded[in_flight];
        std::uint32_t index[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            index[k] = i + k * stride;
            if (index[k] < dealt) index[k] = index[k] % 32 * gridDim.x + index[k] / 32;
            if (index[k] < words) loaded[k] = frontier.load(view, index[k]);
        }
        std::uint32_t word[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k)
            word[k] = index[k] < words ? frontier.mark_expanded(view, index[k], loaded[k]) : 0;
#pragma unroll 1
        for (std::uint32_t k = 0; k < in_flight && i + k * stride < words; ++k) f(chosen(index, k), chosen(word, k));
    }
}

/// After a top-down level: writes this rank's part of the frontier into the bitmap number `to` of
/// all columns, and counts its vertices.
template <typename View>
__device__ LevelCounts publish_frontier(const View& view, const FrontierWords& frontier, int to)
{
    LevelCounts counts;
    for_each_frontier_word(view, frontier, 0, [&](std::uint32_t w, std::uint32_t word) {
        counts.vertices += static_cast<std::uint64_t>(__popc(word));
        publish_word(view, to, view.graph.column(view.graph.rank, w * 32) / 32, word);
    });
    return counts;
}

/// Counts the slots of a frontier and their out-edges, and appends their work items to a queue,
/// unless it is null. A warp gathers slots in its part of the block's shared memory, which has room
/// for view.scan_slots. A word is added half by half, so that 32 lanes add at most 512 slots at a
/// time.
class FrontierSlots
{
public:
    static constexpr std::uint32_t kLeastSlots = 640;

    /// The bytes of a block's shared memory for this number of slots per warp.
    [[nodiscard]] static constexpr std::size_t bytes(std::uint32_t slots)
    {
        return sizeof(std::uint32_t) * kSearchWarps * slots;
    }
    /// The number of slots per warp for which this number of bytes has room.
    [[nodiscard]] static constexpr std::uint32_t slots_in(std::size_t bytes_of_block)
    {
        return static_cast<std::uint32_t>(bytes_of_block / bytes(32) * 32);
    }

    /// `queue.items`: null if no work items are made. `shared`: the block's shared memory.
    __device__ FrontierSlots(const SearchView& view, const ItemQueue& queue, std::uint32_t* shared)
        : view_(view),
          queue_(queue.items),
          sizes_(queue.sizes),
          size_(reinterpret_cast<unsigned long long*>(queue.size)),
          slots_(shared + std::size_t{threadIdx.x / 32} * view.scan_slots)
    {
    }

    /// Adds a word of the frontier for each lane. All lanes of the warp call.
    __device__ void add(std::uint32_t w, std::uint32_t word)
    {
        for (std::uint32_t part = 0xFFFF; __any_sync(kAllLanes, word != 0); part <<= 16) {
            std::uint32_t total = 0;
            std::uint32_t place = count_ + warp_prefix(static_cast<std::uint32_t>(__popc(word & part)), total);
            for (std::uint32_t rest = word & part; rest != 0; rest &= rest - 1)
                slots_[place++] = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
            count_ += total;
            word &= ~part;
            if (count_ + 512 > view_.scan_slots) flush();
        }
    }

    /// Returns this lane's counts, after the last add(). All lanes of the warp call.
    __device__ LevelCounts finish()
    {
        flush();
        return counts_;
    }

private:
    /// Counts the slots that the warp has gathered, and appends their work items.
    __device__ void flush()
    {
        constexpr std::uint32_t lane_slots = 4;
        __syncwarp();
        for (std::uint32_t from = 0; from < count_; from += 32 * lane_slots) {
            std::uint32_t slots[lane_slots];
            std::uint32_t pieces[lane_slots];
            std::uint32_t own_items = 0;
#pragma unroll
            for (std::uint32_t e = 0; e < lane_slots; ++e) {
                const std::uint32_t i = from + e * 32 + lane_id();
                slots[e] = i < count_ ? slots_[i] : 0;
                const std::uint32_t degree = i < count_ ? view_.graph.out.lists[slots[e]].degree() : 0;
                counts_.vertices += i < count_ ? 1 : 0;
                counts_.add_edges(degree, slots[e] >= view_.tail_slot);
                pieces[e] = item_count(degree, sizes_);
                own_items += pieces[e];
            }
            if (queue_ == nullptr) continue;
            std::uint32_t warp_items = 0;
            const std::uint32_t before = warp_prefix(own_items, warp_items);
            std::uint64_t base = 0;
            if (lane_id() == 0) base = atomicAdd(size_, static_cast<unsigned long long>(warp_items));
            std::uint64_t position = __shfl_sync(kAllLanes, base, 0) + before;
#pragma unroll 1
            for (std::uint32_t e = 0; e < lane_slots; ++e) {
                write_items(queue_, position, chosen(slots, e), chosen(pieces, e));
                position += chosen(pieces, e);
            }
        }
        __syncwarp();
        count_ = 0;
    }

    const SearchView& view_;
    WorkItem* queue_;
    ItemSizes sizes_;
    unsigned long long* size_;
    std::uint32_t* slots_;
    std::uint32_t count_ = 0;  // number of gathered slots; the same in all lanes
    LevelCounts counts_;       // counts of this lane's slots
};

/// Makes work items of the frontier from first_word on, and counts its vertices and their
/// out-edges.
template <typename Words>
__device__ LevelCounts make_items(const SearchView& view, const Words& frontier, std::uint32_t first_word,
                                  const ItemQueue& queue, std::uint32_t* shared)
{
    FrontierSlots slots(view, queue, shared);
    for_each_frontier_word(view, frontier, first_word,
                           [&](std::uint32_t w, std::uint32_t word) { slots.add(w, word); });
    return slots.finish();
}

inline constexpr int kNoBitmap = -1;  // no bitmap; used in place of the number of a bitmap of all columns

/// Counts this rank's part of the frontier and its out-edges, and writes it into the bitmap number
/// `to` of all columns, unless `to` is kNoBitmap.
template <typename View>
__device__ LevelCounts survey_frontier(const View& view, const FrontierWords& frontier, int to, std::uint32_t* shared)
{
    FrontierSlots slots(view, ItemQueue{}, shared);
    for_each_frontier_word(view, frontier, 0, [&](std::uint32_t w, std::uint32_t word) {
        if (to != kNoBitmap) publish_word(view, to, view.graph.column(view.graph.rank, w * 32) / 32, word);
        slots.add(w, word);
    });
    return slots.finish();
}

/// Adds a key to the first frontier and to `counts`. The key is the vertex in `slot` of this rank,
/// and has the number `vertex` in the input. Pre: the bitmaps were cleared.
__device__ inline void visit_key(const SearchView& view, std::uint32_t slot, std::uint32_t vertex, LevelCounts& counts)
{
    const PeerState& own = view.own;
    const std::uint32_t bit = 1U << (slot % 32);
    atomicOr(&own.visited[slot / 32], bit);
    atomicOr(&view.expanded[slot / 32], bit);
    atomicOr(&view.own_frontier[slot / 32], bit);
    store_visit(view, own, slot, vertex, 0);
    ++counts.vertices;
    counts.add_edges(view.graph.out.lists[slot].degree(), slot >= view.tail_slot);
}

/// Marks the own slots that a search did not reach in the arrays of parents and levels.
__device__ inline void mark_unreached(const SearchView& view)
{
    constexpr std::uint32_t in_flight = 4;
    const PeerState& own = view.own;
    const std::uint64_t words = view.graph.slot_stride / 32;
    for (std::uint64_t first = first_index(); first < words; first += in_flight * index_stride()) {
        std::uint32_t unreached[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k)
            unreached[k] = first + k * index_stride() < words ? ~own.visited[first + k * index_stride()] : 0;
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            for (std::uint32_t rest = unreached[k]; rest != 0; rest &= rest - 1) {
                const std::uint64_t slot =
                    (first + k * index_stride()) * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
                own.parents[slot] = ~0U;
                if (view.keep_levels) own.levels[slot] = -1;
            }
        }
    }
}

}  // namespace wayfront::gpu::bfs
