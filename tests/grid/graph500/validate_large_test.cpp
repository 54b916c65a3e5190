// The validator on larger graphs: deep trees, generated graphs, every single wrong parent, and
// ranks of several threads.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/validate_testing.hpp"

namespace wayfront::graph500 {
namespace {

// The larger graphs, in chunks so small that there are several exchanges.
class ValidateLarge : public Validate
{
};
INSTANTIATE_TEST_SUITE_P(Chunks, ValidateLarge,
                         testing::Values(ValidatorSizes{500, kAtOwners}, ValidatorSizes{500, kGathered},
                                         ValidatorSizes{ValidatorSizes::kMostChunk, kAtOwners},
                                         ValidatorSizes{ValidatorSizes::kMostChunk, kGathered}),
                         name_of);

TEST_P(ValidateLarge, DeepTrees)
{
    const Graph path = graph_of("path:1000");
    expect_valid(path, 0, 999, 1000, 999);
    expect_valid(path, 500, 999, 1000, 500);
}

TEST_P(ValidateLarge, SearchesOfGeneratedGraphs)
{
    for (const char* spec :
         {"kron:9", "rmat:9,directed=1", "random:1000,1500", "grid:20x30", "star:500", "complete:40"}) {
        SCOPED_TRACE(spec);
        const Graph graph = graph_of(spec);
        for (const Vertex key : {Vertex{0}, graph.n / 2, graph.n - 1}) {
            const Parents parents = search(graph, key);
            EdgeCount inside = 0;
            for (const Edge& edge : graph.edges)
                inside += parents[static_cast<std::size_t>(edge.source)] != kUnreached ? 1 : 0;
            const BfsValidation result = validate(graph, key, parents);
            ASSERT_TRUE(result.valid()) << describe(*result.violation);
            EXPECT_EQ(result.edges, inside);
            EXPECT_EQ(result.reached, std::ranges::count_if(parents, [](Vertex p) { return p != kUnreached; }));
        }
    }
}

TEST_P(ValidateLarge, AnySingleWrongParentIsCaught)
{
    const Graph graph = graph_of("random:60,100");
    const Parents right = search(graph, 3);
    std::vector<std::vector<bool>> joined(60, std::vector<bool>(60, false));
    for (const Edge& edge : graph.edges)
        joined[static_cast<std::size_t>(edge.source)][static_cast<std::size_t>(edge.target)] =
            joined[static_cast<std::size_t>(edge.target)][static_cast<std::size_t>(edge.source)] = true;
    const auto level = [&right](Vertex v) {
        int steps = 0;
        for (; v != 3; v = right[static_cast<std::size_t>(v)]) ++steps;
        return steps;
    };
    for (std::size_t v = 0; v < 60; v += 11) {
        for (Vertex parent = -1; parent < 60; parent += 2) {
            const bool reached =
                right[v] != kUnreached && parent != kUnreached && right[static_cast<std::size_t>(parent)] != kUnreached;
            const bool good = parent == right[v] || (v != 3 && reached && joined[v][static_cast<std::size_t>(parent)] &&
                                                     level(parent) + 1 == level(static_cast<Vertex>(v)));
            Parents parents = right;
            parents[v] = parent;
            EXPECT_EQ(validate(graph, 3, parents).valid(), good) << "vertex " << v << ", parent " << parent;
        }
    }
}

// Graphs that are large enough for the threads of a rank to share the work.
class ValidateThreads : public Validate
{
};
INSTANTIATE_TEST_SUITE_P(Chunks, ValidateThreads,
                         testing::Values(ValidatorSizes{30000, kAtOwners}, ValidatorSizes{30000, kGathered}), name_of);

TEST_P(ValidateThreads, SearchesAndTheirFaults)
{
    for (const char* spec : {"kron:13", "grid:100x100", "rmat:13,directed=1"}) {
        SCOPED_TRACE(spec);
        const Graph graph = graph_of(spec);
        const Vertex key = graph.edges[0].source;
        const Parents parents = search(graph, key);
        EdgeCount inside = 0;
        for (const Edge& edge : graph.edges)
            inside += parents[static_cast<std::size_t>(edge.source)] != kUnreached ? 1 : 0;
        const BfsValidation right = validate(graph, key, parents);
        ASSERT_TRUE(right.valid()) << describe(*right.violation);
        EXPECT_EQ(right.edges, inside);
        EXPECT_EQ(right.reached, std::ranges::count_if(parents, [](Vertex p) { return p != kUnreached; }));

        // There are two faults of a kind. For any timing of the threads, the one of the lowest rank
        // and number is named; if every rank has all results, that of the lowest number.
        std::vector<Vertex> faulty;
        for (Vertex v = graph.n - 1; faulty.size() < 2; --v) {
            if (parents[static_cast<std::size_t>(v)] != kUnreached && v != key) faulty.push_back(v);
        }
        const int ranks = GetParam().most_gathered == kGathered ? 1 : world_.size();
        if (faulty[1] % ranks <= faulty[0] % ranks) std::swap(faulty[0], faulty[1]);
        Parents wrong = parents;
        for (const Vertex v : faulty) wrong[static_cast<std::size_t>(v)] = graph.n + v;
        expect_violation(graph, key, wrong, Rule::tree,
                         "vertex " + std::to_string(faulty[0]) + " has parent " + std::to_string(graph.n + faulty[0]) +
                             ", outside 0 to " + std::to_string(graph.n - 1));
        wrong = parents;
        wrong[static_cast<std::size_t>(faulty[0])] = faulty[1];
        wrong[static_cast<std::size_t>(faulty[1])] = faulty[0];
        const BfsValidation cycle = validate(graph, key, wrong);
        ASSERT_FALSE(cycle.valid());
        EXPECT_EQ(cycle.violation->rule, Rule::tree);
    }
}

}  // namespace
}  // namespace wayfront::graph500
