// The messages of searches for shortest paths that the model counts for each rank, compared with those
// that the ranks receive.
#include "model/virtual_sssp.hpp"

#include <limits>
#include <map>
#include <string_view>

#include "algo/sssp/grid_sssp.hpp"
#include "base/phase.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "support/sanitized.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::model {

namespace {

algo::AnySsspEngine make_engine(const CsrBlock& block, bool narrow)
{
    return cpu::make_sssp_engine(block, narrow);
}

struct Way
{
    algo::SsspMethod method;
    ListOrder order;
};

/// The bytes that this rank received in the spans of a name, by round.
std::map<int, MessageCount> received_in(const PhaseLog& log, std::string_view name)
{
    std::map<int, MessageCount> received;
    for (const Span& span : log.spans())
        if (span.name == name) received[span.level] = received[span.level] + span.received;
    return received;
}

class VirtualSsspTest : public GridTest
{
protected:
    template <typename W>
    static DistributedGraph construct_on(const comm::ProcessGrid& grid,
                                         const oracle::WeightedGraph<OracleWeight<W>>& graph, ListOrder order)
    {
        ConstructionOptions options;
        options.list_order = order;
        return construct(grid, ShareFeed<W>(graph, grid.rank(), grid.world().size()), options);
    }

    /// Collective.
    template <typename W>
    void check(const comm::ProcessGrid& grid, const oracle::WeightedGraph<OracleWeight<W>>& graph, Way way,
               const std::vector<std::int64_t>& sources)
    {
        SCOPED_TRACE(testing::Message() << to_text(grid.shape()) << ", method " << static_cast<int>(way.method));
        const comm::ProcessGrid alone(comm::Communicator::self(), {1, 1});
        const DistributedGraph whole = construct_on<W>(alone, graph, way.order);
        const DistributedGraph part = construct_on<W>(grid, graph, way.order);
        PhaseLog log;
        algo::SsspOptions options;
        options.method = way.method;
        options.shares_memory = false;
        VirtualSssp counted(alone, whole, grid.shape(), options, make_engine);
        options.log = &log;
        const auto search = algo::make_grid_sssp(grid, part, options, algo::SsspEngineMaker(make_engine));
        for (const std::int64_t source : sources) {
            SCOPED_TRACE(testing::Message() << "source " << source);
            log.clear();
            const MessageCount before = message_counter.count();
            search->run(source);
            const MessageCount received = message_counter.count() - before;
            const SsspWork& work = counted.run(source);
            check_rounds<W>(work, log, received);
            EXPECT_EQ(work.reached, search->result().reached);
            check_sssp<W>(alone.world(), graph, source, std::numeric_limits<double>::infinity(), counted.result());
        }
    }

    /// `received`: in the whole search.
    template <typename W>
    void check_rounds(const SsspWork& work, const PhaseLog& log, const MessageCount& received)
    {
        std::map<int, MessageCount> counts = received_in(log, "counts");
        std::map<int, MessageCount> expands = received_in(log, "expand");
        std::map<int, MessageCount> refreshes = received_in(log, "refresh");
        std::map<int, MessageCount> folds = received_in(log, "fold");
        MessageCount all;
        for (std::size_t i = 0; i < work.rounds.size(); ++i) {
            SCOPED_TRACE(testing::Message() << "round " << i);
            const RankWork& round = work.rounds[i].ranks[static_cast<std::size_t>(rank)];
            EXPECT_EQ(round.counts, counts[static_cast<int>(i)]);
            EXPECT_EQ(round.expand, expands[static_cast<int>(i)]);
            EXPECT_EQ(round.refresh, refreshes[static_cast<int>(i)]);
            EXPECT_EQ(round.fold, folds[static_cast<int>(i)]);
            all = all + round.received();
        }
        if (ranks == 1) {
            EXPECT_EQ(received, MessageCount());
            return;
        }
        all = all + MessageCount{1, sizeof(std::uint64_t)};  // the number of reached vertices
        if (!std::is_same_v<W, std::uint32_t>) all = all + MessageCount{1, sizeof(std::int64_t)};  // of lost sums
        EXPECT_EQ(all, received);
    }

    template <typename W>
    void check_random(std::int64_t low, std::int64_t high, std::uint64_t seed, int graphs)
    {
        const ThreadGuard guard(1);
        const std::vector<Way> ways{{algo::SsspMethod::bellman_ford, ListOrder::neighbours},
                                    {algo::SsspMethod::delta_stepping, ListOrder::neighbours},
                                    {algo::SsspMethod::push_pull, ListOrder::weights}};
        for (int i = 0; i < graphs; ++i) {
            RandomNumbers random(seed + static_cast<std::uint64_t>(i));
            const std::int64_t vertices = 1 + random.below(i % 3 == 0 ? 12 : 2000);
            const std::size_t edges = random.below(static_cast<std::uint32_t>(vertices) * 8 + 1);
            const bool directed = random.below(2) == 0;
            auto graph = random_weighted_graph<W>(vertices, edges, directed, low, high, random.next());
            for (std::int64_t v = 1; v < vertices; v += 3)  // a hub
                graph.edges.push_back({0, v, static_cast<OracleWeight<W>>(low + 1 + v % (high - low))});
            SCOPED_TRACE(testing::Message() << "graph " << i);
            for (const comm::GridShape shape : shapes_of(ranks)) {
                const comm::ProcessGrid grid(world, shape);
                check<W>(grid, graph, ways[static_cast<std::size_t>(i) % ways.size()],
                         {0, random.below(static_cast<std::uint32_t>(vertices))});
            }
        }
    }
};

TEST_F(VirtualSsspTest, RandomGraphs)
{
    const int graphs = kSanitized ? 3 : 6;
    check_random<std::uint32_t>(0, 1000, 71, graphs);
    check_random<std::int64_t>(0, 1000, 72, graphs);
    check_random<float>(0, 1000, 73, graphs);
    check_random<double>(0, 1000, 74, graphs);
}

}  // namespace
}  // namespace wayfront::model
