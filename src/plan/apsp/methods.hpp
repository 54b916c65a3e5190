// The methods of all pairs, and the options that choose one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "algo/apsp/distance_type.hpp"
#include "plan/engine_request.hpp"

namespace wayfront::plan {

enum class ApspMethod {
    automatic,
    dijkstra,
    elimination,
    block,
    combined,
    bit_parallel,
    floyd_warshall,
    floyd_warshall_steps,
    floyd_warshall_tasks,
    batched,
    batched_unshared,
    iterated
};

/// The options --algorithm, --dtype and --engine, and those of GPUs.
struct ApspMethodOptions
{
    ApspMethod method = ApspMethod::automatic;
    std::optional<algo::DistanceType> type;  // no value: auto
    EngineRequest engine;
    std::uint32_t batch_sources = 32;        // of the batched methods
    std::optional<double> gpu_memory_limit;  // in bytes of each rank; no value: all free memory
    // Floyd-Warshall on GPUs, with the matrix in host memory.
    bool out_of_core = false;

    /// Throws InputError if the options contradict each other.
    void check() const;
    /// Explains each algorithm in a line of the help.
    [[nodiscard]] static std::string notes();
};

/// The method that `text` names in --algorithm. Throws InputError.
[[nodiscard]] ApspMethod method_named(const std::string& text);

/// The name of a method in options, such as "bit-parallel".
[[nodiscard]] std::string_view name_of(ApspMethod method);

/// Whether an engine for the method exists on GPUs only.
[[nodiscard]] bool needs_gpu(ApspMethod method);

/// Whether the method is Floyd-Warshall, in any form.
[[nodiscard]] bool is_floyd_warshall(ApspMethod method);

}  // namespace wayfront::plan
