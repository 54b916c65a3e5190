// Decides whether the vertices of a graph are eliminated (algo/apsp/elimination.hpp).
#pragma once

#include <optional>
#include <string>

#include "plan/apsp/method.hpp"

namespace wayfront::plan {

/// Sets asked.elimination if it is null: the elimination is tried, because the number of arcs that
/// it adds is not known before. `seconds` is what another method takes; without a value, the limits
/// of the trial are generous. Returns the reason if the vertices are not eliminated; empty if they
/// are.
[[nodiscard]] std::string try_elimination(ApspCase& asked, std::optional<double> seconds);

}  // namespace wayfront::plan
