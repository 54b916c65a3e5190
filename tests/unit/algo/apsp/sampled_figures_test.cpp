#include "algo/apsp/sampled_figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"

namespace wayfront::algo {
namespace {

Summary rows_of(const std::vector<RowFacts>& rows)
{
    Summary summary(rows.size(), true, SummaryDetail::full);
    for (std::size_t i = 0; i < rows.size(); ++i) summary.set_row(i, rows[i]);
    return summary;
}

RowFacts row(std::uint64_t reached, double sum, double inverse_sum)
{
    return {.reached = reached, .eccentricity = 1, .sum = sum, .inverse_sum = inverse_sum};
}

TEST(SampledFiguresTest, ValuesAndErrors)
{
    // 40 of 100 vertices with edges, half of which reach no other; 20 more vertices have no edges.
    const SampledGraph graph{.vertices = 120, .with_edges = 100, .most_distance = 7};
    std::vector<RowFacts> rows(20, row(50, 200, 30));
    rows.resize(40);
    const SampledFigures figures = sampled_figures_of(rows_of(rows), graph);
    const double share = 1.959964 * std::sqrt((1 - 40.0 / 100) / (4 * 39));  // of figures that are 0 or 1
    EXPECT_DOUBLE_EQ(figures.reachable_pairs.value, 2500);
    EXPECT_NEAR(figures.reachable_pairs.error.value_or(-1), 100 * 50 * share, 1e-6);
    EXPECT_DOUBLE_EQ(figures.distance_sum.value, 10000);
    EXPECT_NEAR(figures.distance_sum.error.value_or(-1), 100 * 200 * share, 1e-6);
    ASSERT_TRUE(figures.efficiency && figures.average);
    EXPECT_DOUBLE_EQ(figures.efficiency->value, 1500 / (120.0 * 119));
    EXPECT_NEAR(figures.efficiency->error.value_or(-1), 100 * 30 * share / (120 * 119), 1e-9);
    // All sources that reach others have the same average, so that the residuals do not vary.
    EXPECT_DOUBLE_EQ(figures.average->value, 4);
    EXPECT_EQ(figures.average->error, std::nullopt);
    // The bound of 99 x 100 pairs by the relative entropy of 25 / 99.
    const double pairs = figures.reachable_pairs.bound.value_or(-1);
    const double x = 25.0 / 99;
    const double m = x + pairs / 9900;
    EXPECT_NEAR(40 * (x * std::log(x / m) + (1 - x) * std::log((1 - x) / (1 - m))), std::log(80), 1e-6);
    EXPECT_GT(figures.average->bound.value_or(-1), 0);
    EXPECT_LE(figures.average->bound.value_or(-1), 4);  // averages are from 0 to 7
    EXPECT_GT(figures.efficiency->bound.value_or(-1), figures.efficiency->error.value_or(9));
}

TEST(SampledFiguresTest, ConnectedGraphsHaveAllPairs)
{
    const SampledGraph graph{.vertices = 100, .with_edges = 100, .pairs = PairLimits{9900, 9900}, .most_distance = 7};
    const SampledFigures figures = sampled_figures_of(rows_of(std::vector<RowFacts>(50, row(99, 198, 60))), graph);
    EXPECT_EQ(figures.reachable_pairs.error, 0);
    EXPECT_EQ(figures.reachable_pairs.bound, 0);
    ASSERT_TRUE(figures.average);
    EXPECT_DOUBLE_EQ(figures.average->value, 2);
    EXPECT_NEAR(figures.average->bound.value_or(-1), figures.distance_sum.bound.value_or(-1) / 9900, 1e-9);
}

TEST(SampledFiguresTest, IntervalsEndAtLimits)
{
    SampledGraph graph{.vertices = 100, .with_edges = 100, .most_distance = 7};
    std::vector<RowFacts> rows(20, row(50, 200, 30));
    rows.resize(40);
    const Estimate free = sampled_figures_of(rows_of(rows), graph).reachable_pairs;
    EXPECT_DOUBLE_EQ(free.value, 2500);
    const auto limited = [&](std::uint64_t at_least, std::uint64_t at_most) {
        graph.pairs = PairLimits{at_least, at_most};
        return sampled_figures_of(rows_of(rows), graph).reachable_pairs;
    };
    const auto is = [](const Estimate& estimate, double value, double error, double bound) {
        EXPECT_DOUBLE_EQ(estimate.value, value);
        EXPECT_DOUBLE_EQ(estimate.error.value_or(-1), error);
        EXPECT_DOUBLE_EQ(estimate.bound.value_or(-1), bound);
    };
    is(limited(0, 9900), 2500, free.error.value_or(0), free.bound.value_or(0));
    is(limited(2490, 2600), 2500, 100, 100);
    is(limited(2600, 2610), 2600, 10, 10);
    is(limited(2400, 2400), 2400, 0, 0);
    rows.resize(20);  // too few for an error
    EXPECT_EQ(limited(1, 9900).error, std::nullopt);
    is(limited(4900, 4900), 4900, 0, 0);
}

TEST(SampledFiguresTest, AllVerticesLeaveNoError)
{
    const SampledGraph graph{.vertices = 4, .with_edges = 3, .most_distance = 2};
    const SampledFigures figures = sampled_figures_of(rows_of({row(2, 3, 1.5), row(1, 1, 1), row(0, 0, 0)}), graph);
    EXPECT_DOUBLE_EQ(figures.reachable_pairs.value, 3);
    ASSERT_TRUE(figures.average && figures.efficiency);
    EXPECT_DOUBLE_EQ(figures.average->value, 4.0 / 3);
    EXPECT_DOUBLE_EQ(figures.efficiency->value, 2.5 / 12);
    for (const Estimate& estimate :
         {figures.reachable_pairs, figures.distance_sum, *figures.average, *figures.efficiency}) {
        EXPECT_EQ(estimate.error, 0);
        EXPECT_EQ(estimate.bound, 0);
    }
}

TEST(SampledFiguresTest, SmallDistancesHaveLargeReciprocals)
{
    SampledGraph graph{.vertices = 100, .with_edges = 100, .most_distance = 7, .least_distance = 1};
    std::vector<RowFacts> rows(20, row(50, 200, 30));
    rows.resize(40);
    const auto bound = [&] { return sampled_figures_of(rows_of(rows), graph).efficiency.value().bound; };
    const double of_one = bound().value_or(0);
    graph.least_distance = 0.25;
    EXPECT_GT(bound().value_or(0), of_one);
    graph.least_distance = std::numeric_limits<double>::denorm_min();  // the reciprocal is infinite
    EXPECT_EQ(bound(), std::nullopt);
}

TEST(SampledFiguresTest, UnknownDistancesHaveNoBound)
{
    const SampledGraph graph{.vertices = 100, .with_edges = 100, .most_distance = 0};
    std::vector<RowFacts> rows(50, row(50, 20.5, 300));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].sum += static_cast<double>(i % 7);
    const SampledFigures figures = sampled_figures_of(rows_of(rows), graph);
    EXPECT_TRUE(figures.reachable_pairs.bound);
    EXPECT_EQ(figures.distance_sum.bound, std::nullopt);
    ASSERT_TRUE(figures.average && figures.efficiency);
    EXPECT_TRUE(figures.average->error);
    EXPECT_EQ(figures.average->bound, std::nullopt);
    EXPECT_EQ(figures.efficiency->bound, std::nullopt);
    const SampledFigures none = sampled_figures_of(rows_of({row(0, 0, 0)}), graph);
    EXPECT_EQ(none.average, std::nullopt);
}

TEST(SampledFiguresTest, NoErrorOfFewOrSkewedFigures)
{
    const SampledGraph graph{.vertices = 9000, .with_edges = 9000, .most_distance = 7};
    const auto error_of = [&](std::size_t sources, std::size_t that_reach) {
        std::vector<RowFacts> rows(sources);
        std::fill_n(rows.begin(), that_reach, row(50, 200, 30));
        return sampled_figures_of(rows_of(rows), graph).reachable_pairs.error.has_value();
    };
    EXPECT_TRUE(error_of(30, 15));
    EXPECT_FALSE(error_of(29, 15));
    EXPECT_FALSE(error_of(300, 0));
    EXPECT_FALSE(error_of(300, 5));
    EXPECT_TRUE(error_of(300, 40));
}

/// The rows of all vertices with edges, by breadth-first search, and the largest distance.
struct Population
{
    std::vector<RowFacts> rows;
    SampledGraph graph;
};

PairLimits limits_of(const std::vector<std::vector<std::size_t>>& out, std::uint64_t with_edges)
{
    std::vector<std::uint32_t> degrees;
    for (const auto& list : out) degrees.push_back(static_cast<std::uint32_t>(list.size()));
    Csr csr(degrees);
    std::size_t entry = 0;
    for (const auto& list : out)
        for (const std::size_t other : list) csr.neighbours()[entry++] = static_cast<std::uint32_t>(other);
    return limit_reachable_pairs(csr.view(), with_edges);
}

Population population_of(const std::string& spec)
{
    const EdgeList list = generate_share(*make_edge_source(spec, {}), 0, 1, false);
    const auto n = static_cast<std::size_t>(list.vertex_count);
    std::vector<std::vector<std::size_t>> out(n);
    std::vector<bool> has_edge(n, false);
    for (const PackedEdge edge : list.edges) {
        const auto from = static_cast<std::size_t>(edge.source());
        const auto to = static_cast<std::size_t>(edge.target());
        if (from == to) continue;
        out[from].push_back(to);
        if (!list.directed) out[to].push_back(from);
        has_edge[from] = has_edge[to] = true;
    }
    Population all;
    for (std::size_t source = 0; source < n; ++source) {
        if (!has_edge[source]) continue;
        RowFacts facts;
        std::vector<int> level(n, -1);
        std::vector<std::size_t> queue{source};
        level[source] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const std::size_t other : out[queue[i]])
                if (level[other] < 0) {
                    level[other] = level[queue[i]] + 1;
                    queue.push_back(other);
                    ++facts.reached;
                    facts.sum += level[other];
                    facts.inverse_sum += 1.0 / level[other];
                    facts.eccentricity = level[other];
                }
        all.rows.push_back(facts);
        all.graph.most_distance = std::max(all.graph.most_distance, facts.eccentricity);
    }
    all.graph.vertices = list.vertex_count;
    all.graph.with_edges = static_cast<Vertex>(all.rows.size());
    all.graph.pairs = limits_of(out, all.rows.size());
    return all;
}

