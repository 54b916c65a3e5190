// Compares blocked Floyd-Warshall on one GPU, in all its forms, on one matrix and on many, with the
// algorithm in three loops.
#include "gpu/apsp/matrix/floyd_warshall.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/distances.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront {
namespace {

using gpu::apsp::DeviceFloydWarshall;
using gpu::apsp::FloydWarshallForm;
using gpu::apsp::MatrixArc;
using gpu::apsp::MinPlusSums;

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

class FloydWarshallForms : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// Matrices of whole distances, some of which are kFar, and their arcs in the form for the GPU.
struct Matrices
{
    std::uint32_t n;
    std::vector<std::vector<std::int64_t>> distances;
    std::vector<MatrixArc> arcs;
};

/// The range of weights. A weight is from 0 to most_weight. If most_height is not 0, vertices have
/// heights up to most_height, and the height that an arc rises is added to its weight.
struct WeightRange
{
    std::int64_t most_weight = 1000;
    std::int64_t most_height = 0;
};

Matrices random_matrices(std::uint32_t n, std::uint32_t count, std::uint32_t size, const WeightRange& range,
                         std::uint32_t seed)
{
    Matrices made{n, {}, {}};
    std::mt19937_64 random(seed);
    const auto below = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };
    std::vector<std::int64_t> heights;
    for (std::uint32_t v = 0; v < n; ++v) heights.push_back(below(range.most_height + 1));
    for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
        std::vector<std::int64_t> distances(std::size_t{n} * n, kFar);
        for (std::uint32_t u = 0; u < n; ++u) {
            distances[std::size_t{u} * n + u] = 0;
            for (int degree = 0; degree < 5; ++degree) {
                const auto v = static_cast<std::uint32_t>(random() % n);
                const std::int64_t weight = below(range.most_weight + 1) + heights[v] - heights[u];
                std::int64_t& distance = distances[std::size_t{u} * n + v];
                if (distance != kFar) continue;  // each arc occurs once
                distance = weight;
                made.arcs.push_back({matrix * size + u, v, static_cast<double>(weight)});
            }
        }
        made.distances.push_back(std::move(distances));
    }
    return made;
}

void close(std::vector<std::int64_t>& distances, std::size_t n)
{
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                if (distances[i * n + k] != kFar && distances[k * n + j] != kFar)
                    distances[i * n + j] = std::min(distances[i * n + j], distances[i * n + k] + distances[k * n + j]);
}

template <typename Element>
std::int64_t whole(Element element)
{
    return element == unreached<Element>() ? kFar : static_cast<std::int64_t>(element);
}

/// Closes two sets of matrices in turn, each in two runs, and compares the result after each run.
/// The resident form uses two sets of panels in turn, and prepares each set in the previous run: a
/// part of a panel that is not prepared would contain words of the other matrices.
template <typename Element>
void check(std::uint32_t n, std::uint32_t count, MinPlusSums sums, FloydWarshallForm form, unsigned threads,
           bool must_run = true, const WeightRange& range = {})
{
    SCOPED_TRACE(testing::Message() << count << " of " << n << " vertices, sums " << static_cast<int>(sums) << ", form "
                                    << static_cast<int>(form) << ", threads " << threads);
    DeviceFloydWarshall device(n, sums, count);
    if (!device.can_run(form)) {
        EXPECT_FALSE(must_run);
        return;
    }
    const std::uint32_t size = gpu::apsp::padded_size(n, sums);
    const gpu::Stream stream;
    std::vector<std::uint32_t> sources;
    for (std::uint32_t matrix = 0; matrix < count; ++matrix)
        for (std::uint32_t v = 0; v < n; ++v) sources.push_back(matrix * size + v);
    const auto device_sources = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    gpu::DeviceBuffer<Element> rows(sources.size() * n);
    std::vector<Element> found(rows.size());
    std::array<Matrices, 2> sets;
    for (std::uint32_t seed = 0; seed < sets.size(); ++seed) {
        sets[seed] = random_matrices(n, count, size, sums == MinPlusSums::shorts ? WeightRange{60} : range,
                                     2 * (n + count) + seed);
        for (std::vector<std::int64_t>& distances : sets[seed].distances) close(distances, n);
    }
    for (std::size_t run = 0; run < 6; ++run) {
        SCOPED_TRACE(testing::Message() << "run " << run);
        const Matrices& matrices = sets[run / 2 % sets.size()];
        const auto arcs = gpu::upload(std::span<const MatrixArc>(matrices.arcs), stream);
        device.load(arcs.data(), matrices.arcs.size(), stream);
        device.run(stream, form, threads);
        device.copy_rows({device_sources.data(), sources.size()}, algo::distance_type_of<Element>,
                         reinterpret_cast<std::byte*>(rows.data()), n, stream);
        gpu::copy_async(std::span<const Element>(rows.span()), std::span<Element>(found), stream);
        stream.synchronize();
        for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
            const std::vector<std::int64_t>& expected = matrices.distances[matrix];
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_EQ(whole(found[matrix * expected.size() + i]), expected[i])
                    << "matrix " << matrix << ", from " << i / n << " to " << i % n;
        }
    }
    EXPECT_LE(device.bytes(), DeviceFloydWarshall::most_bytes(n, sums) * count);
}

