// Barriers of the resident search: over the blocks of a GPU, and over the GPUs of a host; each sums the level's counts on its way.
#pragma once

#include <cooperative_groups.h>
#include <cuda/atomic>

#include "gpu/resident/level_sums.cuh"
#include "gpu/resident/view.hpp"

namespace wayfront::gpu {

/// A thread's view of the barriers. All threads of all GPUs make the same calls in the same order.
class Barriers
{
public:
    __device__ explicit Barriers(const ResidentView& view) : view_(view), epoch_(*view.epoch) {}

    /// Which of the kCounterSlots the next sum() uses; also for counters of the caller's that live as long.
    [[nodiscard]] __device__ std::uint32_t slot() const { return (epoch_ + 1) % kCounterSlots; }

    /// The same of the last sum().
    [[nodiscard]] __device__ std::uint32_t last_slot() const { return epoch_ % kCounterSlots; }

    /// Within this GPU.
    __device__ void local() { cooperative_groups::this_grid().sync(); }

    /// All GPUs: what any thread of any of them stored before, all threads see after. Returns the sums of what all threads brought.
    __device__ LevelCounts sum(const LevelCounts& own)
    {
        ++epoch_;
        const std::uint32_t slot = epoch_ % kCounterSlots;
        add_to_total(own, view_.counters[slot]);
        if (view_.graph.ranks > 1) __threadfence_system();
        local();
        if (blockIdx.x == 0) {
            if (threadIdx.x == 0) {
                const std::uint32_t later = (epoch_ + 2) % kCounterSlots;  // read by all before this barrier, used after the next
                view_.counters[later] = {};
                view_.queue_size[later] = 0;
            }
            if (view_.graph.ranks > 1) meet_peers(slot);
        }
        if (view_.graph.ranks == 1) {
            const volatile LevelCounts* const total = &view_.counters[slot];
            return {total->vertices, total->out_edges, total->tail_edges};
        }
        local();
        LevelCounts total;
        for (std::uint32_t peer = 0; peer < view_.graph.ranks; ++peer) {
            const volatile LevelCounts* const part = &view_.peers[view_.graph.rank].inbox[slot * kMaxPeers + peer];
            total.vertices += part->vertices;
            total.out_edges += part->out_edges;
            total.tail_edges += part->tail_edges;
        }
        return total;
    }

    /// Remembers the barriers passed for the next search. All threads, once, at the end.
    __device__ void finish()
    {
        local();
        if (blockIdx.x == 0 && threadIdx.x == 0) *view_.epoch = epoch_;
    }

private:
    /// Thread p of block 0 tells peer p this GPU's counts, and waits for the peer's.
    __device__ void meet_peers(std::uint32_t slot)
    {
        const std::uint32_t peer = threadIdx.x;
        if (peer < view_.graph.ranks) {
            const std::uint32_t me = view_.graph.rank;
            const volatile LevelCounts* const own = &view_.counters[slot];
            volatile LevelCounts* const there = &view_.peers[peer].inbox[slot * kMaxPeers + me];
            there->vertices = own->vertices;
            there->out_edges = own->out_edges;
            there->tail_edges = own->tail_edges;
            __threadfence_system();
            using Flag = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system>;
            Flag(view_.peers[peer].flags[me]).store(epoch_, cuda::std::memory_order_release);
            Flag mine(view_.peers[me].flags[peer]);
            while (static_cast<std::int32_t>(mine.load(cuda::std::memory_order_acquire) - epoch_) < 0) {
            }
            __threadfence_system();
        }
        __syncthreads();
    }

    const ResidentView& view_;
    std::uint32_t epoch_;
};

}  // namespace wayfront::gpu
