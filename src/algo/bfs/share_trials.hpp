// The share of a block that the first of two engines gets, found by trying.
//
// The time of two engines together does not follow from the times of each alone: the cores that
// search also copy data for the GPU, threads that wait for the GPU fall asleep and must be woken,
// and some costs do not shrink with a part, such as the frontier's transfer to the device.
// Therefore whole searches are timed, all from one key: first with a few shares far apart, and then
// with those halfway between the best share and its neighbours.
#pragma once

#include <cstddef>
#include <vector>

namespace wayfront {

/// The first share that is tried: that of the paper, 1:3.
inline constexpr double kFirstShare = 0.25;

class ShareTrials
{
public:
    /// Searches per share. The fastest of them counts, because the first search after a change
    /// meets cold caches and untouched memory.
    static constexpr int kSearches = 3;

    /// The share to search with: during the trials the one on trial, afterwards the best one.
    [[nodiscard]] double share() const { return done() ? best().share : trials_[current_].share; }
    [[nodiscard]] bool done() const { return current_ == trials_.size(); }

    /// Records the time of a search with share(). Pre: not all trials are done.
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
    int searches_ = 0;  // done with the share on trial
    bool narrowed_ = false;
};

}  // namespace wayfront