TEST_F(FloydWarshallForms, RowsOf16BitsOfSumsOf32)
{
    for (const std::uint32_t n : {1U, 64U, 200U})
        check<std::uint16_t>(n, 2, MinPlusSums::unsigned_wholes, FloydWarshallForm::automatic, 256);
}

/// Checks all types of sums whose words have one distance.
void check_words(std::uint32_t n, std::uint32_t count, FloydWarshallForm form, unsigned threads = 256,
                 bool must_run = true)
{
    check<std::int32_t>(n, count, MinPlusSums::unsigned_wholes, form, threads, must_run);
    check<std::int32_t>(n, count, MinPlusSums::wholes, form, threads, must_run);
    // Floats are whole numbers, so that sums are exact.
    check<float>(n, count, MinPlusSums::unsigned_floats, form, threads, must_run);
    check<float>(n, count, MinPlusSums::floats, form, threads, must_run);
}

TEST_F(FloydWarshallForms, Automatic)
{
    for (const std::uint32_t n : {1U, 33U, 64U, 65U, 200U, 500U})
        for (const std::uint32_t count : {1U, 3U}) {
            check_words(n, count, FloydWarshallForm::automatic);
            check<std::uint16_t>(n, count, MinPlusSums::shorts, FloydWarshallForm::automatic, 256);
        }
}

TEST_F(FloydWarshallForms, Tiles)
{
    for (const std::uint32_t n : {65U, 128U, 129U, 400U})
        for (const std::uint32_t count : {1U, 4U}) {
            check_words(n, count, FloydWarshallForm::tiles);
            check<std::uint16_t>(n, count, MinPlusSums::shorts, FloydWarshallForm::tiles, 256);
        }
}

TEST_F(FloydWarshallForms, Doubles)
{
    const auto check_all = [](std::uint32_t n, std::uint32_t count, FloydWarshallForm form) {
        check<double>(n, count, MinPlusSums::doubles, form, 256);
        // These distances are exact beyond 32 bits, and have both signs.
        check<double>(n, count, MinPlusSums::doubles, form, 256, true, {std::int64_t{1} << 42, 0});
        check<double>(n, count, MinPlusSums::doubles, form, 256, true, {std::int64_t{1} << 20, std::int64_t{1} << 42});
        check<std::int32_t>(n, count, MinPlusSums::doubles, form, 256, true, {1000, 100000});
    };
    for (const std::uint32_t n : {1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U, 129U, 300U})
        for (const std::uint32_t count : {1U, 4U})
            check_all(n, count, n <= 64 ? FloydWarshallForm::block : FloydWarshallForm::tiles);
    check_all(20, 2, FloydWarshallForm::automatic);
    check_all(100, 2, FloydWarshallForm::automatic);
    check<double>(1000, 1, MinPlusSums::doubles, FloydWarshallForm::tiles, 256, true,
                  {std::int64_t{1} << 20, std::int64_t{1} << 42});
    const DeviceFloydWarshall device(20, MinPlusSums::doubles);
    for (const FloydWarshallForm form :
         {FloydWarshallForm::resident, FloydWarshallForm::steps_of_32, FloydWarshallForm::tasks_of_32})
        EXPECT_FALSE(device.can_run(form));
}

/// Returns the rows of a closed matrix of doubles in their stored form.
std::vector<double> closed_doubles(std::uint32_t n, const std::vector<MatrixArc>& arcs)
{
    const gpu::Stream stream;
    DeviceFloydWarshall device(n, MinPlusSums::doubles);
    const auto on_device = gpu::upload(std::span<const MatrixArc>(arcs), stream);
    device.load(on_device.data(), arcs.size(), stream);
    device.run(stream);
    std::vector<std::uint32_t> sources(n);
    std::iota(sources.begin(), sources.end(), 0U);
    const auto device_sources = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    gpu::DeviceBuffer<double> rows(std::size_t{n} * n);
    device.copy_rows({device_sources.data(), n}, algo::DistanceType::float64, reinterpret_cast<std::byte*>(rows.data()),
                     n, stream);
    std::vector<double> found(rows.size());
    gpu::copy_async(std::span<const double>(rows.span()), std::span<double>(found), stream);
    stream.synchronize();
    return found;
}

