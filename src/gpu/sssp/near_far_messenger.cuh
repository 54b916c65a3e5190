// The messenger of a block in the near-far search (near_far.cuh). This warp exchanges distances
// with the other blocks. The messengers of all blocks determine when the search has ended.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/near_far.cuh"

namespace wayfront::gpu::sssp {

template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::run_messenger()
{
    std::uint32_t sent = 0;
    std::uint32_t received = 0;
    std::uint32_t asked = 0;  // number of the last question before the inbox was read
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
        if (blockIdx.x == 0) detect_end(control, idle);
        done = control.done != 0;
    }
    if (lane_id() == 0) store_atomic(counters_.ended, 1U);
}

/// Sends the distances of the ghosts in the outgoing ring, from element `sent` on. Returns the end
/// of the sent elements.
template <typename Distance, SharedPart shared_part>
__device__ inline std::uint32_t NearFar<Distance, shared_part>::send(std::uint32_t sent)
{
    const std::uint32_t end = __shfl_sync(kAllLanes, load_atomic(counters_.sendable), 0);
    for (; sent != end; sent += min(end - sent, 32U)) {
        const bool has_ghost = lane_id() < end - sent;
        const std::uint32_t local =
            has_ghost ? load_atomic(outgoing_[(sent + lane_id()) & (view_.layout.outgoing - 1)]) : 0;
        // As soon as the bit of a ghost is cleared, workers may append the ghost again, in the
        // place of an element that another lane has not yet read.
        __syncwarp();
        if (!has_ghost) continue;
        atomicAnd(queued_ + local / 32, ~(1U << local % 32));
        if constexpr (!kDistancesInShared) __threadfence_block();
        const std::uint32_t entry = __ldg(view_.parts.entry_of_ghost + part_.first_ghost + (local - part_.vertices));
        atomicMin(view_.inboxes + entry, load(distances_[local]));
    }
    __syncwarp();
    return sent;
}

/// Reads the inbox and appends vertices with new distances to the incoming ring. Returns whether
/// there was a new distance. `received` counts the appended vertices.
template <typename Distance, SharedPart shared_part>
__device__ inline bool NearFar<Distance, shared_part>::receive(std::uint32_t& received, bool idle)
{
    constexpr std::uint32_t in_flight = 8;
    const std::uint32_t before = received;
    for (std::uint32_t first = 0; first < part_.boundary; first += 32 * in_flight) {
        std::uint32_t inbox_distance[in_flight];
        std::uint32_t seen[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            const std::uint32_t i = first + k * 32 + lane_id();
            inbox_distance[k] = i < part_.boundary ? load(view_.inboxes[part_.first_boundary + i]) : ~0U;
            seen[k] = i < part_.boundary ? seen_[i] : ~0U;
        }
        bool has_new = false;
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) has_new = has_new || inbox_distance[k] != seen[k];
        if (!__any_sync(kAllLanes, has_new)) continue;
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            const std::uint32_t i = first + k * 32 + lane_id();
            bool is_new = false;
            std::uint32_t local = 0;
            if (inbox_distance[k] != seen[k]) {
                seen_[i] = inbox_distance[k];
                local = __ldg(view_.parts.local_of_boundary + part_.first_boundary + i);
                const std::uint32_t bit = 1U << local % 32;
                is_new = inbox_distance[k] < atomicMin(distances_ + local, inbox_distance[k]) &&
                         (atomicOr(queued_ + local / 32, bit) & bit) == 0;
            }
            const std::uint32_t lanes = __ballot_sync(kAllLanes, is_new);
            if (is_new) store_atomic(incoming_[(received + lanes_below(lanes)) & (view_.layout.incoming - 1)], local);
            received += static_cast<std::uint32_t>(__popc(lanes));
        }
    }
    if (received == before) return false;
    __threadfence_block();
    __syncwarp();
    if (lane_id() == 0) {
        // Adds one start of work, and subtracts one idle block.
        if (idle) atomicAdd(&view_.control->activity, (1ULL << 32) - 1);
        store_atomic(counters_.received, received);
    }
    return true;
}

/// Whether the workers are idle, and the messenger has sent all ghosts of the outgoing ring.
template <typename Distance, SharedPart shared_part>
__device__ inline bool NearFar<Distance, shared_part>::workers_are_idle(std::uint32_t received,
                                                                        std::uint32_t sent) const
{
    bool idle = false;
    if (lane_id() == 0 && load_atomic(counters_.idle_after) == received) {
        __threadfence_block();
        idle = load_atomic(counters_.sendable) == sent;
    }
    return __shfl_sync(kAllLanes, idle ? 1U : 0U, 0) != 0;
}

template <typename Distance, SharedPart shared_part>
__device__ inline typename NearFar<Distance, shared_part>::Control NearFar<Distance, shared_part>::read_control() const
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

/// Asks questions and determines whether the search has ended; for block 0. `control` has activity
/// and answers in lane 0 only.
template <typename Distance, SharedPart shared_part>
__device__ inline void NearFar<Distance, shared_part>::detect_end(const Control& control, bool idle)
{
    if (lane_id() != 0) return;
    if (!awaits_answers_) {
        if (!idle || static_cast<std::uint32_t>(control.activity) != gridDim.x) return;
        activity_ = control.activity;
        awaits_answers_ = true;
        store(view_.control->question, ++questions_);
    } else if (!all_answered_) {
        all_answered_ = control.answers == questions_ * gridDim.x;
    } else {
        // `control` was read after the last answer.
        if (control.activity == activity_) store(view_.control->done, 1U);
        awaits_answers_ = false;
        all_answered_ = false;
    }
}

}  // namespace wayfront::gpu::sssp
