// Whether a GPU saves more time than its start takes, if --engine auto leaves the choice of processors to the program.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "base/types.hpp"
#include "plan/rates.hpp"

namespace wayfront::plan {

/// The graph and the number of the searches that the job will run.
struct ExpectedSearches
{
    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();  // many

    std::int64_t searches = 0;
    Vertex vertices = 0;
    EdgeCount edges = 0;
    double mean_degree = 0;
    int ranks = 1;
    int threads = 1;  // the threads of a rank
};

/// The seconds of searches on the cores of all ranks, or on one GPU for each.
struct EngineTimes
{
    double cores = 0;
    double gpus = 0;
    double start = 0;           // seconds until GPUs can compute
    std::int64_t searches = 0;  // number of searches that the job will run

    [[nodiscard]] bool gpus_are_faster() const
    {
        return static_cast<double>(searches) * gpus + start < static_cast<double>(searches) * cores;
    }
    /// The comparison, as the reason of a choice.
    [[nodiscard]] std::string in_words() const;
};

/// The times of breadth-first searches.
[[nodiscard]] EngineTimes bfs_times(const Rates& rates, const ExpectedSearches& expected);

/// The times of searches that take `cores` and `gpus` seconds. The start of a GPU counts as 0 seconds if loading and
/// construction of the graph take at least ten times as long.
[[nodiscard]] EngineTimes engine_times(const Rates& rates, const ExpectedSearches& expected, double cores, double gpus);

}  // namespace wayfront::plan
