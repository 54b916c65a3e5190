#include "app/device_choice.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::app {
namespace {

using Visible = std::vector<std::vector<std::string>>;

TEST(DeviceChoice, WhereAllSeeTheSameByRank)
{
    const std::vector<std::string> all = {"a", "b", "c"};
    EXPECT_EQ(choose_devices({all}), (std::vector<int>{0}));
    EXPECT_EQ(choose_devices({all, all}), (std::vector<int>{0, 1}));
    EXPECT_EQ(choose_devices({all, all, all, all, all}), (std::vector<int>{0, 1, 2, 0, 1}));
}

TEST(DeviceChoice, WhereEachSeesItsOwn)
{
    EXPECT_EQ(choose_devices({{"a"}, {"b"}, {"c"}}), (std::vector<int>{0, 0, 0}));
}

TEST(DeviceChoice, WhereRanksOfASocketSeeItsGpus)
{
    EXPECT_EQ(choose_devices({{"a", "b"}, {"c", "d"}, {"a", "b"}, {"c", "d"}}), (std::vector<int>{0, 0, 1, 1}));
}

TEST(DeviceChoice, MovesARankWhereAnotherHasNoOtherGpu)
{
    EXPECT_EQ(choose_devices({{"a", "b"}, {"a"}}), (std::vector<int>{1, 0}));
    EXPECT_EQ(choose_devices({{"a", "b"}, {"b", "c"}, {"b"}}), (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(choose_devices({{"a", "b", "c"}, {"a", "b"}, {"a"}}), (std::vector<int>{2, 1, 0}));
}

TEST(DeviceChoice, OrderInWhichTheyAreSeenDoesNotMatter)
{
    EXPECT_EQ(choose_devices({{"a", "b"}, {"b", "a"}}), (std::vector<int>{0, 0}));
}

/// The fewest ranks that the fullest GPU can have, by trying every way.
int fewest_by_trial(const Visible& visible, std::size_t rank, std::map<std::string, int>& users)
{
    if (rank == visible.size()) {
        int most = 0;
        for (const auto& [gpu, ranks] : users) most = std::max(most, ranks);
        return most;
    }
    int best = static_cast<int>(visible.size());
    for (const std::string& gpu : visible[rank]) {
        ++users[gpu];
        best = std::min(best, fewest_by_trial(visible, rank + 1, users));
        --users[gpu];
    }
    return best;
}

TEST(DeviceChoice, NoWayHasFewerRanksOnTheFullestGpu)
{
    std::mt19937 random(5);
    for (int trial = 0; trial < 300; ++trial) {
        Visible visible(1 + random() % 6);
        for (std::vector<std::string>& gpus : visible) {
            for (const char* const gpu : {"a", "b", "c", "d"})
                if (random() % 2 == 0) gpus.emplace_back(gpu);
            if (gpus.empty()) gpus.emplace_back("a");
        }
        const std::vector<int> chosen = choose_devices(visible);
        ASSERT_EQ(chosen.size(), visible.size());
        std::map<std::string, int> users;
        int most = 0;
        for (std::size_t rank = 0; rank < visible.size(); ++rank)
            most = std::max(most, ++users[visible[rank].at(static_cast<std::size_t>(chosen[rank]))]);
        std::map<std::string, int> none;
        EXPECT_EQ(most, fewest_by_trial(visible, 0, none)) << "trial " << trial;
    }
}

}  // namespace
}  // namespace wayfront::app
