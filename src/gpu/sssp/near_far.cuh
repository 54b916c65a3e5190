// The near-far search (A. Davidson, S. Baxter, M. Garland and J. D. Owens, "Work-efficient parallel
// GPU methods for single-source shortest paths", IPDPS 2014), without a barrier over the grid, for
// graphs of small mean degree and long paths, such as road networks.
//
// Each thread block has a part of the graph (graph_parts.hpp). It stores the distances of its part
// in shared memory, or in device memory if they do not fit. A block goes through rounds. A round
// begins with the vertices that have a new distance. Its window begins at the smallest of these
// distances; the vertices below its end are *near* and relax their arcs, the others wait for a
// later round. A block does not wait for other blocks. One warp of the block, the messenger, writes
// the distances of ghosts into the inboxes of the parts that own them, and reads the inbox of its
// block again and again. The other warps, the workers, go through the rounds. If another block
// sends a smaller distance for a vertex that has relaxed its arcs, the vertex relaxes its arcs
// again: in road networks, an arc is relaxed two or three times on average.
//
// The search ends when all blocks are idle and no inbox contains a new distance. When the messenger
// of block 0 sees that all blocks are idle, it asks a question. Each messenger answers after it has
// read its whole inbox since the question. If no block has received work since the question, the
// search has ended: each distance sent before the question was read before the answer, and an idle
// block sends nothing.
//
// The search finds only distances. Parents follow from distances (near_far_parents.cuh).
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/runtime/clock.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/near_far.hpp"

namespace wayfront::gpu::sssp {

inline constexpr unsigned kNearFarWorkers = 992;                   // number of threads of all workers of a block
inline constexpr unsigned kNearFarThreads = kNearFarWorkers + 32;  // number of threads in a block, with the messenger

/// The state with which a round begins.
struct alignas(16) NearFarRound
{
    std::uint32_t listed;   // number of listed vertices
    std::uint32_t nearest;  // lower limit of the listed vertices' distances
    std::uint32_t sent;     // number of ghosts that got a new distance in the previous round
    // Number of boundary vertices received from the inbox since the search began; kEnd if the
    // search has ended.
    std::uint32_t received;

    static constexpr std::uint32_t kEnd = ~0U;
};

/// The counters of a block, in shared memory.
struct NearFarCounters
{
    NearFarRound rounds[4];  // for four successive rounds, by number modulo 4

    // Workers and messenger access these words only by atomic operations. Number of elements
    // appended to the outgoing and to the incoming ring since the search began.
    std::uint32_t sendable;
    std::uint32_t received;
    // `received` at the time when the workers became idle; otherwise kBusy.
    std::uint32_t idle_after;
    std::uint32_t ended;

    static constexpr std::uint32_t kBusy = ~0U;
};

template <typename Distance, SharedPart shared_part>
class NearFar
{
public:
    __device__ NearFar(const NearFarView& view, NearFarCounters& counters, std::byte* memory)
        : view_(view),
          part_(view.parts.parts[blockIdx.x]),
          counters_(counters),
          heads_(reinterpret_cast<const uint2*>(memory)),
          distances_(kDistancesInShared ? reinterpret_cast<std::uint32_t*>(memory + view.layout.distances())
                                        : view.block_words + blockIdx.x * view.layout.device_words()),
          queued_(reinterpret_cast<std::uint32_t*>(memory + view.layout.queued())),
          lists_(kDistancesInShared ? reinterpret_cast<ListedVertex*>(memory + view.layout.lists())
                                    : reinterpret_cast<ListedVertex*>(distances_ + view.layout.locals)),
          outgoing_(reinterpret_cast<std::uint32_t*>(memory + view.layout.outgoing_ring())),
          incoming_(reinterpret_cast<std::uint32_t*>(memory + view.layout.incoming_ring())),
          seen_(reinterpret_cast<std::uint32_t*>(memory + view.layout.seen()))
    {
    }

    __device__ void run(const SsspSource& sources, std::byte* memory)
    {
        begin(memory);
        __syncthreads();
        place_sources(sources);
        __syncthreads();
        if (threadIdx.x < kNearFarWorkers)
            run_workers();
        else
            run_messenger();
        __syncthreads();
        for (std::uint32_t local = threadIdx.x; local < part_.vertices; local += blockDim.x)
            view_.distances[view_.parts.slots[part_.first_vertex + local]] = load(distances_[local]);
        finish();
    }

private:
    static constexpr bool kHeadsInShared = shared_part == SharedPart::heads_and_distances;
    static constexpr bool kDistancesInShared = shared_part != SharedPart::nothing;
    using ListedVertex = std::conditional_t<kDistancesInShared, std::uint16_t, std::uint32_t>;

    struct Control
    {
        unsigned long long activity;
        std::uint32_t answers, question, done;
    };

    [[nodiscard]] __device__ const uint2* global_heads() const
    {
        return reinterpret_cast<const uint2*>(view_.parts.heads + std::uint64_t{part_.first_vertex} * kHeadArcs);
    }

    __device__ void begin(std::byte* memory)
    {
        if constexpr (kHeadsInShared) {
            auto* const heads = reinterpret_cast<uint2*>(memory);
            for (std::uint32_t i = threadIdx.x; i < part_.vertices * kHeadArcs; i += blockDim.x)
                heads[i] = __ldg(global_heads() + i);
        }
        for (std::uint32_t i = threadIdx.x; i < view_.layout.locals; i += blockDim.x)
            distances_[i] = Distance::kInfinity;
        for (std::uint32_t i = threadIdx.x; i < (view_.layout.locals + 31) / 32; i += blockDim.x) queued_[i] = 0;
        for (std::uint32_t i = threadIdx.x; i < part_.boundary; i += blockDim.x) seen_[i] = ~0U;
        if (threadIdx.x != 0) return;
        for (NearFarRound& round : counters_.rounds) round = {0, Distance::kInfinity, 0, 0};
        counters_.sendable = 0;
        counters_.received = 0;
        counters_.idle_after = NearFarCounters::kBusy;
        counters_.ended = 0;
        if (blockIdx.x != 0) return;
        view_.summary->begin = now();
        view_.summary->first_tick = clock64();
    }

