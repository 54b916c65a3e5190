#include "app/search/engine_factory.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algo/bfs/split_engine.hpp"
#include "app/failure.hpp"
#include "app/search/device_choice.hpp"
#include "app/search/gpu_search.hpp"
#include "app/search/gpus.hpp"
#include "base/error.hpp"
#include "cpu/bfs/cpu_engine.hpp"

namespace wayfront::app {

namespace {

std::unique_ptr<EdgeEngine> make_cpu_engine(const CsrBlock& block)
{
    return std::make_unique<cpu::CpuEngine>(block);
}

/// The transport of on-GPU searches that was asked for; empty where none was.
std::string_view asked_transport(const EngineRequest& request)
{
    switch (request.transport) {
        case TransportChoice::p2p:
            return "--transport p2p";
        case TransportChoice::nccl:
            return "--transport nccl";
        case TransportChoice::mpi:
            return "--transport mpi";
        case TransportChoice::automatic:
        case TransportChoice::host:
            break;
    }
    return "";
}

/// The same, if it is one that nothing but GPUs has; the cores exchange over MPI, too.
std::string_view asked_transport_of_gpus(const EngineRequest& request)
{
    return request.transport == TransportChoice::mpi ? "" : asked_transport(request);
}

/// The option that nothing but GPUs can satisfy; empty where the cores may search.
std::string_view option_that_wants_gpus(const EngineRequest& request)
{
    if (request.choice == EngineChoice::gpu) return "--engine gpu";
    if (request.choice == EngineChoice::split) return "--engine split";
    return asked_transport_of_gpus(request);
}

/// Why the first rank that has GPUs and cannot use them cannot; empty where there is none. Collective.
std::string first_gpu_failure(const comm::Communicator& world)
{
    try {
        run_agreed(world, [] {
            if (const std::string failure = gpu_failure(); !failure.empty()) throw ResourceError(failure);
        });
    } catch (const AgreedError& error) {
        return error.what();
    }
    return "";
}

void require_what_was_asked_for(const EngineRequest& request)
{
    const std::string_view option = option_that_wants_gpus(request);
    if (option.empty()) return;
    if (!built_with_cuda())
        throw ResourceError(
            fmt::format("{}: this wayfront was built without CUDA; put nvcc 12.0 or later on PATH, then configure and build again", option));
    if (visible_gpus() > 0) return;
    if (const std::string failure = gpu_failure(); !failure.empty())
        throw ResourceError(fmt::format("{}: no GPU can be used: {}; see what nvidia-smi says, or use --engine cpu", option, failure));
    throw ResourceError(fmt::format("{}: no GPU was found; --engine cpu searches on the CPU", option));
}

/// The GPUs that each rank of this host sees, numbered through. Collective.
std::vector<std::vector<int>> gpus_in_sight(const Job& job)
{
    const std::vector<gpu::DeviceId> own = run_agreed(job.world(), [] { return visible_gpu_ids(); });
    const std::vector<std::size_t> counts = job.host().all_gather(own.size());
    std::vector<gpu::DeviceId> all(std::reduce(counts.begin(), counts.end()));
    job.host().all_gather_v(std::span<const gpu::DeviceId>(own), std::span<const std::size_t>(counts), std::span<gpu::DeviceId>(all));
    std::vector<std::vector<int>> visible;
    auto next = all.begin();
    for (const std::size_t count : counts) {
        visible.emplace_back();
        for (std::size_t i = 0; i < count; ++i) visible.back().push_back(static_cast<int>(std::ranges::find(all, *next++) - all.begin()));
    }
    return visible;
}

/// Of what is free on the GPU that has least, what each of the ranks that share one may take. Collective.
std::size_t free_for_each(const Job& job, int ranks_a_gpu)
{
    const std::size_t own = run_agreed(job.world(), [] { return free_gpu_bytes(); });
    const auto least = static_cast<std::size_t>(job.world().all_reduce(static_cast<std::uint64_t>(own), comm::Reduction::min));
    return least / static_cast<std::size_t>(ranks_a_gpu);
}

/// A GPU for each rank. Collective.
Engine on_gpus(const Job& job, const EngineRequest& request)
{
    const comm::Communicator& world = job.world();
    const std::vector<std::vector<int>> visible = gpus_in_sight(job);
    const std::vector<int> chosen = choose_devices(visible);
    const auto gpu_of = [&](std::size_t rank) { return visible[rank][static_cast<std::size_t>(chosen[rank])]; };
    const auto own = static_cast<std::size_t>(job.host().rank());
    std::int64_t sharers = 0;
    for (std::size_t rank = 0; rank < visible.size(); ++rank) sharers += gpu_of(rank) == gpu_of(own) ? 1 : 0;
    const std::string name = run_agreed(world, [&] { return use_gpu(chosen[own]); });
    Engine engine;
    engine.kind = Engine::Kind::resident;
    engine.cpu_share = request.cpu_share;
    engine.device = world.broadcast(name, 0);
    engine.ranks_a_gpu = static_cast<int>(world.all_reduce(sharers, comm::Reduction::max));
    engine.free_bytes = free_for_each(job, engine.ranks_a_gpu);
    return engine;
}

/// The cores search although there are GPUs.
Engine on_the_cores(const Job& job, const std::string& why)
{
    job.note("the CPU searches, not the GPU: " + why);
    return {};
}

/// `engine`; says so where ranks share GPUs.
Engine with_warning(const Job& job, Engine engine)
{
    if (engine.ranks_a_gpu == 1) return engine;
    const char* const slow = engine.kind == Engine::Kind::resident ? ", and wait for each other's turns in every level" : "";
    job.warn(fmt::format("up to {} ranks share a GPU{}; start one rank per GPU", engine.ranks_a_gpu, slow));
    return engine;
}

}  // namespace

void EngineRequest::check() const
{
    if (cpu_share_given && choice != EngineChoice::split) throw InputError("--cpu-share: requires --engine split");
    const std::string_view option = asked_transport_of_gpus(*this);
    if (!option.empty() && (choice == EngineChoice::cpu || choice == EngineChoice::split))
        throw InputError(fmt::format("{}: requires --engine gpu or auto", option));
}

EngineChoice parse_engine(std::string_view text)
{
    if (text == "auto") return EngineChoice::automatic;
    if (text == "cpu") return EngineChoice::cpu;
    if (text == "gpu") return EngineChoice::gpu;
    if (text == "split") return EngineChoice::split;
    throw InputError("--engine: expected auto, cpu, gpu or split, found '" + std::string(text) + "'");
}

TransportChoice parse_transport(std::string_view text)
{
    if (text == "auto") return TransportChoice::automatic;
    if (text == "p2p") return TransportChoice::p2p;
    if (text == "nccl") return TransportChoice::nccl;
    if (text == "mpi") return TransportChoice::mpi;
    if (text == "host") return TransportChoice::host;
    throw InputError("--transport: expected auto, p2p, nccl, mpi or host, found '" + std::string(text) + "'");
}

std::optional<double> parse_cpu_share(std::string_view text)
{
    if (text == "auto") return std::nullopt;
    double share = -1;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), share);
    const bool fits = failure == std::errc{} && end == text.data() + text.size() && share >= 0 && share <= 1;
    if (!fits) throw InputError("--cpu-share: expected auto or a number from 0 to 1, found '" + std::string(text) + "'");
    return share;
}

