// Searches on GPUs in a build without CUDA: there is no plan for them, so that nothing calls these
// functions.
#include "base/error.hpp"
#include "session/bfs/gpu_bfs.hpp"
#include "session/sssp/gpu_sssp.hpp"

namespace wayfront::session {

namespace {

[[noreturn]] void throw_no_cuda()
{
    throw ResourceError("this wayfront was built without CUDA");
}

}  // namespace

namespace gpu_bfs {

std::unique_ptr<EdgeEngine> make_engine(const CsrBlock& /*block*/, std::size_t /*most_bytes*/)
{
    throw_no_cuda();
}

plan::Obstacle upload_obstacle(const plan::EnginePlan& /*plan*/, const LoadedGraph& /*input*/, comm::GridShape /*grid*/,
                               bool /*nearest*/)
{
    throw_no_cuda();
}

plan::Obstacle kron_obstacle(const plan::EnginePlan& /*plan*/, const KronGraph& /*graph*/, int /*ranks*/)
{
    throw_no_cuda();
}

std::unique_ptr<HostGraphBfs> make_uploaded(const ConstructedGraph& /*constructed*/, const plan::EnginePlan& /*plan*/,
                                            const algo::BfsOptions& /*options*/)
{
    throw_no_cuda();
}

bool constructs(const comm::ProcessGrid& /*grid*/, const EdgeFeed& /*feed*/, const plan::EnginePlan& /*plan*/,
                const algo::BfsOptions& /*options*/)
{
    return false;
}

std::unique_ptr<HostGraphBfs> make_constructed(const comm::ProcessGrid& /*grid*/, DistributedGraph& /*graph*/,
                                               const EdgeFeed& /*feed*/, const plan::EnginePlan& /*plan*/,
                                               const algo::BfsOptions& /*options*/)
{
    throw_no_cuda();
}

std::unique_ptr<BfsSearches> make_kron(const comm::ProcessGrid& /*grid*/, const KronGraph& /*graph*/,
                                       const plan::EnginePlan& /*plan*/, const algo::BfsOptions& /*options*/)
{
    throw_no_cuda();
}

}  // namespace gpu_bfs

namespace gpu_sssp {

plan::Obstacle memory_obstacle(const plan::EnginePlan& /*plan*/, algo::SsspMethod /*method*/,
                               const LoadedGraph& /*input*/, int /*ranks*/, bool /*nearest*/)
{
    throw_no_cuda();
}

plan::Obstacle share_obstacle(const plan::EnginePlan& /*plan*/, const comm::ProcessGrid& /*grid*/,
                              const DistributedGraph& /*graph*/)
{
    throw_no_cuda();
}

plan::Obstacle kron_obstacle(const plan::EnginePlan& /*plan*/, const KronGraph& /*graph*/, int /*ranks*/)
{
    throw_no_cuda();
}

std::unique_ptr<SsspSearches> make_kron(const comm::ProcessGrid& /*grid*/, const KronGraph& /*graph*/,
                                        const SsspPlan& /*plan*/, const algo::SsspOptions& /*options*/)
{
    throw_no_cuda();
}

std::size_t shared_bytes_of_peers(int /*ranks*/)
{
    throw_no_cuda();
}

PreparedSsspSearch make(const comm::ProcessGrid& /*grid*/, const DistributedGraph& /*graph*/,
                        const plan::EnginePlan& /*engine*/, const algo::SsspOptions& /*options*/,
                        std::function<std::unique_ptr<algo::SsspSearch>()> /*make_wide*/)
{
    throw_no_cuda();
}

bool constructs(const comm::ProcessGrid& /*grid*/, const EdgeFeed& /*feed*/, const plan::EnginePlan& /*engine*/,
                const algo::SsspOptions& /*options*/)
{
    return false;
}

PreparedSsspSearch make_constructed(const comm::ProcessGrid& /*grid*/, DistributedGraph& /*graph*/,
                                    const EdgeFeed& /*feed*/, const algo::SsspOptions& /*options*/,
                                    std::function<std::unique_ptr<algo::SsspSearch>()> /*make_wide*/)
{
    throw_no_cuda();
}

PreparedSsspSearch make_grid(const comm::ProcessGrid& /*grid*/, const DistributedGraph& /*graph*/,
                             const algo::SsspOptions& /*options*/, std::size_t /*most_bytes*/)
{
    throw_no_cuda();
}

}  // namespace gpu_sssp
}  // namespace wayfront::session
