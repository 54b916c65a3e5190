// The messages that the model counts for each rank, compared with those that the ranks receive.
#include "model/virtual_bfs.hpp"

#include <map>

#include "cpu/bfs/cpu_engine.hpp"
#include "support/bfs_testing.hpp"
#include "support/sanitized.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::model {

void PrintTo(const RankWork& work, std::ostream* out)
{
    const MessageCount all = work.received();
    *out << all.steps << " steps, " << all.bytes << " bytes";
}

namespace {

/// The bytes that this rank received in each level, and behind the last one.
struct Received
{
    std::map<int, MessageCount> levels;
    MessageCount output;
};

Received received_in(const PhaseLog& log)
{
    Received received;
    for (const Span& span : log.spans()) {
        if (span.name == "level") received.levels[span.level] = span.received;
        if (span.name == "output") received.output = span.received;
    }
    return received;
}

class VirtualBfsTest : public algo::BfsTest
{
protected:
    /// Collective.
    void check(const comm::ProcessGrid& grid, const TestGraph& test, const algo::BfsOptions& choice)
    {
        SCOPED_TRACE(testing::Message() << test.name << " on " << to_text(grid.shape()) << ", direction "
                                        << static_cast<int>(choice.direction.choice) << ", "
                                        << to_string(choice.exchange));
        const comm::ProcessGrid alone(comm::Communicator::self(), {1, 1});
        const EdgeList all = share_of(test.graph, Deal::in_turn, 0, 1);
        const DistributedGraph whole = construct(alone, ListFeed(all));
        const EdgeList share = share_of(test.graph, Deal::in_turn, rank, ranks);
        const DistributedGraph graph = construct(grid, ListFeed(share));
        cpu::CpuEngine engine(graph.block);
        PhaseLog log;
        algo::BfsOptions options = choice;
        options.log = &log;
        algo::BfsSearch search(grid, graph, engine, options);
        for (const std::int64_t key : test.keys) {
            SCOPED_TRACE(testing::Message() << "key " << key);
            log.clear();
            const algo::BfsResult& result = search.run(key);
            const Received received = received_in(log);
            const SearchWork expected =
                count_bfs(whole, grid.shape(), key, {options.direction, options.exchange, options.max_level});
            EXPECT_EQ(expected.reached, result.reached);
            ASSERT_EQ(expected.levels.size(), received.levels.size());
            for (std::size_t i = 0; i < expected.levels.size(); ++i) {
                const RankWork& work = expected.levels[i].ranks[static_cast<std::size_t>(rank)];
                EXPECT_EQ(work.received(), received.levels.at(static_cast<int>(i) + 1)) << "level " << i + 1;
            }
            EXPECT_EQ(expected.result_queries[static_cast<std::size_t>(rank)].received(), received.output);
        }
    }

    static std::vector<algo::BfsOptions> choices()
    {
        std::vector<algo::BfsOptions> all;
        for (const algo::DirectionChoice direction : algo::kDirections)
            for (const comm::ExchangeFormat format : algo::kFormats) {
                algo::BfsOptions options;
                options.direction.choice = direction;
                options.exchange = format;
                all.push_back(options);
            }
        return all;
    }
};

TEST_F(VirtualBfsTest, SmallGraphs)
{
    const ThreadGuard guard(1);
    const std::vector<algo::BfsOptions> all = choices();
    std::size_t turn = 0;
    for (const TestGraph& test : small_graphs())
        for (const comm::GridShape shape : shapes_of(ranks)) {
            const comm::ProcessGrid grid(world, shape);
            for (int i = 0; i < 2; ++i) check(grid, test, all[turn++ % all.size()]);
        }
}

TEST_F(VirtualBfsTest, LargerGraphs)
{
    const ThreadGuard guard(1);
    for (const bool directed : {false, true}) {
        TestGraph test{directed ? "LargeDirected" : "Large", random_graph(20001, 90000, directed, 51), {20000, 12}};
        for (std::int64_t v = 0; v < 16000; v += 2) test.graph.edges.emplace_back(5, v);  // a hub
        for (const comm::GridShape shape : shapes_of(ranks)) {
            const comm::ProcessGrid grid(world, shape);
            for (const algo::BfsOptions& options : choices())
                if (!kSanitized || options.exchange == comm::ExchangeFormat::automatic) check(grid, test, options);
            algo::BfsOptions near;
            near.max_level = 2;
            check(grid, test, near);
        }
    }
}

}  // namespace
}  // namespace wayfront::model
