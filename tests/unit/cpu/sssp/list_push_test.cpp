// Pushes of the CPU's engine by teams of threads that change their size.
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "cpu/sssp/grid_engine.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

/// While the object exists, parallel regions have a team of one thread.
class SmallTeams
{
public:
    SmallTeams() : before_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
    SmallTeams(const SmallTeams&) = delete;
    SmallTeams& operator=(const SmallTeams&) = delete;
    ~SmallTeams() { omp_set_max_active_levels(before_); }

private:
    int before_;
};

TEST(ListPushTest, ASmallerTeamResumesTheListsOfTheLargerOne)
{
    // Vertex i < n leads to i + n with weight 1, and to i + 2n with weight 10.
    constexpr std::int64_t n = 100000;  // enough work for all threads
    oracle::WeightedGraph<std::int64_t> graph{3 * n, true, {}};
    for (std::int64_t i = 0; i < n; ++i) {
        graph.edges.push_back({i, i + n, 1});
        graph.edges.push_back({i, i + 2 * n, 10});
    }
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    ConstructionOptions options;
    options.list_order = ListOrder::weights;
    const DistributedGraph constructed = construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1), options);
    const CsrBlock& block = constructed.block;

    const ThreadGuard threads(4);
    auto any = cpu::make_sssp_engine(block, true, {0, 0});
    auto& engine = *std::get<std::unique_ptr<algo::SsspEngine<std::uint32_t>>>(any);
    std::vector<std::uint32_t> distances(block.cols(), algo::unreached<std::uint32_t>());
    std::vector<std::uint32_t> parents(block.rows(), block.cols());
    std::vector<std::uint32_t> changed;
    const auto slot = [&](std::int64_t vertex) { return constructed.slot_of_local[static_cast<std::size_t>(vertex)]; };
    for (std::int64_t i = 0; i < n; ++i) {
        distances[slot(i)] = 0;
        changed.push_back(slot(i));
    }
    engine.begin_search({distances.data(), parents.data(), distances.data()});
    engine.launch_push({algo::PushExtent::window, changed, 5});
    const algo::RoundOutcome<std::uint32_t> first = engine.collect();
    EXPECT_EQ(first.improved_rows, static_cast<std::uint64_t>(n));
    EXPECT_EQ(first.next, 10U);
    {
        const SmallTeams small;
        engine.launch_push({algo::PushExtent::window, {}, 20});
        EXPECT_EQ(engine.collect().improved_rows, static_cast<std::uint64_t>(n));
    }
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(distances[slot(i + 2 * n)], 10U) << i;
}

}  // namespace
}  // namespace wayfront
