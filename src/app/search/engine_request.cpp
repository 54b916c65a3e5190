#include "app/search/engine_request.hpp"

#include <charconv>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wayfront::app {

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

std::optional<Engine> parse_engine(std::string_view text)
{
    if (text == "auto") return std::nullopt;
    if (text == "cpu") return Engine::cpu;
    if (text == "gpu") return Engine::gpu;
    if (text == "split") return Engine::split;
    throw InputError("--engine: expected auto, cpu, gpu or split, found '" + std::string(text) + "'");
}

std::optional<Transport> parse_transport(std::string_view text)
{
    if (text == "auto") return std::nullopt;
    if (text == "p2p") return Transport::p2p;
    if (text == "nccl") return Transport::nccl;
    if (text == "mpi") return Transport::mpi;
    if (text == "host") return Transport::host;
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

}  // namespace wayfront::app
