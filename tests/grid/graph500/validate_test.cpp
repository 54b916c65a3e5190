// The validator: correct searches pass with the correct numbers, and violations of each of the five
// rules are found, over any number of ranks.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph500/validate_edges.hpp"
#include "graph500/validate_levels.hpp"
#include "support/validate_testing.hpp"

namespace wayfront::graph500 {
namespace {

// Chunks of one edge, of a few, and of all.
INSTANTIATE_TEST_SUITE_P(Chunks, Validate,
                         testing::Values(ValidatorSizes{1, kAtOwners}, ValidatorSizes{3, kAtOwners},
                                         ValidatorSizes{ValidatorSizes::kMostChunk, kAtOwners},
                                         ValidatorSizes{3, kGathered},
                                         ValidatorSizes{ValidatorSizes::kMostChunk, kGathered}),
                         name_of);

//        1 --- 3
//      /   \     \      7 --- 8
//    0       4 --- 5
//      \   /                9
//        2 --- 6
const Graph kSmall = {10, false, {{0, 1}, {2, 0}, {1, 3}, {1, 4}, {4, 2}, {3, 5}, {5, 4}, {6, 2}, {7, 8}}};
const Parents kSmallParents = {0, 0, 0, 1, 1, 3, 2, -1, -1, -1};  // levels 0 1 1 2 2 3 2

TEST_P(Validate, ARightSearchPasses)
{
    const BfsValidation result = validate(kSmall, 0, kSmallParents);
    ASSERT_TRUE(result.valid()) << describe(*result.violation);
    EXPECT_EQ(result.edges, 8);
    EXPECT_EQ(result.reached, 7);
    EXPECT_EQ(result.eccentricity, 3);
    expect_valid(kSmall, 8, 1, 2, 1);
}

TEST_P(Validate, AnyOfSeveralParentsIsRight)
{
    Parents parents = kSmallParents;
    parents[4] = 2;
    parents[5] = 4;
    const BfsValidation result = validate(kSmall, 0, parents);
    EXPECT_TRUE(result.valid());
}

TEST_P(Validate, Rule1AnotherParentOfTheKey)
{
    Parents parents = kSmallParents;
    parents[0] = 1;
    expect_violation(kSmall, 0, parents, Rule::tree, "the key 0 has parent 1, not itself");
    parents[0] = -1;
    expect_violation(kSmall, 0, parents, Rule::tree, "the key 0 has parent -1, not itself");
}

TEST_P(Validate, Rule1AParentThatIsNoVertex)
{
    Parents parents = kSmallParents;
    parents[6] = 10;
    expect_violation(kSmall, 0, parents, Rule::tree, "vertex 6 has parent 10, outside 0 to 9");
    parents[6] = -2;
    expect_violation(kSmall, 0, parents, Rule::tree, "vertex 6 has parent -2, outside 0 to 9");
}

TEST_P(Validate, Rule1ASecondRoot)
{
    Parents parents = kSmallParents;
    parents[7] = 7;
    expect_violation(kSmall, 0, parents, Rule::tree, "vertex 7 is its own parent, but not the key 0");
}

TEST_P(Validate, Rule1AParentThatWasNotReached)
{
    Parents parents = kSmallParents;
    parents[8] = 7;
    expect_violation(kSmall, 0, parents, Rule::tree, "vertex 8 has parent 7, and its ancestor 7 was not reached");
}

TEST_P(Validate, Rule1Cycles)
{
    Parents parents = kSmallParents;
    parents[7] = 8;
    parents[8] = 7;
    const BfsValidation two = validate(kSmall, 0, parents);
    ASSERT_FALSE(two.valid());
    EXPECT_EQ(two.violation->rule, Rule::tree);
    EXPECT_NE(two.violation->what.find("lead into a cycle"), std::string::npos) << two.violation->what;
    parents = kSmallParents;  // 1 -> 3 -> 5 -> 4 -> 1, with 0 above
    parents[1] = 3;
    parents[3] = 5;
    parents[5] = 4;
    const BfsValidation four = validate(kSmall, 0, parents);
    ASSERT_FALSE(four.valid());
    EXPECT_EQ(four.violation->rule, Rule::tree);
    EXPECT_NE(four.violation->what.find("lead into a cycle"), std::string::npos) << four.violation->what;
}

TEST_P(Validate, Rule1LongCyclesOfAnyLength)
{
    for (const Vertex length : {2, 3, 63, 64, 65, 100}) {
        const Graph ring = graph_of("ring:101");
        Parents parents(101);
        parents[0] = 0;
        for (Vertex v = 1; v <= 100; ++v) parents[static_cast<std::size_t>(v)] = v == 101 - length ? 100 : v - 1;
        const BfsValidation result = validate(ring, 0, parents);
        ASSERT_FALSE(result.valid()) << length;
        EXPECT_EQ(result.violation->rule, Rule::tree);
    }
}

TEST_P(Validate, Rule2And3ATreeThatIsNotShortest)
{
    // The parent of 4 is 5, which has the same or a deeper level: the level of 4 becomes 4, which
    // is too deep for its edge to 1.
    Parents parents = kSmallParents;
    parents[4] = 5;
    expect_violation({10, false, {{0, 1}, {2, 0}, {1, 3}, {3, 5}, {5, 4}, {1, 4}, {6, 2}, {7, 8}}}, 0, parents,
                     Rule::edge_levels, "edge 1 - 4 joins level 1 and level 4");
    // A path that is deeper than shortest paths can be: a depth-first search of a ring.
    const Graph ring = graph_of("ring:12");
    Parents around(12);
    for (Vertex v = 0; v < 12; ++v) around[static_cast<std::size_t>(v)] = v == 0 ? 0 : v - 1;
    expect_violation(ring, 0, around, Rule::edge_levels, "edge 11 - 0 joins level 11 and level 0");
}

TEST_P(Validate, Rule4AVertexLeftOut)
{
    Parents parents = kSmallParents;
    parents[6] = -1;
    expect_violation(kSmall, 0, parents, Rule::component, "edge 6 - 2 joins not reached and level 1");
}

TEST_P(Validate, Rule4AWholeBranchLeftOut)
{
    Parents parents(10, -1);
    parents[0] = 0;
    const BfsValidation result = validate(kSmall, 0, parents);
    ASSERT_FALSE(result.valid());
    EXPECT_EQ(result.violation->rule, Rule::component);
}

TEST_P(Validate, Rule5AParentWithoutAnEdge)
{
    Parents parents = kSmallParents;
    parents[6] = 1;  // correct level, but there is no edge 1 - 6
    expect_violation(kSmall, 0, parents, Rule::tree_edges, "no edge joins vertex 6, level 2, to its parent 1");
    parents = kSmallParents;
    parents[7] = 0;  // another component, attached by edges that do not exist
    parents[8] = 7;
    expect_violation(kSmall, 0, parents, Rule::tree_edges, "no edge joins vertex 7, level 1, to its parent 0");
}

TEST_P(Validate, AnIsolatedKey)
{
    expect_valid(kSmall, 9, 0, 1, 0);
    Parents parents(10, -1);
    expect_violation(kSmall, 9, parents, Rule::tree, "the key 9 has parent -1, not itself");
}

TEST_P(Validate, OneVertex)
{
    expect_valid({1, false, {}}, 0, 0, 1, 0);
    expect_valid({1, false, {{0, 0}, {0, 0}}}, 0, 2, 1, 0);
}

TEST_P(Validate, SelfLoopsCountOnceAndJoinNothing)
{
    const Graph graph = {4, false, {{0, 0}, {0, 1}, {1, 1}, {1, 1}, {1, 2}, {3, 3}}};
    expect_valid(graph, 0, 5, 3, 2);
    expect_valid(graph, 3, 1, 1, 0);
    expect_violation(graph, 0, {0, 0, 2, -1}, Rule::tree, "vertex 2 is its own parent, but not the key 0");
}

TEST_P(Validate, DuplicatesCountEachInEitherDirection)
{
    expect_valid({3, false, {{0, 1}, {1, 0}, {0, 1}, {1, 2}, {2, 1}}}, 0, 5, 3, 2);
}

// 0 -> 1 -> 2 -> 3 -> 0, 3 -> 1, 4 -> 0, 2 -> 0
const Graph kDirected = {5, true, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 1}, {4, 0}, {2, 0}}};

