#include "gpu/apsp/hops/hop_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace wayfront::gpu::apsp {

namespace {

// Estimated times per source, from rates of the hardware. The unit is the time of a search for one
// arc: about 0.55 ps on a whole H200, an atomic operation in shared memory.

/// Time of a level of a search: a few latencies. It is divided by the number of concurrent
/// searches.
constexpr double kLevelOfSearch = 8000;
// Time for each arc of the graph in a dense level: 1/8 byte in the L2 cache.
constexpr double kArcsOfDenseArc = 1.0 / 24;
constexpr double kLevelOfSets = 3600;     // time of a barrier, per target of 1024
constexpr double kStoredPlace = 1.0 / 9;  // time to store and read the bit of a place
constexpr double kMissingPair = 40;       // time of a few random reads of memory
constexpr double kEarlyEnd = 0.6;         // part of a last level's time that remains because full sets end early
// Sets are used if they take less than this part of the time of searches, because they need memory.
constexpr double kSearchesPreferred = 0.9;

/// The sets end at a level that leaves at most one missing pair in kPairsOfFew pairs: half of the
/// list's capacity if the graph is directed.
constexpr double kPairsOfFew = 2.0 * kPairsOfMissing;

}  // namespace

HopPlan plan_hops(const HopSample& sample, const HopMeans& means)
{
    if (!means.searches) return {};
    const auto levels = static_cast<std::uint32_t>(sample.found.size());
    const double of_level = kLevelOfSearch / means.searches_at_once;
    const double dense = sample.arcs * kArcsOfDenseArc + kLevelOfSets;

    HopPlan best{.searches_only = true};
    double best_time = std::accumulate(sample.arcs_visited.begin(), sample.arcs_visited.end(), of_level * (levels + 1));
    if (!means.matrix) return dense * (levels + 1) < best_time ? HopPlan{} : best;

    best_time *= kSearchesPreferred;

    // The first depth that leaves few missing pairs; 0 if there is none.
    std::uint32_t depth_of_few = 0;
    double missing = sample.places - 1.0;
    std::vector<double> missing_after{missing};
    for (std::uint32_t depth = 1; depth <= levels; ++depth) {
        missing -= sample.found[depth - 1];
        missing_after.push_back(missing);
        if (depth_of_few == 0 && missing * kPairsOfFew <= sample.places) depth_of_few = depth;
    }
    double searches = sample.places * kStoredPlace;
    for (std::uint32_t first = 0; first <= levels; ++first) {
        if (first > 0) searches += means.searches_repeated * (sample.arcs_visited[first - 1] + of_level);
        HopPlan plan{.searches_only = false, .matrix = true, .first_depth = first, .last_depth = 0};
        double time = searches;
        if (depth_of_few > 0) {
            plan.last_depth = std::max(depth_of_few, first + 1);
            time += dense * (plan.last_depth - first - 1 + kEarlyEnd * (means.symmetric ? 0.5 : 1.0));
            for (std::uint32_t depth = plan.last_depth; depth <= levels; ++depth)
                time += missing_after[depth] * kMissingPair;
        } else {
            time += dense * (levels - first + 1);
        }
        if (time < best_time) {
            best = plan;
            best_time = time;
        }
    }
    return best;
}

}  // namespace wayfront::gpu::apsp