/// In this ring, distances are fractions that differ only beyond 32 bits.
TEST_F(FloydWarshallForms, DoublesHaveAllTheirDigits)
{
    constexpr std::uint32_t n = 260;
    std::vector<MatrixArc> arcs;
    for (std::uint32_t v = 0; v < n; ++v) arcs.push_back({v, (v + 1) % n, 1 + std::ldexp(static_cast<double>(v), -40)});
    const std::vector<double> found = closed_doubles(n, arcs);
    for (std::uint32_t u = 0; u < n; ++u) {
        double expected = 0;  // exact: all sums have fewer than 53 bits
        for (std::uint32_t steps = 0; steps < n; ++steps) {
            ASSERT_EQ(found[std::size_t{u} * n + (u + steps) % n], expected)
                << "from " << u << ", " << steps << " steps";
            expected += arcs[(u + steps) % n].weight;
        }
    }
}

/// A vertex of the cycle gets a negative distance to itself, even if distances fall to -infinity.
TEST_F(FloydWarshallForms, DoublesOnANegativeCycle)
{
    for (const std::uint32_t n : {3U, 200U, 700U}) {
        std::vector<MatrixArc> arcs;
        for (std::uint32_t v = 0; v < n; ++v) arcs.push_back({v, (v + 1) % n, v == n / 2 ? -2.0 * n : 1});
        const std::vector<double> found = closed_doubles(n, arcs);
        bool any = false;
        for (std::size_t v = 0; v < n; ++v) any = any || found[v * n + v] < 0;
        EXPECT_TRUE(any) << n;
    }
}

TEST_F(FloydWarshallForms, Resident)
{
    for (const std::uint32_t n : {1U, 31U, 32U, 33U, 64U, 65U, 129U, 256U, 353U, 500U})
        check_words(n, 1, FloydWarshallForm::resident, 256, n <= 256);
    // This size needs 128 multiprocessors.
    check<float>(1024, 1, MinPlusSums::unsigned_floats, FloydWarshallForm::resident, 256, false);
}

TEST_F(FloydWarshallForms, Blocks)
{
    for (const std::uint32_t n : {1U, 2U, 31U, 32U, 33U, 64U})
        for (const std::uint32_t count : {1U, 300U}) check_words(n, count, FloydWarshallForm::block);
}

TEST_F(FloydWarshallForms, OfThePaper)
{
    for (const FloydWarshallForm form : {FloydWarshallForm::steps_of_32, FloydWarshallForm::tasks_of_32})
        for (const std::uint32_t n : {1U, 32U, 33U, 64U, 200U, 300U})
            for (const std::uint32_t count : {1U, 5U})
                for (const unsigned threads : {64U, 256U, 1024U})
                    check<std::int32_t>(n, count, MinPlusSums::unsigned_wholes, form, threads);
    for (const unsigned threads : {128U, 512U}) check_words(100, 2, FloydWarshallForm::tasks_of_32, threads);
}

TEST_F(FloydWarshallForms, SmallOnesForSanitizers)
{
    for (const FloydWarshallForm form : {FloydWarshallForm::block, FloydWarshallForm::resident,
                                         FloydWarshallForm::steps_of_32, FloydWarshallForm::tasks_of_32})
        check<std::int32_t>(60, 1, MinPlusSums::unsigned_wholes, form, 128);
    for (const FloydWarshallForm form :
         {FloydWarshallForm::tiles, FloydWarshallForm::resident, FloydWarshallForm::tasks_of_32})
        check<std::int32_t>(150, 1, MinPlusSums::unsigned_wholes, form, 64);
    check<std::uint16_t>(150, 2, MinPlusSums::shorts, FloydWarshallForm::tiles, 256);
    check<double>(60, 2, MinPlusSums::doubles, FloydWarshallForm::block, 256);
    check<double>(150, 2, MinPlusSums::doubles, FloydWarshallForm::tiles, 256);
}

/// Sums of two distances, including infinite ones, must not overflow. This test needs no GPU.
TEST(FloydWarshallSums, HoldSumsOfTwoDistances)
{
    using algo::DistanceType;
    constexpr double most_whole = (1 << 28) - 1;
    constexpr double most_short = 0x7FFF - 1;
    for (const bool negative : {false, true}) {
        EXPECT_EQ(gpu::apsp::sums_for(DistanceType::float64, negative, 1e300), MinPlusSums::doubles);
        EXPECT_EQ(gpu::apsp::sums_for(DistanceType::float32, negative, 1e30),
                  negative ? MinPlusSums::floats : MinPlusSums::unsigned_floats);
    }
    EXPECT_EQ(gpu::apsp::sums_for(DistanceType::uint16, false, most_short), MinPlusSums::shorts);
    EXPECT_EQ(gpu::apsp::sums_for(DistanceType::uint16, false, most_short + 1), MinPlusSums::unsigned_wholes);
    EXPECT_EQ(gpu::apsp::sums_for(DistanceType::int32, false, 2147483646), MinPlusSums::unsigned_wholes);
    for (const DistanceType type : {DistanceType::uint16, DistanceType::int32}) {
        EXPECT_EQ(gpu::apsp::sums_for(type, true, most_whole), MinPlusSums::wholes);
        EXPECT_EQ(gpu::apsp::sums_for(type, true, most_whole + 1), MinPlusSums::doubles);
    }
}

}  // namespace
}  // namespace wayfront
