#include "algo/sssp/sssp_search.hpp"

#include "base/agreed.hpp"
#include "base/error.hpp"

namespace wayfront::algo {

void throw_distance_does_not_fit(WeightType weights)
{
    const std::string distance = "the distance of a vertex does not fit ";
    switch (weights) {
        case WeightType::float32:
            throw OnAllRanks<ResourceError>(distance + "32-bit floats; with --precision double distances have 64 bits");
        case WeightType::float64:
            throw OnAllRanks<ResourceError>(distance + "64-bit floats");
        default:
            throw OnAllRanks<ResourceError>(distance + "64-bit integers");
    }
}

}  // namespace wayfront::algo
