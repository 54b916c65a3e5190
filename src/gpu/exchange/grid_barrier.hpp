// The memory of a barrier over all blocks of the GPUs of a host. grid_barrier.cuh contains the
// barrier. Needs no nvcc.
#pragma once

#include <cstdint>

#include "gpu/runtime/counts.hpp"

namespace wayfront::gpu {

inline constexpr int kMaxPeers = 8;  // largest number of GPUs of a host whose kernels share a barrier
// The number of consecutive barriers whose totals are stored at a time.
inline constexpr int kBarrierSlots = 4;

/// The number of bits of the barrier's number that each word of a message contains.
inline constexpr int kEpochBits = 64 - kCountBits;

/// The state that the blocks of one GPU share. It is in the memory of this GPU, and only kernels of
/// this GPU use it.
///
/// The numbers of barriers wrap around. The first number is kBarrierSlots + 1 below the wrap, so
/// that every run tests the wrap. Every slot of the inbox, which contains zeros at first, is then
/// used before the wrap.
template <typename Counts>
struct GridBarrierState
{
    static constexpr std::uint32_t kFirstEpoch = ~0U - kBarrierSlots;

    // Each member has a cache line of its own, since waiting blocks read one member while arriving
    // blocks write another.

    /// Number of barriers passed in all launches so far.
    alignas(128) std::uint32_t epoch = kFirstEpoch;
    /// Number of arrivals of blocks at all barriers so far: epoch times the number of blocks.
    alignas(128) std::uint32_t arrived = 0;
    alignas(128) std::uint32_t passed = kFirstEpoch;  // number of the last barrier that blocks may leave

    // Counts of each barrier: first reduced over the threads of this GPU, then over all GPUs.
    alignas(128) CountWords<Counts> totals[kBarrierSlots];
    // Counters of this GPU: see GridBarrier::next_local_total().
    std::uint64_t local_totals[kBarrierSlots] = {};

    /// The state before the first launch of a kernel with `blocks` blocks.
    [[nodiscard]] static GridBarrierState first(std::uint32_t blocks)
    {
        GridBarrierState state;
        state.arrived = kFirstEpoch * blocks;
        for (CountWords<Counts>& total : state.totals) total = CountWords<Counts>::none();
        return state;
    }
};

/// The counts of one GPU at one barrier, in the memory of the GPU that receives them. The upper
/// bits of each word are a count, the lower bits those of the barrier's number.
template <typename Counts>
struct BarrierMessage
{
    unsigned long long words[kCountWords<Counts>];
};

/// The number of messages in a GPU's inbox: one from each peer for each slot. The inbox contains
/// zeros at first.
inline constexpr int kInboxMessages = kBarrierSlots * kMaxPeers;

/// The arguments of a kernel that uses barriers.
template <typename Counts>
struct GridBarrierView
{
    GridBarrierState<Counts>* state = nullptr;
    // The inbox of each rank, including this GPU's own, with kInboxMessages messages each.
    BarrierMessage<Counts>* inboxes[kMaxPeers] = {};
    std::uint32_t ranks = 1;
    std::uint32_t rank = 0;
};

}  // namespace wayfront::gpu
