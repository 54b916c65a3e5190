#include "app/engine_factory.hpp"

#include <string>

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"

namespace wayfront::app {

namespace {

#ifdef WAYFRONT_HAVE_CUDA
constexpr const char* kNoGpu = "no GPU engine is part of this version";
#else
constexpr const char* kNoGpu = "this wayfront was built without CUDA";
#endif

}  // namespace

EngineChoice parse_engine(std::string_view text)
{
    if (text == "auto") return EngineChoice::automatic;
    if (text == "cpu") return EngineChoice::cpu;
    if (text == "gpu") return EngineChoice::gpu;
    if (text == "split") return EngineChoice::split;
    throw InputError("--engine: expected auto, cpu, gpu or split, found '" + std::string(text) + "'");
}

void require_engine(EngineChoice choice)
{
    if (choice == EngineChoice::gpu) throw ResourceError(std::string("--engine gpu: ") + kNoGpu);
    if (choice == EngineChoice::split) throw ResourceError(std::string("--engine split: ") + kNoGpu);
}

std::unique_ptr<EdgeEngine> make_engine(EngineChoice choice, const CsrBlock& block)
{
    require_engine(choice);
    return std::make_unique<cpu::CpuEngine>(block);
}

}  // namespace wayfront::app
