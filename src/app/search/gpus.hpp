// The GPUs as the program sees them. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront::app {

class GpuApsp;
class GpuBfs;
class GpuSssp;

/// The GPUs that this rank sees, and the searches on them.
class Gpus
{
public:
    virtual ~Gpus() = default;

    /// Makes profilers of GPUs show the program's phases as ranges.
    virtual void show_phases_to_profilers() const = 0;

    /// The number of GPUs that this rank sees.
    [[nodiscard]] virtual int visible() const = 0;
    /// Why this rank sees none of the GPUs of its host, for example an old driver; empty if it sees
    /// a GPU or if the host has none.
    [[nodiscard]] virtual std::string failure() const = 0;
    /// The identities of the visible GPUs. Throws ResourceError.
    [[nodiscard]] virtual std::vector<gpu::DeviceId> ids() const = 0;
    /// Makes the visible GPU number `index` this rank's own, and returns its name. Throws
    /// ResourceError.
    virtual std::string use(int index) const = 0;

    // Properties of this rank's own GPU. Both functions throw ResourceError.
    [[nodiscard]] virtual std::size_t free_bytes() const = 0;
    [[nodiscard]] virtual std::size_t shared_bytes_per_block() const = 0;

    /// The reason why these ranks' GPUs cannot reach each other's memory; empty if they can.
    /// Collective; the same on all ranks.
    [[nodiscard]] virtual std::string peers_obstacle(const comm::Communicator& ranks, gpu::GpuSharing sharing) const = 0;
    /// The reason why the kernels of these ranks' GPUs cannot search together; empty if they can.
    /// Collective; the same on all ranks.
    [[nodiscard]] virtual std::string resident_obstacle(const comm::Communicator& ranks, gpu::GpuSharing sharing) const = 0;
    /// gpu::connect_nccl(). Collective.
    [[nodiscard]] virtual gpu::NcclConnection connect_nccl(const comm::Communicator& ranks) const = 0;

    [[nodiscard]] virtual const GpuBfs& bfs() const = 0;
    [[nodiscard]] virtual const GpuSssp& sssp() const = 0;
    [[nodiscard]] virtual const GpuApsp& apsp() const = 0;
};

/// Null in a build without CUDA.
[[nodiscard]] const Gpus* gpus();

}  // namespace wayfront::app
