// Searches over several ranks that share the GPUs there are, on every grid, by the GPU alone and together with the CPU, against a serial search.
#include <optional>

#include "cpu/cpu_engine.hpp"
#include "gpu/engine.hpp"
#include "gpu_guard.hpp"
#include "grid/bfs_testing.hpp"
#include "thread_guard.hpp"

namespace wayfront::algo {
namespace {

std::unique_ptr<EdgeEngine> cpu_engine(const CsrBlock& block)
{
    return std::make_unique<cpu::CpuEngine>(block);
}

EngineMaker gpu_engine(gpu::GpuTuning tuning = {})
{
    return [tuning](const CsrBlock& block) { return std::make_unique<gpu::GpuEngine>(block, tuning); };
}

EngineMaker split_engine(std::optional<double> share)
{
    return [share](const CsrBlock& block) { return std::make_unique<SplitEngine>(block, cpu_engine, gpu_engine(), share); };
}

class GpuSearchTest : public BfsTest
{
protected:
    void SetUp() override { require_gpu(world.split_by_host().rank()); }

    void check_small_graphs(const EngineMaker& make_engine)
    {
        const ThreadGuard guard(2);
        std::vector<BfsOptions> choices = directions_only();
        if (crowded) choices = {restless()};
        choices.front().smallest_parents = true;
        for (BfsOptions& options : choices) options.levels = true;
        for_small_graphs(
            [&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) { check_graph(grid, test, serial, choices, make_engine); });
    }

    void check_on_all_grids(const TestGraph& test, const EngineMaker& make_engine, const std::vector<BfsOptions>& choices)
    {
        const ThreadGuard guard(2);
        Oracle serial(test.graph);
        for (const comm::GridShape shape : shapes_of(ranks)) check_graph(comm::ProcessGrid(world, shape), test, serial, choices, make_engine);
    }
};

TEST_F(GpuSearchTest, SmallGraphs)
{
    check_small_graphs(gpu_engine());
}

TEST_F(GpuSearchTest, SmallGraphsInManyStretches)
{
    check_small_graphs(gpu_engine({128, 2}));
}

TEST_F(GpuSearchTest, SmallGraphsInAllFormsOfExchange)
{
    const ThreadGuard guard(1);
    std::size_t turn = 0;
    for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
        if (test.graph.vertices >= 100) check_graph(grid, test, serial, directions_and_formats(1, turn++), gpu_engine());
    });
}

TEST_F(GpuSearchTest, SmallGraphsSharedWithTheCpu)
{
    for (const double share : {0.1, 0.5}) {
        SCOPED_TRACE(share);
        check_small_graphs(split_engine(share));
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
        for (const EngineMaker& make_engine :
             {gpu_engine(), gpu_engine({4096, 10}), split_engine(0.1), split_engine(0.5), split_engine(std::nullopt)})
            check_on_all_grids(test, make_engine, directions_only());
    }
}

TEST_F(GpuSearchTest, KroneckerGraphOfMoreEdgesThanFitTheCopyBuffers)
{
    const TestGraph test{"Kron17", generated_graph("kron:17"), {1, 4711}};
    BfsOptions automatic;
    automatic.levels = true;
    check_on_all_grids(test, gpu_engine(), {automatic});
    check_on_all_grids(test, split_engine(0.25), {automatic});
}

TEST_F(GpuSearchTest, LongPath)
{
    check_on_all_grids({"Path", generated_graph("path:1500"), {0, 700}}, gpu_engine(), {BfsOptions{}});
}

}  // namespace
}  // namespace wayfront::algo
