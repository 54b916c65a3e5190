#include "session/gpu_kron.hpp"

#include <utility>

#include "comm/agreement.hpp"

namespace wayfront::session {

namespace {

/// Collective.
gpu::ExchangeWay exchange_way(const comm::Communicator& world, const plan::EnginePlan& plan)
{
    if (plan.transport == Transport::nccl) return gpu::ExchangeWay::nccl;
    return plan.transport == Transport::mpi ? gpu::way_over_mpi(world) : gpu::ExchangeWay::peers;
}

}  // namespace

std::unique_ptr<gpu::DeviceExchange> make_exchange(const comm::Communicator& world, const plan::EnginePlan& plan,
                                                   PhaseLog* log)
{
    const Phase phase(log, "prepare exchange");
    return std::make_unique<gpu::DeviceExchange>(world, exchange_way(world, plan), plan.nccl);
}

GridExchanges make_grid_exchanges(const comm::ProcessGrid& grid, const plan::EnginePlan& plan, PhaseLog* log)
{
    const Phase phase(log, "prepare exchange");
    const gpu::ExchangeWay way = exchange_way(grid.world(), plan);
    const auto over = [&](const comm::Communicator& ranks) {
        gpu::NcclConnection nccl;
        if (way == gpu::ExchangeWay::nccl) nccl = gpu::connect_nccl(ranks);
        run_agreed(grid.world(), [&] {
            if (!nccl.obstacle.empty()) throw ResourceError(nccl.obstacle);
        });
        return std::make_unique<gpu::DeviceExchange>(ranks, way, std::move(nccl.ranks));
    };
    GridExchanges exchanges;
    exchanges.row = over(grid.row());
    exchanges.column = over(grid.column());
    return exchanges;
}

std::size_t construction_bytes(const plan::EnginePlan& plan)
{
    return plan.ranks_a_gpu > 1 ? plan.free_bytes : 0;
}

std::vector<bool> dealt_vertices_with_edges(const comm::Communicator& world, Vertex count,
                                            std::span<const Vertex> vertices,
                                            const std::function<bool(std::uint32_t)>& has_edges)
{
    std::vector<std::int64_t> touched(vertices.size(), 0);
    run_agreed(world, [&] {
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            const Vertex v = vertices[i];
            if (v < 0 || v >= count || v % world.size() != world.rank()) continue;
            touched[i] = has_edges(static_cast<std::uint32_t>(v / world.size())) ? 1 : 0;
        }
    });
    world.all_reduce(std::span<std::int64_t>(touched), comm::Reduction::max);
    return {touched.begin(), touched.end()};
}

}  // namespace wayfront::session
