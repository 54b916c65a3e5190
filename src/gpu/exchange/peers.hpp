// The device memory of the other ranks of a host, opened in this process (CUDA IPC).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

/// The unit of shared allocations: the driver shares whole pages, with all other data in them.
inline constexpr std::size_t kSharedPageBytes = std::size_t{2} << 20;

/// Whether ranks that use the same GPU count as reaching each other's memory. They reach it, but if
/// kernels on one GPU wait for each other, the GPU runs them in turn, each for a time slice of a
/// millisecond or more. This suffices for tests.
enum class GpuSharing { refused, allowed };

/// The reason why these ranks' GPUs cannot reach each other's memory: several hosts, a shared GPU
/// if sharing is refused, no link, or no CUDA IPC. Empty if the GPUs can reach it, or if there is
/// one rank. Collective; the result is the same on all ranks.
[[nodiscard]] std::string peer_obstacle(const comm::Communicator& ranks, GpuSharing sharing = GpuSharing::refused);

/// The reason why the kernels of these ranks' GPUs cannot search together: more ranks than
/// kMaxPeers, the reason of peer_obstacle(), or a link without atomic operations, if both GPUs of
/// the link are visible to a process. Empty if the kernels can. Collective; the result is the same
/// on all ranks.
[[nodiscard]] std::string resident_obstacle(const comm::Communicator& ranks, GpuSharing sharing = GpuSharing::refused);

/// Whether two of the ranks use the same GPU; the ranks may be on several hosts. Collective.
[[nodiscard]] bool ranks_share_gpus(const comm::Communicator& ranks);

/// Owns the mappings of the other ranks' memory, but not this rank's own memory.
class OpenedPeers
{
public:
    /// Shares this rank's allocation at `own`, and opens the allocations of the other ranks.
    /// Collective over `group`, which outlives the object. If one rank fails, all ranks throw the
    /// same ResourceError, and no memory stays open.
    OpenedPeers(const comm::Communicator& group, std::byte* own);
    OpenedPeers(const OpenedPeers&) = delete;  // closes the opened memory once
    OpenedPeers& operator=(const OpenedPeers&) = delete;
    /// Closes the memory. Collective, because memory may be freed only when no peer has it open.
    /// Not collective if an exception ends the scope, because the other ranks may then be anywhere
    /// in the program.
    ~OpenedPeers();

    /// The address of `peer`'s allocation in this process. For this rank, the address of its own
    /// allocation.
    [[nodiscard]] std::byte* base(std::size_t peer) const { return bases_[peer]; }

private:
    void close() noexcept;

    const comm::Communicator& group_;
    std::vector<std::byte*> bases_;
    int exceptions_;  // number of exceptions in flight when the object was constructed
};

}  // namespace wayfront::gpu
