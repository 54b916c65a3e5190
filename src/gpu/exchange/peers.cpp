#include "gpu/exchange/peers.hpp"

#include <algorithm>
#include <exception>

#include "base/agreed.hpp"
#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront::gpu {

namespace {

int current_device()
{
    int device = 0;
    check(cudaGetDevice(&device));
    return device;
}

/// The GPU of each rank. Collective.
std::vector<DeviceId> used_gpus(const comm::Communicator& ranks)
{
    return ranks.all_gather(device_id(current_device()));
}

bool has_duplicates(const std::vector<DeviceId>& gpus)
{
    for (std::size_t a = 0; a < gpus.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (gpus[a] == gpus[b]) return true;
    return false;
}

/// Whether reaches(device of this process, other) is true for all other devices of `used` that are
/// visible to this process.
template <typename Reaches>
bool all_visible(const std::vector<DeviceId>& used, Reaches&& reaches)
{
    const int device = current_device();
    for (int other = 0; other < device_count(); ++other)
        if (other != device && std::ranges::count(used, device_id(other)) != 0 && !reaches(device, other)) return false;
    return true;
}

/// Whether this process's device reaches all devices of `used` that are visible to this process.
/// Whether it reaches devices that are not visible is known only after an attempt to map their memory.
bool reaches_visible(const std::vector<DeviceId>& used)
{
    return all_visible(used, [](int device, int other) {
        int reaches = 0;
        check(cudaDeviceCanAccessPeer(&reaches, device, other));
        return reaches != 0;
    });
}

/// Whether this process's device supports atomic operations on all devices of `used` that are
/// visible to this process.
bool has_atomics_to_visible(const std::vector<DeviceId>& used)
{
    return all_visible(used, [](int device, int other) {
        int atomics = 0;
        check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, device, other));
        return atomics != 0;
    });
}

}  // namespace

bool ranks_share_gpus(const comm::Communicator& ranks)
{
    return has_duplicates(used_gpus(ranks));
}

std::string peer_obstacle(const comm::Communicator& ranks, GpuSharing sharing)
{
    if (ranks.size() == 1) return "";
    if (ranks.split_by_host().size() != ranks.size()) return "the ranks are on several hosts";
    const std::vector<DeviceId> used = used_gpus(ranks);
    if (sharing == GpuSharing::refused && has_duplicates(used)) return "several ranks share a GPU";
    if (!ranks.all(reaches_visible(used))) return "the GPUs cannot reach each other's memory";
    DeviceBuffer<std::byte> trial;
    try {
        trial = DeviceBuffer<std::byte>(kSharedPageBytes);
    } catch (const ResourceError&) {
        cudaGetLastError();  // the failure is reported below
    }
    if (!ranks.all(!trial.empty())) return "a GPU has no memory left";
    try {
        const OpenedPeers opened(ranks, trial.data());
    } catch (const OnAllRanks<ResourceError>& error) {
        return error.what();
    }
    return "";
}

std::string resident_obstacle(const comm::Communicator& ranks, GpuSharing sharing)
{
    if (ranks.size() > kMaxPeers) return "at most " + std::to_string(kMaxPeers) + " GPUs search together";
    std::string obstacle = peer_obstacle(ranks, sharing);
    if (!obstacle.empty() || ranks.size() == 1) return obstacle;
    return ranks.all(has_atomics_to_visible(used_gpus(ranks))) ? ""
                                                               : "the links between the GPUs have no atomic operations";
}

OpenedPeers::OpenedPeers(const comm::Communicator& group, std::byte* own)
    : group_(group), bases_(static_cast<std::size_t>(group.size()), nullptr), exceptions_(std::uncaught_exceptions())
{
    const auto rank = static_cast<std::size_t>(group.rank());
    bases_[rank] = own;
    if (group.size() == 1) return;
    cudaIpcMemHandle_t handle{};
    cudaError_t status = cudaIpcGetMemHandle(&handle, own);
    const std::vector<cudaIpcMemHandle_t> handles = group.all_gather(handle);
    if (group.all(status == cudaSuccess)) {
        for (std::size_t peer = 0; peer < bases_.size() && status == cudaSuccess; ++peer) {
            if (peer == rank) continue;
            void* base = nullptr;
            status = cudaIpcOpenMemHandle(&base, handles[peer], cudaIpcMemLazyEnablePeerAccess);
            if (status == cudaSuccess) bases_[peer] = static_cast<std::byte*>(base);
        }
    }
    const std::vector<cudaError_t> all = group.all_gather(status);
    const auto failed = std::ranges::find_if(all, [](cudaError_t one) { return one != cudaSuccess; });
    if (failed == all.end()) return;
    cudaGetLastError();  // this error is reported here, and must not be reported again elsewhere
    close();
    group.barrier();
    throw OnAllRanks<ResourceError>(std::string("the ranks cannot open each other's GPU memory (CUDA IPC): ") +
                                    cudaGetErrorString(*failed));
}

OpenedPeers::~OpenedPeers()
{
    close();
    if (std::uncaught_exceptions() > exceptions_) return;
    try {
        group_.barrier();
    } catch (const comm::CommError&) {
        comm::Communicator::mark_failed();
    }
}

void OpenedPeers::close() noexcept
{
    const auto rank = static_cast<std::size_t>(group_.rank());
    for (std::size_t peer = 0; peer < bases_.size(); ++peer)
        if (peer != rank && bases_[peer] != nullptr) cudaIpcCloseMemHandle(bases_[peer]);
}

}  // namespace wayfront::gpu
