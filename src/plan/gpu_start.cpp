#include "plan/gpu_start.hpp"

#include <algorithm>
#include <cmath>

namespace wayfront::plan {

namespace {

/// `saved`: the seconds that one search takes longer on the cores of one rank.
bool pays(const ExpectedSearches& expected, double saved)
{
    constexpr double load_seconds_of_edge = 15e-9;  // with construction, on 16 cores
    const double load = static_cast<double>(expected.edges) * load_seconds_of_edge;
    return static_cast<double>(expected.searches) * saved / expected.ranks >= kGpuStartSeconds ||
           load >= 10 * kGpuStartSeconds;
}

}  // namespace

// The rates are rough, from bench/results/engine-choice.json.

bool gpu_start_pays_for_bfs(const ExpectedSearches& expected)
{
    constexpr double seconds_of_edge = 0.35e-9;
    double saved = static_cast<double>(expected.edges) * seconds_of_edge / expected.threads;
    // The fewer edges a vertex has, the more levels a graph may have, which are then too small for several threads.
    // Measured on grids; random graphs of this degree have fewer levels.
    constexpr double degree_of_rate = 4;
    constexpr double seconds_of_vertex = 40e-9;
    const double deep = std::min(1.0, std::pow(degree_of_rate / std::max(1.0, expected.mean_degree), 2));
    saved += static_cast<double>(expected.vertices) * seconds_of_vertex * deep;
    return pays(expected, saved);
}

bool gpu_start_pays_for_sssp(const ExpectedSearches& expected)
{
    constexpr double seconds_of_vertex = 50e-9;
    return pays(expected, static_cast<double>(expected.vertices) * seconds_of_vertex / expected.threads);
}

}  // namespace wayfront::plan
