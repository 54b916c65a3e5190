#include "plan/engine_plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/device.hpp"
#include "plan/device_choice.hpp"

namespace wayfront::plan {

namespace {

/// The reason of the first rank that has GPUs but cannot use them; empty if there is no such rank.
/// Collective.
std::string first_gpu_failure(const comm::Communicator& world)
{
    try {
        run_agreed(world, [&] {
            if (const std::string failure = gpu::device_failure(); !failure.empty()) throw ResourceError(failure);
        });
    } catch (const AgreedError& error) {
        return error.what();
    }
    return "";
}

void require_requested_gpu(const EngineRequest& request)
{
    const std::string_view option = request.gpu_option();
    if (option.empty()) return;
    if (!gpu::has_cuda())
        throw ResourceError(fmt::format(
            "{}: this wayfront was built without CUDA; put nvcc 12.0 or later on PATH, then configure and build again",
            option));
    if (gpu::device_count() > 0) return;
    if (const std::string failure = gpu::device_failure(); !failure.empty())
        throw ResourceError(fmt::format("{}: no GPU can be used: {}; see the output of nvidia-smi, or use --engine cpu",
                                        option, failure));
    throw ResourceError(fmt::format("{}: no GPU was found; --engine cpu searches on the CPU", option));
}

/// The GPUs that each rank of this host sees, by numbers that are the same for all ranks.
/// Collective.
std::vector<std::vector<int>> gpus_in_sight(const job::Job& job)
{
    const std::vector<gpu::DeviceId> own = run_agreed(job.world(), [] { return gpu::device_ids(); });
    const std::vector<std::size_t> counts = job.host().all_gather(own.size());
    std::vector<gpu::DeviceId> all(std::reduce(counts.begin(), counts.end()));
    job.host().all_gather_v(std::span<const gpu::DeviceId>(own), std::span<const std::size_t>(counts),
                            std::span<gpu::DeviceId>(all));
    std::vector<std::vector<int>> visible;
    auto next = all.begin();
    for (const std::size_t count : counts) {
        visible.emplace_back();
        for (std::size_t i = 0; i < count; ++i)
            visible.back().push_back(static_cast<int>(std::ranges::find(all, *next++) - all.begin()));
    }
    return visible;
}

/// Chooses a GPU for each rank and makes it the rank's own. Collective.
EnginePlan on_gpus(const job::Job& job, const EngineRequest& request)
{
    const comm::Communicator& world = job.world();
    const std::vector<std::vector<int>> visible = gpus_in_sight(job);
    const std::vector<int> chosen = choose_devices(visible);
    const auto gpu_of = [&](std::size_t rank) { return visible[rank][static_cast<std::size_t>(chosen[rank])]; };
    const auto own = static_cast<std::size_t>(job.host().rank());
    std::int64_t sharers = 0;
    for (std::size_t rank = 0; rank < visible.size(); ++rank) sharers += gpu_of(rank) == gpu_of(own) ? 1 : 0;
    const std::string name = run_agreed(world, [&] { return gpu::use_device(chosen[own]); });
    EnginePlan plan;
    plan.engine = Engine::gpu;
    plan.cpu_share = request.cpu_share;
    plan.device = world.broadcast(name, 0);
    plan.ranks_a_gpu = static_cast<int>(world.all_reduce(sharers, comm::Reduction::max));
    plan.free_bytes = free_for_each(job, plan.ranks_a_gpu);
    return plan;
}

/// Why a GPU of these ranks does not have the shared memory that an algorithm's on-GPU searches need;
/// empty if all GPUs do. Collective.
std::string device_obstacle(const comm::Communicator& world, std::size_t needed_bytes)
{
    const std::size_t shared_bytes = run_agreed(world, [] { return gpu::shared_memory_per_block(); });
    if (world.all(shared_bytes >= needed_bytes)) return "";
    return fmt::format("not every GPU has the {} KiB of shared memory per thread block that on-GPU searches need",
                       needed_bytes >> 10);
}

/// Returns the plan of a search on the CPU cores, and prints a note why the GPUs are not used.
EnginePlan on_the_cores(const job::Job& job, const std::string& why)
{
    job.note("the search runs on the CPU, not on the GPU: " + why);
    return {};
}

/// Returns `plan`, and warns if ranks share GPUs.
EnginePlan with_warning(const job::Job& job, EnginePlan plan)
{
    if (plan.ranks_a_gpu == 1) return plan;
    const char* const slow = plan.resident() ? ", and take turns in every level" : "";
    job.warn(fmt::format("up to {} ranks share a GPU{}; start one rank per GPU", plan.ranks_a_gpu, slow));
    return plan;
}

// Names of the transports, in the order of the enumerators of Transport.
constexpr std::array<std::string_view, 5> kTransportNames{"", "each other's memory", "NCCL", "MPI", "the hosts"};

}  // namespace

std::size_t free_for_each(const job::Job& job, int ranks_a_gpu)
{
    const std::size_t own = run_agreed(job.world(), [] { return gpu::free_memory(); });
    const auto least =
        static_cast<std::size_t>(job.world().all_reduce(static_cast<std::uint64_t>(own), comm::Reduction::min));
    return least / static_cast<std::size_t>(ranks_a_gpu);
}

EnginePlan choose_plan(const job::Job& job, const std::optional<comm::GridShape>& grid, const EngineRequest& request,
                       const DeviceRequirements& requirements)
{
    const comm::Communicator& world = job.world();
    run_agreed(world, [&] { require_requested_gpu(request); });
    if (request.engine == Engine::cpu || !gpu::has_cuda()) return {};
    if (!world.all(gpu::device_count() > 0)) {
        const std::string failure = first_gpu_failure(world);
        if (!failure.empty()) return on_the_cores(job, failure);
        return world.any(gpu::device_count() > 0) ? on_the_cores(job, "not every rank sees a GPU") : EnginePlan();
    }

    EnginePlan plan = gpus_or_cores(job, request, [&] { return on_gpus(job, request); });
    if (plan.engine == Engine::cpu) return plan;
    if (request.engine == Engine::split || request.transport == Transport::host) {
        plan.engine = request.engine == Engine::automatic ? Engine::gpu : request.engine;
        return with_warning(job, std::move(plan));
    }
    if (requirements.own_gpus && (plan.ranks_a_gpu > 1 || !device_obstacle(world, requirements.shared_bytes).empty()))
        return {};
    if (!requirements.exchange) {
        plan = with_warning(job, std::move(plan));
        plan.transport = requirements.transports.front();
        return plan;
    }
    plan.transport = requirements.transports.front();
    plan.several_columns = grid && grid->columns > 1;
    plan.one_row = grid && grid->rows == 1;
    if (requirements.one_column && plan.several_columns && !plan.one_row)
        return settle_plan(job, request, plan, column_obstacle(plan));
    if (std::string obstacle = device_obstacle(world, requirements.shared_bytes); !obstacle.empty())
        return settle_plan(job, request, std::move(plan), {std::move(obstacle)});
    gpu::NcclConnection nccl;
    TransportObstacles obstacles;
    obstacles.p2p = [&] {
        if (!world.all(job.host().size() == world.size())) return std::string("the ranks are on several hosts");
        if (std::string obstacle = device_obstacle(world, requirements.shared_bytes_of_peers); !obstacle.empty())
            return obstacle;
        // By default no GPU is shared, since that is slow.
        const bool by_name = request.transport == Transport::p2p;
        return gpu::resident_obstacle(world, by_name ? gpu::GpuSharing::allowed : gpu::GpuSharing::refused);
    };
    obstacles.nccl = [&] {
        nccl = gpu::connect_nccl(world);
        return nccl.obstacle;
    };
    plan = choose_transport(job, request, std::move(plan), requirements.transports, obstacles);
    plan.nccl = nccl.ranks;
    // The bytes are read again, because NCCL has allocated device memory.
    if (plan.nccl) plan.free_bytes = free_for_each(job, plan.ranks_a_gpu);
    return plan;
}

EnginePlan for_undirected(EnginePlan plan)
{
    if (plan.one_row) plan.several_columns = false;
    return plan;
}

void require_gpu_for(std::string_view option)
{
    if (gpu::device_count() > 0) return;
    const std::string failure = gpu::device_failure();
    throw ResourceError(fmt::format("{}: runs on a GPU, but {}{}", option,
                                    gpu::has_cuda() ? "no GPU was found" : "this wayfront was built without CUDA",
                                    failure.empty() ? "" : " (" + failure + ")"));
}

EnginePlan gpus_or_cores(const job::Job& job, const EngineRequest& request,
                         const std::function<EnginePlan()>& take_gpus)
{
    try {
        return take_gpus();
    } catch (const AgreedError& error) {
        if (error.code() != ExitCode::resources || !request.gpu_option().empty()) throw;
        return on_the_cores(job, error.what());
    }
}

EnginePlan choose_transport(const job::Job& job, const EngineRequest& request, EnginePlan plan,
                            const std::vector<Transport>& transports, const TransportObstacles& obstacles)
{
    const auto obstacle_to = [&](Transport transport) {
        if (transport == Transport::p2p) return obstacles.p2p();
        return transport == Transport::nccl ? obstacles.nccl() : std::string();
    };
    const auto comes_into_question = [&](Transport transport) {
        if (request.transport != Transport::automatic) return transport == request.transport;
        return transport != Transport::mpi || request.engine == Engine::gpu;
    };
    std::string passed;  // obstacles to the transports before this one
    for (const Transport transport : transports) {
        if (!comes_into_question(transport)) continue;
        const std::string obstacle = obstacle_to(transport);
        if (obstacle.empty()) {
            plan.transport = transport;
            if (!passed.empty())
                plan.detour = fmt::format("{}: searches exchange over {}", passed,
                                          kTransportNames[static_cast<std::size_t>(transport)]);
            return plan;
        }
        if (obstacle != passed) passed += (passed.empty() ? "" : "; ") + obstacle;
    }
    if (passed.empty()) passed = "on-GPU searches of this kind do not exchange over this transport";
    return settle_plan(job, request, std::move(plan), {passed});
}

Obstacle graph_obstacle(const DeviceRequirements& requirements, Vertex vertices)
{
    if (vertices <= requirements.most_vertices) return {};
    const auto most = std::bit_width(static_cast<std::uint64_t>(requirements.most_vertices)) - 1;
    return {fmt::format("the graph has more than 2^{} vertices, which on-GPU searches do not support", most)};
}

EnginePlan settle_plan(const job::Job& job, const EngineRequest& request, EnginePlan plan, const Obstacle& obstacle)
{
    if (!plan.on_device()) return plan;
    if (obstacle.words.empty()) {
        if (!plan.detour.empty()) job.note(plan.detour);
        return with_warning(job, std::move(plan));
    }
    if (const std::string_view option = request.transport_option(); !option.empty())
        throw AgreedError(ExitCode::resources, fmt::format("{}: {}", option, obstacle.words));
    if (request.engine == Engine::gpu && obstacle.memory)
        throw AgreedError(ExitCode::resources, "--engine gpu: " + obstacle.words);
    if (request.engine != Engine::gpu) return on_the_cores(job, obstacle.words);
    job.note(fmt::format("{}: the search is host-driven{}", obstacle.words,
                         request.names_transports ? " (--transport host)" : ""));
    plan.transport = Transport::host;
    plan.nccl = nullptr;  // frees NCCL's device memory
    return with_warning(job, std::move(plan));
}

}  // namespace wayfront::plan
