// Compares the sorting of a graph's lists on the GPU with std::sort.
#include "gpu/graph/list_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/gpu_guard.hpp"

namespace wayfront::gpu {

// This class is not in an anonymous namespace, because GoogleTest names the tests' classes after
// it.
class GpuListSort : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

namespace {

constexpr ListSortLimits kSmall{.long_list = 1000, .most_at_once = 3000};  // ranges have 2000 columns

/// Expects that lists of these lengths, with random columns, are sorted as by std::sort.
void expect_sorted(const std::vector<std::uint64_t>& lengths, ListSortLimits limits)
{
    std::vector<std::uint64_t> offsets{0};
    for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
    std::vector<std::uint32_t> columns(offsets.back());
    std::mt19937 random(17);
    for (std::uint32_t& column : columns) column = static_cast<std::uint32_t>(random());

    const Stream stream;
    const DeviceBuffer<std::uint32_t> sorted =
        sort_lists(upload(std::span<const std::uint32_t>(columns), stream),
                   upload(std::span<const std::uint64_t>(offsets), stream), stream, limits);
    std::vector<std::uint32_t> found(sorted.size());
    copy_async(sorted.span(), std::span(found), stream);
    stream.synchronize();

    for (std::size_t i = 0; i < lengths.size(); ++i)
        std::sort(columns.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                  columns.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]));
    EXPECT_EQ(found, columns);
}

/// The lengths of the lists of the centre and of the leaves of a star.
std::vector<std::uint64_t> star(std::uint64_t leaves)
{
    std::vector<std::uint64_t> lengths(leaves + 1, 1);
    lengths[0] = leaves;
    return lengths;
}

}  // namespace

TEST_F(GpuListSort, Star)
{
    expect_sorted(star(20000), kSmall);
    expect_sorted(star(20000), {});
    expect_sorted(star(std::uint64_t{3} << 20), {});
}

TEST_F(GpuListSort, LongListsAmongShortOnes)
{
    // Long lists come first, last, one after the other, and over several ranges. Their lengths are
    // the limit, one column less, and one column more.
    expect_sorted({7000, 5, 0, 999, 1000, 1001, 999, 999, 999, 40, 0, 0, 2000, 2000, 31, 5000}, kSmall);
    expect_sorted({1, 2500, 999, 0}, kSmall);
    expect_sorted({5000}, kSmall);
}

TEST_F(GpuListSort, ManyListsOfAllLengths)
{
    // There are more than 500 lists, from which on CUB chooses kernels by the lengths of the lists.
    std::vector<std::uint64_t> lengths;
    for (std::uint64_t i = 0; i < 3000; ++i) lengths.push_back(i * 7919 % 1201 / (1 + i % 7));
    expect_sorted(lengths, kSmall);
    expect_sorted(lengths, {});
    expect_sorted(lengths, {.long_list = 1000, .most_at_once = 1500000});
}

TEST_F(GpuListSort, NoColumns)
{
    expect_sorted({}, kSmall);
    expect_sorted({0, 0, 0}, kSmall);
    expect_sorted({0, 0, 3, 0}, {});
}

}  // namespace wayfront::gpu
