// The blocks that are cut from a whole graph, compared with those that the ranks construct.
#include "model/virtual_blocks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/construction.hpp"
#include "support/random_numbers.hpp"
#include "support/sanitized.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront::model {
namespace {

/// The neighbours of each list.
std::vector<std::vector<std::uint32_t>> lists_of(const Csr& csr)
{
    const CsrView view = csr.view();
    std::vector<std::vector<std::uint32_t>> lists(csr.lists());
    for (std::uint32_t list = 0; list < csr.lists(); ++list)
        lists[list].assign(view.neighbours + view.begin(list), view.neighbours + view.end(list));
    return lists;
}

template <typename Buffer>
bool equal(const Buffer& first, const Buffer& second)
{
    return std::ranges::equal(first.span(), second.span());
}

bool equal_weights(const BlockWeights& first, const BlockWeights& second)
{
    return std::visit(
        []<typename A, typename B>(const A& a, const B& b) {
            if constexpr (!std::is_same_v<A, B>)
                return false;
            else if constexpr (std::is_same_v<A, std::monostate>)
                return true;
            else
                return equal(a, b);
        },
        first, second);
}

void expect_equal(const DistributedGraph& cut, const DistributedGraph& constructed)
{
    const CsrBlock& a = cut.block;
    const CsrBlock& b = constructed.block;
    EXPECT_EQ(a.slot_stride, b.slot_stride);
    EXPECT_EQ(std::pair(a.row_chunks, a.col_chunks), std::pair(b.row_chunks, b.col_chunks));
    EXPECT_EQ(std::pair(a.own_row_chunk, a.own_col_chunk), std::pair(b.own_row_chunk, b.own_col_chunk));
    EXPECT_EQ(a.symmetric, b.symmetric);
    EXPECT_EQ(a.list_order, b.list_order);
    EXPECT_EQ(lists_of(a.in_edges), lists_of(b.in_edges));
    EXPECT_EQ(lists_of(a.out_edges()), lists_of(b.out_edges()));
    EXPECT_TRUE(equal_weights(a.in_weights, b.in_weights));
    EXPECT_TRUE(equal_weights(a.out_weights(), b.out_weights()));
    EXPECT_TRUE(equal(a.first_in_neighbour, b.first_in_neighbour));
    EXPECT_TRUE(equal(a.out_degrees, b.out_degrees));
    EXPECT_TRUE(equal(cut.slot_of_local, constructed.slot_of_local));
    ASSERT_EQ(cut.vertex_of_column.size(), constructed.vertex_of_column.size());
    for (std::size_t column = 0; column < cut.vertex_of_column.size(); ++column)
        ASSERT_EQ(cut.vertex_of_column[column], constructed.vertex_of_column[column]) << "column " << column;
    EXPECT_EQ(cut.rank, constructed.rank);
    EXPECT_EQ(cut.directed, constructed.directed);
    EXPECT_EQ(cut.connected_vertices, constructed.connected_vertices);
    EXPECT_EQ(cut.directed_edges, constructed.directed_edges);
    EXPECT_EQ(cut.input_edges, constructed.input_edges);
}

class VirtualBlocks : public GridTest
{
protected:
    template <typename W>
    void check_random(std::uint64_t seed, int graphs)
    {
        for (int i = 0; i < graphs; ++i) {
            RandomNumbers random(seed + static_cast<std::uint64_t>(i));
            const std::int64_t vertices = 1 + random.below(i % 3 == 0 ? 12 : 900);
            const std::size_t edges = random.below(static_cast<std::uint32_t>(vertices) * 9 + 1);
            // Few weights, so that many arcs of a list have the same.
            const auto graph = random_weighted_graph<W>(vertices, edges, i % 2 == 0, 0, 5, random.next());
            ConstructionOptions options;
            options.list_order = i % 4 < 2 ? ListOrder::weights : ListOrder::neighbours;
            const comm::ProcessGrid alone(comm::Communicator::self(), {1, 1});
            const DistributedGraph whole = construct(alone, ShareFeed<W>(graph, 0, 1), options);
            for (const comm::GridShape shape : shapes_of(ranks)) {
                SCOPED_TRACE(testing::Message() << "graph " << i << " on " << to_text(shape));
                const comm::ProcessGrid grid(world, shape);
                const std::vector<DistributedGraph> parts = divide(whole, shape);
                ASSERT_EQ(parts.size(), static_cast<std::size_t>(ranks));
                expect_equal(parts[static_cast<std::size_t>(rank)],
                             construct(grid, ShareFeed<W>(graph, rank, ranks), options));
            }
        }
    }
};

TEST_F(VirtualBlocks, AreThoseThatRanksConstruct)
{
    const int graphs = kSanitized ? 4 : 12;
    check_random<std::uint32_t>(31, graphs);
    check_random<double>(32, graphs);
}

}  // namespace
}  // namespace wayfront::model
