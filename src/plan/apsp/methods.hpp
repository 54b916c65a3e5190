// The options that choose a method of all pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "plan/engine_request.hpp"
#include "plan/rates.hpp"

namespace wayfront::plan {

struct ApspMethod;

/// The options --algorithm, --dtype and --engine, and those of GPUs.
struct ApspMethodOptions
{
    std::string method{"auto"};              // the name of a method
    std::optional<algo::DistanceType> type;  // no value: auto
    EngineRequest engine;
    std::uint32_t batch_sources = 32;        // of the batched methods
    std::optional<double> gpu_memory_limit;  // in bytes of each rank; no value: all free memory
    // Floyd-Warshall on GPUs, with the matrix in host memory.
    bool out_of_core = false;
    Rates rates{};  // the same on all ranks

    [[nodiscard]] bool is_automatic() const { return method == "auto"; }
    /// Throws InputError if the options contradict each other, or if there is no such method.
    void check() const;
    /// Explains each algorithm in a line of the help.
    [[nodiscard]] static std::string notes();
};

/// "auto" and the names of all methods, for --algorithm.
[[nodiscard]] std::vector<std::string> apsp_method_names();

/// The text, if it names a method or is "auto". Throws InputError otherwise.
[[nodiscard]] std::string checked_method_name(const std::string& text);

/// Whether a method of this name exists on GPUs only.
[[nodiscard]] bool needs_gpu(std::string_view method);

}  // namespace wayfront::plan
