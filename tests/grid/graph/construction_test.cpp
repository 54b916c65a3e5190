// Construction, tested from outside: all blocks are gathered, their edges are given the input's
// numbers again, and compared with the edge list.
#include "graph/construction.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/routing.hpp"
#include "graph/generators/spec.hpp"
#include "graph/renumbering.hpp"
#include "support/graphs.hpp"
#include "support/shapes.hpp"
#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

using Pair = std::pair<Vertex, Vertex>;  // source, target

/// The edges that the blocks should hold: each direction once, without self-loops.
std::vector<Pair> block_edges(const oracle::Graph& graph)
{
    std::set<Pair> edges;
    for (const auto& [u, v] : graph.edges) {
        if (u == v) continue;
        edges.emplace(u, v);
        if (!graph.directed) edges.emplace(v, u);
    }
    return {edges.begin(), edges.end()};
}

/// The number of tuples at each vertex, without self-loops, but with duplicates: outward, and
/// inward and outward together.
struct Degrees
{
    std::map<Vertex, std::uint32_t> out;
    std::map<Vertex, std::uint32_t> both;
};

Degrees degrees_of(const oracle::Graph& graph)
{
    Degrees degrees;
    for (const auto& [u, v] : graph.edges) {
        if (u == v) continue;
        ++degrees.both[u];
        ++degrees.both[v];
        ++degrees.out[u];
        if (!graph.directed) ++degrees.out[v];
    }
    return degrees;
}

class ConstructionTest : public GridTest
{
protected:
    /// Checks all properties of one construction of a graph. Collective.
    void check(const comm::ProcessGrid& grid, const oracle::Graph& input, const EdgeFeed& feed,
               const ConstructionOptions& options)
    {
        const DistributedGraph graph = construct(grid, feed, options);
        const CsrBlock& block = graph.block;
        const comm::GridShape shape = grid.shape();
        EXPECT_EQ(graph.rank, rank);
        EXPECT_EQ(graph.directed, input.directed);
        EXPECT_EQ(graph.partition.vertex_count(), input.vertices);
        EXPECT_EQ(block.slot_stride % 64, 0U);
        EXPECT_GE(block.slot_stride, 64U);
        EXPECT_EQ(world.all_reduce(block.slot_stride, comm::Reduction::min),
                  world.all_reduce(block.slot_stride, comm::Reduction::max));
        const std::int64_t stride = block.slot_stride;
        EXPECT_EQ(block.rows(), stride * shape.columns);
        EXPECT_EQ(block.cols(), stride * shape.rows);
        EXPECT_EQ(block.own_row(0).value, stride * grid.column_index());
        EXPECT_EQ(block.own_col(0).value, stride * grid.row_index());

        check_numbering(graph, input, options.renumber);
        const std::vector<std::vector<Vertex>> vertex_of_slot = gather_slots(graph, input.vertices);
        check_columns(grid, graph, vertex_of_slot);
        check_lists(grid, graph, input, vertex_of_slot);
    }

    /// Checks the slots of this rank's vertices: vertices with edges are numbered from 0 on, by
    /// degree class or in the input's order.
    void check_numbering(const DistributedGraph& graph, const oracle::Graph& input, bool by_degree)
    {
        const Degrees degrees = degrees_of(input);
        const std::uint32_t stride = graph.block.slot_stride;
        std::map<std::uint32_t, Vertex> vertex_of_slot;
        std::size_t locals = 0;
        for (Vertex v = rank; v < input.vertices; v += ranks, ++locals) {
            ASSERT_LT(locals, graph.slot_of_local.size());
            const std::uint32_t slot = graph.slot_of_local[locals];
            EXPECT_EQ(slot != stride, degrees.both.contains(v)) << "vertex " << v << " has slot " << slot;
            if (slot == stride) continue;
            EXPECT_TRUE(vertex_of_slot.emplace(slot, v).second) << "vertex " << v << " shares slot " << slot;
        }
        EXPECT_EQ(graph.slot_of_local.size(), locals);
        EXPECT_EQ(graph.local_count(), locals);
        EXPECT_EQ(graph.connected_vertices, static_cast<std::int64_t>(degrees.both.size()));
        EXPECT_EQ(graph.input_edges, static_cast<EdgeCount>(input.edges.size()));

        ASSERT_EQ(graph.block.out_degrees.size(), stride);
        std::pair<std::uint32_t, Vertex> last{0, -1};
        std::uint32_t slot = 0;
        for (const auto& [number, v] : vertex_of_slot) {
            EXPECT_EQ(number, slot++) << "slots have a gap";
            const std::pair<std::uint32_t, Vertex> place{by_degree ? 1000 - degree_class(degrees.both.at(v)) : 0, v};
            EXPECT_LT(last, place) << "vertex " << v << " comes too late";
            last = place;
            const auto out = degrees.out.find(v);
            EXPECT_EQ(graph.block.out_degrees[number], out == degrees.out.end() ? 0 : out->second) << "vertex " << v;
        }
        for (; slot < stride; ++slot) EXPECT_EQ(graph.block.out_degrees[slot], 0U);
    }

