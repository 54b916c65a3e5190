#include "algo/bfs/share_trials.hpp"

#include <algorithm>
#include <iterator>

namespace wayfront {

void ShareTrials::add(double seconds)
{
    Trial& trial = trials_[current_];
    trial.seconds = searches_ == 0 ? seconds : std::min(trial.seconds, seconds);
    if (++searches_ < kSearches) return;
    searches_ = 0;
    ++current_;
    if (done() && !narrowed_) add_shares_beside_best();
}

const ShareTrials::Trial& ShareTrials::best() const
{
    return *std::ranges::min_element(trials_, {}, &Trial::seconds);
}

void ShareTrials::add_shares_beside_best()
{
    narrowed_ = true;
    const double best_share = best().share;
    std::ranges::sort(trials_, {}, &Trial::share);
    const auto at = std::ranges::find(trials_, best_share, &Trial::share);
    std::vector<Trial> between;
    if (at != trials_.begin()) between.push_back({(std::prev(at)->share + best_share) / 2});
    if (std::next(at) != trials_.end()) between.push_back({(best_share + std::next(at)->share) / 2});
    trials_.insert(trials_.end(), between.begin(), between.end());
}

}  // namespace wayfront
