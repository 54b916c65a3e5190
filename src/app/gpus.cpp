#include "app/gpus.hpp"

#include "gpu/engine.hpp"
#include "gpu/runtime/device.hpp"
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

std::vector<std::string> visible_gpu_ids()
{
    return gpu::device_ids();
}

std::string use_gpu(int index)
{
    return gpu::use_device(index).name;
}

std::size_t free_gpu_bytes()
{
    return gpu::free_memory();
}

std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock& block)
{
    return std::make_unique<gpu::GpuEngine>(block);
}

}  // namespace wayfront::app
