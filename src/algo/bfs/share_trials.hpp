// Which share of a block the first of two engines takes: found by trying.
//
// How long two engines take together does not follow from how long each takes alone: the cores that search also fill and empty the buffers of the
// GPU's copies, threads that wait for the GPU fall asleep and have to be woken, and some costs do not shrink with a part, such as the frontier's way
// to the device. So whole searches are timed, all from one key: with a few shares far apart, then with those halfway from the best to its neighbours.
#pragma once

#include <cstddef>
#include <vector>

namespace wayfront {

/// The share of the first engine that is tried first: that of the paper, 1:3.
inline constexpr double kFirstShare = 0.25;

class ShareTrials
{
public:
    /// Searches with each share, of which the quickest counts: the first after a change meets cold caches and memory that nobody has touched.
    static constexpr int kSearches = 3;

    /// The share to search with: the one on trial, and after all trials the best.
    [[nodiscard]] double share() const { return done() ? best().share : trials_[current_].share; }
    [[nodiscard]] bool done() const { return current_ == trials_.size(); }

    /// A search with share() took so long. Not after the last trial.
    void add(double seconds);

private:
    struct Trial
    {
        double share;
        double seconds = 0;
    };

    [[nodiscard]] const Trial& best() const;
    void add_shares_beside_best();

    std::vector<Trial> trials_{{kFirstShare}, {0}, {0.1}, {0.5}, {1}};
    std::size_t current_ = 0;
    int searches_ = 0;  // with the share on trial
    bool narrowed_ = false;
};

}  // namespace wayfront
