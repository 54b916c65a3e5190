// The barrier of the resident search, over the blocks of a GPU and the GPUs of a host; it sums the level's counts on its way.
#pragma once

#include <cooperative_groups.h>
#include <cuda/atomic>

#include "gpu/bfs/level_sums.cuh"
#include "gpu/bfs/view.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// A thread's view of the barriers. All threads of all GPUs make the same calls in the same order.
class Barriers
{
public:
    __device__ explicit Barriers(const SearchView& view) : view_(view), epoch_(view.barrier->epoch) {}

    /// Which of the kCounterSlots the next sum() uses; also for counters of the caller's that live as long.
    [[nodiscard]] __device__ std::uint32_t slot() const { return (epoch_ + 1) % kCounterSlots; }

    /// Within this GPU.
    __device__ void local() { cooperative_groups::this_grid().sync(); }

    /// What the threads of all GPUs brought to a barrier, and the items that this GPU's put into the queue before it.
    struct Sums
    {
        LevelCounts counts;
        std::uint64_t queue_items;
    };

    /// All GPUs: what any thread of any of them stored before, all threads see after; a block's shared memory may be used anew. Returns the sums of
    /// what they brought.
    ///
    /// One thread of each block arrives and reads what came of it, for all of the block: words that all threads of a GPU read cost more than all the
    /// rest of the barrier, as they stand in one line of the L2 cache. The block that arrives last meets the other GPUs and lets this one's blocks
    /// go.
    __device__ Sums sum(const LevelCounts& own)
    {
        __shared__ std::uint64_t sums[4];
        ++epoch_;
        LevelCounts& total = view_.counters[epoch_ % kCounterSlots];
        add_to_total(own, total);
        if (threadIdx.x < 32) {
            bool last = false;
            if (threadIdx.x == 0) last = arrive();
            last = __shfl_sync(kAllLanes, last, 0);
            __syncwarp();  // what thread 0 has seen of other blocks the lanes have, too
            if (last) {
                if (view_.graph.ranks > 1) meet_peers(total);
                if (threadIdx.x == 0) let_go();
            } else if (threadIdx.x == 0) {
                wait();
            }
            if (threadIdx.x == 0) {
                const volatile LevelCounts& counts = total;
                sums[0] = counts.vertices;
                sums[1] = counts.out_edges;
                sums[2] = counts.tail_edges;
                sums[3] = *static_cast<const volatile std::uint64_t*>(&view_.queue_size[epoch_ % kCounterSlots]);
            }
        }
        __syncthreads();
        return {{sums[0], sums[1], sums[2]}, sums[3]};
    }

    /// Remembers the barriers passed for the next search. All threads, once, at the end.
    __device__ void finish()
    {
        local();
        if (blockIdx.x == 0 && threadIdx.x == 0) view_.barrier->epoch = epoch_;
    }

private:
    using OfGpu = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;
    using OfAll = cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>;

    /// Returns whether this block is the last one. What its threads stored before the last __syncthreads() is seen by whoever is let go.
    [[nodiscard]] __device__ bool arrive() const
    {
        if (view_.graph.ranks > 1) __threadfence_system();
        return OfGpu(view_.barrier->arrived).fetch_add(1, cuda::std::memory_order_acq_rel) + 1 == epoch_ * gridDim.x;
    }

    __device__ void wait() const
    {
        const OfGpu passed(view_.barrier->passed);
        while (passed.load(cuda::std::memory_order_acquire) != epoch_) {
        }
    }

    __device__ void let_go() const
    {
        const std::uint32_t later = (epoch_ + 2) % kCounterSlots;  // read by all before this barrier, used after the next
        view_.counters[later] = {};
        view_.queue_size[later] = 0;
        OfGpu(view_.barrier->passed).store(epoch_, cuda::std::memory_order_release);
    }

    /// Lane p tells peer p this GPU's counts, and waits for the peer's; `total` becomes the sum of all. All lanes call. A number travels in one word
    /// with the barrier that it belongs to, so that no other word has to tell, later, that it has come.
    __device__ void meet_peers(LevelCounts& total) const
    {
        const std::uint32_t peer = threadIdx.x;
        const std::uint32_t me = view_.graph.rank;
        const std::size_t slot = std::size_t{epoch_ % kCounterSlots} * kMaxPeers;
        LevelCounts all;
        if (peer < view_.graph.ranks) {
            const volatile LevelCounts& own = total;
            const std::uint64_t counts[] = {own.vertices, own.out_edges, own.tail_edges};
            __threadfence_system();
            CountsInWords& there = view_.peers[peer].inbox[slot + me];
#pragma unroll
            for (int i = 0; i < 3; ++i)
                OfAll(there.words[i]).store(counts[i] << kEpochBits | epoch_ % (1U << kEpochBits), cuda::std::memory_order_relaxed);
            CountsInWords& here = view_.peers[me].inbox[slot + peer];
            all = {wait_for(here.words[0]), wait_for(here.words[1]), wait_for(here.words[2])};
            __threadfence_system();
        }
        for (int offset = kMaxPeers / 2; offset > 0; offset /= 2) {
            all.vertices += __shfl_down_sync(kAllLanes, all.vertices, offset);
            all.out_edges += __shfl_down_sync(kAllLanes, all.out_edges, offset);
            all.tail_edges += __shfl_down_sync(kAllLanes, all.tail_edges, offset);
        }
        __syncwarp();  // what the lanes have seen of other GPUs thread 0 has, too
        if (threadIdx.x == 0) total = all;
    }

    /// The number in a word, once it is this barrier's.
    [[nodiscard]] __device__ std::uint64_t wait_for(unsigned long long& word) const
    {
        for (;;) {
            const unsigned long long come = OfAll(word).load(cuda::std::memory_order_relaxed);
            if ((come ^ epoch_) % (1U << kEpochBits) == 0) return come >> kEpochBits;
        }
    }

    const SearchView& view_;
    std::uint32_t epoch_;
};

}  // namespace wayfront::gpu
