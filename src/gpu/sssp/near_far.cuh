// The near-far search (A. Davidson, S. Baxter, M. Garland and J. D. Owens, "Work-efficient parallel GPU
// methods for single-source shortest paths", IPDPS 2014) for graphs of few arcs a vertex and long paths,
// such as road networks, without a barrier over the grid.
//
// Each block has a part of the graph (graph_parts.hpp) and keeps its distances in shared memory. A block
// goes through rounds of its own: a round relaxes the arcs of those vertices that have got a new distance
// and are *near*, below the end of a window that begins at the smallest of these distances; the others
// wait. The block waits for nobody else: one warp of it, the messenger, writes the distances of ghosts
// into the inboxes of the parts that own them, and reads the block's own inbox all the time, while the
// other warps, the workers, go through rounds. Vertices may get a distance from another block that is
// smaller than the one that they have relaxed their arcs with, and then relax them again: in road
// networks, an arc is relaxed two or three times on average.
//
// The search ends when all blocks are idle and no inbox holds anything new. When the messenger of block 0
// sees that all blocks are idle, it asks all others; each answers when it has read its whole inbox after
// that. If no block has got work since, the search has ended: what had been sent before the question was
// found before the answer, and an idle block sends nothing.
//
// Distances alone are found this way. A parent is then any vertex that has a smaller distance and an arc
// that gives the vertex its own.
#pragma once

#include <cstdint>

#include "gpu/runtime/clock.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/near_far.hpp"

namespace wayfront::gpu {

inline constexpr unsigned kNearFarWorkers = 992;                   // threads
inline constexpr unsigned kNearFarThreads = kNearFarWorkers + 32;  // with the messenger

/// What a round begins with.
struct alignas(16) NearFarRound
{
    std::uint32_t listed;    // vertices to look at
    std::uint32_t nearest;   // the smallest distance of these, or less
    std::uint32_t sent;      // ghosts that got a new distance in the round before
    std::uint32_t received;  // how many boundary vertices had come from the inbox since the search began; kEnd if the search has ended

    static constexpr std::uint32_t kEnd = ~0U;
};

/// The counters of a block, in shared memory.
struct NearFarCounters
{
    NearFarRound rounds[4];  // by turns

    // Between workers and messenger, by atomic operations only: the elements of the rings since the search began.
    std::uint32_t sendable;
    std::uint32_t received;
    std::uint32_t idle_after;  // how many the workers had received when they had nothing to do; kBusy otherwise
    std::uint32_t ended;

    static constexpr std::uint32_t kBusy = ~0U;
};

/// `heads_here`: the heads of the part are in shared memory.
template <typename Distance, bool heads_here>
class NearFar
{
public:
    __device__ NearFar(const NearFarView& view, NearFarCounters& counters, std::byte* memory)
        : view_(view),
          part_(view.parts.parts[blockIdx.x]),
          counters_(counters),
          heads_(reinterpret_cast<const uint2*>(memory)),
          distances_(reinterpret_cast<std::uint32_t*>(memory + view.layout.distances())),
          queued_(reinterpret_cast<std::uint32_t*>(memory + view.layout.queued())),
          lists_(reinterpret_cast<std::uint16_t*>(memory + view.layout.list(0))),
          outgoing_(reinterpret_cast<std::uint32_t*>(memory + view.layout.outgoing_ring())),
          incoming_(reinterpret_cast<std::uint32_t*>(memory + view.layout.incoming_ring())),
          seen_(reinterpret_cast<std::uint32_t*>(memory + view.layout.seen()))
    {
    }

    __device__ void run(std::uint32_t source, std::byte* memory)
    {
        begin(source, memory);
        __syncthreads();
        if (threadIdx.x < kNearFarWorkers)
            work();
        else
            exchange();
        __syncthreads();
        for (std::uint32_t local = threadIdx.x; local < part_.vertices; local += blockDim.x)
            view_.distances[view_.parts.slots[part_.first_vertex + local]] = distances_[local];
        finish();
    }

private:
    struct Control
    {
        unsigned long long activity;
        std::uint32_t answers, question, done;
    };

    [[nodiscard]] __device__ const uint2* global_heads() const
    {
        return reinterpret_cast<const uint2*>(view_.parts.heads + std::uint64_t{part_.first_vertex} * kHeadArcs);
    }

