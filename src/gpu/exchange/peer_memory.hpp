// Memory of this rank's GPU that kernels on the other GPUs of the host read and write.
#pragma once

#include <cstddef>
#include <span>

#include "comm/communicator.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// Owns one allocation on each rank, of the same size on all, and opens those of the others.
class PeerMemory
{
public:
    /// The bytes that are allocated for `bytes`: whole pages, see kSharedPageBytes.
    [[nodiscard]] static constexpr std::size_t allocated_bytes(std::size_t bytes)
    {
        return (bytes + kSharedPageBytes - 1) / kSharedPageBytes * kSharedPageBytes;
    }

    /// Allocates the memory, uninitialised, and opens that of the others. Collective over `group`,
    /// which outlives the object. Throws ResourceError: on all ranks if the memory cannot be
    /// opened, on one rank alone if its GPU has too little.
    PeerMemory(const comm::Communicator& group, std::size_t bytes)
        : own_(allocated_bytes(bytes)), opened_(group, own_.data())
    {
    }

    /// The beginning of a rank's allocation, in this process's addresses.
    [[nodiscard]] std::byte* base(std::size_t rank) const { return opened_.base(rank); }
    [[nodiscard]] std::span<std::byte> own() { return own_.span(); }
    [[nodiscard]] std::size_t bytes() const { return own_.bytes(); }

private:
    DeviceBuffer<std::byte> own_;
    OpenedPeers opened_;  // closed, collectively, before own_ is freed
};

}  // namespace wayfront::gpu
