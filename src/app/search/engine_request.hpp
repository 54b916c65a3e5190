// What --engine, --transport and --cpu-share ask for.
#pragma once

#include <optional>
#include <string_view>

namespace wayfront::app {

/// The processors that search: the cores, a GPU for each rank, or both together.
enum class Engine { cpu, gpu, split };

/// How GPUs reach each other: by stores into each other's memory; over NCCL; over MPI; or through their hosts, which then drive the search.
enum class Transport { p2p, nccl, mpi, host };

/// --engine and what belongs to it.
struct EngineRequest
{
    std::optional<Engine> engine;        // nothing: auto
    std::optional<Transport> transport;  // nothing: auto
    bool cpu_share_given = false;
    std::optional<double> cpu_share;  // of the edges, if the engine is split; nothing: auto

    /// Throws InputError if the options contradict each other.
    void check() const;

    /// The option that asks for a transport of on-GPU searches, such as "--transport nccl"; empty if there is none.
    [[nodiscard]] std::string_view transport_option() const;
    /// The option that nothing but GPUs can satisfy; empty if the cores may search.
    [[nodiscard]] std::string_view gpu_option() const;
};

/// "auto" (nothing), "cpu", "gpu" or "split"; throws InputError.
std::optional<Engine> parse_engine(std::string_view text);

/// "auto" (nothing), "p2p", "nccl", "mpi" or "host"; throws InputError.
std::optional<Transport> parse_transport(std::string_view text);

/// "auto" (nothing) or a number from 0 to 1; throws InputError.
std::optional<double> parse_cpu_share(std::string_view text);

}  // namespace wayfront::app
