// Compares searches over several ranks that share the available GPUs with a serial search: on every
// grid, by the GPU alone and together with the CPU. Ranks on one GPU run in turn, for milliseconds
// each, in every level. Several ranks therefore search only a few graphs with few levels.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cpu/bfs/cpu_engine.hpp"
#include "gpu/bfs/host_driven/engine.hpp"
#include "gpu/exchange/peers.hpp"
#include "support/bfs_testing.hpp"
#include "support/gpu_guard.hpp"
#include "support/real_graphs.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::algo {
namespace {

std::unique_ptr<EdgeEngine> cpu_engine(const CsrBlock& block)
{
    return std::make_unique<cpu::CpuEngine>(block);
}

EngineMaker gpu_engine(gpu::bfs::GpuTuning tuning = {})
{
    return [tuning](const CsrBlock& block) { return std::make_unique<gpu::bfs::GpuEngine>(block, tuning); };
}

EngineMaker split_engine(std::optional<double> share)
{
    return [share](const CsrBlock& block) {
        return std::make_unique<SplitEngine>(block, cpu_engine, gpu_engine(), share);
    };
}

class GpuSearchTest : public BfsTest
{
protected:
    void SetUp() override { require_gpu(world.split_by_host().rank()); }

    [[nodiscard]] bool alone() const { return ranks == 1; }

    /// Whether these ranks search the graph. Several ranks search only graphs with few levels.
    [[nodiscard]] bool wanted(const TestGraph& test) const
    {
        static const std::set<std::string> few{
            "NoEdges", "IsolatedKey", "Random", "RandomDirected", "DuplicatesDirected", "DirectedHub", "Kron"};
        return alone() || few.contains(test.name);
    }

    void check_small_graphs(const EngineMaker& make_engine, std::vector<BfsOptions> choices)
    {
        const ThreadGuard guard(2);
        choices.front().smallest_parents = true;
        for (BfsOptions& options : choices) options.levels = true;
        for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
            if (wanted(test)) check_graph(grid, test, serial, choices, make_engine);
        });
    }
    void check_small_graphs(const EngineMaker& make_engine)
    {
        check_small_graphs(make_engine, alone() ? directions_only() : std::vector<BfsOptions>{restless()});
    }

    void check_on_all_grids(const TestGraph& test, const EngineMaker& make_engine,
                            const std::vector<BfsOptions>& choices)
    {
        const ThreadGuard guard(2);
        Oracle serial(test.graph);
        for (const comm::GridShape shape : shapes_of(ranks))
            check_graph(comm::ProcessGrid(world, shape), test, serial, choices, make_engine);
    }
};

TEST_F(GpuSearchTest, SmallGraphs)
{
    check_small_graphs(gpu_engine());
}

TEST_F(GpuSearchTest, SmallGraphsInManyStretchesAndAllFormsOfExchange)
{
    const ThreadGuard guard(1);
    std::size_t turn = 0;
    for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
        if (test.graph.vertices >= 100 && wanted(test))
            check_graph(grid, test, serial, directions_and_formats(1, turn++), gpu_engine({128, 2, 64}));
    });
}

TEST_F(GpuSearchTest, SmallGraphsSharedWithTheCpu)
{
    for (const double share : {0.1, 0.5}) {
        SCOPED_TRACE(share);
        check_small_graphs(split_engine(share));
    }
}

TEST_F(GpuSearchTest, SmallGraphsSharedWithTheCpuInOneDirection)
{
    // A single rank runs all these searches in another test, and many ranks that share a GPU would
    // take minutes.
    if (alone() || crowded) GTEST_SKIP() << "for two ranks and for four";
    std::vector<BfsOptions> choices(2);
    choices[0].direction.choice = DirectionChoice::top_down;
    choices[1].direction.choice = DirectionChoice::bottom_up;
    for (const double share : {0.1, 0.5}) {
        SCOPED_TRACE(share);
        check_small_graphs(split_engine(share), choices);
        std::ranges::reverse(choices);  // so that both directions find smallest parents
    }
}

TEST_F(GpuSearchTest, SmallGraphsAtAMeasuredShare)
{
    check_small_graphs(split_engine(std::nullopt));
}

