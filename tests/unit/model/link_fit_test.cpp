#include "model/link_fit.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wayfront::model {
namespace {

using comm::Step;
using comm::StepPoint;

/// The times that a link would have.
std::vector<StepPoint> points_of(const Link& link, const std::vector<int>& numbers_of_ranks)
{
    Network network;
    network.inside = link;
    network.between = link;
    std::vector<StepPoint> points;
    for (const int ranks : numbers_of_ranks)
        for (const std::size_t bytes : {std::size_t{0}, std::size_t{4096}, std::size_t{1} << 22})
            for (const Step step : {Step::all_gather, Step::all_to_all}) {
                StepPoint point{step, ranks, bytes, 0};
                const Group hosts{static_cast<double>(ranks), static_cast<double>(ranks), 1, 1};
                const auto bytes_received = static_cast<double>(bytes);
                point.seconds = (step == Step::all_gather ? all_gather_time(network, hosts, bytes_received)
                                                          : all_to_all_time(network, hosts, bytes_received))
                                    .sum();
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
        const Link found = fit_link(points_of(link, {2, 4, 8, 13}), LinkEnds::hosts);
        expect_alike(found, link);
        EXPECT_DOUBLE_EQ(found.uncertainty, 1.1);
    }
}

TEST(FitLink, OfTwoRanksHasNoSeparateStep)
{
    const Link found = fit_link(points_of({12e9, 5e-6, 2e-6, 0.3e-6, 1}, {2}), LinkEnds::hosts);
    expect_alike(found, {12e9, 0, 7e-6, 0, 1});
}

TEST(FitLink, IsAsUncertainAsItsWorstTime)
{
    std::vector<StepPoint> points = points_of({12e9, 5e-6, 2e-6, 0, 1}, {2, 4});
    points[2].seconds *= 3;  // the times of 4096 bytes determine no parameter
    EXPECT_NEAR(fit_link(points, LinkEnds::hosts).uncertainty, 3, 1e-6);
}

TEST(FitLink, HasNoNegativeNumbers)
{
    std::vector<StepPoint> points = points_of({12e9, 50e-6, 0, 0, 1}, {2, 4, 8});
    for (StepPoint& point : points)
        if (point.ranks == 8) point.seconds *= 0.2;
    const Link found = fit_link(points, LinkEnds::hosts);
    EXPECT_GE(found.step, 0);
    EXPECT_GE(found.doubling, 0);
    EXPECT_GT(found.bytes_per_second, 0);
}

TEST(MeasuredSteps, TakeThePlaceOfTheNumbers)
{
    const std::string text = R"({"wayfront_network": 1, "ranks_per_host": 2,
        "inside": {"gigabytes_per_second": 10, "step_microseconds": 1},
        "between": {"gigabytes_per_second": 1, "step_microseconds": 10, "uncertainty": 2},
        "points": [
            {"link": "between", "step": "all-gather", "ranks": 2, "received_bytes": 8, "microseconds": 100},
            {"link": "between", "step": "all-gather", "ranks": 2, "received_bytes": 1008, "microseconds": 200},
            {"link": "between", "step": "all-gather", "ranks": 8, "received_bytes": 8, "microseconds": 300},
            {"link": "between", "step": "all-gather", "ranks": 8, "received_bytes": 1008, "microseconds": 600}]})";
    const Network network = network_from_text(text, "a network");
    const auto seconds = [&](double hosts, double bytes) {
        return all_gather_time(network, {hosts, hosts, 1, 1}, bytes).sum();
    };
    EXPECT_NEAR(seconds(2, 0), 100e-6, 1e-12);
    EXPECT_NEAR(seconds(2, 508), 150e-6, 1e-12);     // between sizes
    EXPECT_NEAR(seconds(2, 2008), 300e-6, 1e-12);    // beyond the largest one
    EXPECT_NEAR(seconds(4, 1008), 400e-6, 1e-12);    // half way in doublings
    EXPECT_NEAR(seconds(32, 1008), 1000e-6, 1e-12);  // beyond the most ranks
    // Nothing was measured of all-to-alls, nor inside hosts.
    EXPECT_NEAR(all_to_all_time(network, {2, 2, 1, 1}, 1000).sum(), 11e-6, 1e-12);
    EXPECT_NEAR(all_gather_time(network, {2, 1, 2, 1}, 1000).sum(), 1.1e-6, 1e-12);
    // Several groups of a host share its link.
    EXPECT_NEAR(all_gather_time(network, {2, 2, 1, 2}, 254).sum(), 150e-6, 1e-12);
    EXPECT_NEAR(*network.between.scaled(2).measured_seconds(Step::all_gather, 2, 508), 300e-6, 1e-12);
}

TEST(MeasuredSteps, OfAFileAreChecked)
{
    const auto with = [](const std::string& points) {
        return R"({"wayfront_network": 1, "ranks_per_host": 2,
        "inside": {"gigabytes_per_second": 10, "step_microseconds": 1},
        "between": {"gigabytes_per_second": 1, "step_microseconds": 10}, "points": )" +
               points + "}";
    };
    for (const char* const points : {"{}", "[1]", R"([{"link": "x", "step": "all-gather"}])",
                                     R"([{"link": "inside", "step": "all-gather", "ranks": 1}])",
                                     R"([{"link": "inside", "step": "all-gather", "ranks": 2}])"})
        EXPECT_THROW((void)network_from_text(with(points), "a network"), InputError) << points;
    EXPECT_TRUE(network_from_text(with("[]"), "a network").between.measured.empty());
}

}  // namespace
}  // namespace wayfront::model
