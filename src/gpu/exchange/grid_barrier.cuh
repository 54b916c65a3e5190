// A barrier over all blocks of all GPUs of a host, for cooperative kernels. The barrier also
// reduces a few words of counts. Each search that runs as one kernel per GPU uses it.
#pragma once

#include <cooperative_groups.h>
#include <cuda/atomic>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/runtime/grid_total.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// A thread's view of the barriers. All threads of all GPUs make the same calls in the same order.
///
/// The wait has no time limit. It ends because all blocks of a kernel run at the same time (the
/// launch is cooperative), and all ranks launch the kernel. Only if a process ends, or a launch or
/// a kernel fails, do the kernels of other processes wait for ever. The program's ranks watch each
/// other and then end the job; a caller of the library leaves this to the launcher (wayfront.hpp).
/// A time limit would add a clock and a branch to the loops in which every level of a search waits.
template <typename Counts>
class GridBarrier
{
public:
    __device__ explicit GridBarrier(const GridBarrierView<Counts>& view) : view_(view), epoch_(view.state->epoch) {}

    /// Waits for the blocks of this GPU only.
    __device__ void sync_gpu() { cooperative_groups::this_grid().sync(); }

    /// A counter of this GPU. Its threads add to the counter before the next reduce(), which
    /// returns the value. It is 0 after the previous barrier.
    [[nodiscard]] __device__ std::uint64_t* next_local_total() const
    {
        return &view_.state->local_totals[(epoch_ + 1) % kBarrierSlots];
    }

    struct Totals
    {
        Counts counts;              // reduced over the threads of all GPUs
        std::uint64_t local_total;  // value of this GPU's counter
    };

    /// Waits for all blocks of all GPUs. After the barrier, all threads see all values that any
    /// thread stored before it, and the shared memory of a block may be overwritten. Returns the
    /// reduction of the counts of all threads, and the number at `local` on this GPU, which must
    /// not change until the next barrier. If `local` is null, the function returns the value of
    /// next_local_total() instead.
    ///
    /// One thread of each block arrives and reads the totals for the block: words that all threads
    /// of a GPU read would cost more than the rest of the barrier, because the words are in one
    /// line of the L2 cache. The last block to arrive exchanges counts with the other GPUs and
    /// releases the blocks of its GPU.
    __device__ Totals reduce(const Counts& own, const std::uint32_t* local = nullptr)
    {
        __shared__ std::uint64_t totals[kWords + 1];
        ++epoch_;
        Words& total = view_.state->totals[epoch_ % kBarrierSlots];
        add_to_total(own, total);
        if (threadIdx.x < 32) {
            bool last = false;
            if (threadIdx.x == 0) last = arrive();
            last = __shfl_sync(kAllLanes, last, 0);
            __syncwarp();  // all lanes see the stores of other blocks that thread 0 has seen
            if (last) {
                if (view_.ranks > 1) exchange_counts(total);
                if (threadIdx.x == 0) release();
            } else if (threadIdx.x == 0) {
                wait();
            }
            if (threadIdx.x == 0) {
                const volatile Words& all = total;
#pragma unroll
                for (int i = 0; i < kWords; ++i) totals[i] = all.words[i];
                totals[kWords] = local != nullptr ? *static_cast<const volatile std::uint32_t*>(local)
                                                  : *static_cast<const volatile std::uint64_t*>(
                                                        &view_.state->local_totals[epoch_ % kBarrierSlots]);
            }
        }
        __syncthreads();
        Words words;
#pragma unroll
        for (int i = 0; i < kWords; ++i) words.words[i] = totals[i];
        return {words.counts(), totals[kWords]};
    }

    /// Stores the number of the last barrier for the next launch. All threads call this once, at
    /// the end.
    __device__ void finish()
    {
        sync_gpu();
        if (blockIdx.x == 0 && threadIdx.x == 0) view_.state->epoch = epoch_;
    }

private:
    using Words = CountWords<Counts>;
    using DeviceWord = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;
    using SystemWord = cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>;
    static constexpr int kWords = kCountWords<Counts>;

    /// Returns whether this block is the last one to arrive. The released threads see all stores
    /// that this block's threads made before the last __syncthreads().
    [[nodiscard]] __device__ bool arrive() const
    {
        if (view_.ranks > 1) __threadfence_system();
        return DeviceWord(view_.state->arrived).fetch_add(1, cuda::std::memory_order_acq_rel) + 1 == epoch_ * gridDim.x;
    }

    __device__ void wait() const
    {
        const DeviceWord passed(view_.state->passed);
        while (passed.load(cuda::std::memory_order_acquire) != epoch_) {
        }
    }

    __device__ void release() const
    {
        // All blocks have read this slot before this barrier, and use it again after the next
        // barrier.
        const std::uint32_t cleared_slot = (epoch_ + 2) % kBarrierSlots;
        view_.state->totals[cleared_slot] = Words::none();
        view_.state->local_totals[cleared_slot] = 0;
        DeviceWord(view_.state->passed).store(epoch_, cuda::std::memory_order_release);
    }

    /// Lane p sends this GPU's counts to peer p and waits for the counts of peer p. Then `total`
    /// becomes the reduction over all GPUs. All lanes call. Each word contains the number of its
    /// barrier, so that no other word has to announce it.
    __device__ void exchange_counts(Words& total) const
    {
        const std::uint32_t peer = threadIdx.x;
        const std::size_t slot = std::size_t{epoch_ % kBarrierSlots} * kMaxPeers;
        Words all = Words::none();
        if (peer < view_.ranks) {
            const volatile Words& own = total;
            __threadfence_system();
            BarrierMessage<Counts>& sent = view_.inboxes[peer][slot + view_.rank];
#pragma unroll
            for (int i = 0; i < kWords; ++i)
                SystemWord(sent.words[i])
                    .store(own.words[i] << kEpochBits | epoch_ % (1U << kEpochBits), cuda::std::memory_order_relaxed);
            all = received(view_.inboxes[view_.rank][slot + peer]);
            __threadfence_system();
        }
        for (int offset = kMaxPeers / 2; offset > 0; offset /= 2) {
#pragma unroll
            for (int i = 0; i < kWords; ++i)
                all.words[i] = Words::reduced(i, all.words[i], __shfl_down_sync(kAllLanes, all.words[i], offset));
        }
        __syncwarp();  // thread 0 sees the stores of other GPUs that the lanes have seen
        if (threadIdx.x == 0) total = all;
    }

    /// Waits until all words of the message have the number of this barrier, and returns the
    /// counts. The loads of all words are in flight together.
    [[nodiscard]] __device__ Words received(BarrierMessage<Counts>& message) const
    {
        for (;;) {
            Words counts;
            bool arrived = true;
#pragma unroll
            for (int i = 0; i < kWords; ++i)
                counts.words[i] = SystemWord(message.words[i]).load(cuda::std::memory_order_relaxed);
#pragma unroll
            for (int i = 0; i < kWords; ++i) {
                arrived = arrived && (counts.words[i] ^ epoch_) % (1U << kEpochBits) == 0;
                counts.words[i] >>= kEpochBits;
            }
            if (arrived) return counts;
        }
    }

    const GridBarrierView<Counts>& view_;
    std::uint32_t epoch_;
};

}  // namespace wayfront::gpu
