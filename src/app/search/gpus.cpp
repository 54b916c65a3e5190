#include "app/search/gpus.hpp"

#include <cstdlib>
#include <string_view>

#include "gpu/bfs/host_driven/engine.hpp"
#include "gpu/runtime/profiler.hpp"

namespace wayfront::app {

bool built_with_cuda()
{
    return true;
}

void show_phases_to_profilers()
{
    gpu::show_ranges_to_profilers();
}

int visible_gpus()
{
    return gpu::device_count();
}

std::string gpu_failure()
{
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const bool hidden = visible != nullptr && (std::string_view(visible).empty() || std::string_view(visible) == "-1");
    return hidden ? "" : gpu::device_failure();
}

std::vector<gpu::DeviceId> visible_gpu_ids()
{
    std::vector<gpu::DeviceId> ids(static_cast<std::size_t>(gpu::device_count()));
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = gpu::device_id(static_cast<int>(i));
    return ids;
}

std::string use_gpu(int index)
{
    return gpu::use_device(index);
}

std::size_t free_gpu_bytes()
{
    return gpu::free_memory();
}

std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock& block, std::size_t most_bytes)
{
    return std::make_unique<gpu::GpuEngine>(block, gpu::GpuTuning{}, most_bytes);
}

}  // namespace wayfront::app
