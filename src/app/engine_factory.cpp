#include "app/engine_factory.hpp"

#include <cstdio>
#include <stdexcept>

#include "app/failure.hpp"
#include "app/resident_search.hpp"
#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"

namespace wayfront::app {

EngineChoice parse_engine(std::string_view text)
{
    if (text == "auto") return EngineChoice::automatic;
    if (text == "cpu") return EngineChoice::cpu;
    if (text == "gpu") return EngineChoice::gpu;
    if (text == "split") return EngineChoice::split;
    throw InputError("--engine: expected auto, cpu, gpu or split, found '" + std::string(text) + "'");
}

Engine choose_engine(const Job& job, const comm::ProcessGrid& grid, EngineChoice choice, bool cutoff)
{
    const comm::Communicator& world = job.world();
    run_agreed(world, [&] {
        if (choice == EngineChoice::split)
            throw ResourceError(built_with_cuda() ? "--engine split: no engine of this version searches with CPU and GPU together"
                                                  : "--engine split: this wayfront was built without CUDA");
        if (choice == EngineChoice::gpu && !built_with_cuda()) throw ResourceError("--engine gpu: this wayfront was built without CUDA");
        if (choice == EngineChoice::gpu && visible_gpus() == 0)
            throw ResourceError("--engine gpu: no GPU was found; --engine cpu searches on the CPU");
    });
    if (choice == EngineChoice::cpu || !world.any(visible_gpus() > 0)) return {};
    Engine engine;
    engine.kind = Engine::Kind::resident;
    if (!world.all(visible_gpus() > 0)) return settle_engine(job, choice, engine, "not every rank has a GPU");

    engine = run_agreed(world, [&] { return use_gpu(job.host().rank()); });
    engine.device = world.broadcast(engine.device, 0);
    engine.free_bytes = static_cast<std::size_t>(world.all_reduce(static_cast<std::uint64_t>(engine.free_bytes), comm::Reduction::min));
    const std::string obstacle = cutoff ? "the resident search knows no --cutoff" : resident_obstacle(grid);
    return settle_engine(job, choice, engine, obstacle);
}

Engine settle_engine(const Job& job, EngineChoice choice, Engine engine, const std::string& obstacle)
{
    if (!engine.resident() || obstacle.empty()) return engine;
    if (choice == EngineChoice::gpu) throw AgreedError(ExitCode::resources, "--engine gpu: " + obstacle);
    if (job.first() && !job.quiet()) std::fprintf(stderr, "wayfront: note: the CPU searches, not the GPU: %s\n", obstacle.c_str());
    return {};
}

std::unique_ptr<EdgeEngine> make_engine(const Engine& engine, const CsrBlock& block)
{
    if (engine.resident()) throw std::logic_error("the resident search has no engine for the host loop");
    return std::make_unique<cpu::CpuEngine>(block);
}

}  // namespace wayfront::app