    /// Lists this part's sources for the first round.
    __device__ void place_sources(const SsspSource& sources)
    {
        const std::uint32_t count = sources.count();
        for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
            const std::uint32_t slot = sources.slot(view_.graph.local_slots, i);
            const std::uint32_t local = view_.parts.vertex_of_slot[slot] - part_.first_vertex;
            if (local >= part_.vertices) continue;
            distances_[local] = 0;
            atomicOr(queued_ + local / 32, 1U << local % 32);
            view_.parents[slot] = slot;
            list(0)[atomicAdd(&counters_.rounds[0].listed, 1U)] = static_cast<ListedVertex>(local);
            atomicMin(&counters_.rounds[0].nearest, 0U);
        }
        if (first_index() == 0) view_.summary->records[0] = {view_.summary->first_tick, SsspStep::near_far, count};
    }

    // Functions of the workers (near_far_workers.cuh).
    /// The list of the vertices that a round reads.
    [[nodiscard]] __device__ ListedVertex* list(std::uint32_t round) const
    {
        return lists_ + round % 2 * view_.layout.vertices;
    }
    __device__ void run_workers();
    static __device__ void sync_workers() { sync_threads_of_block(1, kNearFarWorkers); }
    [[nodiscard]] __device__ NearFarRound& next_round() { return counters_.rounds[(round_ + 1) % 4]; }
    __device__ void prepare_round(bool idle, std::uint32_t received);
    __device__ void relax_if_near(bool has_vertex, std::uint32_t local, std::uint32_t lane);
    __device__ void relax_tails(bool has_tail, std::uint32_t local, std::uint32_t distance, std::uint32_t lane);
    __device__ void relax_tail_arc(bool wanted, std::uint32_t at, std::uint32_t distance);
    __device__ void relax(bool wanted, Arc arc, std::uint32_t distance, bool relisted, std::uint32_t local);
    [[nodiscard]] __device__ std::uint32_t end_of_window(std::uint32_t begin) const;

    // Functions of the messenger (near_far_messenger.cuh).
    __device__ void run_messenger();
    __device__ std::uint32_t send(std::uint32_t sent);
    __device__ bool receive(std::uint32_t& received, bool idle);
    [[nodiscard]] __device__ bool workers_are_idle(std::uint32_t received, std::uint32_t sent) const;
    [[nodiscard]] __device__ Control read_control() const;
    __device__ void detect_end(const Control& control, bool idle);

    // Functions of workers and messenger.

    template <typename T>
    [[nodiscard]] static __device__ T load(const T& word)
    {
        return *static_cast<const volatile T*>(&word);
    }
    template <typename T>
    static __device__ void store(T& word, T value)
    {
        *static_cast<volatile T*>(&word) = value;
    }

    /// Fetches the address's sector into the L2 cache.
    static __device__ void prefetch(const void* address) { asm volatile("prefetch.global.L2 [%0];" : : "l"(address)); }

    /// Access to words of shared memory through which workers and messenger communicate without a
    /// barrier.
    [[nodiscard]] static __device__ std::uint32_t load_atomic(std::uint32_t& word) { return atomicOr(&word, 0U); }
    static __device__ void store_atomic(std::uint32_t& word, std::uint32_t value) { atomicExch(&word, value); }

    __device__ void finish()
    {
        SsspSummary& summary = *view_.summary;
        const std::uint32_t relaxed = __reduce_add_sync(kAllLanes, relaxed_);
        if (lane_id() == 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(&summary.relaxed_arcs),
                      static_cast<unsigned long long>(relaxed));
        if (threadIdx.x != 0) return;
        atomicMax(&summary.most_rounds, round_);
        if (blockIdx.x != 0) return;
        summary.steps = 1;
        summary.last_tick = clock64();
        summary.end = now();
    }

    static constexpr std::uint32_t kVerticesOfWarp = 32 / kHeadArcs;
    // Largest number of arcs of a tail that the lanes of its vertex relax. A warp relaxes longer
    // tails.
    static constexpr std::uint32_t kShortTail = 32;

    const NearFarView& view_;
    const GraphPart part_;
    NearFarCounters& counters_;
    const uint2* const heads_;
    std::uint32_t* const distances_;
    std::uint32_t* const queued_;    // bitmap of the vertices in a list or in a ring
    ListedVertex* const lists_;      // two lists, one for even and one for odd rounds
    std::uint32_t* const outgoing_;  // ring of ghosts with new distances
    std::uint32_t* const incoming_;  // ring of boundary vertices with new distances
    std::uint32_t* const seen_;      // by entry of the inbox: the last distance read

    // Variables of the workers:
    std::uint32_t round_ = 0;
    std::uint32_t limit_ = 0;  // end of the window: smaller distances are near
    std::uint32_t sent_ = 0;   // number of ghosts sent before this round
    std::uint32_t relaxed_ = 0;

    // Variables of the messenger of block 0:
    unsigned long long activity_ = 0;  // NearFarControl::activity at the time of the last question
    std::uint32_t questions_ = 0;
    bool awaits_answers_ = false;  // whether a question has not been answered by all blocks
    bool all_answered_ = false;
};

}  // namespace wayfront::gpu::sssp
