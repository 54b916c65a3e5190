// Charts of runs, each on a scale that only runs of equal work share. All are HTML, and empty if the
// runs have no such numbers.
#pragma once

#include <span>
#include <string>

#include "report/measured_run.hpp"

namespace wayfront::report {

/// The rate or the time of each search.
[[nodiscard]] std::string search_charts(std::span<const MeasuredRun> runs);

/// The times of the phases of each run.
[[nodiscard]] std::string phase_charts(std::span<const MeasuredRun> runs);

/// Times and vertices of the levels of breadth-first searches.
[[nodiscard]] std::string level_charts(std::span<const MeasuredRun> runs);

/// Histograms of distances.
[[nodiscard]] std::string distance_charts(std::span<const MeasuredRun> runs);

}  // namespace wayfront::report