Engine choose_engine(const Job& job, const std::optional<comm::GridShape>& grid, const EngineRequest& request, bool cutoff)
{
    const comm::Communicator& world = job.world();
    run_agreed(world, [&] { require_what_was_asked_for(request); });
    if (request.choice == EngineChoice::cpu) return {};
    if (!world.all(visible_gpus() > 0)) {
        const std::string failure = first_gpu_failure(world);
        if (!failure.empty()) return on_the_cores(job, failure);
        return world.any(visible_gpus() > 0) ? on_the_cores(job, "not every rank sees a GPU") : Engine();
    }

    Engine engine = gpus_or_cores(job, request, [&] { return on_gpus(job, request); });
    if (engine.kind == Engine::Kind::cpu) return engine;
    const bool splits = request.choice == EngineChoice::split;
    if (splits || request.transport == TransportChoice::host) {
        engine.kind = splits ? Engine::Kind::split : Engine::Kind::gpu;
        return with_warning(job, std::move(engine));
    }
    if (cutoff) return settle_engine(job, request, std::move(engine), {"on-GPU searches do not support --cutoff"});
    if (grid && grid->columns != 1) return settle_engine(job, request, std::move(engine), {"on-GPU searches need a P x 1 grid"});
    if (std::string obstacle = device_obstacle(world); !obstacle.empty())
        return settle_engine(job, request, std::move(engine), {std::move(obstacle)});
    gpu::NcclConnection nccl;
    TransportObstacles obstacles;
    obstacles.p2p = [&] {
        if (!world.all(job.host().size() == world.size())) return std::string("the ranks are on several hosts");
        const bool by_name = request.transport == TransportChoice::p2p;  // sharing a GPU is slow
        return resident_obstacle(world, by_name ? gpu::GpuSharing::allowed : gpu::GpuSharing::refused);
    };
    obstacles.nccl = [&] {
        nccl = connect_nccl(world);
        return nccl.obstacle;
    };
    engine = choose_transport(job, request, std::move(engine), obstacles);
    engine.nccl = nccl.ranks;
    if (engine.nccl) engine.free_bytes = free_for_each(job, engine.ranks_a_gpu);  // NCCL has taken memory
    return engine;
}

