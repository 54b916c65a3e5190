// Obstacles that methods on cores and on GPUs share: each in words, or empty.
#pragma once

#include <string>

#include <fmt/format.h>

#include "plan/apsp/method.hpp"

namespace wayfront::plan {

[[nodiscard]] inline std::string negative_weights_obstacle(const ApspWork& work)
{
    return work.negative_weights ? fmt::format("{} has negative weights, which only floyd-warshall allows", work.name)
                                 : "";
}

/// The obstacle of methods that add weights in another order than along paths.
[[nodiscard]] inline std::string floats_obstacle(const ApspCase& asked)
{
    return asked.distances.whole
               ? ""
               : fmt::format("the weights of {} are floats, whose sums would be rounded in another order",
                             asked.work.name);
}

/// The obstacle of methods that complete no row before the whole matrix.
[[nodiscard]] inline std::string checkpoint_obstacle(const ApspWork& work)
{
    return work.checkpoint ? "--checkpoint is not possible: the first row is done when all are" : "";
}

}  // namespace wayfront::plan
