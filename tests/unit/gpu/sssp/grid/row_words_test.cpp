// Words of rows: their order is that of the distances, of all types.
#include "gpu/sssp/grid/row_words.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "graph/distances.hpp"

namespace wayfront::gpu::sssp {
namespace {

template <typename D>
void check_order(const std::vector<D>& ascending)
{
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        const std::uint64_t word = RowWord<D>::make(ascending[i], 7);
        EXPECT_EQ(RowWord<D>::distance(word), ascending[i]);
        if (RowWord<D>::kHasParent) {
            EXPECT_EQ(RowWord<D>::parent(word), 7U);
        }
        // A smaller distance has a smaller word, whatever the parents are.
        if (i > 0) {
            EXPECT_LT(RowWord<D>::make(ascending[i - 1], 0xFFFFFFFF), RowWord<D>::make(ascending[i], 0));
        }
    }
}

template <typename F>
std::vector<F> floats()
{
    using Limits = std::numeric_limits<F>;
    return {-Limits::infinity(),  Limits::lowest(), F{-1}, -Limits::min(), F{0},
            Limits::denorm_min(), Limits::min(),    F{1},  Limits::max(),  unreached<F>()};
}

TEST(GpuRowWord, HasTheOrderOfDistances)
{
    check_order<std::uint32_t>({0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, unreached<std::uint32_t>()});
    check_order<std::int64_t>(
        {std::numeric_limits<std::int64_t>::min(), -1, 0, 1, std::int64_t{1} << 40, unreached<std::int64_t>()});
    check_order<float>(floats<float>());
    check_order<double>(floats<double>());
}

TEST(GpuRowWord, OfTheTwoZerosIsOne)
{
    EXPECT_EQ(RowWord<float>::make(-0.0F, 3), RowWord<float>::make(0.0F, 3));
    EXPECT_EQ(RowWord<double>::make(-0.0, 3), RowWord<double>::make(0.0, 3));
}

}  // namespace
}  // namespace wayfront::gpu::sssp
