#include "session/bfs/bfs_searches.hpp"

#include "cpu/bfs/cpu_engine.hpp"
#include "gpu/bfs/device_search.hpp"
#include "session/bfs/gpu_bfs.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::session {

namespace {

/// Returns an engine for searches that the host drives. Pre: not plan.on_device(). Throws
/// ResourceError.
std::unique_ptr<EdgeEngine> make_engine(const plan::EnginePlan& plan, const CsrBlock& block)
{
    const EngineMaker on_cpu = [](const CsrBlock& part) { return std::make_unique<cpu::CpuEngine>(part); };
    if (plan.engine == Engine::cpu) return on_cpu(block);
    const EngineMaker on_gpu = [most = plan.free_bytes](const CsrBlock& part) {
        return gpu_bfs::make_engine(part, most);
    };
    if (plan.engine == Engine::gpu) return on_gpu(block);
    return std::make_unique<SplitEngine>(block, on_cpu, on_gpu, plan.cpu_share);
}

}  // namespace

std::vector<bool> HostGraphBfs::have_edges(std::span<const Vertex> vertices) const
{
    return vertices_with_edges(world(), graph_, vertices);
}

void HostGraphBfs::prepare_check(Check check)
{
    checks_.prepare(check);
}

graph500::BfsValidation HostGraphBfs::check()
{
    const VertexArray& found = parents();
    return checks_.check(found, [&](graph500::BfsValidator& validator) {
        return is_nearest() ? validator.validate_nearest(sources(), nearest(), found)
                            : validator.validate(key(), found);
    });
}

plan::DeviceRequirements bfs_requirements()
{
    return {.transports = {Transport::p2p, Transport::nccl, Transport::mpi},
            .most_vertices = Vertex{1} << 31,
            .shared_bytes = gpu::bfs::kLeastSharedBytes};
}

std::string nearest_obstacle(const plan::EnginePlan& plan, int ranks, bool smallest_parents)
{
    if (smallest_parents) return "--nearest with --deterministic is not for searches on GPUs alone";
    if (ranks > 1) return "--nearest is not for searches on several GPUs alone";
    return plan.resident() ? "" : "--nearest is not for searches with messages between GPUs";
}

plan::EnginePlan settle_bfs(const job::Job& job, const plan::SearchOptions& search, const plan::EnginePlan& plan,
                            const LoadedGraph& input, bool nearest)
{
    if (!plan.on_device()) return plan;
    plan::Obstacle obstacle = plan::graph_obstacle(bfs_requirements(), input.list.vertex_count);
    const comm::GridShape grid = plan::choose_grid(search.grid, plan, job.world().size(), job.ranks_a_host());
    if (obstacle.words.empty()) obstacle = gpu_bfs::upload_obstacle(plan, input, grid, nearest);
    return plan::settle_plan(job, search.engine, plan, obstacle);
}

std::unique_ptr<HostGraphBfs> prepare_bfs(const ConstructedGraph& constructed, const plan::EnginePlan& plan,
                                          const algo::BfsOptions& options)
{
    if (plan.on_device()) return gpu_bfs::make_uploaded(constructed, plan, options);
    return make_host_loop_bfs(
        constructed, [&plan](const CsrBlock& block) { return make_engine(plan, block); }, plan.device, options);
}

}  // namespace wayfront::session
