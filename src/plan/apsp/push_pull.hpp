// What decides how long searches by pushes and pulls take.
#pragma once

#include <string>

#include "plan/apsp/method.hpp"

namespace wayfront::plan {

/// The seconds in which each rank sorts the lists of its copy of the graph.
[[nodiscard]] double list_sort_seconds(const ApspCase& asked);

/// Why push-pull cannot do the work; empty if it can.
[[nodiscard]] std::string push_pull_obstacle(const ApspWork& work);

}  // namespace wayfront::plan
