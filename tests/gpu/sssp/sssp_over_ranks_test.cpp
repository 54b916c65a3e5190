// Compares shortest paths on several GPUs that reach each other's memory, or that exchange messages
// in all ways, and on one GPU that ranks share, with Dijkstra's algorithm.
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algo/sssp/grid_sssp.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/sssp/resident_sssp.hpp"
#include "support/exchange_methods.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

gpu::sssp::SsspTuning tuning_of(std::optional<double> width, std::optional<double> pull_from,
                                std::optional<std::uint32_t> hubs = {}, std::optional<double> cutoff = {},
                                std::optional<std::uint32_t> open_for_push = {})
{
    return {.width = width, .pull_from = pull_from, .hubs = hubs, .cutoff = cutoff, .open_for_push = open_for_push};
}

/// The parameter: whether the GPUs exchange messages.
class SsspOverRanks : public gpu::OverRanks, public testing::WithParamInterface<bool>
{
protected:
    void SetUp() override
    {
        OverRanks::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        if (GetParam()) {
            exchanges_ = exchanges();
            return;
        }
        const std::string obstacle = gpu::resident_obstacle(world_, gpu::GpuSharing::allowed);
        if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    }

    /// Calls f(exchange, tuning). If GPUs exchange no messages, there is one call with a null
    /// exchange. Otherwise there are calls with two of the exchanges, which are chosen in turn,
    /// with pieces of the usual size and with small pieces that are soon full.
    template <typename F>
    void each_search(const gpu::sssp::SsspTuning& tuning, F&& f)
    {
        if (!GetParam()) return f(nullptr, tuning);
        const std::size_t first = next_++;
        for (const std::optional<std::uint32_t> room : {std::optional<std::uint32_t>(), std::optional(3U)}) {
            const std::size_t way = (first + (room ? 1 : 0)) % exchanges_.size();
            const std::shared_ptr<gpu::DeviceExchange>& exchange = exchanges_[way];
            gpu::sssp::SsspTuning with_room = tuning;
            with_room.message_room = room;
            SCOPED_TRACE("exchange " + std::to_string(static_cast<int>(exchange->method())) +
                         (room ? ", pieces of 3 items" : ""));
            f(exchange, with_room);
        }
    }

    /// Searches from each source with one tuning.
    template <typename W>
    void check_tuned(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources,
                     const gpu::sssp::SsspTuning& wanted)
    {
        const comm::ProcessGrid grid(world_, {world_.size(), 1});
        const ShareFeed<W> feed(graph, world_.rank(), world_.size());
        const DistributedGraph distributed = construct(grid, feed, {.list_order = ListOrder::weights});
        algo::SsspOptions wide;
        wide.method = algo::SsspMethod::push_pull;
        each_search(
            wanted, [&](const std::shared_ptr<gpu::DeviceExchange>& exchange, const gpu::sssp::SsspTuning& tuning) {
                gpu::sssp::ResidentSssp search(
                    distributed, std::make_unique<gpu::sssp::DeviceSssp>(grid, distributed, tuning, exchange),
                    algo::SsspMethod::push_pull, [&] {
                        return algo::make_grid_sssp(grid, distributed, wide, [](const CsrBlock& block, bool narrow) {
                            return cpu::make_sssp_engine(block, narrow);
                        });
                    });
                for (const std::int64_t source : sources) {
                    SCOPED_TRACE("source " + std::to_string(source));
                    search.run(source);
                    check_sssp<W>(world_, graph, source, tuning.cutoff.value_or(kNoCutoff), search.result());
                }
            });
    }

    /// Searches with windows of several widths, and with early pulls, late pulls and no pulls.
    /// Ranks that share a GPU run in turn at every barrier, so they run only a few of these
    /// searches.
    template <typename W>
    void check_all_ways(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources)
    {
        double mean = 0;
        for (const auto& edge : graph.edges)
            mean += static_cast<double>(edge.weight) / static_cast<double>(graph.edges.size());
        check_tuned<W>(graph, sources, {});
        const bool take_turns = gpu::ranks_share_gpus(world_);
        for (const double width : {0.05, 20.0})
            for (const double pull_from : {0.0, 0.3, 0.9, 2.0}) {
                if (take_turns && (width < 1) == (pull_from < 0.5)) continue;
                SCOPED_TRACE("width " + std::to_string(width * mean) + ", pulls from " + std::to_string(pull_from));
                check_tuned<W>(graph, sources, tuning_of(width * mean, pull_from));
                if (!take_turns) check_tuned<W>(graph, sources, tuning_of(width * mean, pull_from, 16, {}, 0));
            }
    }

private:
    std::vector<std::shared_ptr<gpu::DeviceExchange>> exchanges_;  // exchanges of GPUs that exchange messages
    std::size_t next_ = 0;
};

