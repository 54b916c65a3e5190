// The page of `wayfront report`: runs beside each other, and each against the first one.
#pragma once

#include <span>
#include <string>

#include "report/measured_run.hpp"
#include "report/run_comparison.hpp"

namespace wayfront::report {

/// A page of HTML that needs no other file, no script and no network. Pre: there is a run.
[[nodiscard]] std::string report_page(std::span<const MeasuredRun> runs, std::span<const RunComparison> comparisons);

}  // namespace wayfront::report
