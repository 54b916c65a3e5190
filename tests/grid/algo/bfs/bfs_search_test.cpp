// Breadth-first search on every grid that the number of ranks allows, in each direction, form of
// exchange and number of threads, compared with a serial search with a queue.
#include <set>
#include <string_view>

#include "cpu/bfs/cpu_engine.hpp"
#include "support/bfs_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::algo {
namespace {

EngineMaker cpu_engine(cpu::CpuTuning tuning)
{
    return [tuning](const CsrBlock& block) { return std::make_unique<cpu::CpuEngine>(block, tuning); };
}

const EngineMaker kCpu = cpu_engine({});
const EngineMaker kAlwaysParallel = cpu_engine({0, 0});

TEST_F(BfsTest, SmallGraphsInAllWays)
{
    const ThreadGuard guard(1);
    // If many ranks share few cores, each graph is searched in each direction, and the forms of
    // exchange take turns.
    std::size_t turn = 0;
    for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
        check_graph(grid, test, serial, directions_and_formats(crowded ? 1 : kFormats.size(), turn++), kCpu);
    });
}

TEST_F(BfsTest, SmallGraphsOnTwoThreads)
{
    const ThreadGuard guard(2);
    std::vector<BfsOptions> choices = directions_only();
    for (BfsOptions& options : choices) options.levels = true;
    for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
        if (test.graph.vertices >= 100) check_graph(grid, test, serial, choices, kAlwaysParallel);
    });
}

TEST_F(BfsTest, ParentsWithoutLevels)
{
    const ThreadGuard guard(1);
    const std::vector<BfsOptions> choices{restless()};
    for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
        check_graph(grid, test, serial, choices, kCpu);
    });
}

TEST_F(BfsTest, SmallestParentsAreTheSameEverywhere)
{
    std::vector<BfsOptions> choices = crowded ? std::vector<BfsOptions>{restless()} : directions_only();
    for (BfsOptions& options : choices) options.smallest_parents = true;
    for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
        for (const int threads : {1, 2}) {
            const ThreadGuard guard(threads);
            if (threads == 1 || test.graph.vertices >= 200)
                check_graph(grid, test, serial, choices, threads == 1 ? kCpu : kAlwaysParallel);
        }
    });
}

TEST_F(BfsTest, AGraphLargeEnoughForAllThreads)
{
    for (const bool directed : {false, true}) {
        TestGraph test{directed ? "LargeDirected" : "Large", random_graph(70001, 300000, directed, 51), {70000}};
        for (std::int64_t v = 0; v < 60000; v += 2) test.graph.edges.emplace_back(5, v);  // a hub
        Oracle serial(test.graph);
        for (const comm::GridShape shape : {shapes_of(ranks).front(), shapes_of(ranks).back()}) {
            const comm::ProcessGrid grid(world, shape);
            const ThreadGuard guard(2);
            std::vector<BfsOptions> choices = directions_only();
            choices.pop_back();
            choices.front().smallest_parents = true;
            for (BfsOptions& options : choices) options.levels = true;
            check_graph(grid, test, serial, choices, kCpu);
        }
    }
}

TEST_F(BfsTest, LevelsDoNotDependOnTheNumbering)
{
    const ThreadGuard guard(1);
    for (const TestGraph& test : small_graphs()) {
        SCOPED_TRACE(test.name);
        const comm::ProcessGrid grid(world, shapes_of(ranks).back());
        const EdgeList share = share_of(test.graph, Deal::unequal, rank, ranks);
        const DistributedGraph graph = construct(grid, ListFeed(share), {.chunk_edges = 7, .renumber = false});
        Oracle serial(test.graph);
        cpu::CpuEngine engine(graph.block);
        BfsOptions options;
        options.levels = true;
        BfsSearch search(grid, graph, engine, options);
        for (const std::int64_t key : test.keys) check(search, options, serial, key);
    }
}