TEST_F(GpuSearchTest, LargerGraphs)
{
    for (const bool directed : {false, true}) {
        TestGraph test{directed ? "LargeDirected" : "Large", random_graph(70001, 300000, directed, 51), {70000, 12}};
        for (std::int64_t v = 0; v < 60000; v += 2) test.graph.edges.emplace_back(5, v);  // a hub
        if (!alone()) test.keys = {12};
        for (const EngineMaker& make_engine : {gpu_engine({4096, 10}), gpu_engine({4096, 10, 1024}), split_engine(0.5)})
            check_on_all_grids(test, make_engine,
                               alone() ? directions_only() : std::vector<BfsOptions>{BfsOptions{}, restless()});
    }
}

TEST_F(GpuSearchTest, RealGraphs)
{
    // The graphs are searched as they are and symmetrised, on every grid. Each engine searches in
    // one direction, and on the next grid in the other direction.
    const ThreadGuard guard(2);
    const bool take_turns = gpu::ranks_share_gpus(world);
    std::size_t turn = 0;
    for (const RealGraph& real : real_graphs()) {
        if (real.long_ways && take_turns) continue;
        const oracle::Graph as_read = read_real_graph(real);
        std::vector<oracle::Graph> graphs{symmetrised(as_read)};
        if (as_read.directed) graphs.push_back(as_read);
        for (const oracle::Graph& graph : graphs) {
            SCOPED_TRACE(graph.directed ? "directed" : "undirected");
            const TestGraph test{real.file, graph, {real.key}};
            Oracle serial(graph);
            EXPECT_GT(serial.search(real.key).reached, 90U) << "the key is a poor choice";
            for (const comm::GridShape shape : shapes_of(ranks)) {
                const comm::ProcessGrid grid(world, shape);
                for (const EngineMaker& make_engine : {gpu_engine(), split_engine(0.1), split_engine(0.5)}) {
                    BfsOptions options;
                    options.direction.choice = kDirections[turn++ % kDirections.size()];
                    options.levels = true;
                    check_graph(grid, test, serial, {options}, make_engine);
                }
                ++turn;
            }
        }
    }
}

TEST_F(GpuSearchTest, StretchesAreReported)
{
    const ThreadGuard guard(1);
    const oracle::Graph input = generated_graph("kron:17");
    const EdgeList share = share_of(input, Deal::in_turn, rank, ranks);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph graph = construct(grid, ListFeed(share));
        gpu::bfs::GpuEngine engine(graph.block, {1U << 22, 4088, 2048});
        PhaseLog log;
        BfsOptions options;
        options.direction.choice = DirectionChoice::bottom_up;
        options.exchange = comm::ExchangeFormat::bitmap;
        options.log = &log;
        BfsSearch search(grid, graph, engine, options);
        const auto levels = search.run(input.edges.front().first).records.size();
        std::map<std::string_view, std::size_t> spans;
        for (const Span& span : log.spans()) {
            EXPECT_LE(span.begin, span.end) << span.name;
            if (span.stretch != Span::kNoStretch) ++spans[span.name];
        }
        EXPECT_EQ(spans.contains("stretch fold"), shape.columns > 1);
        EXPECT_EQ(spans.contains("stretch gather"), shape.rows > 1);
        EXPECT_GE(spans["stretch search"], levels);
        EXPECT_EQ(spans["stretch search"], spans["stretch down"]);
        EXPECT_EQ(spans["stretch search"], spans["stretch up"]);
    }
}

TEST_F(GpuSearchTest, KroneckerGraphOfMoreEdgesThanFitTheCopyBuffers)
{
    const TestGraph test{"Kron17", generated_graph("kron:17"), {4711}};
    BfsOptions automatic;
    automatic.levels = true;
    check_on_all_grids(test, gpu_engine(), {automatic});
    check_on_all_grids(test, split_engine(0.25), {automatic});
}

TEST_F(GpuSearchTest, LongPath)
{
    check_on_all_grids({"Path", generated_graph(alone() ? "path:1500" : "path:60"), {0}}, gpu_engine(), {BfsOptions{}});
}

}  // namespace
}  // namespace wayfront::algo
