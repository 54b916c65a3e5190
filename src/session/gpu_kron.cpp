#include "session/gpu_kron.hpp"

#include <utility>

#include <fmt/format.h>

#include "comm/agreement.hpp"

namespace wayfront::session {

namespace {

/// Collective.
gpu::ExchangeMethod exchange_method(const comm::Communicator& world, const plan::EnginePlan& plan)
{
    if (plan.transport == Transport::nccl) return gpu::ExchangeMethod::nccl;
    return plan.transport == Transport::mpi ? gpu::method_over_mpi(world) : gpu::ExchangeMethod::peers;
}

/// The words of the first rank that has any; empty if none has. Collective.
std::string first_words(const comm::Communicator& world, const std::string& own)
{
    const std::int64_t ranks = world.size();
    const std::int64_t first = world.all_reduce(own.empty() ? ranks : std::int64_t{world.rank()}, comm::Reduction::min);
    return first < ranks ? world.broadcast(own, static_cast<int>(first)) : std::string();
}

/// NCCL's connections along the rows and the columns of a grid.
struct NcclOfGrid
{
    std::shared_ptr<gpu::NcclRanks> row, column;
    std::string obstacle;  // the obstacle of a rank; the same on all ranks

    /// Collective.
    static NcclOfGrid connect(const comm::ProcessGrid& grid)
    {
        gpu::NcclConnection row = gpu::connect_nccl(grid.row());
        gpu::NcclConnection column;
        if (grid.world().all(row.obstacle.empty())) column = gpu::connect_nccl(grid.column());
        const std::string& own = row.obstacle.empty() ? column.obstacle : row.obstacle;
        const std::string first = first_words(grid.world(), own);
        if (!first.empty()) return {nullptr, nullptr, first};
        return {std::move(row.ranks), std::move(column.ranks), ""};
    }
};

/// Makes the exchange with a group of ranks. All ranks throw if one group cannot be connected.
std::unique_ptr<gpu::DeviceExchange> over(const comm::ProcessGrid& grid, const comm::Communicator& group,
                                          gpu::ExchangeMethod method, std::shared_ptr<gpu::NcclRanks> nccl)
{
    std::unique_ptr<gpu::DeviceExchange> made;
    std::string failure;
    try {
        made = std::make_unique<gpu::DeviceExchange>(group, method, std::move(nccl));
    } catch (const OnAllRanks<ResourceError>& error) {  // on all ranks of the group
        failure = error.what();
    }
    failure = first_words(grid.world(), failure);
    if (failure.empty()) return made;
    made.reset();  // collective over the group
    throw AgreedError(ExitCode::resources, failure);
}

GridExchanges over(const comm::ProcessGrid& grid, gpu::ExchangeMethod method, NcclOfGrid nccl)
{
    GridExchanges exchanges;
    exchanges.row = over(grid, grid.row(), method, std::move(nccl.row));
    exchanges.column = over(grid, grid.column(), method, std::move(nccl.column));
    return exchanges;
}

}  // namespace

std::unique_ptr<gpu::DeviceExchange> make_exchange(const comm::Communicator& world, const plan::EnginePlan& plan,
                                                   PhaseLog* log)
{
    const Phase phase(log, "prepare exchange");
    return std::make_unique<gpu::DeviceExchange>(world, exchange_method(world, plan), plan.nccl);
}

GridExchanges make_grid_exchanges(const comm::ProcessGrid& grid, const plan::EnginePlan& plan, PhaseLog* log)
{
    const Phase phase(log, "prepare exchange");
    const gpu::ExchangeMethod method = exchange_method(grid.world(), plan);
    NcclOfGrid nccl;
    if (method == gpu::ExchangeMethod::nccl) nccl = NcclOfGrid::connect(grid);
    if (!nccl.obstacle.empty()) throw AgreedError(ExitCode::resources, nccl.obstacle);
    return over(grid, method, std::move(nccl));
}

GridExchanges make_grid_exchanges(const comm::ProcessGrid& grid, PhaseLog* log)
{
    const Phase phase(log, "prepare exchange");
    NcclOfGrid nccl = NcclOfGrid::connect(grid);
    const gpu::ExchangeMethod method =
        nccl.obstacle.empty() ? gpu::ExchangeMethod::nccl : gpu::method_over_mpi(grid.world());
    return over(grid, method, std::move(nccl));
}

std::string exchange_in_words(gpu::ExchangeMethod method, std::string_view form)
{
    switch (method) {
        case gpu::ExchangeMethod::peers:
            return fmt::format("p2p ({})", form);
        case gpu::ExchangeMethod::nccl:
            return fmt::format("nccl ({})", form);
        case gpu::ExchangeMethod::device_mpi:
            return fmt::format("mpi ({}, device memory)", form);
        case gpu::ExchangeMethod::host_memory:
            return fmt::format("mpi ({}, host memory)", form);
        case gpu::ExchangeMethod::staged:
            break;
    }
    return fmt::format("mpi ({}, staged)", form);
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
