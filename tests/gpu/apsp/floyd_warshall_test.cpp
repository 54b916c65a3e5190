// Blocked Floyd-Warshall on one GPU against the three loops.
#include "gpu/apsp/floyd_warshall.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/gpu_guard.hpp"
#include "support/random_numbers.hpp"

namespace wayfront {
namespace {

using gpu::DeviceFloydWarshall;
using gpu::MinPlusSums;

class FloydWarshallTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

template <typename T>
constexpr T kInfinite = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();

/// A matrix in which so many of a thousand arcs exist, with weights in [low, high].
template <typename T>
std::vector<T> random_matrix(std::size_t n, std::uint64_t of_thousand, std::int64_t low, std::int64_t high, std::uint64_t seed)
{
    RandomNumbers random(seed);
    std::vector<T> matrix(n * n, kInfinite<T>);
    const auto range = static_cast<std::uint64_t>(high - low + 1);
    for (std::size_t i = 0; i < n * n; ++i) {
        const std::uint64_t chance = random.next() % 1000;
        const auto weight = static_cast<T>(low + static_cast<std::int64_t>(random.next() % range));
        if (chance < of_thousand) matrix[i] = weight;
    }
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 0;
    return matrix;
}

template <typename T>
void close(std::vector<T>& matrix, std::size_t n)
{
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i) {
            const T first = matrix[i * n + k];
            if (first == kInfinite<T>) continue;
            for (std::size_t j = 0; j < n; ++j) {
                const T second = matrix[k * n + j];
                if (second != kInfinite<T>) matrix[i * n + j] = std::min(matrix[i * n + j], static_cast<T>(first + second));
            }
        }
}

template <typename T>
void check(std::vector<T> matrix, std::size_t n, MinPlusSums sums)
{
    DeviceFloydWarshall device(static_cast<std::uint32_t>(n), sums);
    device.load(matrix.data());
    device.run();
    std::vector<T> found(n * n);
    device.copy(found.data());
    close(matrix, n);
    for (std::size_t i = 0; i < n * n; ++i) ASSERT_EQ(found[i], matrix[i]) << "from " << i / n << " to " << i % n << " of " << n;
}

constexpr std::size_t kSizes[] = {1, 2, 31, 32, 33, 64, 127, 128, 129, 256, 257, 600};

TEST_F(FloydWarshallTest, WholeNumbersAreExact)
{
    for (const std::size_t n : kSizes)
        for (const std::uint64_t of_thousand : {0, 5, 50, 1000}) {
            SCOPED_TRACE(std::to_string(of_thousand) + " of 1000 arcs");
            check(random_matrix<std::int32_t>(n, of_thousand, 0, 1 << 20, n), n, MinPlusSums::wholes);
            check(random_matrix<std::uint16_t>(n, of_thousand, 0, 50, n), n, MinPlusSums::shorts);
        }
}

/// All weights are whole numbers, so that sums of floats are exact, too.
TEST_F(FloydWarshallTest, Floats)
{
    for (const std::size_t n : kSizes)
        for (const std::uint64_t of_thousand : {5, 50, 1000}) {
            SCOPED_TRACE(std::to_string(of_thousand) + " of 1000 arcs");
            check(random_matrix<float>(n, of_thousand, 0, 1 << 12, n + 1), n, MinPlusSums::unsigned_floats);
            check(random_matrix<float>(n, of_thousand, 0, 1 << 12, n + 1), n, MinPlusSums::floats);
        }
}

/// Weights w + p(u) - p(v) have no negative cycles if no w is negative.
TEST_F(FloydWarshallTest, NegativeWeights)
{
    for (const std::size_t n : {33, 128, 300}) {
        std::vector<std::int32_t> wholes = random_matrix<std::int32_t>(n, 100, 0, 1000, 3);
        std::vector<float> floats(n * n, kInfinite<float>);
        for (std::size_t i = 0; i < n * n; ++i) {
            if (wholes[i] == kInfinite<std::int32_t>) continue;
            const auto from = static_cast<std::int32_t>(i / n * 37 % 1000);
            const auto to = static_cast<std::int32_t>(i % n * 37 % 1000);
            wholes[i] += from - to;
            floats[i] = static_cast<float>(wholes[i]);
        }
        check(wholes, n, MinPlusSums::wholes);
        check(floats, n, MinPlusSums::floats);
    }
}

TEST_F(FloydWarshallTest, ANegativeCycleShowsOnTheDiagonal)
{
    std::vector<std::int32_t> matrix(9, kInfinite<std::int32_t>);
    for (std::size_t i = 0; i < 3; ++i) matrix[4 * i] = 0;
    matrix[1] = 2;   // 0 -> 1
    matrix[3] = -3;  // 1 -> 0
    DeviceFloydWarshall device(3, MinPlusSums::wholes);
    device.load(matrix.data());
    device.run();
    device.copy(matrix.data());
    EXPECT_LT(matrix[0], 0);
    EXPECT_LT(matrix[4], 0);
    EXPECT_EQ(matrix[8], 0);
}

}  // namespace
}  // namespace wayfront
