// Compares the engines of all pairs on one GPU with Dijkstra's algorithm from each source: methods.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "row_engines_testing.hpp"
#include "support/roundings.hpp"

namespace wayfront {
namespace {

const std::vector<std::int64_t> kSizes{1, 2, 31, 32, 33, 64, 129, 1000};

TEST_F(RowEngines, SearchesOfWholeWeights)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 1, 4, 20})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                const bool all = n < 1000 || degree == 4;
                for (const RowMethod* const method :
                     {&RowMethod::block, &RowMethod::push_pull, &RowMethod::combined, &RowMethod::elimination}) {
                    // In this graph, elimination would make nearly all pairs of vertices
                    // neighbours.
                    if (method == &RowMethod::elimination && degree * n > 4000) continue;
                    check<std::uint32_t>(random_whole(n, degree, directed, 0, 30, 1),
                                         options_of(method, DistanceType::uint16, 30 * n), all);
                    check<std::uint32_t>(random_whole(n, degree, directed, 1, n, 2),
                                         options_of(method, DistanceType::int32, 1000000), all);
                    check<std::uint32_t>(random_whole(n, degree, directed, 0, 1 << 20, 3),
                                         options_of(method, DistanceType::int32, 1000000000), all);
                }
            }
}

TEST_F(RowEngines, SearchesOfFloats)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 20})
            for (const RowMethod* const method : {&RowMethod::block, &RowMethod::push_pull})
                check<float>(random_floats(n, degree), options_of(method, DistanceType::float32, 0), n < 1000);
}

TEST_F(RowEngines, MethodsOfThePaper)
{
    struct Method
    {
        const RowMethod* method;
        std::uint32_t sources;
    };
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 40})
            for (const Method method : {Method{&RowMethod::batched, 32},
                                        {&RowMethod::batched, 128},
                                        {&RowMethod::batched_unshared, 64},
                                        {&RowMethod::iterated, 32}}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << ", batches of " << method.sources);
                const auto options = [&](DistanceType type, std::int64_t most) {
                    return options_of(method.method, type, most, method.sources);
                };
                check<std::uint32_t>(random_whole(n, degree, true, 0, 30, 1), options(DistanceType::uint16, 30 * n),
                                     n < 1000);
                check<std::uint32_t>(random_whole(n, degree, false, 1, n, 2), options(DistanceType::int32, 1000000),
                                     n < 1000);
                check<float>(random_floats(n, degree), options(DistanceType::float32, 0), n < 129);
            }
}

TEST_F(RowEngines, FloydWarshall)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 50}) {
            SCOPED_TRACE(testing::Message() << n << " vertices of degree " << degree);
            const bool all = n < 1000;
            const auto options = [](DistanceType type, std::int64_t most) {
                return options_of(&RowMethod::floyd_warshall, type, most);
            };
            check<std::uint32_t>(random_whole(n, degree, true, 0, 30, 5), options(DistanceType::uint16, 30000), all);
            check<std::uint32_t>(random_whole(n, degree, true, 0, 1 << 20, 6), options(DistanceType::int32, 2000000000),
                                 all);
            // Floyd-Warshall rounds sums along a path in another order.
            const double float_rounding = rounding_of_sums<float>(static_cast<std::size_t>(n));
            check<float>(random_floats(n, degree), options(DistanceType::float32, 0), all, float_rounding);
            for (const RowMethod* const method : {&RowMethod::floyd_warshall_steps, &RowMethod::floyd_warshall_tasks})
                check<std::uint32_t>(random_whole(n, degree, true, 0, 1 << 20, 6),
                                     options_of(method, DistanceType::int32, 2000000000), all);
            // These graphs have whole weights beyond 32 bits, weights of all types as float64, and
            // floats of 64 bits.
            const auto wide = random_weighted_graph<std::int64_t>(n, static_cast<std::size_t>(degree * n), true, 0,
                                                                  std::int64_t{1} << 40, 6);
            check<std::int64_t>(wide, options(DistanceType::float64, std::int64_t{1} << 50), all);
            check<std::uint32_t>(random_whole(n, degree, true, 0, 30, 5), options(DistanceType::float64, 30000), all);
            check<float>(random_floats(n, degree), options(DistanceType::float64, 0), all, float_rounding);
            const auto doubles =
                random_weighted_graph<double>(n, static_cast<std::size_t>(degree * n), true, 0, 1000, 4);
            check<double>(doubles, options(DistanceType::float64, 0), all,
                          rounding_of_sums<double>(static_cast<std::size_t>(n)));
        }
}

/// The rows for negative weights, which are made from heights of the vertices: the height that an
/// arc rises is added to its weight, so the height that a path rises is added to its length.
class OracleRowsWithHeights final : public Expected
{
public:
    OracleRowsWithHeights(const Graph<std::uint32_t>& graph, const std::vector<std::int64_t>& heights)
        : flat_(graph), heights_(heights)
    {
    }
    [[nodiscard]] std::vector<double> row(Vertex source) const override
    {
        std::vector<double> distances = flat_.row(source);
        for (std::size_t v = 0; v < distances.size(); ++v)
            distances[v] += static_cast<double>(heights_[v] - heights_[static_cast<std::size_t>(source)]);
        return distances;
    }

private:
    OracleRows<std::uint32_t> flat_;
    const std::vector<std::int64_t>& heights_;
};

TEST_F(RowEngines, FloydWarshallWithNegativeWeights)
{
    for (const std::int64_t n : {2, 33, 300}) {
        const Graph<std::uint32_t> flat = random_whole(n, 4, true, 0, 1000, 7);
        std::vector<std::int64_t> heights;
        for (std::int64_t v = 0; v < n; ++v) heights.push_back(v * 7919 % 2000);
        Graph<std::int64_t> risen{n, true, {}};
        for (const auto& edge : flat.edges)
            risen.edges.push_back({edge.source, edge.target,
                                   edge.weight + heights[static_cast<std::size_t>(edge.target)] -
                                       heights[static_cast<std::size_t>(edge.source)]});
        check(ShareFeed<std::int64_t>(risen, 0, 1), OracleRowsWithHeights(flat, heights),
              options_of(&RowMethod::floyd_warshall, DistanceType::int32, 1000000));
        // Sums of two distances exceed 32 bits.
        for (const DistanceType type : {DistanceType::int32, DistanceType::float64})
            check(ShareFeed<std::int64_t>(risen, 0, 1), OracleRowsWithHeights(flat, heights),
                  options_of(&RowMethod::floyd_warshall, type, 2000000000));
    }
}

TEST_F(RowEngines, Hops)
{
    for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 129, 1000, 1500})
        for (const std::int64_t degree : {0, 1, 3, 12})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                check_hops(random_whole(n, degree, directed, 1, 1, 9));
            }
    Graph<std::uint32_t> path{400, true, {}};  // more levels than the planes of the first launch can represent
    for (std::int64_t v = 0; v + 1 < path.vertices; ++v) path.edges.push_back({v, v + 1, 1});
    check_hops(path);
    // These graphs have long lists, several batches of targets, and vertices that are not reached.
    for (const bool directed : {false, true}) {
        Graph<std::uint32_t> hubs = random_whole(2500, 3, directed, 1, 1, 10);
        for (std::int64_t v = 3; v < 2300; ++v) hubs.edges.push_back({v % 3, v, 1});
        hubs.vertices += 5;
        check_hops(hubs);
    }
}

}  // namespace
}  // namespace wayfront
