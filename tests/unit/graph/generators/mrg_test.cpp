// The multiple recursive generator: steps, skips and seeds.
#include "graph/generators/mrg.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "oracle/kron_oracle.hpp"

namespace wayfront {
namespace {

void expect_equal(const MrgState& a, const MrgState& b)
{
    for (int i = 0; i < 5; ++i) EXPECT_EQ(a.z[i], b.z[i]) << "value " << i;
}

TEST(Mrg, ReducesEveryKindOfNumber)
{
    for (const std::uint64_t x :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{kMrgModulus} - 1, std::uint64_t{kMrgModulus},
          std::uint64_t{kMrgModulus} + 1, 2 * std::uint64_t{kMrgModulus}, std::uint64_t{kMrgModulus} * kMrgModulus,
          std::uint64_t{1} << 62, UINT64_MAX - 1, UINT64_MAX}) {
        EXPECT_EQ(mrg_reduce(x), x % kMrgModulus) << x;
    }
    for (std::uint64_t x = 1; x < UINT64_MAX / 3; x = 3 * x + 1) EXPECT_EQ(mrg_reduce(x), x % kMrgModulus) << x;
}

TEST(Mrg, StepsAsTheRecurrenceSays)
{
    MrgState state = mrg_seed(2, 3);
    test::KronOracle::State oracle = test::KronOracle(10, 2, 3).seed();
    for (int i = 0; i < 100000; ++i) ASSERT_EQ(mrg_next(state), test::KronOracle::next(oracle)) << "draw " << i;
}

TEST(Mrg, SeedsSpreadAllBitsOfBothSeeds)
{
    const MrgState state = mrg_seed(0xFEDCBA9876543210, 0x0123456789ABCDEF);
    const MrgState expected = {{0x36543210 + 1, ((0xFEDCBA9876543210 >> 30) & 0x3FFFFFFF) + 1, 0x09ABCDEF + 1,
                                ((0x0123456789ABCDEF >> 30) & 0x3FFFFFFF) + 1, 0xF + 1}};
    expect_equal(state, expected);
    expect_equal(mrg_seed(0, 0), {{1, 1, 1, 1, 1}});
    expect_equal(mrg_seed(UINT64_MAX, UINT64_MAX), {{0x40000000, 0x40000000, 0x40000000, 0x40000000, 256}});
}

TEST(Mrg, SkippingEqualsStepping)
{
    MrgState stepped = mrg_seed(42, 7);
    const MrgState start = stepped;
    for (std::uint64_t steps = 0; steps < 300; ++steps) {
        expect_equal(mrg_skip(start, {.low = steps}), stepped);
        mrg_next(stepped);
    }
}

TEST(Mrg, SkipsAddUpAcrossWords)
{
    const MrgState start = mrg_seed(42, 7);
    // 2^64 - 5 steps and 5 more; the same a word up.
    expect_equal(mrg_skip(mrg_skip(start, {.low = UINT64_MAX - 4}), {.low = 5}), mrg_skip(start, {.middle = 1}));
    expect_equal(mrg_skip(mrg_skip(start, {.middle = UINT64_MAX - 4}), {.middle = 5}), mrg_skip(start, {.high = 1}));
    expect_equal(mrg_skip(mrg_skip(start, {.low = 3, .middle = 9, .high = 2}), {.low = 1, .middle = 1, .high = 11}),
                 mrg_skip(start, {.low = 4, .middle = 10, .high = 13}));
}

TEST(Mrg, ThePeriodIsThatOfThePaper)
{
    // A^(m^5 - 1) is the identity: m^5 - 1 = (2^31 - 1)^5 - 1, written in three words by schoolbook
    // multiplication.
    const unsigned __int128 m = 2147483647;
    const unsigned __int128 m4 = m * m * m * m;  // below 2^124
    const auto low = static_cast<std::uint64_t>(m4);
    const auto high = static_cast<std::uint64_t>(m4 >> 64);
    const unsigned __int128 part0 = low * m;
    const unsigned __int128 part1 = high * m + (part0 >> 64);
    const MrgState start = mrg_seed(42, 7);
    expect_equal(mrg_skip(start, {.low = static_cast<std::uint64_t>(part0) - 1,
                                  .middle = static_cast<std::uint64_t>(part1),
                                  .high = static_cast<std::uint64_t>(part1 >> 64)}),
                 start);
}

TEST(Mrg, StreamStepsLeadFromStreamToStream)
{
    const MrgState start = mrg_seed(1, 1);
    for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{16}, std::uint64_t{1000003}})
        expect_equal(mrg_apply(mrg_stream_step(count), start), mrg_skip(start, {.middle = count}));
}

}  // namespace
}  // namespace wayfront