    __device__ void begin(std::uint32_t source, std::byte* memory)
    {
        if (heads_here) {
            auto* const heads = reinterpret_cast<uint2*>(memory);
            for (std::uint32_t i = threadIdx.x; i < part_.vertices * kHeadArcs; i += blockDim.x) heads[i] = __ldg(global_heads() + i);
        }
        const std::uint32_t own = view_.parts.vertex_of_slot[source] - part_.first_vertex;
        const bool here = own < part_.vertices;
        for (std::uint32_t i = threadIdx.x; i < view_.layout.locals; i += blockDim.x) distances_[i] = here && i == own ? 0 : Distance::kInfinity;
        for (std::uint32_t i = threadIdx.x; i < (view_.layout.locals + 31) / 32; i += blockDim.x)
            queued_[i] = here && i == own / 32 ? 1U << own % 32 : 0;
        for (std::uint32_t i = threadIdx.x; i < part_.boundary; i += blockDim.x) seen_[i] = ~0U;
        if (threadIdx.x != 0) return;
        for (NearFarRound& round : counters_.rounds) round = {0, Distance::kInfinity, 0, 0};
        counters_.sendable = 0;
        counters_.received = 0;
        counters_.idle_after = NearFarCounters::kBusy;
        counters_.ended = 0;
        if (here) {
            has_source_ = true;
            view_.parents[source] = source;
            list(0)[0] = static_cast<std::uint16_t>(own);
            counters_.rounds[0].listed = 1;
            counters_.rounds[0].nearest = 0;
            view_.summary->begin = now();
            view_.summary->first_tick = clock64();
            view_.summary->records[0] = {view_.summary->first_tick, SsspStep::near_far, 1};
        }
    }

    // ---- Workers ----

    /// What a round has to look at.
    [[nodiscard]] __device__ std::uint16_t* list(std::uint32_t round) const { return lists_ + round % 2 * view_.layout.vertices; }

    __device__ void work()
    {
        const std::uint32_t thread = threadIdx.x;
        const std::uint32_t lane = lane_id();
        std::uint32_t taken = 0;
        for (round_ = 0;; ++round_) {
            sync_workers();
            const NearFarRound round = counters_.rounds[round_ % 4];
            if (round.received == NearFarRound::kEnd) return;
            limit_ = end_of_window(round.nearest);
            sent_ += round.sent;
            // A thread of the last warp, which seldom has a vertex.
            if (thread == kNearFarWorkers - 1) prepare_round(round.listed == 0 && round.received == taken, round.received);
            const std::uint32_t count = round.listed + (round.received - taken);
            for (std::uint32_t first = thread / 32 * kVerticesOfWarp; first < count; first += kNearFarWorkers / kHeadArcs) {
                const std::uint32_t i = first + lane / kHeadArcs;
                std::uint32_t local = 0;
                if (i < round.listed)
                    local = list(round_)[i];
                else if (i < count)
                    local = get(incoming_[(taken + i - round.listed) & (view_.layout.incoming - 1)]);
                relax_if_near(i < count, local, lane);
            }
            taken = round.received;
        }
    }

    static __device__ void sync_workers() { sync_threads_of_block(1, kNearFarWorkers); }

    [[nodiscard]] __device__ NearFarRound& next_round() { return counters_.rounds[(round_ + 1) % 4]; }

    /// One thread publishes what the last round has sent, and clears the counters of the round after the next.
    __device__ void prepare_round(bool idle, std::uint32_t received)
    {
        counters_.rounds[(round_ + 2) % 4] = {0, Distance::kInfinity, 0, 0};
        put(counters_.sendable, sent_);
        const bool ended = get(counters_.ended) != 0;
        next_round().received = ended ? NearFarRound::kEnd : get(counters_.received);
        __threadfence_block();
        put(counters_.idle_after, idle ? received : NearFarCounters::kBusy);
    }

    /// Relaxes the arcs of a vertex's head, one in each of kHeadArcs lanes, or puts the vertex off if it is far. All lanes of the warp call.
    __device__ void relax_if_near(bool there, std::uint32_t local, std::uint32_t lane)
    {
        const std::uint32_t k = lane % kHeadArcs;
        const uint2 arc = heads_here ? heads_[local * kHeadArcs + k] : __ldg(global_heads() + local * kHeadArcs + k);
        std::uint32_t distance = load(distances_[local]);
        // The first lane of a vertex decides, since another lane may have found a smaller distance.
        const bool decides = k == 0 && there && distance < limit_;
        if (decides) atomicAnd(queued_ + local / 32, ~(1U << local % 32));
        const bool near = (__ballot_sync(kAllLanes, decides) >> (lane - k) & 1) != 0;
        // After the bit is cleared: who makes the distance smaller now sets it again.
        if (near) distance = load(distances_[local]);
        const std::uint32_t end = arc.x & ~GraphPartsView::kMore;
        relax(near && end != GraphPartsView::kNoEnd, {end, arc.y}, distance, k == 0 && there && !near, local);
        const bool more = near && end != arc.x;
        if (__any_sync(kAllLanes, more)) relax_tails(more, local, distance, lane);
    }

