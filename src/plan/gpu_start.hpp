// Whether the start of a GPU pays, if --engine auto leaves the choice of the processors to the program.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace wayfront::plan {

/// Until a GPU computes, roughly: for its context, and to copy a small graph (bench/results/engine-choice.json).
inline constexpr double kGpuStartSeconds = 0.35;

/// Searches that are to come.
struct ExpectedSearches
{
    std::int64_t searches = 0;
    Vertex vertices = 0;
    EdgeCount edges = 0;
    double mean_degree = 0;
    int ranks = 1;
    int threads = 1;  // of a rank
};

/// Whether GPUs save more time than their start takes, in breadth-first searches. In a graph so large that to load and
/// to construct it takes ten times as long as the start, they always search.
[[nodiscard]] bool gpu_start_pays_for_bfs(const ExpectedSearches& expected);
/// The same for searches for shortest paths, by pushes and pulls.
[[nodiscard]] bool gpu_start_pays_for_sssp(const ExpectedSearches& expected);

}  // namespace wayfront::plan
