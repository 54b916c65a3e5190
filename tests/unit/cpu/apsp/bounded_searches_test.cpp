// Searches up to a limit, against the rows of Dijkstra's algorithm without one (oracle/dijkstra.hpp).
#include "cpu/apsp/bounded_searches.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "oracle/dijkstra.hpp"
#include "support/apsp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::all_pairs {
namespace {

struct Entry
{
    std::uint32_t target;
    double distance;

    friend bool operator==(const Entry&, const Entry&) = default;
};

using Rows = std::vector<std::vector<Entry>>;

/// All rows, batch by batch.
Rows found_rows(cpu::BoundedSearches& searches, std::span<const Vertex> sources)
{
    Rows rows;
    while (!sources.empty()) {
        const algo::SparseRows batch = searches.rows(sources);
        if (batch.rows() == 0 || batch.rows() > sources.size() || batch.begins.back() != batch.entries()) {
            ADD_FAILURE() << batch.rows() << " rows";
            break;
        }
        std::visit(
            [&](const auto& distances) {
                EXPECT_EQ(distances.size(), batch.entries());
                for (std::size_t row = 0; row < batch.rows(); ++row) {
                    std::vector<Entry>& entries = rows.emplace_back();
                    for (std::uint64_t i = batch.begins[row]; i < batch.begins[row + 1]; ++i)
                        entries.push_back({batch.targets[i], static_cast<double>(distances[i])});
                }
            },
            batch.distances);
        sources = sources.subspan(batch.rows());
    }
    return rows;
}

Rows expected_rows(const std::vector<double>& matrix, std::span<const Vertex> sources, std::size_t n, double limit)
{
    Rows rows;
    for (const Vertex source : sources) {
        std::vector<Entry>& entries = rows.emplace_back();
        for (std::uint32_t v = 0; v < n; ++v) {
            const double distance = matrix[static_cast<std::size_t>(source) * n + v];
            if (distance <= limit && std::isfinite(distance)) entries.push_back({v, distance});
        }
    }
    return rows;
}

/// Each vertex, the first ones again, and in another order.
std::vector<Vertex> many_sources(std::int64_t n)
{
    std::vector<Vertex> sources = all_vertices(n);
    for (std::int64_t i = 0; i < 40; ++i) sources.push_back(i * 7 % n);
    return sources;
}

template <typename W>
void check_limits(const Graph<W>& graph, bool weighted, const std::vector<double>& limits, algo::DistanceType type)
{
    const DistributedGraph constructed = construct_alone<W>(graph, weighted);
    const std::vector<double> matrix = oracle_matrix<W>(graph);
    const std::vector<Vertex> sources = many_sources(graph.vertices);
    for (const double limit : limits)
        for (const std::size_t batch_entries : {std::size_t{1}, std::size_t{50}, std::size_t{1} << 20}) {
            SCOPED_TRACE(testing::Message() << limit << " " << batch_entries);
            const auto searches = cpu::make_bounded_searches(
                constructed,
                {.limit = algo::Cutoff(limit), .type = type, .most_distance = limit, .batch_entries = batch_entries});
            EXPECT_EQ(found_rows(*searches, sources),
                      expected_rows(matrix, sources, static_cast<std::size_t>(graph.vertices), limit));
        }
}

TEST(BoundedSearches, WholeWeights)
{
    for (const int thread_number : {1, 2, 4}) {
        const ThreadGuard threads(thread_number);
        for (const std::int64_t n : {1, 2, 33, 90})
            for (const auto& [name, graph] :
                 families<std::uint32_t>(n, [](std::uint64_t i) { return static_cast<std::int64_t>(i * 7919 % 10); })) {
                SCOPED_TRACE(testing::Message() << name << " " << n);
                check_limits<std::uint32_t>(graph, true, {0, 1, 6.9, 7, 20, 1e6}, algo::DistanceType::int32);
            }
    }
}

TEST(BoundedSearches, WithoutWeights)
{
    const ThreadGuard threads(2);
    for (const auto& [name, graph] : families<std::uint32_t>(70, [](std::uint64_t) { return 1; })) {
        SCOPED_TRACE(name);
        check_limits<std::uint32_t>(graph, false, {0, 0.5, 1, 2, 3, 100}, algo::DistanceType::uint16);
    }
}

TEST(BoundedSearches, Floats)
{
    const ThreadGuard threads(2);
    const auto weight = [](std::uint64_t i) { return static_cast<float>(i * 7919 % 10) / 8; };
    for (const auto& [name, graph] : families<float>(60, weight)) {
        SCOPED_TRACE(name);
        check_limits<float>(graph, true, {0, 0.125, 0.2, 1.5, 100}, algo::DistanceType::float32);
    }
}

TEST(BoundedSearches, WideWeights)
{
    const ThreadGuard threads(2);
    Graph<std::int64_t> graph{4, true, {{0, 1, std::int64_t{1} << 40}, {1, 2, 3}, {2, 3, 1}}};
    const double far = 0x1p40;
    check_limits<std::int64_t>(graph, true, {3, far - 1, far, far + 3, far + 4}, algo::DistanceType::float64);
    // Sums that exceed 32 bits are not within a limit of 32 bits.
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    const Graph<std::uint32_t> heavy{4, true, {{0, 1, most - 1}, {1, 2, most - 1}, {2, 3, 2}}};
    check_limits<std::uint32_t>(heavy, true, {1.0 * most - 2, 1.0 * most - 1, 1.0 * most, 1e10},
                                algo::DistanceType::float64);
}

TEST(BoundedSearches, ADistanceThatDoesNotFit)
{
    const Graph<std::uint32_t> graph{3, true, {{0, 1, 65534}, {1, 2, 1}}};
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const auto searches = [&](double limit) {
        return cpu::make_bounded_searches(
            constructed, {.limit = algo::Cutoff(limit), .type = algo::DistanceType::uint16, .most_distance = 70000});
    };
    const std::vector<Vertex> sources{0, 1, 2};
    EXPECT_EQ(found_rows(*searches(65534), sources).at(0), (std::vector<Entry>{{0, 0}, {1, 65534}}));
    EXPECT_THROW((void)searches(65535)->rows(sources), InputError);
}

}  // namespace
}  // namespace wayfront::all_pairs
