#include "app/gpus.hpp"

#include "gpu/engine.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront::app {

bool built_with_cuda()
{
    return true;
}

int visible_gpus()
{
    return gpu::device_count();
}

LocalGpu use_gpu(int local_rank)
{
    const gpu::DeviceInfo device = gpu::use_device(local_rank);
    return {device.name, device.uuid, device.free_bytes};
}

std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock& block)
{
    return std::make_unique<gpu::GpuEngine>(block);
}

}  // namespace wayfront::app