/// How often the errors and bounds of a figure cover its true value.
struct Coverage
{
    int samples = 0;
    int with_error = 0;
    int by_error = 0;
    int by_bound = 0;

    void count(const Estimate& estimate, double truth)
    {
        const double difference = std::abs(estimate.value - truth) - 1e-9 * truth;
        ++samples;
        with_error += estimate.error ? 1 : 0;
        by_error += estimate.error && difference <= *estimate.error ? 1 : 0;
        by_bound += estimate.bound && difference <= *estimate.bound ? 1 : 0;
    }
    /// Errors are approximate: a few more than 5% of the samples may be wrong.
    void check() const
    {
        EXPECT_GE(by_bound, Estimate::kConfidence * samples);
        EXPECT_LE(with_error - by_error, 0.08 * samples);
    }
};

struct CoverageOfFigures
{
    Coverage pairs;
    Coverage sum;
    Coverage average;
    Coverage efficiency;
};

CoverageOfFigures cover(const Population& all, std::size_t sources)
{
    std::mt19937 random(7);
    const SampledFigures truth = sampled_figures_of(rows_of(all.rows), all.graph);
    CoverageOfFigures coverage;
    for (int sample = 0; sample < 1000; ++sample) {
        std::vector<RowFacts> rows;
        std::ranges::sample(all.rows, std::back_inserter(rows), static_cast<std::ptrdiff_t>(sources), random);
        const SampledFigures found = sampled_figures_of(rows_of(rows), all.graph);
        coverage.pairs.count(found.reachable_pairs, truth.reachable_pairs.value);
        coverage.sum.count(found.distance_sum, truth.distance_sum.value);
        coverage.average.count(found.average.value_or(Estimate{}), truth.average.value().value);
        coverage.efficiency.count(found.efficiency.value(), truth.efficiency.value().value);
    }
    return coverage;
}