TEST_P(SsspOverRanks, RandomGraphs)
{
    check_all_ways<float>(random_weighted_graph<float>(6000, 60000, false, 0, 1 << 20, 7), {0, 5999});
    check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(500, 3000, false, 0, 30, 3), {1});
    check_tuned<float>(random_weighted_graph<float>(40000, 600000, false, 0, 1 << 20, 7), {0, 39999}, {});
}

/// If GPUs exchange messages, the busiest vertices pull before the others.
TEST_P(SsspOverRanks, BusyVerticesPullFirst)
{
    gpu::sssp::SsspTuning tuning;
    for (const std::optional<unsigned> blocks : {std::optional<unsigned>(), std::optional(1U), std::optional(3U)}) {
        tuning.blocks = blocks;
        tuning.busy_slots = blocks ? 2048 : 1024;
        check_tuned<float>(random_weighted_graph<float>(40000, 600000, false, 0, 1 << 20, 7), {0, 39999}, tuning);
        check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(60000, 700000, true, 1, 255, 7), {0}, tuning);
    }
}

TEST_P(SsspOverRanks, DirectedGraphs)
{
    check_all_ways<float>(random_weighted_graph<float>(6000, 60000, true, 0, 1 << 20, 7), {0, 5999});
    check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(500, 3000, true, 0, 30, 3), {1});
    check_tuned<float>(random_weighted_graph<float>(40000, 600000, true, 0, 1 << 20, 7), {0, 39999}, {});
}

TEST_P(SsspOverRanks, LeavesOfDirectedGraphs)
{
    const auto graph = directed_core_with_leaves(100000, 4000, 500);
    check_tuned<std::uint32_t>(graph, {0, 2000, 5999, 6000, 9999, 10000, 10001}, {});
}

TEST_P(SsspOverRanks, SmallRandomGraphs)
{
    const std::uint64_t most = gpu::ranks_share_gpus(world_) ? 6 : 30;
    for (std::uint64_t seed = 0; seed < most; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto vertices = static_cast<std::int64_t>(1 + seed * seed);
        check_tuned<float>(random_weighted_graph<float>(vertices, seed * 61, false, 0, 1000, seed), {0, vertices / 2},
                           {});
        check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, seed * 37, false, 0, 30, seed),
                                   {vertices - 1}, tuning_of(10, seed % 3 == 0 ? 2 : 0.4));
    }
}

TEST_P(SsspOverRanks, EqualAndZeroWeights)
{
    for (const std::int64_t high : {0, 1}) {
        check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(3000, 20000, false, 0, high, 5), {77});
        check_tuned<float>(random_weighted_graph<float>(3000, 20000, false, 0, high, 6), {0}, {});
    }
}

TEST_P(SsspOverRanks, WeightsThatDifferInTheirLowBits)
{
    for (const std::int64_t high : {100, 5000}) {
        auto graph = random_weighted_graph<std::uint32_t>(4000, 30000, false, 0, high, 21);
        for (auto& edge : graph.edges) edge.weight += 1 << 17;
        check_all_ways<std::uint32_t>(graph, {77});
    }
}

TEST_P(SsspOverRanks, StarsOfManyRays)
{
    check_all_ways<float>(stars_of_many_rays(), {0, 59999});
}

TEST_P(SsspOverRanks, StarsOfWholeTurns)
{
    for (const double width : {131.0, 1155.0, 1156.0, 2179.0, 2180.0, 5000.0})
        check_tuned<std::uint32_t>(stars_of_whole_turns(), {0, 11, 5000}, tuning_of(width, 2.0));
}

