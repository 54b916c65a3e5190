// Compares the Bellman-Ford algorithm on a dense matrix on one GPU with Dijkstra's algorithm. With
// negative weights, potentials make the weights of the oracle positive.
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "algo/sssp/grid_sssp.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "gpu/papers/dense/dense_search.hpp"
#include "support/gpu_guard.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

class DenseTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// A graph and its searches on the GPU.
template <typename W>
struct Searches
{
    explicit Searches(const oracle::WeightedGraph<OracleWeight<W>>& graph, double cutoff = kNoCutoff)
        : grid(comm::Communicator::self(), {1, 1}),
          distributed(construct(grid, ShareFeed<W>(graph, 0, 1))),
          search(distributed, cutoff, [this] {
              return algo::make_grid_sssp(
                  grid, distributed, {.method = algo::SsspMethod::bellman_ford, .delta = {}, .phase_times = {}},
                  [](const CsrBlock& block, bool narrow) { return cpu::make_sssp_engine(block, narrow); });
          })
    {
    }

    comm::ProcessGrid grid;
    DistributedGraph distributed;
    gpu::sssp::DenseSearch search;
};

template <typename W>
void check(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources,
           double cutoff = kNoCutoff)
{
    Searches<W> searches(graph, cutoff);
    for (const std::int64_t source : sources) {
        SCOPED_TRACE("source " + std::to_string(source));
        searches.search.run(source);
        check_sssp<W>(searches.grid.world(), graph, source, cutoff, searches.search.result());
    }
}

TEST_F(DenseTest, RandomGraphsOfManySizes)
{
    for (const std::int64_t vertices : {1, 2, 31, 33, 1000}) {
        SCOPED_TRACE(std::to_string(vertices) + " vertices");
        for (const std::size_t degree : {std::size_t{2}, std::size_t{20}}) {
            const std::size_t edges = degree * static_cast<std::size_t>(vertices);
            check<float>(random_weighted_graph<float>(vertices, edges, false, 0, 1000, 1), {0, vertices / 2, 0});
            check<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, edges, true, 0, 30, 2),
                                 {vertices - 1, 0});
            // All weights are 0.
            check<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, edges, false, 0, 0, 3), {0});
        }
    }
}

TEST_F(DenseTest, OneSmallSearchForSanitizers)
{
    check<float>(random_weighted_graph<float>(300, 3000, true, 0, 1000, 8), {1, 2});
}

/// The tiles are not in shared memory, and a pass has several compactions.
TEST_F(DenseTest, MatricesBeyondSharedMemory)
{
    check<float>(random_weighted_graph<float>(5000, 50000, true, 0, 1000, 8), {1, 2});
    check<std::uint32_t>(random_weighted_graph<std::uint32_t>(9001, 40000, false, 0, 1000, 9), {9000});
}

TEST_F(DenseTest, RingStarPathAndOtherComponents)
{
    for (const std::int64_t n : {2, 33, 1000}) {
        oracle::WeightedGraph<std::int64_t> ring{n, true, {}};
        oracle::WeightedGraph<std::int64_t> star{n, false, {}};
        for (std::int64_t v = 1; v < n; ++v) {
            ring.edges.push_back({v - 1, v, v % 5});
            if (v % 3 != 0) star.edges.push_back({0, v, v % 7});
        }
        ring.edges.push_back({n - 1, 0, 1});
        check<std::uint32_t>(ring, {0, n / 2});  // one launch has fewer passes than this search needs
        check<std::uint32_t>(star, {0, n - 1});
    }
    check<float>({3, false, {}}, {1});
    check<std::uint32_t>(random_weighted_graph<std::uint32_t>(500, 2000, false, 1, 100, 9), {0}, 57.5);
}

TEST_F(DenseTest, SumsBeyond32BitsAreFoundWith64)
{
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1;
    check<std::uint32_t>({4, true, {{0, 1, most}, {1, 2, 1}, {2, 3, most}}}, {0, 1, 2});
}

/// Weights are w + p(u) - p(v) with random potentials p. Distances are those of w, plus p(s) -
/// p(v).
TEST_F(DenseTest, NegativeWeights)
{
    for (const std::int64_t n : {2, 33, 700}) {
        auto graph = random_weighted_graph<std::int64_t>(n, static_cast<std::size_t>(8 * n), true, 0, 50, 4);
        const std::vector<std::int64_t> expected = oracle::dijkstra(graph, 0);
        const auto potential = [](std::int64_t v) { return v * 7919 % 101; };
        for (auto& edge : graph.edges) edge.weight += potential(edge.source) - potential(edge.target);
        Searches<std::int64_t> searches(graph);
        searches.search.run(0);
        const algo::SsspResult& result = searches.search.result();
        EXPECT_TRUE(result.negative_cycle.empty());
        const auto& distances = std::get<HostBuffer<std::int64_t>>(result.distances);
        for (std::int64_t v = 0; v < n; ++v) {
            const auto i = static_cast<std::size_t>(v);
            if (expected[i] == oracle::infinity<std::int64_t>())
                EXPECT_EQ(distances[i], algo::unreached<std::int64_t>());
            else
                EXPECT_EQ(distances[i], expected[i] + potential(0) - potential(v)) << v;
        }
    }
}

TEST_F(DenseTest, NegativeCyclesAreFound)
{
    for (const std::int64_t n : {3, 200}) {
        oracle::WeightedGraph<std::int64_t> graph{n, true, {}};
        for (std::int64_t v = 1; v < n; ++v) graph.edges.push_back({v - 1, v, 1});
        graph.edges.push_back({n - 1, 1, -n});
        Searches<std::int64_t> searches(graph);
        searches.search.run(0);
        const std::vector<Vertex>& cycle = searches.search.result().negative_cycle;
        EXPECT_EQ(cycle.size(), static_cast<std::size_t>(n - 1));
        Searches<float> unreached({4, true, {{0, 1, 1.0F}, {2, 3, -1.0F}, {3, 2, -1.0F}}});
        unreached.search.run(0);
        EXPECT_TRUE(unreached.search.result().negative_cycle.empty());
        unreached.search.run(2);
        EXPECT_EQ(unreached.search.result().negative_cycle.size(), 2U);
    }
}

}  // namespace
}  // namespace wayfront
