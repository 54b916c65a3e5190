// The options --engine, --transport and --cpu-share.
#pragma once

#include <optional>
#include <string_view>

namespace wayfront::plan {

/// The processors that search: the cores, a GPU for each rank, or both together.
enum class Engine { cpu, gpu, split };

/// How GPUs reach each other: by stores into each other's memory; over NCCL; over MPI; or through
/// their hosts, which then drive the search.
enum class Transport { p2p, nccl, mpi, host };

/// The values of the three options.
struct EngineRequest
{
    std::optional<Engine> engine;        // no value: auto
    std::optional<Transport> transport;  // no value: auto
    bool names_transports = false;       // whether the command has an option for it
    bool cpu_share_given = false;
    std::optional<double> cpu_share;  // of the edges, for Engine::split; no value: auto

    /// Throws InputError if the options contradict each other.
    void check() const;

    /// The option that asks for a transport of on-GPU searches, such as "--transport nccl"; empty
    /// if there is none.
    [[nodiscard]] std::string_view transport_option() const;
    /// The option that only GPUs can satisfy; empty if the CPU cores may search.
    [[nodiscard]] std::string_view gpu_option() const;
};

}  // namespace wayfront::plan
