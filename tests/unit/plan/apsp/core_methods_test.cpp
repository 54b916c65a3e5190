// The choice among the methods of the cores, for work of all kinds.
#include "plan/apsp/core_methods.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/elimination.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "plan/apsp/choice.hpp"

namespace wayfront::plan {
namespace {

class CoreMethods : public testing::Test
{
protected:
    /// The method for all rows of a graph with whole weights, unless the work says otherwise.
    std::string chosen(Vertex vertices, EdgeCount arcs)
    {
        graph_.partition = Partition(vertices, 1, 1);
        graph_.connected_vertices = vertices;
        graph_.directed_edges = arcs;
        graph_.directed = true;
        const auto n = static_cast<double>(vertices);
        const auto m = static_cast<double>(arcs);
        return chosen(graph_, {.vertices = n,
                               .arcs = m,
                               .inner_vertices = n,
                               .inner_arcs = m,
                               .end_degree = m / n,
                               .mean_degree = m / n,
                               .reached = 1,
                               .levels = 5,
                               .width = n / 5});
    }
    std::string chosen(const EdgeList& list)
    {
        const DistributedGraph graph = construct(grid_, ListFeed(list));
        return chosen(graph, search_shape(graph));
    }

    static EdgeList list_of(Vertex vertices, const std::vector<PackedEdge>& edges)
    {
        EdgeList list;
        list.vertex_count = vertices;
        list.edges = HostBuffer<PackedEdge>(edges.size());
        std::ranges::copy(edges, list.edges.begin());
        return list;
    }
    static EdgeList ring_of(Vertex vertices)
    {
        std::vector<PackedEdge> edges;
        for (Vertex v = 0; v < vertices; ++v) edges.push_back(PackedEdge::pack(v, (v + 1) % vertices));
        return list_of(vertices, edges);
    }

    CoreMethods() { work.weights = WeightType::uint32; }

    ApspWork work;
    // Distances too large for an elimination of vertices, which would need the lists that graph_ does not have.
    ApspDistances distances{.type = algo::DistanceType::int32,
                            .whole = true,
                            .most_distance = static_cast<double>(algo::Elimination::kFar)};
    Rates rates;
    double trial_seconds = 0;  // of the last choice
    algo::ExpectedCombination combination{.searched = 560, .combined_arcs = 5000};

private:
    std::string chosen(const DistributedGraph& graph, const SearchShape& shape)
    {
        if (work.sources == 0) work.sources = static_cast<std::size_t>(graph.partition.vertex_count());
        ApspCase asked{.job = job_,
                       .options = options_,
                       .work = work,
                       .graph = graph,
                       .rates = rates,
                       .machine = {},
                       .distances = distances,
                       .shape = shape};
        asked.machine.bytes = 64e9;
        asked.expected_combination = [this] { return combination; };
        ApspChoice choice = best_method(asked, core_methods());
        work.sources = 0;
        trial_seconds = asked.elimination_seconds;
        return std::string(choice.method->name);
    }

    comm::Communicator alone_ = comm::Communicator::alone();
    job::Job job_{alone_, 1, std::make_shared<job::NoteForwarder>(nullptr)};
    comm::ProcessGrid grid_{alone_, {1, 1}};
    EdgeList no_edges_;
    // The tests set the numbers of vertices and arcs of this graph, which has no lists.
    DistributedGraph graph_ = construct(grid_, ListFeed(no_edges_));
    ApspMethodOptions options_;
};

TEST_F(CoreMethods, SparseGraphsAreCombined)
{
    combination.searched = 50;
    EXPECT_EQ(chosen(2000, 4000), "combined");
    work.parents = true;
    EXPECT_EQ(chosen(2000, 4000), "delta-stepping") << "it finds the parents, too";
    work.parents = false;
    work.checkpoint = true;
    EXPECT_EQ(chosen(2000, 4000), "delta-stepping");
}

TEST_F(CoreMethods, PathsAreSearchedByDijkstra)
{
    work.parents = true;
    EXPECT_EQ(chosen(ring_of(2000)), "dijkstra");
}

TEST_F(CoreMethods, FewSourcesOfRoadsAreSearchedWithoutATrial)
{
    // A grid has 4 arcs a vertex; without every other rung, fewer than 3, as roads.
    constexpr Vertex side = 120;
    std::vector<PackedEdge> edges;
    for (Vertex v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) edges.push_back(PackedEdge::pack(v, v + 1));
        if (v + side < side * side && v % 3 == 0) edges.push_back(PackedEdge::pack(v, v + side));
    }
    const EdgeList roads = list_of(side * side, edges);
    distances.most_distance = 1e6;
    work.sources = 16;
    EXPECT_EQ(chosen(roads), "delta-stepping");
    EXPECT_EQ(trial_seconds, 0) << "the trial would take longer than the searches";
    work.sources = 3000;
    EXPECT_EQ(chosen(roads), "elimination");
    EXPECT_GT(trial_seconds, 0);
}

TEST_F(CoreMethods, RowsOfMostVerticesOfDenserGraphsAreSearched)
{
    combination.searched = 20000;
    EXPECT_EQ(chosen(20000, 1300000), "push-pull");
    combination.searched = 2000;
    EXPECT_EQ(chosen(20000, 1300000), "combined");
}

TEST_F(CoreMethods, DenseGraphsAreMatrices)
{
    combination.searched = 1000;
    EXPECT_EQ(chosen(1000, 500000), "floyd-warshall");
    combination.searched = 150;
    EXPECT_EQ(chosen(300, 1200), "floyd-warshall");
}

TEST_F(CoreMethods, FewSourcesAreSearched)
{
    work.sources = 10;
    EXPECT_EQ(chosen(2000, 9000), "delta-stepping");
}

TEST_F(CoreMethods, FloatsAreNotCombinedAndRarelyAMatrix)
{
    work.weights = WeightType::float32;
    distances = {.type = algo::DistanceType::float32, .whole = false};
    EXPECT_EQ(chosen(2000, 9000), "delta-stepping");
    EXPECT_EQ(chosen(300, 89700), "floyd-warshall");
}

TEST_F(CoreMethods, NegativeWeightsAreForTheMatrix)
{
    work.negative_weights = true;
    EXPECT_EQ(chosen(5000, 10000), "floyd-warshall");
}

TEST_F(CoreMethods, GraphsWithoutWeightsAreSearchedTogether)
{
    work.weights = WeightType::none;
    for (const auto& [vertices, arcs] :
         {std::pair<Vertex, EdgeCount>{2000, 9000}, {1500, 2250000}, {100000, 400000}, {500, 249500}})
        EXPECT_EQ(chosen(vertices, arcs), "bit-parallel") << vertices << " vertices, " << arcs << " arcs";
}

TEST_F(CoreMethods, DeepGraphsWithoutWeightsAreEliminated)
{
    work.weights = WeightType::none;
    distances = {.type = algo::DistanceType::uint16, .whole = true, .most_distance = 5000};
    EXPECT_EQ(chosen(ring_of(5000)), "elimination");
}

TEST_F(CoreMethods, RatesDecide)
{
    rates.core.relaxation = rates.core.wide_relaxation = 1e-15;
    EXPECT_EQ(chosen(2000, 9000), "floyd-warshall");
}

}  // namespace
}  // namespace wayfront::plan
