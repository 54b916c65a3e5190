// The workers of a block in the near-far search (near_far.cuh). In each round, they relax the arcs
// of the vertices that are near.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/near_far.cuh"

namespace wayfront::gpu::sssp {

template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::run_workers()
{
    const std::uint32_t thread = threadIdx.x;
    const std::uint32_t lane = lane_id();
    std::uint32_t received_before = 0;
    for (round_ = 0;; ++round_) {
        sync_workers();
        const NearFarRound round = counters_.rounds[round_ % 4];
        if (round.received == NearFarRound::kEnd) return;
        limit_ = end_of_window(round.nearest);
        sent_ += round.sent;
        // The last thread does this, since its warp seldom has a vertex.
        if (thread == kNearFarWorkers - 1)
            prepare_round(round.listed == 0 && round.received == received_before, round.received);
        const std::uint32_t count = round.listed + (round.received - received_before);
        for (std::uint32_t first = thread / 32 * kVerticesOfWarp; first < count; first += kNearFarWorkers / kHeadArcs) {
            const std::uint32_t i = first + lane / kHeadArcs;
            std::uint32_t local = 0;
            if (i < round.listed)
                local = list(round_)[i];
            else if (i < count)
                local = load_atomic(incoming_[(received_before + i - round.listed) & (view_.layout.incoming - 1)]);
            relax_if_near(i < count, local, lane);
        }
        received_before = round.received;
    }
}

/// One thread publishes the number of ghosts of the previous round to the messenger, and clears the
/// counters of the round after the next.
template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::prepare_round(bool idle, std::uint32_t received)
{
    counters_.rounds[(round_ + 2) % 4] = {0, Distance::kInfinity, 0, 0};
    store_atomic(counters_.sendable, sent_);
    const bool ended = load_atomic(counters_.ended) != 0;
    next_round().received = ended ? NearFarRound::kEnd : load_atomic(counters_.received);
    __threadfence_block();
    store_atomic(counters_.idle_after, idle ? received : NearFarCounters::kBusy);
}

/// Relaxes the arcs of a vertex's head, one arc in each of kHeadArcs lanes, or lists the vertex for
/// a later round if its distance is not near. All lanes of the warp call.
template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::relax_if_near(bool has_vertex, std::uint32_t local,
                                                                     std::uint32_t lane)
{
    const std::uint32_t k = lane % kHeadArcs;
    const uint2 arc = kHeadsInShared ? heads_[local * kHeadArcs + k] : __ldg(global_heads() + local * kHeadArcs + k);
    std::uint32_t distance = load(distances_[local]);
    // The first lane of a vertex decides for all its lanes, since another lane may have read a
    // smaller distance.
    const bool decides = k == 0 && has_vertex && distance < limit_;
    if (decides) {
        atomicAnd(queued_ + local / 32, ~(1U << local % 32));
        // The bit in shared memory is cleared before the distance in device memory is read.
        if constexpr (!kDistancesInShared) __threadfence_block();
    }
    if constexpr (!kDistancesInShared) __syncwarp();
    const bool near = (__ballot_sync(kAllLanes, decides) >> (lane - k) & 1) != 0;
    // The distance is read after the bit is cleared: a thread that lowers the distance from now on
    // sets the bit again.
    if (near) distance = load(distances_[local]);
    const std::uint32_t end = arc.x & ~GraphPartsView::kHasTail;
    relax(near && end != GraphPartsView::kNoEnd, {end, arc.y}, distance, k == 0 && has_vertex && !near, local);
    const bool has_tail = near && end != arc.x;
    if (__any_sync(kAllLanes, has_tail)) relax_tails(has_tail, local, distance, lane);
}

/// Relaxes the arcs in a vertex's tail. `has_tail`: whether the vertex has a tail; valid in its
/// last lane. All lanes of the warp call.
template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::relax_tails(bool has_tail, std::uint32_t local,
                                                                   std::uint32_t distance, std::uint32_t lane)
{
    const std::uint32_t vertices = __ballot_sync(kAllLanes, has_tail);
    const bool lane_has_tail = (vertices >> (lane | (kHeadArcs - 1)) & 1) != 0;
    const ArcTail tail = lane_has_tail ? view_.parts.tails[part_.first_vertex + local] : ArcTail{};
    const std::uint32_t end = tail.begin + tail.count;
    const std::uint32_t end_if_short = tail.count <= kShortTail ? end : 0;
    for (std::uint32_t at = tail.begin + lane % kHeadArcs; __any_sync(kAllLanes, at < end_if_short); at += kHeadArcs)
        relax_tail_arc(at < end_if_short, at, distance);
    for (std::uint32_t lanes = __ballot_sync(kAllLanes, has_tail && tail.count > kShortTail); lanes != 0;
         lanes &= lanes - 1) {
        const int from = __ffs(static_cast<int>(lanes)) - 1;
        const std::uint32_t end_of_long = __shfl_sync(kAllLanes, end, from);
        const std::uint32_t distance_of_long = __shfl_sync(kAllLanes, distance, from);
        std::uint32_t at = __shfl_sync(kAllLanes, tail.begin, from) + lane;
        for (; __any_sync(kAllLanes, at < end_of_long); at += 32)
            relax_tail_arc(at < end_of_long, at, distance_of_long);
    }
}

template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::relax_tail_arc(bool wanted, std::uint32_t at,
                                                                      std::uint32_t distance)
{
    relax(wanted, wanted ? view_.parts.tail_arcs[at] : Arc{}, distance, false, 0);
}

/// Relaxes an arc if `wanted`. Lists the vertex `local`, whose distance is `distance`, for the next
/// round if `relisted`. All lanes of the warp call.
template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::relax(bool wanted, Arc arc, std::uint32_t distance,
                                                             bool relisted, std::uint32_t local)
{
    const std::uint32_t sum = Distance::sum(distance, arc.weight);
    relaxed_ += wanted ? 1 : 0;
    const bool shorter = wanted && sum < view_.end && sum < atomicMin(distances_ + arc.end, sum);
    const bool ghost = arc.end >= part_.vertices;
    const std::uint32_t bit = 1U << arc.end % 32;
    const bool is_new = shorter && (atomicOr(queued_ + arc.end / 32, bit) & bit) == 0;
    const std::uint32_t nearest = __reduce_min_sync(kAllLanes, shorter && !ghost ? sum
                                                               : relisted        ? distance
                                                                                 : Distance::kInfinity);
    const std::uint32_t listed = __ballot_sync(kAllLanes, (is_new && !ghost) || relisted);
    const std::uint32_t sent = __ballot_sync(kAllLanes, is_new && ghost);
    const std::uint32_t lane = lane_id();
    if (lane == 0 && nearest < Distance::kInfinity) atomicMin(&next_round().nearest, nearest);
    if ((listed | sent) == 0) return;
    // The warp adds to the size of each list only once.
    std::uint32_t place = 0;
    if (lane == 0 && listed != 0) place = atomicAdd(&next_round().listed, static_cast<std::uint32_t>(__popc(listed)));
    if (lane == 1 && sent != 0) place = atomicAdd(&next_round().sent, static_cast<std::uint32_t>(__popc(sent)));
    const std::uint32_t first = __shfl_sync(kAllLanes, place, 0);
    const std::uint32_t first_sent = sent_ + __shfl_sync(kAllLanes, place, 1);
    // The next round reads the head, so it is fetched into the L2 cache.
    if constexpr (!kHeadsInShared)
        if (is_new && !ghost) prefetch(global_heads() + arc.end * kHeadArcs);
    if ((listed >> lane & 1) != 0)
        list(round_ + 1)[first + lanes_below(listed)] = static_cast<ListedVertex>(relisted ? local : arc.end);
    if ((sent >> lane & 1) != 0)
        store_atomic(outgoing_[(first_sent + lanes_below(sent)) & (view_.layout.outgoing - 1)], arc.end);
}

template <typename Distance, SharedPart shared_part>
__device__ inline std::uint32_t NearFar<Distance, shared_part>::end_of_window(std::uint32_t begin) const
{
    if (begin == Distance::kInfinity) return Distance::kInfinity;
    const std::uint32_t end = Distance::sum(begin, view_.width);
    return end > begin ? end : begin + 1;
}

}  // namespace wayfront::gpu::sssp
