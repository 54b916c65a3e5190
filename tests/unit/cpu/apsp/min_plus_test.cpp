#include "cpu/apsp/min_plus.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::cpu {
namespace {

template <typename T>
class MinPlus : public testing::Test
{
};

using Types = testing::Types<std::uint16_t, std::uint32_t, std::int32_t, float, double>;
TYPED_TEST_SUITE(MinPlus, Types);

/// The product as it is defined, one entry after the other.
template <typename T>
std::vector<T> expected_product(const std::vector<T>& a, const std::vector<T>& strip, std::vector<T> c,
                                std::size_t rows, std::size_t depth)
{
    const std::size_t columns = c.size() / rows;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < depth; ++k)
            for (std::size_t j = 0; j < columns; ++j) {
                const std::size_t of_strip = j / kStripColumns<T> * depth * kStripColumns<T>;
                const T right = strip[of_strip + k * kStripColumns<T> + j % kStripColumns<T>];
                const double sum = static_cast<double>(a[i * depth + k]) + static_cast<double>(right);
                if (sum < static_cast<double>(c[i * columns + j])) c[i * columns + j] = static_cast<T>(sum);
            }
    return c;
}

TYPED_TEST(MinPlus, VectorsOfBothSizesGiveTheProduct)
{
    using T = TypeParam;
    constexpr std::size_t rows = 8;
    constexpr std::size_t depth = 37;
    constexpr std::size_t columns = kStripColumns<T>;
    std::mt19937 random(1);
    const auto distances = [&](std::size_t count) {
        std::vector<T> values(count);
        std::ranges::generate(values,
                              [&] { return random() % 4 == 0 ? kFarTile<T> : static_cast<T>(random() % 30000); });
        return values;
    };
    for (int round = 0; round < 20; ++round) {
        const std::vector<T> a = distances(rows * depth);
        const std::vector<T> strip = distances(2 * depth * columns);
        const std::vector<T> c = distances(rows * columns);
        const std::vector<T> wide = distances(rows * 2 * columns);
        const std::vector<T> expected = expected_product(a, strip, c, rows, depth);
        std::vector<T> found = c;
        multiply_strip<T, rows>({a.data(), depth}, {strip.data(), depth}, {found.data(), columns});
        EXPECT_EQ(found, expected);
        if (!has_wide_vectors()) continue;
        found = c;
        multiply_strips_wide<T, rows, 1>({a.data(), depth}, {strip.data(), depth}, {found.data(), columns});
        EXPECT_EQ(found, expected);
        found = wide;
        multiply_strips_wide<T, rows, 2>({a.data(), depth}, {strip.data(), depth}, {found.data(), 2 * columns});
        EXPECT_EQ(found, expected_product(a, strip, wide, rows, depth));
    }
    if (!has_wide_vectors()) GTEST_SKIP() << "no vectors of 64 bytes on this processor";
}

}  // namespace
}  // namespace wayfront::cpu
