#include "base/bitmap.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

namespace wayfront {
namespace {

TEST(Bitmap, CountsWords)
{
    EXPECT_EQ(word_count(0), 0U);
    EXPECT_EQ(word_count(1), 1U);
    EXPECT_EQ(word_count(64), 1U);
    EXPECT_EQ(word_count(65), 2U);
    EXPECT_EQ(round_up_to_word(0), 0U);
    EXPECT_EQ(round_up_to_word(1), 64U);
    EXPECT_EQ(round_up_to_word(64), 64U);
    EXPECT_EQ(round_up_to_word((std::size_t{1} << 32) + 1), (std::size_t{1} << 32) + 64);
}

TEST(Bitmap, SetsAndTestsSingleBits)
{
    for (const std::size_t i : {0U, 1U, 31U, 32U, 63U, 64U, 100U, 191U}) {
        std::vector<std::uint64_t> words(3, 0);
        set_bit(words.data(), i);
        for (std::size_t j = 0; j < 192; ++j)
            EXPECT_EQ(test_bit(words.data(), j), j == i) << "bit " << j << " of the set {" << i << "}";
    }
}

TEST(Bitmap, ABitIsClaimedOnce)
{
    std::vector<std::uint64_t> words(2, 0);
    EXPECT_TRUE(claim_bit(words.data(), 70));
    EXPECT_FALSE(claim_bit(words.data(), 70));
    EXPECT_TRUE(claim_bit(words.data(), 71));
    EXPECT_EQ(words[0], 0U);
    EXPECT_EQ(words[1], 0xC0U);
}

TEST(Bitmap, ThreadsClaimEachBitOnceBetweenThem)
{
    // There are many bits, which all threads claim in the same order. A thread that starts late
    // quickly passes the claimed bits, and then competes with the others.
    constexpr std::size_t bits = std::size_t{1} << 22;
    std::vector<std::uint64_t> words(word_count(bits), 0);
    std::size_t claims = 0;
#pragma omp parallel num_threads(4) reduction(+ : claims)
    for (std::size_t i = 0; i < bits; ++i) claims += claim_bit(words.data(), i) ? 1 : 0;
    EXPECT_EQ(claims, bits);
    for (const std::uint64_t word : words) EXPECT_EQ(word, ~std::uint64_t{0});
}

TEST(Bitmap, VisitsBitsInOrderAndOnlyOfTheWordsNamed)
{
    std::vector<std::uint64_t> words(4, 0);
    for (const std::size_t i : {0U, 63U, 64U, 65U, 127U, 130U, 255U}) set_bit(words.data(), i);
    std::vector<std::size_t> visited;
    for_each_bit(words.data(), 0, 4, [&](std::size_t i) { visited.push_back(i); });
    EXPECT_EQ(visited, (std::vector<std::size_t>{0, 63, 64, 65, 127, 130, 255}));
    visited.clear();
    for_each_bit(words.data(), 1, 3, [&](std::size_t i) { visited.push_back(i); });
    EXPECT_EQ(visited, (std::vector<std::size_t>{64, 65, 127, 130}));
    visited.clear();
    for_each_bit(words.data(), 2, 2, [&](std::size_t i) { visited.push_back(i); });
    EXPECT_TRUE(visited.empty());
}

}  // namespace
}  // namespace wayfront
