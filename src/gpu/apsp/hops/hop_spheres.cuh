// The kernel that finds the vertices within a few edges of each vertex.
//
// A block searches from one vertex after the other, with a bitmap of all targets in shared memory.
// Two lanes visit a vertex's list. The vertices to visit are in a queue, whose first entries are in
// shared memory. The last level only sets bits, which are counted afterwards. The whole block
// visits lists of many chunks together.
//
// A search either ends at a depth, and its bitmap is stored as sets (hop_counts.cuh); or it ends
// when no further vertex is found, and only counts remain. An arc costs one atomic operation in
// shared memory, and a list of up to 16 out-neighbours one sector of the L2 cache.
//
// If several ranks count, each rank stores the sets of its batches only. In a symmetric graph, it
// searches from its own targets only, and stores bitmaps, which are then transposed into sets
// (transposed_spheres.cuh).
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/hops/hop_graph.hpp"
#include "gpu/apsp/hops/hop_set.cuh"
#include "gpu/apsp/hops/hop_share.hpp"
#include "gpu/apsp/rows/source_facts.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::apsp {

inline constexpr unsigned kSphereThreads = 256;
inline constexpr std::uint32_t kQueueInShared = 2048;  // number of entries of the queue in shared memory

template <typename Index>
struct SphereView
{
    HopGraphView<Index> graph;
    // Number of searches, from the places 0, step, 2 step, ... of the batches in `searched`.
    std::uint32_t searches = 0;
    std::uint32_t step = 1;
    HopShare searched;
    // The batches of the rank, whose sets are stored and whose places' facts are counted.
    HopShare share;
    std::uint32_t most_depth = 0;  // kWholeSearch: until no further vertex is found
    Index* queues = nullptr;       // queue of each block, with room for all places
    // The results as sets, for each batch and place. Whole searches do not use the sets.
    uint4* sets = nullptr;
    std::uint16_t* sizes = nullptr;  // sizes of the sets
    // Unless null, the results are stored here as bitmaps instead of sets, one for each place of
    // the rank's batches, in whole sets.
    uint4* bitmaps = nullptr;
    // Number of times that each place is among the sources; null: once.
    const std::uint32_t* multiplicities = nullptr;
    SourceFacts* facts = nullptr;  // facts of each place
    // Number of pairs at distance 1, 2, ...; 0 before the launch.
    unsigned long long* levels = nullptr;
    std::uint32_t most_levels = 0;     // capacity of `levels` and of `arcs`
    std::uint32_t* deepest = nullptr;  // largest distance
    // Number of arcs visited to find level 1, 2, ...; null: not wanted.
    unsigned long long* arcs = nullptr;
};

inline constexpr std::uint32_t kWholeSearch = ~0U;

/// The shared memory of a block, in bytes.
template <typename Index>
[[nodiscard]] constexpr std::size_t sphere_bytes(std::size_t places)
{
    return (places + kHopTargets - 1) / kHopTargets * (kHopTargets / 8) + kQueueInShared * sizeof(Index);
}

template <typename Index>
class SphereSearch
{
public:
    static constexpr std::uint32_t kManyLists = 32;
    static constexpr std::uint32_t kManyChunks = 16;
    static constexpr std::uint32_t kFirstLevels = 32;

    struct Shared
    {
        std::uint32_t tail;                       // number of entries of the queue
        std::uint32_t bits;                       // number of bits that are set
        std::uint32_t many;                       // number of lists of many chunks in this level
        std::uint32_t of_many[kManyLists];        // places of these lists, at most kManyLists
        unsigned long long levels[kFirstLevels];  // number of pairs that the block has found in the first levels
    };

    /// `memory`: sphere_bytes() bytes of shared memory, aligned to 16 bytes.
    __device__ SphereSearch(const SphereView<Index>& view, Shared& shared, std::uint32_t* memory)
        : view_(view),
          shared_(shared),
          bits_(memory),
          queue_(reinterpret_cast<Index*>(memory + view.graph.batches() * (kHopTargets / 32))),
          spilled_(view.queues + std::size_t{blockIdx.x} * view.graph.places)
    {
    }

    __device__ void run()
    {
        for (std::uint32_t i = threadIdx.x; i < kFirstLevels; i += blockDim.x) shared_.levels[i] = 0;
        for (std::uint32_t i = blockIdx.x; i < view_.searches; i += gridDim.x) {
            const std::uint32_t source = view_.searched.place(i) * view_.step;
            if (source < view_.graph.places) search(source);
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < kFirstLevels; i += blockDim.x)
            if (shared_.levels[i] > 0) add_to_level(i, shared_.levels[i]);
    }

private:
    /// The entries of half a head or half a chunk.
    struct Entries
    {
        static constexpr std::uint32_t kCount = kHopEntries / 2;
        static constexpr std::uint32_t kOfWord = sizeof(std::uint32_t) / sizeof(Index);
        std::uint32_t words[kCount / kOfWord];