TEST_F(BfsTest, TheSwitchLooksAtTheEdgesOfTheWholeFrontier)
{
    // A star of 63 spokes, searched from the tip of one: the levels have 1 edge, then 63, then 62
    // vertices with 1 edge each.
    oracle::Graph star{64, false, {}};
    for (std::int64_t v = 1; v < 64; ++v) star.edges.emplace_back(0, v);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const comm::ProcessGrid grid(world, shape);
        const EdgeList share = share_of(star, Deal::in_turn, rank, ranks);
        const DistributedGraph graph = construct(grid, ListFeed(share));
        cpu::CpuEngine engine(graph.block);
        BfsOptions options;
        // bottom-up above 62.4 edges, top-down below 4.6 vertices.
        options.direction = {DirectionChoice::automatic, 1.01, 14};
        BfsSearch search(grid, graph, engine, options);
        const BfsResult& result = search.run(9);
        ASSERT_EQ(result.records.size(), 3U);
        EXPECT_EQ(result.records[0].direction, Direction::top_down);
        EXPECT_EQ(result.records[0].frontier.out_edges, 1U);
        EXPECT_EQ(result.records[1].direction, Direction::bottom_up);
        EXPECT_EQ(result.records[1].frontier.out_edges, 63U);
        EXPECT_EQ(result.records[2].direction, Direction::bottom_up);
        EXPECT_EQ(result.records[2].frontier.vertices, 62U);
    }
}

TEST_F(BfsTest, AKeyOutsideTheGraphIsRefusedByAllRanks)
{
    const comm::ProcessGrid grid(world, shapes_of(ranks).front());
    const oracle::Graph input = random_graph(20, 40, false, 61);
    const EdgeList share = share_of(input, Deal::in_turn, rank, ranks);
    const DistributedGraph graph = construct(grid, ListFeed(share));
    cpu::CpuEngine engine(graph.block);
    BfsOptions options;
    options.levels = true;
    BfsSearch search(grid, graph, engine, options);
    EXPECT_THROW(search.run(-1), InputError);
    EXPECT_THROW(search.run(20), InputError);
    EXPECT_THROW(search.run(kMaxVertices), InputError);
    Oracle serial(input);
    check(search, options, serial, 3);  // later searches still work

    const EdgeList nothing = share_of({0, false, {}}, Deal::in_turn, rank, ranks);
    const DistributedGraph empty = construct(grid, ListFeed(nothing));
    cpu::CpuEngine idle(empty.block);
    EXPECT_THROW(BfsSearch(grid, empty, idle, options).run(0), InputError);
}

TEST_F(BfsTest, PhasesOfALevelAreLogged)
{
    const comm::ProcessGrid grid(world, shapes_of(ranks).front());
    const oracle::Graph input = random_graph(64, 200, false, 62);
    const EdgeList share = share_of(input, Deal::in_turn, rank, ranks);
    const DistributedGraph graph = construct(grid, ListFeed(share));
    cpu::CpuEngine engine(graph.block);
    PhaseLog log;
    BfsOptions options;
    options.log = &log;
    BfsSearch search(grid, graph, engine, options);
    const BfsResult& result = search.run(1);
    const std::set<std::string_view> parts{"counts", "expand", "search", "fold", "output"};
    std::vector<Span> spans;
    std::vector<Span> whole_levels;
    std::vector<Span> messages;
    for (const Span& span : log.spans())
        if (span.name == std::string_view("level"))
            whole_levels.push_back(span);
        else
            (parts.contains(span.name) ? spans : messages).push_back(span);
    const auto levels = static_cast<int>(result.records.size());
    ASSERT_EQ(spans.size(), 4 * result.records.size() + 2);
    std::size_t span = 0;
    for (int level = 1; level <= levels; ++level)
        for (const std::string name : {"counts", "expand", "search", "fold"}) {
            EXPECT_EQ(spans[span].name, name);
            EXPECT_EQ(spans[span++].level, level);
        }
    EXPECT_EQ(spans[span].name, "counts");  // the last frontier is empty
    EXPECT_EQ(spans[span++].level, levels + 1);
    EXPECT_EQ(spans[span].name, "output");
    EXPECT_EQ(messages.empty(), ranks == 1);
    const auto nested = [](const std::vector<Span>& outer, const Span& inner) {
        return std::ranges::any_of(outer, [&](const Span& around) {
            return around.level == inner.level && around.begin <= inner.begin && inner.end <= around.end;
        });
    };
    for (const Span& message : messages) EXPECT_TRUE(nested(spans, message)) << message.name;
    // The last one finds an empty frontier.
    ASSERT_EQ(whole_levels.size(), result.records.size() + 1);
    for (const Span& part : spans) {
        if (part.level >= 1) {
            EXPECT_TRUE(nested(whole_levels, part)) << part.name;
        }
    }
}

}  // namespace
}  // namespace wayfront::algo
