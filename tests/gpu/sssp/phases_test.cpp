// Compares the search by phases on one GPU with Dijkstra's algorithm.
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "cpu/sssp/one_rank_search.hpp"
#include "gpu/papers/phases/search.hpp"
#include "gpu/sssp/resident_sssp.hpp"
#include "support/gpu_guard.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

using gpu::sssp::PhaseMode;
using gpu::sssp::PhaseThresholds;
using gpu::sssp::PhaseTuning;

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

class PhasesTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// Searches from each source with one tuning.
template <typename W>
void check_tuned(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources,
                 const PhaseTuning& tuning)
{
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const ShareFeed<W> feed(graph, 0, 1);
    const DistributedGraph distributed = construct(grid, feed);
    gpu::sssp::ResidentSssp search(distributed, std::make_unique<gpu::sssp::DevicePhases>(distributed, tuning),
                                   algo::SsspMethod::adaptive,
                                   [&] { return cpu::make_one_rank_search(distributed, {}); });
    for (const std::int64_t source : sources) {
        SCOPED_TRACE("source " + std::to_string(source));
        search.run(source);
        check_sssp<W>(grid.world(), graph, source, tuning.cutoff.value_or(kNoCutoff), search.result());
    }
}

/// Searches by all three methods, and by the adaptive method with a change after every phase.
template <typename W>
void check_all_ways(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources)
{
    const PhaseThresholds alternating{0, PhaseThresholds::kNever};
    for (const PhaseTuning& tuning :
         {PhaseTuning{PhaseMode::conventional, {}, {}}, PhaseTuning{PhaseMode::selection, {}, {}},
          PhaseTuning{PhaseMode::adaptive, {}, {}}, PhaseTuning{PhaseMode::adaptive, alternating, {}}}) {
        SCOPED_TRACE("mode " + std::to_string(static_cast<int>(tuning.mode)) +
                     (tuning.thresholds ? ", alternating" : ""));
        check_tuned<W>(graph, sources, tuning);
    }
}

TEST_F(PhasesTest, RandomGraphsOfManySizes)
{
    for (const std::int64_t vertices : {1, 2, 31, 33, 1000}) {
        SCOPED_TRACE(std::to_string(vertices) + " vertices");
        const auto edges = static_cast<std::size_t>(3 * vertices);
        check_all_ways<float>(random_weighted_graph<float>(vertices, edges, false, 0, 1000, 1), {0, vertices / 2});
        check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, edges, true, 0, 30, 2),
                                      {vertices - 1});
        // All weights are 0.
        check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, edges, false, 0, 0, 3), {0});
    }
}

/// The search has phases of both kinds, lists updated vertices, and reads long and short lists.
TEST_F(PhasesTest, OneSmallSearchForSanitizers)
{
    auto graph = random_weighted_graph<float>(3000, 6000, false, 0, 1000, 8);
    for (std::int64_t v = 1; v < 500; ++v) graph.edges.push_back({0, v, static_cast<float>(v) / 500});
    check_tuned<float>(graph, {1}, {PhaseMode::adaptive, PhaseThresholds{0, PhaseThresholds::kNever}, {}});
}

TEST_F(PhasesTest, RingStarAndCompleteGraph)
{
    for (const std::int64_t n : {2, 33, 1000}) {
        oracle::WeightedGraph<std::int64_t> ring{n, false, {}};
        oracle::WeightedGraph<std::int64_t> star{n, false, {}};
        for (std::int64_t v = 1; v < n; ++v) {
            ring.edges.push_back({v - 1, v, v % 5});
            star.edges.push_back({0, v, v % 7});
        }
        ring.edges.push_back({n - 1, 0, 1});
        check_all_ways<std::uint32_t>(ring, {0, n / 2});
        check_all_ways<std::uint32_t>(star, {0, n - 1});
    }
    oracle::WeightedGraph<float> complete{100, false, {}};
    RandomNumbers random(3);
    for (std::int64_t u = 0; u < complete.vertices; ++u)
        for (std::int64_t v = u + 1; v < complete.vertices; ++v)
            complete.edges.push_back({u, v, static_cast<float>(random.next() % 1024) / 1024});
    check_all_ways<float>(complete, {0, 99});
}

/// The graph is an R-MAT graph with hubs, and the kernel has several blocks.
TEST_F(PhasesTest, ASkewedGraphOfManyBlocks)
{
    oracle::WeightedGraph<float> graph{1 << 16, false, {}};
    RandomNumbers random(5);
    for (int i = 0; i < 500000; ++i) {
        std::int64_t u = 0;
        std::int64_t v = 0;
        for (int bit = 0; bit < 16; ++bit) {
            const std::uint64_t part = random.next() % 100;
            u = 2 * u + (part >= 76 ? 1 : 0);
            v = 2 * v + ((part >= 57 && part < 76) || part >= 95 ? 1 : 0);
        }
        graph.edges.push_back({u, v, static_cast<float>(random.next() % 65536) / 65536});
    }
    check_all_ways<float>(graph, {0, 1, 12345});
}

TEST_F(PhasesTest, OtherComponentsAndACutoff)
{
    oracle::WeightedGraph<float> graph{1000, false, {}};
    for (std::int64_t v = 1; v < 400; ++v) graph.edges.push_back({v / 3, v, 0.25F});
    for (std::int64_t v = 501; v < 600; ++v) graph.edges.push_back({v - 1, v, 0.5F});
    check_all_ways<float>(graph, {0, 399, 450, 550, 999});
    check_all_ways<float>({3, false, {}}, {1});
    for (const double cutoff : {0.0, 1.0, 57.5, 1e9})
        check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(2000, 6000, false, 1, 100, 9), {0, 1},
                                   {PhaseMode::adaptive, {}, cutoff});
}

/// Weights fit 32 bits, but sums of weights may not.
TEST_F(PhasesTest, DistancesBeyond32BitsAreFoundWith64)
{
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    const oracle::WeightedGraph<std::int64_t> graph{5, true, {{0, 1, most - 1}, {1, 2, 1}, {2, 3, most}, {0, 4, 3}}};
    check_all_ways<std::uint32_t>(graph, {0, 1, 4});
    check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(500, 3000, false, most / 2, most, 4), {0, 2});
}

}  // namespace
}  // namespace wayfront
