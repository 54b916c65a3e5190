// The choice of a share by searches of two engines whose speeds are known.
#include "algo/bfs/share_trials.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

/// Two engines that search at the same time, and the cost of dividing the work between them.
struct Engines
{
    double first = 1;  // seconds for the whole search
    double second = 1;
    double merge = 0;
    // Additional seconds of the first search after each change of the share.
    double first_search = 0;

    [[nodiscard]] double seconds(double share) const
    {
        return std::max(first * share, second * (1 - share)) + (share > 0 && share < 1 ? merge : 0);
    }
};

struct Outcome
{
    double share = 0;
    std::vector<double> tried;  // in turn
};

Outcome run_trials(const Engines& engines)
{
    ShareTrials trials;
    Outcome outcome;
    while (!trials.done()) {
        outcome.tried.push_back(trials.share());
        for (int search = 0; search < ShareTrials::kSearches; ++search) {
            EXPECT_EQ(trials.share(), outcome.tried.back());
            trials.add(engines.seconds(trials.share()) + (search == 0 ? engines.first_search : 0));
        }
    }
    outcome.share = trials.share();
    return outcome;
}

TEST(ShareTrials, BeginWithThePapersAndGoBothWays)
{
    const Outcome outcome = run_trials({.first = 3, .second = 1});
    EXPECT_EQ(outcome.tried, (std::vector<double>{0.25, 0, 0.1, 0.5, 1, 0.175, 0.375}));
    EXPECT_EQ(outcome.share, 0.25);
}

TEST(ShareTrials, FindTheShareNextToTheBest)
{
    EXPECT_EQ(run_trials({.first = 1, .second = 1}).share, 0.5);
    EXPECT_EQ(run_trials({.first = 1, .second = 3}).share, 0.75);
    EXPECT_EQ(run_trials({.first = 1.7, .second = 1}).share, 0.375);
    EXPECT_EQ(run_trials({.first = 8, .second = 1}).share, 0.1);
    EXPECT_EQ(run_trials({.first = 15, .second = 1}).share, 0.05);
}

TEST(ShareTrials, OneEngineAloneIfTheOtherOnlySlowsItDown)
{
    EXPECT_EQ(run_trials({.first = 100, .second = 1, .merge = 0.1}).share, 0);
    EXPECT_EQ(run_trials({.first = 1, .second = 100, .merge = 0.1}).share, 1);
    EXPECT_EQ(run_trials({.first = 1, .second = 1, .merge = 0.6}).share, 0);
}

TEST(ShareTrials, WhatOnlyTheFirstSearchCostsDoesNotCount)
{
    EXPECT_EQ(run_trials({.first = 3, .second = 1, .first_search = 50}).share, 0.25);
}

TEST(ShareTrials, NothingIsTriedBesideAnEndTwice)
{
    const Outcome outcome = run_trials({.first = 100, .second = 1});
    EXPECT_EQ(outcome.tried.size(), 6U);
    EXPECT_EQ(outcome.tried.back(), 0.05);
}

}  // namespace
}  // namespace wayfront