    /// Relaxes the arcs that are not in a vertex's head. The last lane of a vertex knows whether there are any. All lanes of the warp call.
    __device__ void relax_tails(bool more, std::uint32_t local, std::uint32_t distance, std::uint32_t lane)
    {
        const std::uint32_t vertices = __ballot_sync(kAllLanes, more);
        const bool there = (vertices >> (lane | (kHeadArcs - 1)) & 1) != 0;
        const ArcTail tail = there ? view_.parts.tails[part_.first_vertex + local] : ArcTail{};
        const std::uint32_t end = tail.begin + tail.count;
        const std::uint32_t end_if_short = tail.count <= kLong ? end : 0;
        for (std::uint32_t at = tail.begin + lane % kHeadArcs; __any_sync(kAllLanes, at < end_if_short); at += kHeadArcs)
            relax_tail_arc(at < end_if_short, at, distance);
        for (std::uint32_t lanes = __ballot_sync(kAllLanes, more && tail.count > kLong); lanes != 0; lanes &= lanes - 1) {
            const int from = __ffs(static_cast<int>(lanes)) - 1;
            const std::uint32_t end_of_long = __shfl_sync(kAllLanes, end, from);
            const std::uint32_t distance_of_long = __shfl_sync(kAllLanes, distance, from);
            std::uint32_t at = __shfl_sync(kAllLanes, tail.begin, from) + lane;
            for (; __any_sync(kAllLanes, at < end_of_long); at += 32) relax_tail_arc(at < end_of_long, at, distance_of_long);
        }
    }

    __device__ void relax_tail_arc(bool wanted, std::uint32_t at, std::uint32_t distance)
    {
        relax(wanted, wanted ? view_.parts.tail_arcs[at] : Arc{}, distance, false, 0);
    }

    /// Relaxes an arc if it is wanted; lists the vertex `local`, which has this distance, for the next round if it is kept. All lanes of the warp
    /// call.
    __device__ void relax(bool wanted, Arc arc, std::uint32_t distance, bool kept, std::uint32_t local)
    {
        const std::uint32_t sum = Distance::sum(distance, arc.weight);
        relaxed_ += wanted ? 1 : 0;
        const bool shorter = wanted && sum < view_.end && sum < atomicMin(distances_ + arc.slot, sum);
        const bool ghost = arc.slot >= part_.vertices;
        const std::uint32_t bit = 1U << arc.slot % 32;
        const bool fresh = shorter && (atomicOr(queued_ + arc.slot / 32, bit) & bit) == 0;
        const std::uint32_t nearest = __reduce_min_sync(kAllLanes, shorter && !ghost ? sum : kept ? distance : Distance::kInfinity);
        const std::uint32_t listed = __ballot_sync(kAllLanes, (fresh && !ghost) || kept);
        const std::uint32_t sent = __ballot_sync(kAllLanes, fresh && ghost);
        const std::uint32_t lane = lane_id();
        if (lane == 0 && nearest < Distance::kInfinity) atomicMin(&next_round().nearest, nearest);
        if ((listed | sent) == 0) return;
        // One addition to the size of each list for the warp.
        std::uint32_t place = 0;
        if (lane == 0 && listed != 0) place = atomicAdd(&next_round().listed, static_cast<std::uint32_t>(__popc(listed)));
        if (lane == 1 && sent != 0) place = atomicAdd(&next_round().sent, static_cast<std::uint32_t>(__popc(sent)));
        const std::uint32_t first = __shfl_sync(kAllLanes, place, 0);
        const std::uint32_t first_sent = sent_ + __shfl_sync(kAllLanes, place, 1);
        if ((listed >> lane & 1) != 0) list(round_ + 1)[first + lanes_below(listed)] = static_cast<std::uint16_t>(kept ? local : arc.slot);
        if ((sent >> lane & 1) != 0) put(outgoing_[(first_sent + lanes_below(sent)) & (view_.layout.outgoing - 1)], arc.slot);
    }

