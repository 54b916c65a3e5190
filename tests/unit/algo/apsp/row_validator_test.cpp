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
    algo::RowValidator validator(edge_list<std::uint32_t>(graph, true), 0, {});
    const std::vector<Vertex> source{0};
    constexpr std::int32_t far = unreached<std::int32_t>();
    const auto consume = [&](const std::vector<std::int32_t>& row, const std::vector<std::int32_t>& parents) {
        algo::RowBatch batch;
        batch.sources = source;
        batch.columns = 4;
        batch.distances = std::span<const std::int32_t>(row);
        batch.parents = parents;
        validator.consume(batch);
    };
    consume({0, 2, 2, far}, {});
    consume({0, 2, 2, far}, {0, 0, 1, -1});
    EXPECT_THROW(consume({0, 3, 3, far}, {}), ResultError);  // too far
    // Too near, in a cycle of length 0.
    EXPECT_THROW(consume({0, 1, 1, far}, {}), ResultError);
    EXPECT_THROW(consume({0, 2, 2, 5}, {}), ResultError);  // reached without a path
    // Not reached in spite of an edge.
    EXPECT_THROW(consume({0, 2, far, far}, {}), ResultError);
    EXPECT_THROW(consume({1, 2, 2, far}, {}), ResultError);             // the source
    EXPECT_THROW(consume({0, 2, 2, far}, {0, 2, 1, -1}), ResultError);  // parents in a cycle
    EXPECT_THROW(consume({0, 2, 2, far}, {0, 0, 1, 0}), ResultError);   // a parent without a distance
    EXPECT_EQ(validator.checked_rows(), 2U);
}

/// The rows of a graph of floats that were added in 32 bits, in any order.
class RoundedRows
{
public:
    explicit RoundedRows(const Graph<float>& graph)
        : vertices_(static_cast<std::size_t>(graph.vertices)),
          validator_(edge_list<float>(graph, true), 0, {.in_any_order = true, .addition = algo::kUnitRoundoff<float>})
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
            validator_.consume(batch);
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
    RoundedRows rows({4, true, {{0, 1, 1}, {0, 2, 1.5}, {1, 2, 0.75}, {2, 3, 1e30F}}});
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
    RoundedRows rows({5, true, {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}, {1, 3, 4}, {1, 3, 3}, {4, 0, 1}}});
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
    RoundedRows rows({4, true, {{0, 1, 2}, {1, 2, -3}, {0, 2, 1}, {2, 3, 0.5}}});
    for (const std::vector<std::int32_t>& parents : {std::vector<std::int32_t>{}, {0, 0, 1, 2}}) {
        EXPECT_EQ(rows.fault({0, 2, -1, -0.5}, parents), "");
        EXPECT_NE(rows.fault({0, 2, -1, 0.5}, parents), "");
        EXPECT_NE(rows.fault({0, 2, 1, 1.5}, parents), "");
    }
    EXPECT_NE(rows.fault({0, 2, -1, -0.5}, {0, 0, 0, 2}), "");
}

TEST(RowValidator, AFarVertexLendsNoToleranceAlsoBesideNegativeWeights)
{
    // The row reaches from -3 to 1e6: the distance of 1, by an arc of its own, may not be larger.
    RoundedRows rows({4, true, {{0, 1, 2}, {1, 2, -5}, {2, 3, 1e6F}}});
    const double far = 1e6F - 3.0;
    EXPECT_EQ(rows.fault({0, 2, -3, far}, {}), "");
    EXPECT_EQ(rows.fault({0, 2, -3, far}, {0, 0, 1, 2}), "");
    for (const std::vector<std::int32_t>& parents : {std::vector<std::int32_t>{}, {0, 0, 1, 2}}) {
        EXPECT_NE(rows.fault({0, 2.0001, -2.9999, far}, parents), "");
        EXPECT_NE(rows.fault({0, 2, -2.99999, far}, parents), "");
        EXPECT_NE(rows.fault({0, 2, -3, far * (1 + 1e-6)}, parents), "");
    }
}

TEST(RowValidator, ToleratesTheRoundingsOfThePathAndNoMore)
{
    // A path of arcs of length 1: after k of them, a sum may be k - 1 roundings too large.
    constexpr std::int64_t vertices = 100;
    Graph<float> path{vertices, true, {}};
    std::vector<double> row{0};
    for (std::int64_t v = 1; v < vertices; ++v) {
        path.edges.push_back({v - 1, v, 1});
        row.push_back(static_cast<double>(v));
    }
    RoundedRows rows(path);
    EXPECT_EQ(rows.fault(row, {}), "");
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{50}, std::size_t{99}}) {
        const auto length = static_cast<double>(k);
        std::vector<double> rounded = row;
        rounded[k] = length * (1 + 0.99 * (length - 1) * 0x1p-24);
        EXPECT_EQ(rows.fault(rounded, {}), "") << k;
        rounded[k] = length * (1 + 1.01 * (length - 0.5) * 0x1p-24);
        EXPECT_NE(rows.fault(rounded, {}), "") << k;
        rounded[k] = length * (1 - 1.01 * vertices * 0x1p-24);
        EXPECT_NE(rows.fault(rounded, {}), "") << k;
    }
}

TEST(RowValidator, DistancesThatAreConvertedToFewerBits)
{
    const Graph<double> graph{3, true, {{0, 1, 1 + 0x1p-30}, {1, 2, 1}}};
    EdgeList list = edge_list<float>({3, true, {{0, 1, 1}, {1, 2, 1}}}, true);
    list.weights = HostBuffer<double>(2);
    std::get<HostBuffer<double>>(list.weights)[0] = graph.edges[0].weight;
    std::get<HostBuffer<double>>(list.weights)[1] = graph.edges[1].weight;
    algo::RowValidator validator(
        list, 0,
        {.in_any_order = false, .addition = algo::kUnitRoundoff<double>, .conversion = algo::kUnitRoundoff<float>});
    const std::vector<Vertex> source{0};
    const auto is_right = [&](const std::vector<float>& row) {
        algo::RowBatch batch;
        batch.sources = source;
        batch.columns = 3;
        batch.distances = std::span<const float>(row);
        try {
            validator.consume(batch);
            return true;
        } catch (const ResultError&) {
            return false;
        }
    };
    EXPECT_TRUE(is_right({0, 1, 2}));
    EXPECT_FALSE(is_right({0, 1 + 0x1p-23F, 2}));
    EXPECT_FALSE(is_right({0, 1, 2 + 0x1p-22F}));
    EXPECT_FALSE(is_right({0, 1 - 0x1p-23F, 2}));
}

}  // namespace
}  // namespace wayfront::all_pairs