TEST_P(Validate, DirectedEdgesMayLeadUpAnyDistance)
{
    expect_valid(kDirected, 0, 6, 4, 3);
    expect_valid(kDirected, 4, 7, 5, 4);
}

TEST_P(Validate, DirectedRules)
{
    expect_violation(kDirected, 0, {0, 0, 1, -1, -1}, Rule::component, "edge 2 -> 3 joins level 2 and not reached");
    // An edge in the wrong direction is not a tree edge: 4 -> 0 does not lead from 0 to 4.
    expect_violation(kDirected, 0, {0, 0, 1, 2, 0}, Rule::tree_edges,
                     "no edge joins vertex 4, level 1, to its parent 0");
    const Graph shortcut = {4, true, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}};
    expect_violation(shortcut, 0, {0, 0, 1, 2}, Rule::edge_levels, "edge 0 -> 3 joins level 0 and level 3");
    expect_valid(shortcut, 0, 4, 4, 2);
}

TEST_P(Validate, OneValidatorServesManySearches)
{
    const Partition partition(kSmall.n, 1, world_.size());
    EdgeList list{kSmall.n, false, HostBuffer<PackedEdge>(world_.rank() == 0 ? kSmall.edges.size() : 0), {}};
    // The other ranks have no edges.
    for (std::size_t i = 0; i < list.edges.size(); ++i) list.edges[i] = PackedEdge::pack(kSmall.edges[i]);
    const ListFeed feed(list);
    BfsValidator validator(world_, partition, feed, GetParam());
    for (Vertex key = 0; key < kSmall.n; ++key) {
        for (const bool broken : {false, true}) {
            Parents parents = search(kSmall, key);
            if (broken) parents[static_cast<std::size_t>((key + 5) % 10)] = (key + 5) % 10;
            VertexArray own(partition.chunk_size(world_.rank()), kSmall.n);
            for (std::uint32_t local = 0; local < own.size(); ++local)
                own.set(local, parents[static_cast<std::size_t>(partition.vertex(world_.rank(), local))]);
            EXPECT_EQ(validator.validate(key, own).valid(), !broken) << "key " << key;
        }
    }
}

