// The options --engine, --transport and --cpu-share.
#pragma once

#include <optional>
#include <string_view>

#include "plan/engine.hpp"

namespace wayfront::plan {

/// The values of the three options.
struct EngineRequest
{
    Engine engine = Engine::automatic;
    Transport transport = Transport::automatic;
    bool names_transports = false;  // whether the command has an option for it
    bool cpu_share_given = false;
    std::optional<double> cpu_share;  // the CPU's share of the edges for Engine::split; no value: auto

    /// Throws InputError if the options contradict each other.
    void check() const;

    /// The option that asks for a transport of on-GPU searches, such as "--transport nccl"; empty
    /// if there is none.
    [[nodiscard]] std::string_view transport_option() const;
    /// The option that only GPUs can satisfy; empty if the CPU cores may search.
    [[nodiscard]] std::string_view gpu_option() const;
};

}  // namespace wayfront::plan
