// The memory of a barrier over all blocks of the GPUs of a host; grid_barrier.cuh is the barrier.
// Needs no nvcc.
#pragma once

#include <cstdint>

#include "gpu/runtime/counts.hpp"

namespace wayfront::gpu {

inline constexpr int kMaxPeers = 8;  // GPUs of one host whose kernels wait for each other
// The totals of four consecutive barriers are kept at a time.
inline constexpr int kBarrierSlots = 4;

/// The number of bits of a barrier's number that are sent with each word of the counts.
inline constexpr int kEpochBits = 64 - kCountBits;

/// The state that the blocks of one GPU share. It is in this GPU's memory, and only this GPU's
/// kernels use it.
///
/// The numbers of barriers wrap around. The first number is kBarrierSlots + 1 below the wrap, so
/// that every run tests the wrap, and every slot of the inbox, which begins with zeros, has been
/// used before.
template <typename Counts>
struct GridBarrierState
{
    static constexpr std::uint32_t kFirstEpoch = ~0U - kBarrierSlots;

    // Each member is in a cache line of its own: waiting blocks read one of them while arriving
    // blocks write another.

    /// The number of barriers passed in all launches so far.
    alignas(128) std::uint32_t epoch = kFirstEpoch;
    /// Blocks at all barriers so far: epoch times the number of blocks.
    alignas(128) std::uint32_t arrived = 0;
    alignas(128) std::uint32_t passed = kFirstEpoch;  // the last barrier that blocks may leave

    // First over this GPU's threads, then over those of all GPUs.
    alignas(128) CountWords<Counts> totals[kBarrierSlots];
    // Of this GPU alone: see GridBarrier::next_local_total().
    std::uint64_t local_totals[kBarrierSlots] = {};

    /// The state before the first launch of a kernel of `blocks` blocks.
    [[nodiscard]] static GridBarrierState first(std::uint32_t blocks)
    {
        GridBarrierState state;
        state.arrived = kFirstEpoch * blocks;
        for (CountWords<Counts>& total : state.totals) total = CountWords<Counts>::none();
        return state;
    }
};

/// The counts of one GPU at one barrier on their way to another GPU, in the receiver's memory. In
/// each word the upper bits are the count, the lower bits those of the barrier's number.
template <typename Counts>
struct BarrierMessage
{
    unsigned long long words[kCountWords<Counts>];
};

/// Messages in a GPU's inbox: one from each peer for each slot. The inbox begins with zeros.
inline constexpr int kInboxMessages = kBarrierSlots * kMaxPeers;

/// The arguments of a kernel that uses barriers.
template <typename Counts>
struct GridBarrierView
{
    GridBarrierState<Counts>* state = nullptr;
    // The inbox of each rank, with kInboxMessages messages; this GPU's own inbox among them.
    BarrierMessage<Counts>* inboxes[kMaxPeers] = {};
    std::uint32_t ranks = 1;
    std::uint32_t rank = 0;
};

}  // namespace wayfront::gpu
