#include "plan/engine_request.hpp"

#include <string>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wayfront::plan {

namespace {

/// The option that asks for a transport of GPUs alone; empty for mpi, since the CPU cores exchange
/// over MPI, too.
std::string_view transport_option_of_gpus(const EngineRequest& request)
{
    return request.transport == Transport::mpi ? "" : request.transport_option();
}

}  // namespace

void EngineRequest::check() const
{
    if (cpu_share_given && engine != Engine::split) throw InputError("--cpu-share: requires --engine split");
    const std::string_view option = transport_option_of_gpus(*this);
    if (!option.empty() && (engine == Engine::cpu || engine == Engine::split))
        throw InputError(fmt::format("{}: requires --engine gpu or auto", option));
}

std::string_view EngineRequest::transport_option() const
{
    if (transport == Transport::p2p) return "--transport p2p";
    if (transport == Transport::nccl) return "--transport nccl";
    if (transport == Transport::mpi) return "--transport mpi";
    return "";
}

std::string_view EngineRequest::gpu_option() const
{
    if (engine == Engine::gpu) return "--engine gpu";
    if (engine == Engine::split) return "--engine split";
    return transport_option_of_gpus(*this);
}

}  // namespace wayfront::plan
