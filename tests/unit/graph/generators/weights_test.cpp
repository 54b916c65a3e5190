// Random weights: ranges, distributions, and independence of how the edges are divided among ranks.
#include "graph/generators/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wayfront {
namespace {

std::vector<std::int32_t> whole_weights(const char* text, std::size_t count, Vertex n = 1000, std::uint64_t seed = 1)
{
    std::vector<std::int32_t> weights(count);
    WeightSpec::parse(text, n).fill(seed, 0, weights);
    return weights;
}

TEST(Weights, UniformTakesEveryValueOfItsRangeEquallyOften)
{
    std::vector<double> counts(10, 0);
    for (const std::int32_t weight : whole_weights("uniform:-2..7", 100000)) {
        ASSERT_TRUE(-2 <= weight && weight <= 7) << weight;
        counts.at(static_cast<std::size_t>(std::int64_t{weight} + 2)) += 1;
    }
    double chi_squared = 0;
    for (const double count : counts) chi_squared += (count - 10000) * (count - 10000) / 10000;
    EXPECT_LT(chi_squared, 33.7);  // 9 degrees of freedom: exceeded once in 10,000 times
}

TEST(Weights, UniformReachesAsFarAsTheGraphHasVertices)
{
    const std::vector<std::int32_t> weights = whole_weights("uniform:1..n", 100000, 50);
    EXPECT_EQ(*std::ranges::min_element(weights), 1);
    EXPECT_EQ(*std::ranges::max_element(weights), 50);
}

TEST(Weights, UniformSpansAll32Bits)
{
    const std::vector<std::int32_t> weights = whole_weights("uniform:-2147483648..2147483647", 1000);
    EXPECT_LT(*std::ranges::min_element(weights), -2100000000);
    EXPECT_GT(*std::ranges::max_element(weights), 2100000000);
}

TEST(Weights, UnsignedWeightsOf32Bits)
{
    EXPECT_FALSE(WeightSpec::parse("uniform:0..2147483647", 1).wide());
    const Weights made = WeightSpec::parse("uniform:0..4294967295", 1).make(1, 0, 1000);
    const std::span<const std::int64_t> weights = std::get<HostBuffer<std::int64_t>>(made).span();
    EXPECT_GE(*std::ranges::min_element(weights), 0);
    EXPECT_LT(*std::ranges::min_element(weights), 50000000);
    EXPECT_LE(*std::ranges::max_element(weights), 4294967295);
    EXPECT_GT(*std::ranges::max_element(weights), 4250000000);
    EXPECT_THROW(static_cast<void>(WeightSpec::parse("uniform:0..4294967296", 1)), InputError);
}

TEST(Weights, UnitIsOne)
{
    for (const std::int32_t weight : whole_weights("unit", 100)) EXPECT_EQ(weight, 1);
}

TEST(Weights, FloatsFillZeroToOne)
{
    const WeightSpec spec = WeightSpec::parse("float", 10);
    EXPECT_FALSE(spec.integral());
    std::vector<float> weights(100000);
    spec.fill(1, 0, weights);
    EXPECT_GE(*std::ranges::min_element(weights), 0.0F);
    EXPECT_LT(*std::ranges::min_element(weights), 0.001F);
    EXPECT_LT(*std::ranges::max_element(weights), 1.0F);
    EXPECT_GT(*std::ranges::max_element(weights), 0.999F);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0) / 100000, 0.5, 0.005);
}

TEST(Weights, LognormalHasItsMeanAndDeviation)
{
    const std::vector<std::int32_t> weights = whole_weights("lognormal:mean=1000,sd=500,min=0,max=2000000000", 200000);
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / 200000;
    double squares = 0;
    for (const std::int32_t weight : weights) squares += (weight - mean) * (weight - mean);
    EXPECT_NEAR(mean, 1000, 6);
    EXPECT_NEAR(std::sqrt(squares / 200000), 500, 12);
    // The median of a log-normal distribution is exp(mu) = mean / sqrt(1 + (sd / mean)^2).
    std::vector<std::int32_t> sorted = weights;
    std::ranges::nth_element(sorted, sorted.begin() + 100000);
    EXPECT_NEAR(sorted[100000], 1000 / std::sqrt(1.25), 6);
}

