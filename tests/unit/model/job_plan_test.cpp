// Memory and times of jobs.
#include "model/job_plan.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"

namespace wayfront::model {
namespace {

PlannedGraph kronecker(int scale)
{
    const VertexClasses classes = kronecker_classes(scale, 16);
    return {classes.vertices(), 16 * classes.vertices(), classes.connected(), classes.distinct, false, 0};
}

Machine machine_of(const char* processor)
{
    for (const NamedText& network : built_in_networks())
        if (network.name == "infiniband-400")
            return {find_processor(processor), network_from_text(std::string(network.text), "built in")};
    return {};
}

/// graph_bytes + state_bytes of bench/results/gpu-scale*.json.
TEST(JobMemory, OfGpusIsWhatWasMeasured)
{
    struct Measured
    {
        int scale, gpus;
        double bytes;
    };
    for (const Measured& measured : {Measured{26, 1, 9968644652.0 + 1209198592},
                                     {28, 1, 39603473952.0 + 4633554544},
                                     {29, 2, 39956407548.0 + 5046663184},
                                     {31, 8, 42249860096.0 + 6311755104}}) {
        SCOPED_TRACE(testing::Message() << "scale " << measured.scale);
        const std::vector<PhaseMemory> memory =
            memory_of(kronecker(measured.scale), {measured.gpus, 1}, find_processor("h200"));
        EXPECT_NEAR(memory.back().device_bytes / measured.bytes, 1, 0.1);
    }
}

TEST(JobMemory, OfGridsHasRowsAndColumns)
{
    const PlannedGraph graph = kronecker(41);
    const Processor h100 = find_processor("h100");
    const double square = memory_of(graph, {128, 64}, h100).back().device_bytes;
    EXPECT_LT(square, memory_of(graph, {8192, 1}, h100).back().device_bytes);
    EXPECT_LT(square, memory_of(graph, {1, 8192}, h100).back().device_bytes);
}

TEST(JobMemory, OfCoresGrowsWithWeightsAndShrinksWithRanks)
{
    PlannedGraph graph = kronecker(20);
    const Processor core = find_processor("core");
    const double one = memory_of(graph, {1, 1}, core)[1].host_bytes;
    EXPECT_LT(memory_of(graph, {4, 4}, core)[1].host_bytes, one / 8);
    graph.weight_bytes = 4;
    EXPECT_GT(memory_of(graph, {1, 1}, core)[1].host_bytes, one);
}

TEST(JobMemory, OfShortestPathsOnCoresIsThatOfTheirState)
{
    PlannedGraph graph = kronecker(20);
    graph.weight_bytes = 4;
    const auto searches = [&graph](comm::GridShape shape) {
        return memory_of(graph, shape, find_processor("core")).back().host_bytes;
    };
    const double by_weight = searches({1, 1});
    graph.lists_by_weight = false;
    EXPECT_LT(searches({1, 1}), by_weight);
    // Heads of lists of both directions, and more of rows.
    EXPECT_NEAR(searches({2, 1}), searches({1, 2}), 0.2 * searches({2, 1}));
    graph.paths_on_one_rank = true;
    const double on_one_rank = searches({1, 1});
    graph.edges *= 2;
    // A second copy of the arcs.
    EXPECT_GT(searches({1, 1}) - on_one_rank, 2 * 8 * graph.distinct * graph.edges / 2);
}

TEST(SearchTimes, OfClassesAndOfCountsAreAlike)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source("kron:15");
    const comm::ProcessGrid grid(comm::Communicator::alone(), {1, 1});
    const DistributedGraph graph = construct(grid, SourceFeed(*source, 0, 1));
    std::vector<Vertex> keys;
    for (Vertex key = 0; keys.size() < 30; key += 997)
        if (graph.slot_of_local[static_cast<std::size_t>(key % 32768)] != graph.block.slot_stride)
            keys.push_back(key % 32768);
    const algo::DirectionPolicy policy;
    const SearchClock counted =
        clock_of_counts(std::make_shared<Counted<SearchWork>>(count_searches(graph, keys, policy, 1)), kronecker(15));
    const SearchClock field = clock_of_classes(kronecker_classes(15, 16), policy, 100);
    const Machine machine = machine_of("core");
    for (const comm::GridShape shape : {comm::GridShape{1, 1}, {4, 4}, {16, 1}, {2, 8}}) {
        SCOPED_TRACE(testing::Message() << shape.rows << "x" << shape.columns);
        SearchDesign design;
        design.shape = shape;
        const MeanTime a = mean_of(counted(design, machine));
        const MeanTime b = mean_of(field(design, machine));
        EXPECT_NEAR(b.seconds / a.seconds, 1, 0.2);
        EXPECT_NEAR(b.messages.sum(), a.messages.sum(), 0.2 * a.messages.sum());
    }
}

TEST(SearchTimes, RangesContainTheMean)
{
    const SearchClock clock =
        clock_of_classes(kronecker_classes(34, 16), {algo::DirectionChoice::automatic, 30, 1000}, 4);
    SearchDesign design;
    design.shape = {64, 1};
    const TimeRange range = range_of(clock, design, machine_of("h100"));
    EXPECT_LT(range.least, range.mean.seconds);
    EXPECT_LT(range.mean.seconds, range.most);
    const double parts = range.mean.work + range.mean.messages.sum() + range.mean.result;
    EXPECT_NEAR(parts, range.mean.seconds, 1e-9);
}

TEST(Limit, IsTheLargestPart)
{
    MeanTime time;
    time.work = 3;
    EXPECT_EQ(limit_of(time), "the processors");
    time.result = 4;
    EXPECT_EQ(limit_of(time), "writing results");
    time.messages = {1.5, 2, 1.7};
    EXPECT_EQ(limit_of(time), "messages inside hosts");
    time.messages = {2.5, 2, 1.7};
    EXPECT_EQ(limit_of(time), "the latency of messages");
    time.messages = {2.5, 2, 2.7};
    EXPECT_EQ(limit_of(time), "messages between hosts");
}

TEST(Rotation, LooksAtFewerArcs)
{
    const VertexClasses classes = kronecker_classes(26, 16);
    for (const auto& search : sample_searches(classes, {}, 4, 3))
        for (const FieldLevel& level : search) {
            if (level.direction == algo::Direction::top_down) continue;
            const double all_at_once = grid_work(classes, level, 8).arcs;
            EXPECT_LE(rotation_arcs(classes, level, 8), all_at_once * (1 + 1e-9));
            EXPECT_GE(rotation_arcs(classes, level, 8), grid_work(classes, level, 1).arcs * 0.5);
        }
}

TEST(FieldSearch, OfVeryFewEdgesEnds)
{
    std::mt19937_64 random(1);
    EXPECT_GE(field_search(uniform_classes(1e9, 1), {}, random).size(), 1U);
}

}  // namespace
}  // namespace wayfront::model
