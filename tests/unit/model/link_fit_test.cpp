#include "model/link_fit.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::model {
namespace {

using comm::Step;
using comm::StepPoint;

/// The times that a link would have.
std::vector<StepPoint> points_of(const Link& link, const std::vector<int>& numbers_of_ranks)
{
    std::vector<StepPoint> points;
    for (const int ranks : numbers_of_ranks)
        for (const std::size_t bytes : {std::size_t{0}, std::size_t{4096}, std::size_t{1} << 22})
            for (const Step step : {Step::all_gather, Step::all_to_all}) {
                StepPoint point{step, ranks, bytes, 0};
                point.seconds = step_seconds(link, point);
                points.push_back(point);
            }
    return points;
}

void expect_alike(const Link& found, const Link& expected)
{
    EXPECT_NEAR(found.bytes_per_second, expected.bytes_per_second, 1e-6 * expected.bytes_per_second);
    EXPECT_NEAR(found.step, expected.step, 1e-12);
    EXPECT_NEAR(found.doubling, expected.doubling, 1e-12);
    EXPECT_NEAR(found.message, expected.message, 1e-12);
}

TEST(FitLink, FindsTheLinkOfItsTimes)
{
    for (const Link& link :
         {Link{12e9, 5e-6, 2e-6, 0.3e-6, 1}, Link{1e9, 0, 100e-6, 0, 1}, Link{1e6, 3e-3, 0, 1e-6, 1}}) {
        const Link found = fit_link(points_of(link, {2, 4, 8, 13}));
        expect_alike(found, link);
        EXPECT_DOUBLE_EQ(found.uncertainty, 1.1);
    }
}

TEST(FitLink, OfTwoRanksHasNoSeparateStep)
{
    const Link found = fit_link(points_of({12e9, 5e-6, 2e-6, 0.3e-6, 1}, {2}));
    expect_alike(found, {12e9, 0, 7e-6, 0, 1});
}

TEST(FitLink, IsAsUncertainAsItsWorstTime)
{
    std::vector<StepPoint> points = points_of({12e9, 5e-6, 2e-6, 0, 1}, {2, 4});
    points[2].seconds *= 3;  // of 4096 bytes, which determine nothing
    EXPECT_NEAR(fit_link(points).uncertainty, 3, 1e-6);
}

TEST(FitLink, HasNoNegativeNumbers)
{
    std::vector<StepPoint> points = points_of({12e9, 50e-6, 0, 0, 1}, {2, 4, 8});
    for (StepPoint& point : points)
        if (point.ranks == 8) point.seconds *= 0.2;
    const Link found = fit_link(points);
    EXPECT_GE(found.step, 0);
    EXPECT_GE(found.doubling, 0);
    EXPECT_GE(found.message, 0);
    EXPECT_GT(found.bytes_per_second, 0);
}

}  // namespace
}  // namespace wayfront::model
