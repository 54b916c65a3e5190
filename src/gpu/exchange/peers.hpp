// The device memory of the other ranks of a host, opened in this process (CUDA IPC).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

/// Allocations to share are a multiple of this: the driver shares whole pages, and with them whatever else stands there.
inline constexpr std::size_t kSharedPageBytes = std::size_t{2} << 20;

/// Whether ranks that use the same GPU count as reaching each other. They do reach, but kernels that wait for each other take turns there, a time
/// slice of a millisecond or more each: good for tests.
enum class GpuSharing { refused, allowed };

/// Why the GPUs that these ranks use cannot reach each other's memory: several hosts, a shared GPU where that is refused, no link, no CUDA IPC. Empty
/// where they can, and for one rank. Collective; the same on all ranks.
[[nodiscard]] std::string peer_obstacle(const comm::Communicator& ranks, GpuSharing sharing = GpuSharing::refused);

/// Whether two of the ranks, of whatever hosts, use the same GPU. Collective.
[[nodiscard]] bool ranks_share_gpus(const comm::Communicator& ranks);

/// Owns what it opened of the others' memory, and nothing of this rank's own.
class OpenedPeers
{
public:
    /// Every rank shows its allocation, `own` being what the allocation gave, and opens those of the others. Collective over `group`, which outlives
    /// the object. Where one rank fails, all throw the same ResourceError and nothing stays open.
    OpenedPeers(const comm::Communicator& group, std::byte* own);
    OpenedPeers(const OpenedPeers&) = delete;  // closes what it opened, once
    OpenedPeers& operator=(const OpenedPeers&) = delete;
    /// Memory may be freed only when no peer has it open: collective, unless an exception ends the scope, when the others may be anywhere.
    ~OpenedPeers();

    /// Where `peer`'s allocation stands in this process; the rank's own is where it always was.
    [[nodiscard]] std::byte* base(std::size_t peer) const { return bases_[peer]; }

private:
    void close() noexcept;

    const comm::Communicator& group_;
    std::vector<std::byte*> bases_;
    int exceptions_;  // in flight when the object was made
};

}  // namespace wayfront::gpu