        [[nodiscard]] __device__ std::uint32_t operator[](std::uint32_t i) const
        {
            return kOfWord == 1 ? words[i] : i % 2 == 0 ? words[i / 2] & 0xFFFF : words[i / 2] >> 16;
        }
        [[nodiscard]] static __device__ Entries read(const Index* from)
        {
            Entries entries;
#pragma unroll
            for (std::uint32_t i = 0; i < kCount / kOfWord; i += 4) {
                const uint4 four = reinterpret_cast<const uint4*>(from)[i / 4];
                entries.words[i] = four.x;
                entries.words[i + 1] = four.y;
                entries.words[i + 2] = four.z;
                entries.words[i + 3] = four.w;
            }
            return entries;
        }
    };

    [[nodiscard]] __device__ std::uint32_t warps() const
    {
        return blockDim.x / 32;
    }
    [[nodiscard]] static __device__ std::uint32_t half()
    {
        return lane_id() % 2;
    }

    [[nodiscard]] __device__ std::uint32_t queued(std::uint32_t i) const
    {
        return i < kQueueInShared ? queue_[i] : spilled_[i];
    }
    __device__ void queue(std::uint32_t i, std::uint32_t place)
    {
        (i < kQueueInShared ? queue_ : spilled_)[i] = static_cast<Index>(place);
    }

    __device__ void search(std::uint32_t source)
    {
        uint4* const pieces = reinterpret_cast<uint4*>(bits_);
        for (std::uint32_t i = threadIdx.x; i < view_.graph.batches() * kPiecesOfSet; i += blockDim.x)
            pieces[i] = {0, 0, 0, 0};
        __syncthreads();
        if (threadIdx.x == 0) {
            bits_[source / 32] = 1U << source % 32;
            queue(0, source);
            shared_.tail = 1;
            shared_.bits = 0;
            shared_.many = 0;
        }
        __syncthreads();

        SourceFacts facts{0, 0, 0};
        std::uint32_t begin = 0;
        std::uint32_t end = 1;
        for (std::uint32_t depth = 1; depth <= view_.most_depth && begin < end; ++depth) {
            const bool last = depth == view_.most_depth;
            if (last)
                expand<true>(begin, end);
            else
                expand<false>(begin, end);
            note_arcs(depth);
            if (last) break;
            begin = end;
            end = shared_.tail;
            __syncthreads();
            note(source, depth, end - begin, facts);
        }
        if (view_.sets != nullptr || view_.bitmaps != nullptr) {
            store(source);
            note(source, view_.most_depth, shared_.bits - end, facts);
        }
        if (threadIdx.x == 0) view_.facts[source] = facts;
    }