TEST(SampledFiguresTest, CoverageInRandomGraphs)
{
    struct Case
    {
        const char* spec;
        std::size_t sources;
        double with_error;  // least share of the samples, of the average
    };
    for (const Case& one : {Case{"rmat:9,directed=1", 40, 0}, Case{"rmat:9,directed=1", 250, 0.5},
                            Case{"random:600,900,directed=1", 100, 0.9}, Case{"rmat:9", 200, 0.5},
                            Case{"grid:20x25", 50, 0.9}, Case{"random:500,700", 200, 0.9}}) {
        SCOPED_TRACE(std::string(one.spec) + " " + std::to_string(one.sources));
        const CoverageOfFigures coverage = cover(population_of(one.spec), one.sources);
        for (const Coverage& figure : {coverage.pairs, coverage.sum, coverage.average, coverage.efficiency})
            figure.check();
        EXPECT_GE(coverage.average.with_error, one.with_error * coverage.average.samples);
    }
}

TEST(SampledFiguresTest, CoverageWithFewLargeFigures)
{
    // One vertex in a hundred reaches others, at large distances.
    Population all{std::vector<RowFacts>(1000), {.vertices = 1000, .with_edges = 1000, .most_distance = 900}};
    for (std::uint64_t i = 0; i < 10; ++i) all.rows[i] = row(90 * (i + 1), 45e3 * static_cast<double>(i + 1), 5);
    for (const std::size_t sources : {30U, 100U, 500U}) {
        const CoverageOfFigures coverage = cover(all, sources);
        for (const Coverage& one : {coverage.pairs, coverage.sum, coverage.efficiency}) {
            one.check();
            EXPECT_EQ(one.with_error, 0);  // which would be wrong too often
        }
    }
}

}  // namespace
}  // namespace wayfront::algo