TEST_P(SsspOverRanks, FewImprovedVerticesPushAgain)
{
    const auto graph = path_and_hub(4000, 0);
    const gpu::sssp::SsspTuning tuning = tuning_of(2, 0.001, {}, {}, 0);
    check_tuned<float>(path_and_hub(30, 300), {0, 15}, tuning);
    check_tuned<float>(graph, {0, 2000}, tuning);
    const comm::ProcessGrid grid(world_, {world_.size(), 1});
    const DistributedGraph distributed =
        construct(grid, ShareFeed<float>(graph, world_.rank(), world_.size()), {.list_order = ListOrder::weights});
    each_search(tuning,
                [&](const std::shared_ptr<gpu::DeviceExchange>& exchange, const gpu::sssp::SsspTuning& with_room) {
                    gpu::sssp::DeviceSssp search(grid, distributed, with_room, exchange);
                    search.run(0);
                    const gpu::sssp::SsspFacts facts = search.facts();
                    ASSERT_FALSE(facts.records.empty());
                    EXPECT_STREQ(facts.records.back().step, "push again");
                });
}

/// The two vertices of a pair belong to different ranks.
TEST_P(SsspOverRanks, LeavesAndPairsOfLeaves)
{
    const std::vector<std::int64_t> sources{8300, 5, 300, 8301, 8299};
    check_all_ways<float>(core_with_leaves_and_pairs<float>(0.5F), sources);
    check_tuned<std::uint32_t>(core_with_leaves_and_pairs<std::uint32_t>(3'000'000'000), sources, tuning_of({}, 0.3));
    oracle::WeightedGraph<float> pairs{400, false, {}};
    for (std::int64_t v = 0; v < pairs.vertices; v += 2) pairs.edges.push_back({v, v + 1, static_cast<float>(v)});
    check_tuned<float>(pairs, {0, 1, 399}, tuning_of(10.0, 0.3));
}

TEST_P(SsspOverRanks, PathsComponentsAndVerticesWithoutEdges)
{
    oracle::WeightedGraph<float> graph{1000, false, {}};
    for (std::int64_t v = 1; v < path_length(); ++v) graph.edges.push_back({v - 1, v, 0.25F});
    for (std::int64_t v = 501; v < 600; ++v) graph.edges.push_back({500 + (v - 501) / 3, v, 0.5F});
    check_tuned<float>(graph, {0, 450, 999, 599, 600}, {});
    check_tuned<float>(graph, {1, 997}, tuning_of(0.3, 0.5));
    check_tuned<float>({3, false, {}}, {1}, {});
    check_tuned<float>({3, false, {{0, 2, 1.0F}}}, {1, 2}, {});
}

TEST_P(SsspOverRanks, ACutoffLeavesOutWhatIsFarther)
{
    const auto graph = random_weighted_graph<std::uint32_t>(2000, 6000, false, 1, 100, 9);
    for (const double cutoff : {0.0, 57.5, 1e9})
        check_tuned<std::uint32_t>(graph, {0, 1}, tuning_of({}, {}, {}, cutoff));
}

/// Weights fit 32 bits, but sums of weights may not.
TEST_P(SsspOverRanks, DistancesBeyond32BitsAreFoundWith64)
{
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    const oracle::WeightedGraph<std::int64_t> graph{5, false, {{0, 1, most - 1}, {1, 2, 1}, {2, 3, most}, {0, 4, 3}}};
    check_tuned<std::uint32_t>(graph, {0, 4}, {});
    check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(500, 3000, false, most / 2, most, 4), {0},
                               tuning_of({}, 0.3));
}

/// The search takes all kinds of steps: rounds, windows, long lists, near vertices, and both kinds
/// of pulls.
TEST_P(SsspOverRanks, OneSmallSearchForSanitizers)
{
    auto graph = random_weighted_graph<float>(3000, 9000, false, 0, 1000, 8);
    for (std::int64_t v = 1; v < graph.vertices; ++v) graph.edges.push_back({0, v, static_cast<float>(v) / 3000});
    check_tuned<float>(graph, {1}, tuning_of(0.05, 0.3, 16, {}, 0));
    check_tuned<float>(path_and_hub(20, 80), {0}, tuning_of(2, 0.001, {}, {}, 0));
}

INSTANTIATE_TEST_SUITE_P(Resident, SsspOverRanks, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Stepped, SsspOverRanks, testing::Values(true));

}  // namespace
}  // namespace wayfront
