#include "app/engine_factory.hpp"

#include <charconv>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "graph/split_engine.hpp"

#ifdef WAYFRONT_HAVE_CUDA
#include "gpu/engine.hpp"
#include "gpu/runtime/device.hpp"
#endif

namespace wayfront::app {

namespace {

std::unique_ptr<EdgeEngine> make_cpu_engine(const CsrBlock& block)
{
    return std::make_unique<cpu::CpuEngine>(block);
}

#ifdef WAYFRONT_HAVE_CUDA
constexpr const char* kNoGpu = "no GPU was found, or no driver for it; --engine cpu searches on the CPU";

bool has_gpu()
{
    return gpu::device_count() > 0;
}

std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock& block)
{
    return std::make_unique<gpu::GpuEngine>(block);
}

void use_gpu(int local_rank)
{
    gpu::use_device(local_rank);
}
#else
constexpr const char* kNoGpu = "this wayfront was built without CUDA";

bool has_gpu()
{
    return false;
}

std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock&)
{
    throw ResourceError(kNoGpu);
}

void use_gpu(int) {}
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

std::optional<double> parse_cpu_share(std::string_view text)
{
    if (text == "auto") return std::nullopt;
    double share = -1;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), share);
    const bool fits = failure == std::errc{} && end == text.data() + text.size() && share >= 0 && share <= 1;
    if (!fits) throw InputError("--cpu-share: expected auto or a number from 0 to 1, found '" + std::string(text) + "'");
    return share;
}

void require_engine(const EngineRequest& request)
{
    if (request.cpu_share_given && request.choice != EngineChoice::split)
        throw InputError("--cpu-share: is the CPU's part of a block that a GPU shares with it, so expected --engine split beside it");
    if (has_gpu()) return;
    if (request.choice == EngineChoice::gpu) throw ResourceError(std::string("--engine gpu: ") + kNoGpu);
    if (request.choice == EngineChoice::split) throw ResourceError(std::string("--engine split: ") + kNoGpu);
}

std::unique_ptr<EdgeEngine> make_engine(const EngineRequest& request, const CsrBlock& block, int local_rank)
{
    require_engine(request);
    if (request.choice == EngineChoice::cpu || !has_gpu()) return make_cpu_engine(block);
    use_gpu(local_rank);
    if (request.choice == EngineChoice::split) return std::make_unique<SplitEngine>(block, make_cpu_engine, make_gpu_engine, request.cpu_share);
    return make_gpu_engine(block);
}

}  // namespace wayfront::app
