// Sums over the targets that a source reaches: their number, and the sum and the maximum of the
// numbers of edges to them. Kernels add the sums of parts of the targets.
#pragma once

#include "base/host_device.hpp"

namespace wayfront::gpu::apsp {

struct SourceFacts
{
    unsigned long long reached, sum, eccentricity;
};

/// Adds the figures of the same source for other targets.
WAYFRONT_HD constexpr void add(SourceFacts& facts, const SourceFacts& further)
{
    facts.reached += further.reached;
    facts.sum += further.sum;
    if (further.eccentricity > facts.eccentricity) facts.eccentricity = further.eccentricity;
}

}  // namespace wayfront::gpu::apsp