Engine gpus_or_cores(const Job& job, const EngineRequest& request, const std::function<Engine()>& take_gpus)
{
    try {
        return take_gpus();
    } catch (const AgreedError& error) {
        if (error.code() != ExitCode::resources || !option_that_wants_gpus(request).empty()) throw;
        return on_the_cores(job, error.what());
    }
}

Engine choose_transport(const Job& job, const EngineRequest& request, Engine engine, const TransportObstacles& obstacles)
{
    struct Way
    {
        TransportChoice transport;
        const char* name;
        std::function<std::string()> obstacle;
    };
    const Way ways[] = {{TransportChoice::p2p, "each other's memory", obstacles.p2p},
                        {TransportChoice::nccl, "NCCL", obstacles.nccl},
                        {TransportChoice::mpi, "MPI", [] { return std::string(); }}};
    const auto comes_into_question = [&](TransportChoice transport) {
        if (request.transport != TransportChoice::automatic) return transport == request.transport;
        return transport != TransportChoice::mpi || request.choice == EngineChoice::gpu;
    };
    std::string passed;  // what stood in the way of the transports before
    for (const Way& way : ways) {
        if (!comes_into_question(way.transport)) continue;
        const std::string obstacle = way.obstacle();
        if (obstacle.empty()) {
            engine.kind = way.transport == TransportChoice::p2p ? Engine::Kind::resident : Engine::Kind::stepped;
            engine.transport = way.transport;
            if (!passed.empty()) engine.detour = fmt::format("{}: searches exchange over {}", passed, way.name);
            return engine;
        }
        if (obstacle != passed) passed += (passed.empty() ? "" : "; ") + obstacle;
    }
    return settle_engine(job, request, std::move(engine), {passed});
}

Engine settle_engine(const Job& job, const EngineRequest& request, Engine engine, const Obstacle& obstacle)
{
    if (!engine.on_device()) return engine;
    if (obstacle.words.empty()) {
        if (!engine.detour.empty()) job.note(engine.detour);
        return with_warning(job, std::move(engine));
    }
    if (const std::string_view option = asked_transport(request); !option.empty())
        throw AgreedError(ExitCode::resources, fmt::format("{}: {}", option, obstacle.words));
    if (request.choice == EngineChoice::gpu && obstacle.memory) throw AgreedError(ExitCode::resources, "--engine gpu: " + obstacle.words);
    if (request.choice != EngineChoice::gpu) return on_the_cores(job, obstacle.words);
    job.note(fmt::format("{}: the search is host-driven (--transport host)", obstacle.words));
    engine.kind = Engine::Kind::gpu;
    engine.nccl = nullptr;  // its device memory with it
    return with_warning(job, std::move(engine));
}

std::unique_ptr<EdgeEngine> make_engine(const Engine& engine, const CsrBlock& block)
{
    switch (engine.kind) {
        case Engine::Kind::cpu:
            return make_cpu_engine(block);
        case Engine::Kind::gpu:
            return make_gpu_engine(block, engine.free_bytes);
        case Engine::Kind::split:
            return std::make_unique<SplitEngine>(
                block, make_cpu_engine, [most = engine.free_bytes](const CsrBlock& part) { return make_gpu_engine(part, most); }, engine.cpu_share);
        case Engine::Kind::resident:
        case Engine::Kind::stepped:
            break;
    }
    throw std::logic_error("on-GPU searches have no engine for the host loop");
}

}  // namespace wayfront::app