    [[nodiscard]] __device__ std::uint32_t end_of_window(std::uint32_t begin) const
    {
        if (begin == Distance::kInfinity) return Distance::kInfinity;
        const std::uint32_t end = Distance::sum(begin, view_.width);
        return end > begin ? end : begin + 1;
    }

    // ---- Messenger ----

    __device__ void exchange()
    {
        std::uint32_t sent = 0;
        std::uint32_t received = 0;
        std::uint32_t asked = 0;  // the number of the question that was known before the inbox was read
        std::uint32_t answered = 0;
        bool idle = false;
        for (bool done = false; !done;) {
            sent = send(sent);
            const Control control = read_control();
            const bool work = receive(received, idle);
            if (work) {
                idle = false;
            } else if (!idle && workers_are_idle(received, sent)) {
                __threadfence();
                __syncwarp();
                if (lane_id() == 0) atomicAdd(&view_.control->activity, 1ULL);
                idle = true;
            }
            if (asked != answered) {
                answered = asked;
                if (lane_id() == 0) {
                    __threadfence();
                    atomicAdd(&view_.control->answers, 1U);
                }
            }
            asked = control.question;
            if (blockIdx.x == 0) lead(control, idle);
            done = control.done != 0;
        }
        if (lane_id() == 0) put(counters_.ended, 1U);
    }

    /// Sends the distances of the ghosts in the ring, from the element `sent` on. Returns their end.
    __device__ std::uint32_t send(std::uint32_t sent)
    {
        const std::uint32_t end = __shfl_sync(kAllLanes, get(counters_.sendable), 0);
        for (; sent != end; sent += min(end - sent, 32U)) {
            if (lane_id() >= end - sent) continue;
            const std::uint32_t local = get(outgoing_[(sent + lane_id()) & (view_.layout.outgoing - 1)]);
            atomicAnd(queued_ + local / 32, ~(1U << local % 32));
            const std::uint32_t entry = __ldg(view_.parts.entry_of_ghost + part_.first_ghost + (local - part_.vertices));
            atomicMin(view_.inboxes + entry, load(distances_[local]));
        }
        __syncwarp();
        return sent;
    }

    /// Reads the inbox, and gives the workers what is new there. Returns whether there was anything. `received` counts the vertices.
    __device__ bool receive(std::uint32_t& received, bool idle)
    {
        constexpr std::uint32_t at_once = 8;
        const std::uint32_t before = received;
        for (std::uint32_t first = 0; first < part_.boundary; first += 32 * at_once) {
            std::uint32_t found[at_once];
            std::uint32_t seen[at_once];
#pragma unroll
            for (std::uint32_t k = 0; k < at_once; ++k) {
                const std::uint32_t i = first + k * 32 + lane_id();
                found[k] = i < part_.boundary ? load(view_.inboxes[part_.first_boundary + i]) : ~0U;
                seen[k] = i < part_.boundary ? seen_[i] : ~0U;
            }
            bool news = false;
#pragma unroll
            for (std::uint32_t k = 0; k < at_once; ++k) news = news || found[k] != seen[k];
            if (!__any_sync(kAllLanes, news)) continue;
#pragma unroll
            for (std::uint32_t k = 0; k < at_once; ++k) {
                const std::uint32_t i = first + k * 32 + lane_id();
                bool fresh = false;
                std::uint32_t local = 0;
                if (found[k] != seen[k]) {
                    seen_[i] = found[k];
                    local = __ldg(view_.parts.local_of_boundary + part_.first_boundary + i);
                    const std::uint32_t bit = 1U << local % 32;
                    fresh = found[k] < atomicMin(distances_ + local, found[k]) && (atomicOr(queued_ + local / 32, bit) & bit) == 0;
                }
                const std::uint32_t lanes = __ballot_sync(kAllLanes, fresh);
                if (fresh) put(incoming_[(received + lanes_below(lanes)) & (view_.layout.incoming - 1)], local);
                received += static_cast<std::uint32_t>(__popc(lanes));
            }
        }
        if (received == before) return false;
        __threadfence_block();
        __syncwarp();
        if (lane_id() == 0) {
            // One more start of work, and one idle block less.
            if (idle) atomicAdd(&view_.control->activity, (1ULL << 32) - 1);
            put(counters_.received, received);
        }
        return true;
    }

    /// Whether the workers have nothing to do, and all that they had sent.
    [[nodiscard]] __device__ bool workers_are_idle(std::uint32_t received, std::uint32_t sent) const
    {
        bool idle = false;
        if (lane_id() == 0 && get(counters_.idle_after) == received) {
            __threadfence_block();
            idle = get(counters_.sendable) == sent;
        }
        return __shfl_sync(kAllLanes, idle ? 1U : 0U, 0) != 0;
    }

