// Times of runs on different numbers of ranks.
//
// Runs are compared if they have the same graph, command, algorithm, work, starts of searches, method,
// engine and threads of a rank. What else differs between them is named.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "report/measured_run.hpp"
#include "report/run_groups.hpp"

namespace wayfront::report {

struct Scaling
{
    SearchesOfRun first;               // a run that shows the graph, the algorithm and the work
    std::map<double, double> medians;  // by ranks: seconds of the fastest run on this number of ranks
    std::vector<std::string> varying;  // names of facts, other than ranks, in which the runs differ
};

/// The runs of one graph and algorithm on different numbers of ranks that are not compared, and why.
struct NoScaling
{
    SearchesOfRun first;
    std::vector<std::string> differences;  // "the threads of a rank", "the engine", ...
};

struct ScalingOfRuns
{
    std::vector<Scaling> groups;  // each with at least two numbers of ranks
    std::vector<NoScaling> refused;
};

[[nodiscard]] ScalingOfRuns scaling_of(std::span<const MeasuredRun> runs);

/// Charts, tables and words as HTML; empty if there is nothing to say.
[[nodiscard]] std::string scaling_charts(std::span<const MeasuredRun> runs);

}  // namespace wayfront::report