    /// Visits the lists of the entries `begin` to `end` of the queue. If `last`, found vertices are
    /// not queued.
    template <bool last>
    __device__ void expand(std::uint32_t begin, std::uint32_t end)
    {
        for (std::uint32_t base = begin + threadIdx.x / 32 * 16; base < end; base += warps() * 16) {
            const std::uint32_t entry = base + lane_id() / 2;
            const bool has_place = entry < end;
            const std::uint32_t place = has_place ? queued(entry) : 0;
            visit<last>(view_.graph.head(place) + half() * Entries::kCount, place, has_place);
            std::uint32_t chunk = 0;
            std::uint32_t chunks_end = 0;
            if (has_place && view_.graph.is_long(place)) {
                chunk = view_.graph.rest(place)[0];
                chunks_end = view_.graph.rest(place)[1];
            }
            const bool many = chunks_end - chunk > kManyChunks;
            if (__any_sync(kAllLanes, many)) {
                std::uint32_t at = 0;
                if (many && half() == 0) at = atomicAdd(&shared_.many, 1U);
                at = __shfl_sync(kAllLanes, at, static_cast<int>(lane_id() & ~1U));
                if (many && at < kManyLists) {
                    shared_.of_many[at] = place;
                    chunk = chunks_end;
                }
            }
            for (; __any_sync(kAllLanes, chunk < chunks_end); ++chunk)
                visit<last>(view_.graph.chunk(chunk) + half() * Entries::kCount, place, chunk < chunks_end);
        }
        __syncthreads();
        const std::uint32_t lists = min(shared_.many, kManyLists);
        if (lists == 0) return;
        for (std::uint32_t i = 0; i < lists; ++i) {
            const std::uint32_t place = shared_.of_many[i];
            const std::uint32_t chunks_end = view_.graph.rest(place)[1];
            for (std::uint32_t base = view_.graph.rest(place)[0] + threadIdx.x / 32 * 16; base < chunks_end;
                 base += warps() * 16) {
                const std::uint32_t chunk = base + lane_id() / 2;
                visit<last>(view_.graph.chunk(chunk) + half() * Entries::kCount, place, chunk < chunks_end);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) shared_.many = 0;
    }

    /// Sets the bits of half a head or chunk, if `has_place`. All lanes call.
    template <bool last>
    __device__ void visit(const Index* from, std::uint32_t place, bool has_place)
    {
        Entries entries = {};
        if (has_place) entries = Entries::read(from);
        std::uint32_t fresh = 0;
        std::uint32_t visited = 0;
#pragma unroll
        for (std::uint32_t i = 0; i < Entries::kCount; ++i) {
            const std::uint32_t neighbour = entries[i];
            if (!has_place || neighbour == place) continue;
            const std::uint32_t bit = 1U << neighbour % 32;
            ++visited;
            if (last)
                atomicOr(bits_ + neighbour / 32, bit);
            else if ((atomicOr(bits_ + neighbour / 32, bit) & bit) == 0)
                fresh |= 1U << i;
        }
        arcs_ += visited;
        if (last || !__any_sync(kAllLanes, fresh != 0)) return;

        const auto count = static_cast<std::uint32_t>(__popc(fresh));
        // Inclusive prefix sum over the lanes. Only the last lane needs the total, which
        // warp_prefix() would return to all lanes.
        std::uint32_t sum = count;
        for (std::uint32_t offset = 1; offset < 32; offset *= 2) {
            const std::uint32_t lower = __shfl_up_sync(kAllLanes, sum, offset);
            if (lane_id() >= offset) sum += lower;
        }
        std::uint32_t at = 0;
        if (lane_id() == 31) at = atomicAdd(&shared_.tail, sum);
        at = __shfl_sync(kAllLanes, at, 31) + sum - count;
#pragma unroll
        for (std::uint32_t i = 0; i < Entries::kCount; ++i)
            if ((fresh >> i & 1) != 0) queue(at++, entries[i]);
    }

    /// Stores the bitmap as sets of the rank's batches, or as a bitmap, and counts its bits.
    __device__ void store(std::uint32_t source)
    {
        const uint4* const pieces = reinterpret_cast<const uint4*>(bits_);
        const std::uint32_t count = view_.graph.batches() * kPiecesOfSet;
        const bool as_sets = view_.bitmaps == nullptr;
        uint4* const bitmap =
            as_sets ? nullptr
                    : view_.bitmaps +
                          std::size_t{view_.share.number(source / kHopTargets) * kHopTargets + source % kHopTargets} *
                              count;
        std::uint32_t all = 0;
        for (std::uint32_t base = threadIdx.x / 32 * 32; base < count; base += blockDim.x) {
            const std::uint32_t i = base + lane_id();
            uint4 piece = {0, 0, 0, 0};
            const std::uint32_t batch = i / kPiecesOfSet;
            const bool stored = i < count && as_sets && view_.share.has(batch);
            const std::size_t set = std::size_t{view_.share.number(batch)} * view_.graph.places + source;
            if (i < count) piece = pieces[i];
            if (stored) view_.sets[set * kPiecesOfSet + i % kPiecesOfSet] = piece;
            if (i < count && !as_sets) bitmap[i] = piece;
            std::uint32_t size = size_of(piece);
            for (std::uint32_t offset = 1; offset < kPiecesOfSet; offset *= 2)
                size += __shfl_xor_sync(kAllLanes, size, static_cast<int>(offset));
            if (i >= count || i % kPiecesOfSet != 0) continue;
            if (stored) view_.sizes[set] = static_cast<std::uint16_t>(size);
            all += size;
        }
        all = __reduce_add_sync(kAllLanes, all);
        if (lane_id() == 0 && all > 0) atomicAdd(&shared_.bits, all);
        __syncthreads();
    }

    /// Adds the `found` vertices at distance `depth` to the facts of the source, if this rank
    /// counts them. Thread 0 has these facts.
    __device__ void note(std::uint32_t source, std::uint32_t depth, std::uint32_t found, SourceFacts& facts)
    {
        if (threadIdx.x != 0 || found == 0 || !view_.share.has(source / kHopTargets)) return;
        facts.reached += found;
        facts.sum += std::uint64_t{found} * depth;
        facts.eccentricity = depth;
        const std::uint64_t pairs =
            std::uint64_t{found} * (view_.multiplicities == nullptr ? 1 : view_.multiplicities[source]);
        if (depth <= kFirstLevels)
            shared_.levels[depth - 1] += pairs;
        else
            add_to_level(depth - 1, pairs);
    }
    __device__ void add_to_level(std::uint32_t level, std::uint64_t pairs)
    {
        if (pairs == 0 || level >= view_.most_levels) return;
        atomicAdd(view_.levels + level, static_cast<unsigned long long>(pairs));
        atomicMax(view_.deepest, level + 1);
    }
    __device__ void note_arcs(std::uint32_t depth)
    {
        if (view_.arcs != nullptr && arcs_ > 0 && depth <= view_.most_levels)
            atomicAdd(view_.arcs + depth - 1, static_cast<unsigned long long>(arcs_));
        arcs_ = 0;
    }

    const SphereView<Index>& view_;
    Shared& shared_;
    std::uint32_t* bits_;
    Index* queue_;
    Index* spilled_;
    std::uint32_t arcs_ = 0;  // number of arcs that this thread has visited in this level
};

}  // namespace wayfront::gpu::apsp