    [[nodiscard]] __device__ Control read_control() const
    {
        Control control{};
        if (lane_id() == 0) {
            control.question = load(view_.control->question);
            control.done = load(view_.control->done);
            if (blockIdx.x == 0) {
                control.activity = load(view_.control->activity);
                control.answers = load(view_.control->answers);
            }
        }
        control.question = __shfl_sync(kAllLanes, control.question, 0);
        control.done = __shfl_sync(kAllLanes, control.done, 0);
        return control;
    }

    /// Finds out whether the search has ended. Lane 0 alone knows what `control` says of activity and answers.
    __device__ void lead(const Control& control, bool idle)
    {
        if (lane_id() != 0) return;
        if (!waits_) {
            if (!idle || static_cast<std::uint32_t>(control.activity) != gridDim.x) return;
            activity_ = control.activity;
            waits_ = true;
            store(view_.control->question, ++questions_);
        } else if (!all_answered_) {
            all_answered_ = control.answers == questions_ * gridDim.x;
        } else {
            // This activity was read after the last answer.
            if (control.activity == activity_) store(view_.control->done, 1U);
            waits_ = false;
            all_answered_ = false;
        }
    }

    // ---- Both ----

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

    /// Words of shared memory that workers and messenger exchange between barriers.
    [[nodiscard]] static __device__ std::uint32_t get(std::uint32_t& word)
    {
        return atomicOr(&word, 0U);
    }
    static __device__ void put(std::uint32_t& word, std::uint32_t value)
    {
        atomicExch(&word, value);
    }

    __device__ void finish()
    {
        SsspSummary& summary = *view_.summary;
        const std::uint32_t relaxed = __reduce_add_sync(kAllLanes, relaxed_);
        if (lane_id() == 0) atomicAdd(reinterpret_cast<unsigned long long*>(&summary.relaxed_arcs), static_cast<unsigned long long>(relaxed));
        if (threadIdx.x != 0) return;
        atomicMax(&summary.most_rounds, round_);
        if (!has_source_) return;
        summary.steps = 1;
        summary.last_tick = clock64();
        summary.end = now();
    }

    static constexpr std::uint32_t kVerticesOfWarp = 32 / kHeadArcs;
    static constexpr std::uint32_t kLong = 32;  // arcs of a tail

    const NearFarView& view_;
    const GraphPart part_;
    NearFarCounters& counters_;
    const uint2* const heads_;
    std::uint32_t* const distances_;
    std::uint32_t* const queued_;    // bitmap of the vertices that are in a list or ring
    std::uint16_t* const lists_;     // two, by turns
    std::uint32_t* const outgoing_;  // ring of ghosts
    std::uint32_t* const incoming_;  // ring of boundary vertices
    std::uint32_t* const seen_;      // by entry of the inbox: what was read last

    // Of workers.
    std::uint32_t round_ = 0;
    std::uint32_t limit_ = 0;  // distances below are near
    std::uint32_t sent_ = 0;   // ghosts before this round
    std::uint32_t relaxed_ = 0;
    bool has_source_ = false;  // of thread 0

    // Of the messenger of block 0.
    unsigned long long activity_ = 0;  // when it asked
    std::uint32_t questions_ = 0;
    bool waits_ = false;  // for answers
    bool all_answered_ = false;
};

/// Finds parents by distances: of a slot that is reached, the slot of a vertex that has a smaller distance and an arc that gives this one. Notes sums
/// that do not fit, if nothing else reaches the end of the arc.
template <typename Distance>
__device__ void offer_as_parent(const NearFarView& view, std::uint32_t slot)
{
    const std::uint32_t distance = view.distances[slot];
    if (distance == Distance::kInfinity) return;
    const ListPlace list = view.graph.lists[slot];
    for (std::uint32_t k = 0; k < list.degree(); ++k) {
        const Arc arc = view.graph.list_arcs[list.begin() + k];
        const std::uint32_t sum = Distance::sum(distance, arc.weight);
        const std::uint32_t end = view.distances[arc.slot];
        if (sum == end && distance < end && end < Distance::kInfinity) view.parents[arc.slot] = slot;
        if (Distance::kOverflows && sum == Distance::kInfinity && end == Distance::kInfinity && view.end == Distance::kInfinity)
            view.summary->overflow = 1;
    }
}

}  // namespace wayfront::gpu
