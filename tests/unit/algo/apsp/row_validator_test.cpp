// The validator of rows must find wrong rows.
#include "algo/apsp/row_validator.hpp"

#include <cstdint>
#include <span>
#include <string>
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

/// The rows of a graph of floats, with a tolerance of `roundings`.
class RoundedRows
{
public:
    RoundedRows(const Graph<float>& graph, double roundings)
        : vertices_(static_cast<std::size_t>(graph.vertices)), validator_(edge_list<float>(graph, true), 0, roundings)
    {
    }

    /// The words of the fault of row 0; empty if it is right.
    std::string fault(const std::vector<double>& row, const std::vector<std::int32_t>& parents)
    {
        const std::vector<Vertex> source{0};
        algo::RowBatch batch;
        batch.sources = source;
        batch.columns = vertices_;
        batch.distances = std::span<const double>(row);
        batch.parents = parents;
        try {
            validator_.take(batch);
        } catch (const ResultError& error) {
            return error.what();
        }
        return "";
    }

private:
    std::size_t vertices_;
    algo::RowValidator validator_;
};

TEST(RowValidator, AFarVertexLendsNoToleranceToNearOnes)
{
    // 1 and 2 are as near as each other; 3 is very far.
    RoundedRows rows({4, true, {{0, 1, 1}, {0, 2, 1.5}, {1, 2, 0.75}, {2, 3, 1e30F}}}, 4);
    const double far = 1e30F;
    EXPECT_EQ(rows.fault({0, 1, 1.5, far}, {}), "");
    EXPECT_EQ(rows.fault({0, 1, 1.5, far}, {0, 0, 0, 2}), "");
    EXPECT_NE(rows.fault({0, 1, 1.75, far}, {}), "");
    EXPECT_NE(rows.fault({0, 1, 1.75, far}, {0, 0, 1, 2}), "");  // nearer through its edge from 0
    EXPECT_NE(rows.fault({0, 1, 1.5, far}, {0, 0, 1, 2}), "");   // a path that is longer than its distance
    EXPECT_NE(rows.fault({0, 1.25, 1.5, far}, {0, 0, 0, 2}), "");
    EXPECT_NE(rows.fault({0, 1, 1.5, far * 1.001}, {0, 0, 0, 2}), "");
}

TEST(RowValidator, RoundedRowsWithFaultsOfTheirParents)
{
    constexpr double far = unreached<double>();
    RoundedRows rows({5, true, {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}, {1, 3, 4}, {1, 3, 3}, {4, 0, 1}}}, 4);
    EXPECT_EQ(rows.fault({0, 2, 2, 5, far}, {0, 0, 1, 1, -1}), "");
    EXPECT_NE(rows.fault({0, 2, 2, 5, far}, {0, 2, 1, 1, -1}), "");  // a cycle
    EXPECT_NE(rows.fault({0, 2, 2, 5, far}, {0, 0, 1, 2, -1}), "");  // no edge
    EXPECT_NE(rows.fault({0, 2, 2, 5, far}, {0, 0, 1, 1, 0}), "");   // not reached
    EXPECT_NE(rows.fault({0, 2, 2, 5, far}, {1, 0, 1, 1, -1}), "");  // the source
    EXPECT_NE(rows.fault({0, 2, 2, far, far}, {0, 0, 1, -1, -1}), "");
    EXPECT_NE(rows.fault({0, 2, 2, 5, 7}, {0, 0, 1, 1, 1}), "");
}

TEST(RowValidator, RoundedRowsOfNegativeWeights)
{
    RoundedRows rows({4, true, {{0, 1, 2}, {1, 2, -3}, {0, 2, 1}, {2, 3, 0.5}}}, 4);
    for (const std::vector<std::int32_t>& parents : {std::vector<std::int32_t>{}, {0, 0, 1, 2}}) {
        EXPECT_EQ(rows.fault({0, 2, -1, -0.5}, parents), "");
        EXPECT_NE(rows.fault({0, 2, -1, 0.5}, parents), "");
        EXPECT_NE(rows.fault({0, 2, 1, 1.5}, parents), "");
    }
    EXPECT_NE(rows.fault({0, 2, -1, -0.5}, {0, 0, 0, 2}), "");
}

}  // namespace
}  // namespace wayfront::all_pairs
