#include "app/search/gpus.hpp"

#include <cstdlib>
#include <string_view>

#include "app/search/gpu_apsp.hpp"
#include "app/search/gpu_bfs.hpp"
#include "app/search/gpu_sssp.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/runtime/profiler.hpp"

namespace wayfront::app {

namespace {

class CudaGpus final : public Gpus
{
public:
    void show_phases_to_profilers() const override { gpu::show_ranges_to_profilers(); }
    int visible() const override { return gpu::device_count(); }
    std::string failure() const override
    {
        const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
        const bool hidden = visible != nullptr && (std::string_view(visible).empty() || std::string_view(visible) == "-1");
        return hidden ? "" : gpu::device_failure();
    }
    std::vector<gpu::DeviceId> ids() const override
    {
        std::vector<gpu::DeviceId> all(static_cast<std::size_t>(gpu::device_count()));
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = gpu::device_id(static_cast<int>(i));
        return all;
    }
    std::string use(int index) const override { return gpu::use_device(index); }
    std::size_t free_bytes() const override { return gpu::free_memory(); }
    std::size_t shared_bytes_per_block() const override { return gpu::shared_memory_per_block(); }
    std::string peers_obstacle(const comm::Communicator& ranks, gpu::GpuSharing sharing) const override { return gpu::peer_obstacle(ranks, sharing); }
    std::string resident_obstacle(const comm::Communicator& ranks, gpu::GpuSharing sharing) const override
    {
        return gpu::resident_obstacle(ranks, sharing);
    }
    gpu::NcclConnection connect_nccl(const comm::Communicator& ranks) const override { return gpu::connect_nccl(ranks); }
    const GpuBfs& bfs() const override { return gpu_bfs(); }
    const GpuSssp& sssp() const override { return gpu_sssp(); }
    const GpuApsp& apsp() const override { return gpu_apsp(); }
};

}  // namespace

const Gpus* gpus()
{
    static const CudaGpus cuda;
    return &cuda;
}

}  // namespace wayfront::app
