#include "plan/device_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::plan {
namespace {

using Visible = std::vector<std::vector<int>>;

TEST(DeviceChoice, ByRankIfAllSeeTheSame)
{
    const std::vector<int> all = {0, 1, 2};
    EXPECT_EQ(choose_devices({all}), (std::vector<int>{0}));
    EXPECT_EQ(choose_devices({all, all}), (std::vector<int>{0, 1}));
    EXPECT_EQ(choose_devices({all, all, all, all, all}), (std::vector<int>{0, 1, 2, 0, 1}));
}

TEST(DeviceChoice, EachItsOwnIfItSeesNoOther)
{
    EXPECT_EQ(choose_devices({{5}, {6}, {7}}), (std::vector<int>{0, 0, 0}));
}

TEST(DeviceChoice, RanksOfASocketThatSeeItsGpus)
{
    EXPECT_EQ(choose_devices({{0, 1}, {2, 3}, {0, 1}, {2, 3}}), (std::vector<int>{0, 0, 1, 1}));
}

TEST(DeviceChoice, MovesARankIfAnotherHasNoOtherGpu)
{
    EXPECT_EQ(choose_devices({{0, 1}, {0}}), (std::vector<int>{1, 0}));
    EXPECT_EQ(choose_devices({{0, 1}, {1, 2}, {1}}), (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(choose_devices({{0, 1, 2}, {0, 1}, {0}}), (std::vector<int>{2, 1, 0}));
}

TEST(DeviceChoice, IfSomeHaveToShareTheOthersDoNot)
{
    EXPECT_EQ(choose_devices({{0}, {0}, {1, 2}, {1}}), (std::vector<int>{0, 0, 1, 0}));
}

TEST(DeviceChoice, OrderInWhichTheyAreSeenDoesNotMatter)
{
    EXPECT_EQ(choose_devices({{0, 1}, {1, 0}}), (std::vector<int>{0, 0}));
}

std::int64_t unevenness(const std::map<int, int>& ranks_of)
{
    std::int64_t squares = 0;
    for (const auto& [gpu, ranks] : ranks_of) squares += std::int64_t{ranks} * ranks;
    return squares;
}

/// The least possible unevenness, found by trying every assignment.
std::int64_t least_unevenness(const Visible& visible, std::size_t rank, std::map<int, int>& ranks_of)
{
    if (rank == visible.size()) return unevenness(ranks_of);
    std::int64_t least = INT64_MAX;
    for (const int gpu : visible[rank]) {
        ++ranks_of[gpu];
        least = std::min(least, least_unevenness(visible, rank + 1, ranks_of));
        --ranks_of[gpu];
    }
    return least;
}

TEST(DeviceChoice, NoWayIsMoreEven)
{
    std::mt19937 random(5);
    for (int trial = 0; trial < 1000; ++trial) {
        Visible visible(1 + random() % 6);
        for (std::vector<int>& gpus : visible) {
            for (int gpu = 0; gpu < 4; ++gpu)
                if (random() % 2 == 0) gpus.push_back(gpu);
            if (gpus.empty()) gpus.push_back(0);
        }
        const std::vector<int> chosen = choose_devices(visible);
        ASSERT_EQ(chosen.size(), visible.size());
        std::map<int, int> ranks_of;
        for (std::size_t rank = 0; rank < visible.size(); ++rank)
            ++ranks_of[visible[rank].at(static_cast<std::size_t>(chosen[rank]))];
        std::map<int, int> none;
        EXPECT_EQ(unevenness(ranks_of), least_unevenness(visible, 0, none)) << "trial " << trial;
    }
}

}  // namespace
}  // namespace wayfront::plan
