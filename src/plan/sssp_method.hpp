// The options of commands that choose a method for shortest paths, and who runs it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "algo/sssp/sssp_result.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "plan/engine_request.hpp"

namespace wayfront::plan {

/// GPUs search graphs of as many edges and more on their own if nothing else is asked for. In
/// graphs of fewer edges per vertex, paths are long, and there is nothing to pull.
inline constexpr double kGpuFromDegree = 8;
inline constexpr EdgeCount kGpuFromEdges = EdgeCount{1} << 20;

/// The options --algorithm, --delta, --phase-times and --engine.
struct SsspMethodOptions
{
    algo::SsspMethod method = algo::SsspMethod::automatic;
    std::optional<double> delta;
    std::optional<algo::PhaseTimes> phase_times;
    EngineRequest engine;  // the CPU or GPUs
    // That the command line asks for; GPUs search together on a grid of one column.
    std::optional<comm::GridShape> grid;
    bool smallest_parents = false;  // whether the smallest valid parents are asked for
    bool cuts_off = false;          // whether distances are limited

    /// Explains each algorithm in a line of the help.
    [[nodiscard]] static std::string notes();
    /// Throws InputError if the options contradict each other.
    void check() const;
};

/// The method that `text` names in --algorithm. Throws InputError.
[[nodiscard]] algo::SsspMethod sssp_method_named(const std::string& text);

/// The name of a method in options, such as "delta-stepping".
[[nodiscard]] std::string_view name_of(algo::SsspMethod method);

}  // namespace wayfront::plan
