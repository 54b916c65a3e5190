// A build without CUDA: there are no GPUs (gpus.hpp, gpu_search.hpp).
#include <stdexcept>

#include "app/search/gpu_search.hpp"
#include "app/search/gpus.hpp"

namespace wayfront::app {

namespace {

[[noreturn]] void never_called()
{
    throw std::logic_error("a search on GPUs in a build without CUDA");
}

}  // namespace

bool built_with_cuda()
{
    return false;
}

void show_phases_to_profilers() {}

int visible_gpus()
{
    return 0;
}

std::string gpu_failure()
{
    return "";
}

std::vector<gpu::DeviceId> visible_gpu_ids()
{
    never_called();
}

std::string use_gpu(int /*index*/)
{
    never_called();
}

std::size_t free_gpu_bytes()
{
    never_called();
}

std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock& /*block*/, std::size_t /*most_bytes*/)
{
    never_called();
}

std::string device_obstacle(const comm::Communicator& /*ranks*/)
{
    never_called();
}

std::string resident_obstacle(const comm::Communicator& /*ranks*/, gpu::GpuSharing /*sharing*/)
{
    never_called();
}

gpu::NcclConnection connect_nccl(const comm::Communicator& /*ranks*/)
{
    never_called();
}

Obstacle upload_obstacle(const Job& /*job*/, const Engine& /*engine*/, const LoadedGraph& /*input*/)
{
    never_called();
}

Obstacle kron_obstacle(const Job& /*job*/, const Engine& /*engine*/, const KronGraph& /*graph*/)
{
    never_called();
}

std::unique_ptr<PreparedSearch> make_uploaded_search(const comm::ProcessGrid& /*grid*/, const DistributedGraph& /*graph*/, const EdgeFeed& /*feed*/,
                                                     const Engine& /*engine*/, const algo::BfsOptions& /*options*/)
{
    never_called();
}

std::unique_ptr<PreparedSearch> make_kron_search(const comm::ProcessGrid& /*grid*/, const KronGraph& /*graph*/, const Engine& /*engine*/,
                                                 const algo::BfsOptions& /*options*/)
{
    never_called();
}

}  // namespace wayfront::app
