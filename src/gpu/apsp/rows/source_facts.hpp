// The numbers of edges from a source to others, as kernels add them up.
#pragma once

#include "base/host_device.hpp"

namespace wayfront::gpu::apsp {

struct SourceFacts
{
    unsigned long long reached, sum, eccentricity;
};

/// Adds facts of the same source and other targets.
WAYFRONT_HD constexpr void add(SourceFacts& facts, const SourceFacts& further)
{
    facts.reached += further.reached;
    facts.sum += further.sum;
    if (further.eccentricity > facts.eccentricity) facts.eccentricity = further.eccentricity;
}

}  // namespace wayfront::gpu::apsp
