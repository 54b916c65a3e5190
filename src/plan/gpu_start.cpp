#include "plan/gpu_start.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "plan/seconds_in_words.hpp"

namespace wayfront::plan {

std::string EngineTimes::in_words() const
{
    const bool many = searches == ExpectedSearches::kUnknown;
    const double count = many ? 1 : static_cast<double>(searches);
    const bool starts = start > 0 && !many;
    return fmt::format("{} would take {} on cores, and {} on GPUs{}",
                       many ? "a search" : counted(searches, "search", "searches"), seconds_in_words(count * cores),
                       seconds_in_words(count * gpus + (starts ? start : 0)), starts ? " with their start" : "");
}

EngineTimes engine_times(const Rates& rates, const ExpectedSearches& expected, double cores, double gpus)
{
    constexpr double load_seconds_of_edge = 15e-9;  // with construction, on 16 cores
    const double load = static_cast<double>(expected.edges) * load_seconds_of_edge;
    return {cores, gpus, load >= 10 * rates.gpu.start ? 0 : rates.gpu.start, expected.searches};
}

EngineTimes bfs_times(const Rates& rates, const ExpectedSearches& expected)
{
    const auto vertices = static_cast<double>(expected.vertices);
    // The fewer edges a vertex has, the more levels a graph may have, which are then too small for several threads.
    // Measured on grids; random graphs of this degree have fewer levels.
    constexpr double degree_of_rates = 4;
    const double deep = std::min(1.0, std::pow(degree_of_rates / std::max(1.0, expected.mean_degree), 2));
    const double cores = rates.core.bfs_edge * static_cast<double>(expected.edges) / expected.threads +
                         rates.core.bfs_deep_vertex * vertices * deep;
    const double gpus = (rates.gpu.bfs_vertex + rates.gpu.bfs_deep_vertex * deep) * vertices;
    return engine_times(rates, expected, cores / expected.ranks, rates.gpu.bfs_start + gpus / expected.ranks);
}

}  // namespace wayfront::plan
