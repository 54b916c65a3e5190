// The program's reports of searches and of validation on GPUs: pure functions, which need no GPU.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "session/bfs/device_levels.hpp"
#include "session/verdict.hpp"

namespace wayfront::app {
namespace {

gpu::kron::Verdict verdict(gpu::kron::Fault fault, int rule)
{
    gpu::kron::Verdict found;
    found.fault = fault;
    found.rule = rule;
    found.vertex = 5;
    found.parent = 9;
    found.level = 2;
    found.other_level = -1;
    return found;
}

TEST(Verdict, KeepsTheNumbersOfAValidSearch)
{
    gpu::kron::Verdict valid;
    valid.component_tuples = 100;
    valid.reached = 20;
    valid.max_level = 3;
    const graph500::BfsValidation validation = session::to_validation(valid, 64);
    EXPECT_TRUE(validation.valid());
    EXPECT_EQ(validation.edges, 100);
    EXPECT_EQ(validation.reached, 20);
    EXPECT_EQ(validation.eccentricity, 3);
}

TEST(Verdict, NamesTheRuleAndTheOffender)
{
    const graph500::BfsValidation range = session::to_validation(verdict(gpu::kron::Fault::parent_range, 1), 64);
    ASSERT_FALSE(range.valid());
    EXPECT_EQ(range.violation->rule, graph500::Rule::tree);
    EXPECT_EQ(range.violation->what, "vertex 5 has parent 9, outside 0 to 63");
    const graph500::BfsValidation edge = session::to_validation(verdict(gpu::kron::Fault::leaves_component, 4), 64);
    ASSERT_FALSE(edge.valid());
    EXPECT_EQ(edge.violation->rule, graph500::Rule::component);
    EXPECT_EQ(edge.violation->what, "edge 5 - 9 joins level 2 and not reached");
}

TEST(Verdict, HasWordsForEveryFault)
{
    for (int fault = static_cast<int>(gpu::kron::Fault::none) + 1;
         fault <= static_cast<int>(gpu::kron::Fault::missing_tree_edge); ++fault)
        EXPECT_FALSE(
            session::to_validation(verdict(static_cast<gpu::kron::Fault>(fault), 1), 64).violation->what.empty())
            << fault;
}

gpu::kron::DistanceVerdict verdict(gpu::kron::DistanceFault fault, int rule)
{
    gpu::kron::DistanceVerdict found;
    found.fault = fault;
    found.rule = rule;
    found.vertex = 5;
    found.parent = 9;
    found.distance = 0.25F;
    found.other_distance = std::numeric_limits<float>::infinity();
    found.weight = 0.5F;
    return found;
}

TEST(DistanceVerdict, KeepsTheNumbersOfAValidSearch)
{
    gpu::kron::DistanceVerdict valid;
    valid.component_tuples = 100;
    valid.reached = 20;
    const graph500::Validation validation = session::to_validation(valid, 64);
    EXPECT_TRUE(validation.valid());
    EXPECT_EQ(validation.edges, 100);
    EXPECT_EQ(validation.reached, 20);
}

TEST(DistanceVerdict, NamesTheRuleAndTheOffender)
{
    gpu::kron::DistanceVerdict tree = verdict(gpu::kron::DistanceFault::tree, 1);
    tree.tree_fault = gpu::kron::Fault::parent_range;
    EXPECT_EQ(session::to_validation(tree, 64).violation->rule, graph500::Rule::tree);
    EXPECT_EQ(session::to_validation(tree, 64).violation->what, "vertex 5 has parent 9, outside 0 to 63");
    const graph500::Validation sum = session::to_validation(verdict(gpu::kron::DistanceFault::wrong_sum, 2), 64);
    EXPECT_EQ(sum.violation->rule, graph500::Rule::tree_distances);
    EXPECT_EQ(sum.violation->what,
              "vertex 5 has distance 0.25, its parent 9 has distance inf, and their lightest edge has weight 0.5");
    const graph500::Validation shorter = session::to_validation(verdict(gpu::kron::DistanceFault::shorter_path, 3), 64);
    EXPECT_EQ(shorter.violation->rule, graph500::Rule::edge_distances);
    const graph500::Validation edge =
        session::to_validation(verdict(gpu::kron::DistanceFault::leaves_component, 4), 64);
    EXPECT_EQ(edge.violation->rule, graph500::Rule::component);
    EXPECT_EQ(edge.violation->what, "edge 5 - 9, weight 0.5, joins distance 0.25 and not reached");
}

TEST(DistanceVerdict, HasWordsForEveryFault)
{
    for (int fault = static_cast<int>(gpu::kron::DistanceFault::tree) + 1;
         fault <= static_cast<int>(gpu::kron::DistanceFault::missing_tree_edge); ++fault)
        EXPECT_FALSE(session::to_validation(verdict(static_cast<gpu::kron::DistanceFault>(fault), 2), 64)
                         .violation->what.empty())
            << fault;
}

TEST(DeviceLevels, AsRecorded)
{
    const std::vector<algo::LevelRecord> records = session::as_level_records({{1, false, 1, 4}, {2, true, 9, 0}});
    ASSERT_EQ(records.size(), 2);
    EXPECT_EQ(records[0].direction, algo::Direction::top_down);
    EXPECT_EQ(records[0].frontier.out_edges, 4);
    EXPECT_EQ(records[1].direction, algo::Direction::bottom_up);
    EXPECT_EQ(records[1].frontier.vertices, 9);
}

TEST(DeviceLevels, LevelsWithoutARecordWentTopDown)
{
    using algo::Direction;
    const std::vector<std::uint64_t> vertices = {1, 3, 7, 500, 2, 1};
    const std::vector<algo::LevelRecord> recorded = {
        {Direction::top_down, {1, 3}}, {Direction::bottom_up, {500, 0}}, {Direction::top_down, {2, 4}}};
    const std::vector<algo::LevelRecord> records =
        session::complete_level_records(vertices, recorded, algo::DirectionChoice::automatic);
    ASSERT_EQ(records.size(), vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        EXPECT_EQ(records[i].frontier.vertices, vertices[i]);
        EXPECT_EQ(records[i].direction, i == 3 ? Direction::bottom_up : Direction::top_down) << i;
    }
    EXPECT_EQ(records[4].frontier.out_edges, 4);
}

TEST(DeviceLevels, PastTheLastRecordTheForcedDirectionHolds)
{
    const std::vector<std::uint64_t> vertices = {1, 2, 3};
    const std::vector<algo::LevelRecord> recorded = {{algo::Direction::bottom_up, {1, 0}}};
    for (const algo::LevelRecord& record :
         session::complete_level_records(vertices, recorded, algo::DirectionChoice::bottom_up))
        EXPECT_EQ(record.direction, algo::Direction::bottom_up);
}

}  // namespace
}  // namespace wayfront::app