TEST(Weights, LognormalStaysWithinItsLimits)
{
    const std::vector<std::int32_t> weights = whole_weights("lognormal:", 200000);
    EXPECT_GE(*std::ranges::min_element(weights), 10);
    EXPECT_EQ(*std::ranges::max_element(weights), 1000000);
    const std::vector<std::int32_t> narrow = whole_weights("lognormal:mean=100,sd=100,min=90,max=110", 1000);
    EXPECT_EQ(*std::ranges::min_element(narrow), 90);
    EXPECT_EQ(*std::ranges::max_element(narrow), 110);
    for (const std::int32_t weight : whole_weights("lognormal:mean=100,sd=0", 10)) EXPECT_EQ(weight, 100);
}

TEST(Weights, AnyRangeHoldsTheSameWeights)
{
    for (const char* text : {"uniform:1..100", "lognormal:"}) {
        const std::vector<std::int32_t> all = whole_weights(text, 200);
        std::vector<std::int32_t> part(50);
        WeightSpec::parse(text, 1000).fill(1, 120, part);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 120)) << text;
        EXPECT_NE(all, whole_weights(text, 200, 1000, 2)) << text << " does not depend on the seed";
    }
}

TEST(Weights, MakeGivesTheTypeAndTheValuesOfFill)
{
    const Weights whole = WeightSpec::parse("uniform:1..100", 10).make(3, 7, 200000);
    std::vector<std::int32_t> expected(200000);
    WeightSpec::parse("uniform:1..100", 10).fill(3, 7, expected);
    ASSERT_TRUE(std::holds_alternative<HostBuffer<std::int32_t>>(whole));
    EXPECT_TRUE(std::ranges::equal(std::get<HostBuffer<std::int32_t>>(whole).span(), expected));
    const Weights real = WeightSpec::parse("float", 10).make(3, 7, 100);
    ASSERT_TRUE(std::holds_alternative<HostBuffer<float>>(real));
    std::vector<float> as_floats(200000);
    WeightSpec::parse("uniform:1..100", 10).fill(3, 7, as_floats);
    EXPECT_TRUE(std::ranges::equal(as_floats, expected));
}

TEST(Weights, BadTextsAreNamedWithWhatIsWrongAndWhatIsAccepted)
{
    for (const char* text : {"",
                             "uniform",
                             "uniform:",
                             "uniform:1",
                             "uniform:1..",
                             "uniform:..5",
                             "uniform:5..1",
                             "uniform:1..4294967296",
                             "uniform:1..x",
                             "uniform:1.5..2",
                             "uniform:-2147483649..1",
                             "float:1",
                             "gauss:1",
                             "lognormal:mean=0",
                             "lognormal:sd=-1",
                             "lognormal:mean=nan",
                             "lognormal:min=5,max=4",
                             "lognormal:max=5000000000",
                             "lognormal:mode=4",
                             "lognormal:mean",
                             "lognormal:min=-1"}) {
        try {
            WeightSpec::parse(text, 10);
            ADD_FAILURE() << text << " was accepted";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("'" + std::string(text) + "'"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("uniform:LO..HI"), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW(WeightSpec::parse("uniform:1..n", Vertex{1} << 32), InputError);
}

TEST(WholeWeights, GoFromOneTo255)
{
    const std::vector<float> floats = {0, 0.5F, 0.99999994F, 1.0F / 255};
    const HostBuffer<std::int32_t> whole = wayfront::whole_weights(std::span<const float>(floats));
    EXPECT_EQ(std::vector<std::int32_t>(whole.begin(), whole.end()), (std::vector<std::int32_t>{1, 128, 255, 2}));
}

}  // namespace
}  // namespace wayfront
