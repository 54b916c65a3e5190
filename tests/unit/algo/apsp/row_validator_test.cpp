// The validator of rows must find wrong rows.
#include "algo/apsp/row_validator.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/apsp_testing.hpp"

namespace wayfront::all_pairs {
namespace {

TEST(RowValidator, FindsWrongRows)
{
    const Graph<std::uint32_t> graph{4, true, {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}}};
    algo::RowValidator validator(edge_list<std::uint32_t>(graph, true), 0, 0);
    const std::vector<Vertex> source{0};
    constexpr std::int32_t far = unreached<std::int32_t>();
    const auto take = [&](const std::vector<std::int32_t>& row, const std::vector<std::int32_t>& parents) {
        algo::RowBatch batch;
        batch.sources = source;
        batch.columns = 4;
        batch.distances = std::span<const std::int32_t>(row);
        batch.parents = parents;
        validator.take(batch);
    };
    take({0, 2, 2, far}, {});
    take({0, 2, 2, far}, {0, 0, 1, -1});
    EXPECT_THROW(take({0, 3, 3, far}, {}), ResultError);  // too far
    // Too near, in a cycle of length 0.
    EXPECT_THROW(take({0, 1, 1, far}, {}), ResultError);
    EXPECT_THROW(take({0, 2, 2, 5}, {}), ResultError);  // reached without a path
    // Not reached in spite of an edge.
    EXPECT_THROW(take({0, 2, far, far}, {}), ResultError);
    EXPECT_THROW(take({1, 2, 2, far}, {}), ResultError);             // the source
    EXPECT_THROW(take({0, 2, 2, far}, {0, 2, 1, -1}), ResultError);  // parents in a cycle
    EXPECT_THROW(take({0, 2, 2, far}, {0, 0, 1, 0}), ResultError);   // a parent without a distance
    EXPECT_EQ(validator.checked_rows(), 2U);
}

}  // namespace
}  // namespace wayfront::all_pairs
