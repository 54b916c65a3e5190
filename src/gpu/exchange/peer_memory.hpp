// Memory of this rank's GPU that kernels on the other GPUs of the host read and write.
#pragma once

#include <cstddef>
#include <span>

#include "comm/communicator.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// Owns one allocation on each rank, of the same size on all ranks, and opens the allocations of
/// the other ranks.
class PeerMemory
{
public:
    /// The size of the allocation for `bytes` bytes: a multiple of kSharedPageBytes.
    [[nodiscard]] static constexpr std::size_t allocated_bytes(std::size_t bytes)
    {
        return (bytes + kSharedPageBytes - 1) / kSharedPageBytes * kSharedPageBytes;
    }

    /// Allocates uninitialised memory, and opens the memory of the other ranks. Collective over
    /// `group`, which outlives the object. Throws ResourceError: on all ranks if the memory cannot
    /// be opened, on one rank alone if its GPU has too little memory.
    PeerMemory(const comm::Communicator& group, std::size_t bytes)
        : own_(allocated_bytes(bytes)), opened_(group, own_.data())
    {
    }

    /// The address of a rank's allocation in this process.
    [[nodiscard]] std::byte* base(std::size_t rank) const { return opened_.base(rank); }
    [[nodiscard]] std::span<std::byte> own() { return own_.span(); }
    [[nodiscard]] std::size_t bytes() const { return own_.bytes(); }

private:
    DeviceBuffer<std::byte> own_;
    OpenedPeers opened_;  // closed, collectively, before own_ is freed
};

}  // namespace wayfront::gpu