    /// For each rank, the vertex in each of its slots; kUnreached if a slot has none. Collective.
    std::vector<std::vector<Vertex>> gather_slots(const DistributedGraph& graph, Vertex vertices)
    {
        const std::uint32_t stride = graph.block.slot_stride;
        const std::vector<std::int64_t> slots =
            gather_by_vertex(world, vertices, [&](std::size_t i) { return graph.slot_of_local[i]; });
        std::vector<std::vector<Vertex>> table(static_cast<std::size_t>(ranks),
                                               std::vector<Vertex>(stride, kUnreached));
        for (std::size_t v = 0; v < slots.size(); ++v)
            if (slots[v] != stride)
                table[v % table.size()][static_cast<std::size_t>(slots[v])] = static_cast<Vertex>(v);
        return table;
    }

    void check_columns(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                       const std::vector<std::vector<Vertex>>& vertex_of_slot)
    {
        const std::uint32_t stride = graph.block.slot_stride;
        ASSERT_EQ(graph.vertex_of_column.size(), graph.block.cols() + 1U);
        for (std::uint32_t column = 0; column < graph.block.cols(); ++column) {
            const auto owner =
                static_cast<std::size_t>(column / stride * static_cast<std::uint32_t>(grid.shape().columns)) +
                static_cast<std::size_t>(grid.column_index());
            ASSERT_EQ(graph.vertex_of_column[column], vertex_of_slot[owner][column % stride]) << "column " << column;
        }
        EXPECT_EQ(graph.vertex_of_column[graph.block.cols()], kUnreached);
    }

    void check_lists(const comm::ProcessGrid& grid, const DistributedGraph& graph, const oracle::Graph& input,
                     const std::vector<std::vector<Vertex>>& vertex_of_slot)
    {
        const CsrBlock& block = graph.block;
        const std::uint32_t stride = block.slot_stride;
        const auto vertex_of_row = [&](std::uint32_t row) {
            return vertex_of_slot[static_cast<std::size_t>(grid.row_index() * grid.shape().columns) + row / stride]
                                 [row % stride];
        };
        ASSERT_EQ(block.in_edges.lists(), block.rows());
        ASSERT_EQ(block.out_edges().lists(), block.cols());
        ASSERT_EQ(block.first_in_neighbour.size(), block.rows());

        std::vector<Pair> own_in;
        const CsrView in = block.in_edges.view();
        for (std::uint32_t row = 0; row < block.rows(); ++row) {
            std::pair<std::int64_t, std::int64_t> last{-1, -1};
            for (std::uint64_t e = in.begin(row); e < in.end(row); ++e) {
                const std::uint32_t column = in.neighbours[e];
                ASSERT_LT(column, block.cols());
                const std::pair<std::int64_t, std::int64_t> place{column % stride, column / stride};
                // The busiest first, in any chunk.
                EXPECT_LT(last, place) << "row " << row << " is not sorted by slot";
                last = place;
                own_in.emplace_back(graph.vertex_of_column[column], vertex_of_row(row));
            }
            EXPECT_EQ(block.first_in_neighbour[row], in.degree(row) == 0 ? block.cols() : in.neighbours[in.begin(row)])
                << "row " << row;
        }

        std::vector<Pair> own_out;
        const CsrView out = block.out_edges().view();
        for (std::uint32_t column = 0; column < block.cols(); ++column) {
            std::int64_t last = -1;
            for (std::uint64_t e = out.begin(column); e < out.end(column); ++e) {
                const std::uint32_t row = out.neighbours[e];
                ASSERT_LT(row, block.rows());
                EXPECT_LT(last, row) << "column " << column << " is not sorted";
                last = row;
                own_out.emplace_back(graph.vertex_of_column[column], vertex_of_row(row));
            }
        }

        const std::vector<Pair> wanted = block_edges(input);
        EXPECT_EQ(graph.directed_edges, static_cast<EdgeCount>(wanted.size()));
        const std::vector<Pair> all_in = gather_to_first(own_in);
        const std::vector<Pair> all_out = gather_to_first(own_out);
        if (rank != 0) return;
        EXPECT_EQ(all_in, wanted);
        EXPECT_EQ(all_out, wanted);
    }

    /// Gathers the pairs of all ranks on rank 0, sorted. Collective.
    std::vector<Pair> gather_to_first(const std::vector<Pair>& own)
    {
        std::vector<std::int64_t> from;
        const comm::Routing to_first(own.size(), ranks, [](std::size_t) { return 0; });
        std::vector<Pair> all;
        for (const Edge& edge : to_first.send<Edge>(world, from, [&](std::size_t i) {
                 return Edge{own[i].first, own[i].second};
             }))
            all.emplace_back(edge.source, edge.target);
        std::sort(all.begin(), all.end());
        return all;
    }
};

TEST_F(ConstructionTest, SmallGraphsOnAllGrids)
{
    for (const comm::GridShape shape : shapes_of(ranks)) {
        const comm::ProcessGrid grid(world, shape);
        for (const TestGraph& test : small_graphs()) {
            SCOPED_TRACE(test.name + " on " + to_text(shape));
            const EdgeList share = share_of(test.graph, Deal::in_turn, rank, ranks);
            check(grid, test.graph, ListFeed(share), {});
        }
    }
}