TEST_P(Validate, WideVertexNumbers)
{
    // Graphs with more than 2^31 vertices have 64-bit parents; here such parents are passed to the
    // two steps directly.
    const Partition partition(kSmall.n, 1, world_.size());
    const std::size_t size = partition.chunk_size(world_.rank());
    EdgeList list{
        kSmall.n, false, HostBuffer<PackedEdge>(world_.rank() == world_.size() - 1 ? kSmall.edges.size() : 0), {}};
    for (std::size_t i = 0; i < list.edges.size(); ++i) list.edges[i] = PackedEdge::pack(kSmall.edges[i]);
    const ListFeed feed(list);
    LevelScratch scratch{VertexArray(size, kMaxVertices), HostBuffer<std::uint32_t>(size)};
    for (const Vertex parent_of_6 : {2, 1, 6}) {  // correct; without an edge; no tree
        std::vector<Vertex> parents(size);
        for (std::uint32_t local = 0; local < size; ++local) {
            const Vertex v = partition.vertex(world_.rank(), local);
            parents[local] = v == 6 ? parent_of_6 : kSmallParents[static_cast<std::size_t>(v)];
        }
        std::vector<std::uint32_t> levels(size);
        std::vector<std::uint8_t> confirmed(size, 0);
        ViolationRecord violations;
        tree_levels<Vertex>({world_, partition, 0, parents}, levels, scratch, GetParam().chunk, violations);
        EXPECT_EQ(violations.agree(world_).has_value(), parent_of_6 == 6);
        if (parent_of_6 == 6) continue;
        const TreeView<Vertex> tree{parents, levels, confirmed};
        EXPECT_EQ(check_edges({world_, partition, feed, GetParam().chunk}, tree, violations), 8);
        EXPECT_FALSE(violations.agree(world_).has_value());
        const std::vector<std::uint32_t> expected = {0, 1, 1, 2, 2, 3, 2, kNoLevel, kNoLevel, kNoLevel};
        for (std::uint32_t local = 0; local < size; ++local) {
            const Vertex v = partition.vertex(world_.rank(), local);
            EXPECT_EQ(levels[local], expected[static_cast<std::size_t>(v)]) << v;
            EXPECT_EQ(confirmed[local] != 0, v >= 1 && v <= 6 && (v != 6 || parent_of_6 == 2)) << v;
        }
    }
}

TEST_P(Validate, AnEdgeConfirmsAParentOnlyOneLevelUp)
{
    // Rule 2, with levels that no tree has: vertex 2's parent is on its own level.
    const Parents all_parents = {0, 0, 1};
    const std::vector<std::uint32_t> all_levels = {0, 1, 1};
    const std::vector<std::uint8_t> expected = {0, 1, 0};
    const Partition partition(3, 1, world_.size());
    EdgeList list{3, false, HostBuffer<PackedEdge>(world_.rank() == 0 ? 2 : 0), {}};
    for (std::size_t i = 0; i < list.edges.size(); ++i)
        list.edges[i] = PackedEdge::pack(static_cast<Vertex>(i), static_cast<Vertex>(i + 1));
    const ListFeed feed(list);
    std::vector<std::int32_t> parents;
    std::vector<std::uint32_t> levels;
    std::vector<std::uint8_t> wanted;
    for (std::uint32_t local = 0; local < partition.chunk_size(world_.rank()); ++local) {
        const auto v = static_cast<std::size_t>(partition.vertex(world_.rank(), local));
        parents.push_back(static_cast<std::int32_t>(all_parents[v]));
        levels.push_back(all_levels[v]);
        wanted.push_back(expected[v]);
    }
    std::vector<std::uint8_t> confirmed(parents.size(), 0);
    ViolationRecord violations;
    EXPECT_EQ(check_edges({world_, partition, feed, GetParam().chunk},
                          TreeView<std::int32_t>{parents, levels, confirmed}, violations),
              2);
    EXPECT_EQ(confirmed, wanted);
}

