#include "gpu/papers/phases/switch_rule.hpp"

#include <array>

#include <gtest/gtest.h>

namespace wayfront::gpu::sssp {
namespace {

TEST(PhaseSwitch, ChangesByTheMeanOfTwoPhases)
{
    PhaseSwitch rule(PhaseMode::adaptive, {350, 330});
    EXPECT_FALSE(rule.all());
    rule.add(340);
    EXPECT_FALSE(rule.all());
    rule.add(361);  // mean 350
    EXPECT_FALSE(rule.all());
    rule.add(341);  // mean 351
    EXPECT_TRUE(rule.all());
    rule.add(319);  // mean 330
    EXPECT_TRUE(rule.all());
    rule.add(339);  // mean 329
    EXPECT_FALSE(rule.all());
}

TEST(PhaseSwitch, FixedModesDoNotChange)
{
    PhaseSwitch conventional(PhaseMode::conventional, {0, PhaseThresholds::kNever});
    PhaseSwitch selection(PhaseMode::selection, {0, PhaseThresholds::kNever});
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(conventional.all());
        EXPECT_FALSE(selection.all());
        conventional.add(1);
        selection.add(1000);
    }
}

TEST(PhaseCost, FitsALine)
{
    const std::array<PhaseSample, 3> samples{PhaseSample{0, 10}, PhaseSample{100, 30}, PhaseSample{200, 50}};
    const PhaseCost cost = fit_cost(samples);
    EXPECT_DOUBLE_EQ(cost.fixed, 10);
    EXPECT_DOUBLE_EQ(cost.each, 0.2);
    EXPECT_EQ(fit_cost({}).fixed, 0);
    const std::array<PhaseSample, 2> falling{PhaseSample{0, 20}, PhaseSample{100, 10}};
    EXPECT_EQ(fit_cost(falling).each, 0);
    EXPECT_DOUBLE_EQ(fit_cost(falling).fixed, 15);
}

TEST(TunedThresholds, AreWhereBothCostTheSame)
{
    // 1000 vertices cost 13000 ns both ways.
    const PhaseThresholds at = tuned_thresholds({10000, 3}, {3000, 10});
    EXPECT_EQ(at.up, 13000U);
    EXPECT_EQ(at.down, 12828U);
    // A phase over all vertices without work must be short enough for the way back.
    EXPECT_GT(at.down, 10000U);
}

TEST(TunedThresholds, StayWithTheCheaperOne)
{
    const PhaseThresholds updated = tuned_thresholds({10000, 3}, {3000, 2});
    EXPECT_EQ(updated.up, PhaseThresholds::kNever);
    const PhaseThresholds all = tuned_thresholds({3000, 2}, {4000, 3});
    EXPECT_EQ(all.up, 0U);
    EXPECT_EQ(all.down, 0U);
}

TEST(TunedThresholds, AreLeftIfOneKindWasFasterInTrials)
{
    const PhaseThresholds tuned{13000, 12828};
    EXPECT_EQ(thresholds_of_trials(tuned, {.over_all = 3, .over_updated = 2, .adaptive = 1.9}).up, 13000U);
    EXPECT_EQ(thresholds_of_trials(tuned, {.over_all = 3, .over_updated = 2, .adaptive = 2}).up,
              PhaseThresholds::kNever);
    const PhaseThresholds all = thresholds_of_trials(tuned, {.over_all = 2, .over_updated = 3, .adaptive = 2.1});
    EXPECT_EQ(all.up, 0U);
    EXPECT_EQ(all.down, 0U);
}

TEST(TunedThresholds, ThatNeverChangeTheKindNeedNoTimes)
{
    EXPECT_EQ(effective_mode(PhaseMode::adaptive, {0, 0}), PhaseMode::conventional);
    EXPECT_EQ(effective_mode(PhaseMode::adaptive, {}), PhaseMode::selection);
    EXPECT_EQ(effective_mode(PhaseMode::adaptive, {13000, 12828}), PhaseMode::adaptive);
    EXPECT_EQ(effective_mode(PhaseMode::adaptive, {0, PhaseThresholds::kNever}), PhaseMode::adaptive);
    EXPECT_EQ(effective_mode(PhaseMode::selection, {0, 0}), PhaseMode::selection);
}

TEST(TunedThresholds, NanosecondsOfLongTimesAreNever)
{
    EXPECT_EQ(nanoseconds_of(350e-6), 350000U);
    EXPECT_EQ(nanoseconds_of(1e30), PhaseThresholds::kNever);
}

}  // namespace
}  // namespace wayfront::gpu::sssp
