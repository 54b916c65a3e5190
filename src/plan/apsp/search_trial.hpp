// A trial of methods of all pairs that search from each source: some searches by each of those whose estimated times
// are close.
#pragma once

#include <cstddef>

#include "plan/apsp/method.hpp"

namespace wayfront::plan {

/// Whether the work has enough sources for a trial: searches from some of them must take a small share of the time.
/// False on several ranks, because they would have to agree on the measured times.
[[nodiscard]] bool is_worth_search_trial(const ApspCase& asked);

/// The seconds of one search by the method of the offer, on a thread beside those of the other threads, measured. Pre:
/// is_worth_search_trial(), and offer.search_seconds > 0. Throws as rows of the method do.
[[nodiscard]] double measured_search_seconds(const ApspCase& asked, const ApspOffer& offer);

}  // namespace wayfront::plan
