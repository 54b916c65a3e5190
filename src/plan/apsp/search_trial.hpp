// A trial of methods of all pairs that search from each source: some searches by each of those whose estimated times
// are close.
#pragma once

#include <cstddef>

#include "plan/apsp/method.hpp"

namespace wayfront::plan {

/// Whether the work has so many sources that searches from some of them take a small share of its time. Only on one
/// rank: times on several would have to be compared.
[[nodiscard]] bool is_worth_search_trial(const ApspCase& asked);

/// The seconds of one search by the method of the offer, on a thread beside those of the other threads, measured. Pre:
/// is_worth_search_trial(), and offer.search_seconds > 0. Throws as rows of the method do.
[[nodiscard]] double measured_search_seconds(const ApspCase& asked, const ApspOffer& offer);

}  // namespace wayfront::plan
