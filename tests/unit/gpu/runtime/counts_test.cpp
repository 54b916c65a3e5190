#include "gpu/runtime/counts.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "gpu/exchange/grid_barrier.hpp"

namespace wayfront::gpu {
namespace {

struct SumAndMinimum
{
    std::uint64_t sum = 0;
    std::uint64_t smallest = 7;

    [[nodiscard]] static constexpr WordReduction reduction(int word)
    {
        return word == 0 ? WordReduction::sum : WordReduction::minimum;
    }
};

using Words = CountWords<SumAndMinimum>;

TEST(CountWords, KeepTheOrderOfTheMembers)
{
    const Words words = Words::of({3, 9});
    EXPECT_EQ(words.words[0], 3U);
    EXPECT_EQ(words.words[1], 9U);
    EXPECT_EQ(words.counts().sum, 3U);
    EXPECT_EQ(words.counts().smallest, 9U);
}

TEST(CountWords, NoneChangesNoTotal)
{
    const Words none = Words::none();
    EXPECT_TRUE(none.is_none());
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{5}, (std::uint64_t{1} << kCountBits) - 1})
        for (const int word : {0, 1}) EXPECT_EQ(Words::reduced(word, value, none.words[word]), value);
    EXPECT_FALSE(Words::of({1, none.words[1]}).is_none());
    EXPECT_FALSE(Words::of({0, 0}).is_none());
}

TEST(CountWords, AreSummedOrMinimised)
{
    EXPECT_EQ(Words::reduced(0, 4, 5), 9U);
    EXPECT_EQ(Words::reduced(1, 4, 5), 4U);
    EXPECT_EQ(Words::reduced(1, 5, 4), 4U);
}

TEST(GridBarrierState, BeginsSoThatEverySlotOfTheInboxIsUsedBeforeItsNumberIsZero)
{
    const auto state = GridBarrierState<SumAndMinimum>::first(132);
    std::uint32_t epoch = state.epoch;
    EXPECT_EQ(state.arrived, epoch * 132);
    EXPECT_EQ(state.passed, epoch);
    // 0 would be taken for a message in an inbox of zeros.
    for (int i = 0; i < kBarrierSlots; ++i) EXPECT_NE(++epoch % (1U << kEpochBits), 0U);
    EXPECT_EQ(++epoch, 0U);
    for (const auto& total : state.totals) EXPECT_TRUE(total.is_none());
}

}  // namespace
}  // namespace wayfront::gpu
