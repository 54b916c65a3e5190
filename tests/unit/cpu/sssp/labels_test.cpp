#include "cpu/sssp/labels.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>
#include <omp.h>

#include "algo/sssp/sssp_result.hpp"
#include "support/random_numbers.hpp"

namespace wayfront::cpu {
namespace {

template <typename D>
class Labels : public testing::Test
{
};
using DistanceTypes = testing::Types<std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Labels, DistanceTypes);

TYPED_TEST(Labels, KeepTheSmallestDistanceOfAllThreadsAndItsParent)
{
    using D = TypeParam;
    constexpr std::uint32_t vertices = 4;
    constexpr std::uint32_t tries = 30000;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        cpu::Labels<D> labels(vertices);
        labels.clear(algo::unreached<D>());
        std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
        std::uint32_t wrong_answers = 0;
#pragma omp parallel num_threads(3) reduction(min : smallest) reduction(+ : wrong_answers)
        {
            RandomNumbers random(seed * 8 + static_cast<std::uint64_t>(omp_get_thread_num()));
            for (std::uint32_t i = 0; i < tries; ++i) {
                // All vertices get the same distances, about as they decrease in a search.
                const std::uint32_t distance = 10 + 2 * (tries - i) + random.below(64);
                smallest = std::min(smallest, distance);
                for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
                    const bool improved =
                        labels.template improve<true>(vertex, static_cast<D>(distance), distance + vertex);
                    const D now = labels.distance(vertex);
                    if (now > static_cast<D>(distance) || (!improved && now == algo::unreached<D>())) ++wrong_answers;
                }
            }
        }
        EXPECT_EQ(wrong_answers, 0U);
        for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
            EXPECT_EQ(labels.distance(vertex), static_cast<D>(smallest));
            EXPECT_EQ(labels.parent(vertex), smallest + vertex);
        }
    }
}

TYPED_TEST(Labels, ImproveOnlyToSmallerDistances)
{
    using D = TypeParam;
    cpu::Labels<D> labels(2);
    labels.clear(D{100});
    EXPECT_FALSE(labels.template improve<false>(1, D{100}, 7));
    EXPECT_FALSE(labels.template improve<true>(1, D{100}, 7));
    EXPECT_EQ(labels.parent(1), kNoLocal);
    EXPECT_TRUE(labels.template improve<true>(1, D{99}, 7));
    EXPECT_FALSE(labels.template improve<true>(1, D{99}, 3));
    EXPECT_TRUE(labels.template improve<false>(1, D{0}, 4));
    EXPECT_EQ(labels.distance(1), D{0});
    EXPECT_EQ(labels.parent(1), 4U);
    EXPECT_EQ(labels.distance(0), D{100});
}

TEST(LabelsWithSources, AreSmallerWithSmallerSources)
{
    cpu::Labels<std::uint32_t> labels(7);
    ASSERT_TRUE(labels.clear_with_sources(100, 3));
    ASSERT_TRUE(labels.have_sources());
    EXPECT_EQ(labels.parent(4), kNoLocal);
    EXPECT_FALSE((labels.improve<false, true>(4, 100, labels.mark(0, 1))));  // the bound
    EXPECT_TRUE((labels.improve<false, true>(4, 99, labels.mark(2, 6))));
    EXPECT_EQ(labels.source(4), 2U);
    EXPECT_FALSE((labels.improve<false, true>(4, 99, labels.mark(2, 1))));  // the parent does not count
    EXPECT_TRUE((labels.improve<true, true>(4, 99, labels.mark(1, 5))));
    EXPECT_FALSE((labels.improve<true, true>(4, 99, labels.mark(2, 0))));
    EXPECT_TRUE((labels.improve<true, true>(4, 98, labels.mark(2, 0))));
    EXPECT_EQ(labels.distance(4), 98U);
    EXPECT_EQ(labels.parent(4), 0U);
    EXPECT_EQ(labels.mark_of_child(4), labels.mark(2, 4));
    labels.set_parent(4, 3);
    EXPECT_EQ(labels.parent(4), 3U);
    EXPECT_EQ(labels.source(4), 2U);
    labels.clear(100);
    EXPECT_FALSE(labels.have_sources());
    EXPECT_EQ(labels.mark_of_child(4), 4U);
}

TEST(LabelsWithSources, NeedBitsForAllSources)
{
    cpu::Labels<std::uint32_t> labels(1 << 20);  // 21 bits of 32
    EXPECT_TRUE(labels.clear_with_sources(1, (1 << 11) - 2));
    EXPECT_FALSE(labels.clear_with_sources(1, (1 << 11) - 1));
    EXPECT_FALSE(cpu::Labels<float>(4).clear_with_sources(1, 2));
    EXPECT_FALSE(cpu::Labels<std::int64_t>(4).clear_with_sources(1, 2));
}

TEST(PathLength, IsUnreachedIfItDoesNotFit)
{
    constexpr auto most = algo::unreached<std::uint32_t>();
    EXPECT_EQ(path_length(most - 2, std::uint32_t{1}), most - 1);
    EXPECT_EQ(path_length(most - 2, std::uint32_t{2}), most);
    EXPECT_EQ(path_length(most - 2, most), most);
    EXPECT_EQ(path_length(most, std::uint32_t{0}), most);
    EXPECT_EQ(path_length(std::int64_t{most}, most), 2 * std::int64_t{most});
    EXPECT_EQ(path_length(std::numeric_limits<std::int64_t>::max() - 1, std::int64_t{5}),
              std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(path_length(0x1p24F, 1.0F), 0x1p24F);  // rounded
    EXPECT_EQ(path_length(3e38F, 3e38F), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace wayfront::cpu
