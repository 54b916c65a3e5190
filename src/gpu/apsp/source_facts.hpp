// The numbers of edges from a source to others, as kernels add them up.
#pragma once

namespace wayfront::gpu {

struct SourceFacts
{
    unsigned long long reached, sum, eccentricity;
};

}  // namespace wayfront::gpu
