// Tests of the counts of steps as the words that barriers and messages reduce.
#include "gpu/sssp/counts.hpp"

#include <gtest/gtest.h>

namespace wayfront::gpu::sssp {
namespace {

using Words = CountWords<SsspCounts>;

template <typename Counts>
class StepCounts : public testing::Test
{
};

using Steps =
    testing::Types<SourceCounts, PushCounts<Reach::single_gpu>, PushCounts<Reach::peers>, PushCounts<Reach::messages>,
                   LargeCounts, NearCounts, PullCounts, ImprovedCounts, OfferCounts>;
TYPED_TEST_SUITE(StepCounts, Steps);

TYPED_TEST(StepCounts, ChangeNoTotalAtFirst)
{
    EXPECT_TRUE(Words::of(TypeParam{}.counts()).is_none());
}

TYPED_TEST(StepCounts, AreInTheSameWordsBeforeAndAfterAReduction)
{
    const SsspCounts all{7, 11, 13};
    const SsspCounts own = TypeParam::of(all).counts();
    // A step leaves the words that it does not count as they are without counts.
    EXPECT_TRUE(own.minimum == all.minimum || own.minimum == kNoDistance);
    EXPECT_TRUE(own.first_sum == all.first_sum || own.first_sum == 0);
    EXPECT_TRUE(own.second_sum == all.second_sum || own.second_sum == 0);
    EXPECT_FALSE(Words::of(own).is_none());
}

TEST(PullCounts, AreDistanceOpenAndImprovedVertices)
{
    const PullCounts counts{.nearest = 5, .open = 100, .improved = 20};
    const SsspCounts words = counts.counts();
    EXPECT_EQ(words.minimum, 5U);
    EXPECT_EQ(words.first_sum, 100U);
    EXPECT_EQ(words.second_sum, 20U);
}

}  // namespace
}  // namespace wayfront::gpu::sssp