TEST_F(ConstructionTest, TheInputsOrderIsKeptWhereNothingIsRenumbered)
{
    for (const comm::GridShape shape : shapes_of(ranks)) {
        const comm::ProcessGrid grid(world, shape);
        for (const TestGraph& test : small_graphs()) {
            SCOPED_TRACE(test.name + " on " + to_text(shape));
            const EdgeList share = share_of(test.graph, Deal::in_turn, rank, ranks);
            check(grid, test.graph, ListFeed(share), {.renumber = false});
        }
    }
}

TEST_F(ConstructionTest, ManyRoundsOfExchangeWithUnequalShares)
{
    for (const comm::GridShape shape : shapes_of(ranks)) {
        const comm::ProcessGrid grid(world, shape);
        for (const bool directed : {false, true}) {
            const oracle::Graph graph = random_graph(90, 200, directed, 41);
            for (const Deal deal : {Deal::in_turn, Deal::to_the_last, Deal::unequal})
                for (const std::size_t chunk : {1U, 7U, 64U}) {
                    SCOPED_TRACE(testing::Message()
                                 << to_text(shape) << ", deal " << static_cast<int>(deal) << ", chunks of " << chunk);
                    const EdgeList share = share_of(graph, deal, rank, ranks);
                    check(grid, graph, ListFeed(share), {.chunk_edges = chunk});
                }
        }
    }
}

TEST_F(ConstructionTest, AGraphLargeEnoughForAllThreads)
{
    for (const bool directed : {false, true}) {
        const oracle::Graph graph = random_graph(20000, 30000, directed, 42);
        const EdgeList share = share_of(graph, Deal::unequal, rank, ranks);
        const comm::ProcessGrid grid(world, shapes_of(ranks)[shapes_of(ranks).size() / 2]);
        for (const int threads : ranks <= 4 ? std::vector<int>{1, 2, 3} : std::vector<int>{2}) {
            SCOPED_TRACE(testing::Message() << threads << " threads, directed " << directed);
            const ThreadGuard guard(threads);
            check(grid, graph, ListFeed(share), {.chunk_edges = 9000});
        }
    }
}

TEST_F(ConstructionTest, ASourceMakesTheSameGraphAsItsList)
{
    for (const std::string spec : {"kron:7", "random:n=211,m=700", "ring:50", "grid:9x9"}) {
        const std::unique_ptr<EdgeSource> source = make_edge_source(spec);
        const oracle::Graph graph = generated_graph(spec);
        for (const comm::GridShape shape : shapes_of(ranks)) {
            SCOPED_TRACE(spec + " on " + to_text(shape));
            const comm::ProcessGrid grid(world, shape);
            check(grid, graph, SourceFeed(*source, rank, ranks), {.chunk_edges = 100});
            const EdgeList share = generate_share(*source, rank, ranks, false);
            check(grid, graph, ListFeed(share), {.chunk_edges = 100});
        }
    }
}

TEST_F(ConstructionTest, AGraphWithoutVertices)
{
    for (const bool directed : {false, true})
        for (const comm::GridShape shape : shapes_of(ranks)) {
            const comm::ProcessGrid grid(world, shape);
            const oracle::Graph nothing{0, directed, {}};
            const EdgeList share = share_of(nothing, Deal::in_turn, rank, ranks);
            check(grid, nothing, ListFeed(share), {});
        }
}

TEST_F(ConstructionTest, TooManyVerticesAreRefusedByAllRanksBeforeAnyWork)
{
    const comm::ProcessGrid grid(world, {ranks, 1});
    EdgeList list;
    list.vertex_count = Vertex{1} << 33;
    EXPECT_THROW(construct(grid, ListFeed(list)), InputError);
    list.vertex_count = -1;
    EXPECT_THROW(construct(grid, ListFeed(list)), InputError);
}

TEST_F(ConstructionTest, TheVertexCountIsFoundInTheEdges)
{
    const comm::ProcessGrid grid(world, {1, ranks});
    for (const Deal deal : {Deal::in_turn, Deal::to_the_last, Deal::unequal})
        for (const std::size_t chunk : {1U, 3U, 1000U}) {
            const auto count = [&](const oracle::Graph& graph) {
                const EdgeList share = share_of(graph, deal, rank, ranks);
                return find_vertex_count(grid, ListFeed(share), chunk);
            };
            EXPECT_EQ(count({0, false, {}}), 0);
            EXPECT_EQ(count({1, false, {{0, 0}}}), 1);
            EXPECT_EQ(count({0, false, {{5, 2}, {1, 0}, {3, 1}}}), 6);
            EXPECT_EQ(count({0, false, {{0, 2}, {1, 0}, {3, 17}, {2, 2}, {0, 0}}}), 18);
            EXPECT_EQ(count({0, false, {{kMaxVertices - 1, 2}, {1, 0}}}), kMaxVertices);
        }
}

}  // namespace
}  // namespace wayfront