class ValidateNearest : public Validate
{
protected:
    // Levels of kSmall from 0 and 5: 0 1 1 1 1 0 2; vertex 3 is nearest to 5, and 4 to 5; 1 to 0.
    const std::vector<Vertex> keys_{0, 5};
    const Parents nearest_{0, 0, 0, 5, 5, 5, 0, -1, -1, -1};
    const Parents parents_{0, 0, 0, 5, 5, 5, 2, -1, -1, -1};

    void expect(const Parents& nearest, const Parents& parents, Rule rule, const std::string& what)
    {
        const BfsValidation result = validate_nearest(kSmall, keys_, nearest, parents);
        ASSERT_FALSE(result.valid()) << "a broken rule was not caught";
        EXPECT_EQ(static_cast<int>(result.violation->rule), static_cast<int>(rule)) << describe(*result.violation);
        EXPECT_EQ(result.violation->what, what);
    }
};
INSTANTIATE_TEST_SUITE_P(Chunks, ValidateNearest,
                         testing::Values(ValidatorSizes{1, kAtOwners}, ValidatorSizes{3, kAtOwners},
                                         ValidatorSizes{ValidatorSizes::kMostChunk, kGathered}),
                         name_of);

TEST_P(ValidateNearest, ARightSearchPasses)
{
    const BfsValidation result = validate_nearest(kSmall, keys_, nearest_, parents_);
    ASSERT_TRUE(result.valid()) << describe(*result.violation);
    EXPECT_EQ(result.edges, 8);
    EXPECT_EQ(result.reached, 7);
    EXPECT_EQ(result.eccentricity, 2);
}

TEST_P(ValidateNearest, Rule1ParentsThatLeadToAnotherKey)
{
    Parents nearest = nearest_;
    nearest[6] = 5;
    expect(nearest, parents_, Rule::tree, "the parents of vertex 6 lead to the key 0, but its nearest key is 5");
}

TEST_P(ValidateNearest, Rule1ANearestKeyThatIsNone)
{
    Parents nearest = nearest_;
    nearest[6] = 2;
    expect(nearest, parents_, Rule::tree, "vertex 6 has the nearest key 2, which is no key");
    nearest[6] = -1;
    expect(nearest, parents_, Rule::tree, "vertex 6 has the nearest key -1, which is no key");
    nearest = nearest_;
    nearest[8] = 0;
    expect(nearest, parents_, Rule::tree, "vertex 8, which was not reached, has the nearest key 0");
}

TEST_P(ValidateNearest, Rule3AVertexWithANearerKey)
{
    Parents nearest = nearest_;
    Parents parents = parents_;
    nearest[3] = 0;  // at level 2 from 0, and at level 1 from 5
    parents[3] = 1;
    const BfsValidation result = validate_nearest(kSmall, keys_, nearest, parents);
    ASSERT_TRUE(!result.valid());
    EXPECT_EQ(result.violation->rule, Rule::edge_levels) << describe(*result.violation);
}

TEST_P(ValidateNearest, Rule6AGreaterKeyThatIsAsNear)
{
    // 3 is between 1, a neighbour of 0, and 5, a neighbour of 6.
    const Graph path = {7, false, {{0, 1}, {1, 3}, {3, 5}, {5, 6}}};
    const Parents nearest{0, 0, -1, 0, -1, 6, 6};
    const Parents parents{0, 0, -1, 1, -1, 6, 6};
    EXPECT_TRUE(validate_nearest(path, {0, 6}, nearest, parents).valid());
    Parents greater = nearest;
    Parents its_parents = parents;
    greater[3] = 6;
    its_parents[3] = 5;
    const BfsValidation result = validate_nearest(path, {0, 6}, greater, its_parents);
    ASSERT_FALSE(result.valid());
    EXPECT_EQ(result.violation->what, "edge 1 - 3 of a shortest path joins vertices whose nearest keys are 0 and 6");
    EXPECT_NE(describe(*result.violation).find("rule 6"), std::string::npos);
}

TEST_P(ValidateNearest, Rule6AKeyThatIsNotAtLevel0)
{
    Parents nearest = nearest_;
    Parents parents = parents_;
    for (const std::size_t v : {3U, 4U, 5U}) nearest[v] = 0;
    parents[3] = 1;
    parents[4] = 1;
    parents[5] = 3;
    expect(nearest, parents, Rule::nearest, "the key 5 is not at level 0");
}

}  // namespace
}  // namespace wayfront::graph500
