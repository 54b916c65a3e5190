// The device memory of the other ranks of a host, opened in this process (CUDA IPC).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

/// Allocations that are shared are a multiple of this size: the driver shares whole pages,
/// including other data in them.
inline constexpr std::size_t kSharedPageBytes = std::size_t{2} << 20;

/// Whether ranks that use the same GPU count as reaching each other's memory. They do reach it, but
/// kernels on one GPU that wait for each other run in turns, each for a time slice of a millisecond
/// or more. This suffices for tests.
enum class GpuSharing { refused, allowed };

/// The reason why these ranks' GPUs cannot reach each other's memory: several hosts, a shared GPU
/// if that is refused, no link, no CUDA IPC. Empty if they can, and if there is one rank.
/// Collective; the result is the same on all ranks.
[[nodiscard]] std::string peer_obstacle(const comm::Communicator& ranks, GpuSharing sharing = GpuSharing::refused);

/// The reason why the kernels of these ranks' GPUs cannot search together: more ranks than
/// kMaxPeers, that of peer_obstacle(), or links without atomic operations, as far as processes see
/// both of a link's GPUs. Empty if they can.
/// Collective; the result is the same on all ranks.
[[nodiscard]] std::string resident_obstacle(const comm::Communicator& ranks, GpuSharing sharing = GpuSharing::refused);

/// Whether two of the ranks use the same GPU; the ranks may be on several hosts. Collective.
[[nodiscard]] bool ranks_share_gpus(const comm::Communicator& ranks);

/// Owns the mappings of the other ranks' memory, but not this rank's own memory.
class OpenedPeers
{
public:
    /// Shares this rank's allocation, which `own` points to, and opens the allocations of the other
    /// ranks. Collective over `group`, which outlives the object. If one rank fails, all throw the
    /// same ResourceError and nothing stays open.
    OpenedPeers(const comm::Communicator& group, std::byte* own);
    OpenedPeers(const OpenedPeers&) = delete;  // closes the opened memory once
    OpenedPeers& operator=(const OpenedPeers&) = delete;
    /// Closes the memory. Collective, because memory may be freed only when no peer has it open;
    /// but not collective if an exception ends the scope, because the others may then be anywhere
    /// in the program.
    ~OpenedPeers();

    /// The address of `peer`'s allocation in this process; for the rank itself, the address of its
    /// own allocation.
    [[nodiscard]] std::byte* base(std::size_t peer) const { return bases_[peer]; }

private:
    void close() noexcept;

    const comm::Communicator& group_;
    std::vector<std::byte*> bases_;
    int exceptions_;  // exceptions in flight when the object was constructed
};

}  // namespace wayfront::gpu
