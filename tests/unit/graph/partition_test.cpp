// The 2D partition's arithmetic, over many grids and vertex counts; if possible, compared with a
// count vertex by vertex.
#include "graph/partition.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

struct Grid
{
    int rows;
    int columns;
};

const std::vector<Grid> kGrids{{1, 1}, {1, 2}, {2, 1}, {1, 7}, {7, 1},  {2, 2},
                               {2, 3}, {3, 2}, {4, 4}, {5, 3}, {1, 64}, {8, 8}};

std::vector<Vertex> vertex_counts(const Grid& grid)
{
    const Vertex ranks = Vertex{grid.rows} * grid.columns;
    return {0, 1, 2, ranks - 1, ranks, ranks + 1, 63, 64, 65, 3 * ranks - 1, 997, 1000};
}

template <typename F>
void for_all_small(F&& f)
{
    for (const Grid& grid : kGrids)
        for (const Vertex n : vertex_counts(grid)) {
            SCOPED_TRACE(testing::Message() << n << " vertices over " << grid.rows << "x" << grid.columns);
            f(Partition(n, grid.rows, grid.columns));
        }
}

TEST(Partition, EveryVertexHasOneOwnerAndOneLocalNumber)
{
    for_all_small([](const Partition& partition) {
        std::vector<std::set<std::uint32_t>> locals(static_cast<std::size_t>(partition.ranks()));
        for (Vertex v = 0; v < partition.vertex_count(); ++v) {
            const int owner = partition.owner(v);
            ASSERT_GE(owner, 0);
            ASSERT_LT(owner, partition.ranks());
            EXPECT_TRUE(locals[static_cast<std::size_t>(owner)].insert(partition.local(v)).second) << "vertex " << v;
            EXPECT_EQ(partition.vertex(owner, partition.local(v)), v);
        }
        std::uint64_t largest = 0;
        for (int rank = 0; rank < partition.ranks(); ++rank) {
            const std::set<std::uint32_t>& own = locals[static_cast<std::size_t>(rank)];
            EXPECT_EQ(partition.chunk_size(rank), own.size()) << "rank " << rank;
            EXPECT_TRUE(own.empty() || *own.rbegin() == own.size() - 1)
                << "local numbers of rank " << rank << " have gaps";
            largest = std::max<std::uint64_t>(largest, own.size());
        }
        EXPECT_EQ(partition.chunk_stride(), largest);
    });
}

TEST(Partition, RanksAreNumberedRowByRow)
{
    for (const Grid& grid : kGrids) {
        const Partition partition(100, grid.rows, grid.columns);
        int rank = 0;
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column, ++rank) {
                EXPECT_EQ(partition.rank_at(row, column), rank);
                EXPECT_EQ(partition.grid_row(rank), row);
                EXPECT_EQ(partition.grid_column(rank), column);
            }
        EXPECT_EQ(partition.ranks(), rank);
        EXPECT_EQ(partition.grid_rows(), grid.rows);
        EXPECT_EQ(partition.grid_columns(), grid.columns);
    }
}

TEST(Partition, GridsThatAreNoneOrTooWideAreRefused)
{
    const auto message_of = [](int rows, int columns) -> std::string {
        try {
            static_cast<void>(Partition(10, rows, columns));
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    // Searches store the column of a grid in 16 bits.
    EXPECT_EQ(message_of(1, 65536), "");
    EXPECT_EQ(message_of(1, 65537), "a grid of ranks has at least 1 row and 1 to 65536 columns, not 1x65537");
    EXPECT_EQ(message_of(65537, 1), "");
    for (const auto& [rows, columns] : {std::pair{-1, -1}, {0, 1}, {1, 0}, {-2, 3}})
        EXPECT_EQ(message_of(rows, columns), "a grid of ranks has at least 1 row and 1 to 65536 columns, not " +
                                                 std::to_string(rows) + "x" + std::to_string(columns));
}

TEST(Partition, TheBlockOfAnEdgeHoldsItsEnds)
{
    for (const Grid& grid : kGrids) {
        const Partition partition(131, grid.rows, grid.columns);
        for (Vertex source = 0; source < 131; source += 3)
            for (Vertex target = 0; target < 131; target += 2) {
                const int block = partition.block_of(source, target);
                EXPECT_EQ(partition.grid_row(block), partition.grid_row(partition.owner(target)))
                    << source << " -> " << target;
                EXPECT_EQ(partition.grid_column(block), partition.grid_column(partition.owner(source)))
                    << source << " -> " << target;
            }
    }
}

TEST(Partition, VerticesPastThirtyTwoBits)
{
    struct Case
    {
        Vertex n;
        Grid grid;
    };
    const Vertex past31 = (Vertex{1} << 31) + 1;
    const Vertex past33 = (Vertex{1} << 33) + 3;
    const std::vector<Case> cases{{past31, {1, 1}}, {past31, {1, 2}}, {past31, {2, 1}},
                                  {past31, {2, 3}}, {past31, {1, 7}}, {past33, {4, 4}},
                                  {past33, {3, 5}}, {past33, {8, 3}}, {Vertex{1} << 40, {512, 512}}};
    for (const Case& c : cases) {
        SCOPED_TRACE(testing::Message() << c.n << " vertices over " << c.grid.rows << "x" << c.grid.columns);
        const Partition partition(c.n, c.grid.rows, c.grid.columns);
        const Vertex ranks = Vertex{c.grid.rows} * c.grid.columns;
        std::vector<Vertex> samples;
        for (const Vertex base : {Vertex{0}, c.n / 3, c.n / 2, Vertex{1} << 31, Vertex{1} << 32, c.n - 20})
            for (Vertex v = base - 20; v < base + 20; ++v)
                if (v >= 0 && v < c.n) samples.push_back(v);
        for (const Vertex v : std::set<Vertex>(samples.begin(), samples.end())) {
            EXPECT_EQ(partition.owner(v), v % ranks);
            EXPECT_EQ(partition.local(v), v / ranks);
            EXPECT_EQ(partition.vertex(partition.owner(v), partition.local(v)), v);
            EXPECT_LT(partition.local(v), partition.chunk_size(partition.owner(v)));
        }
        Vertex total = 0;
        for (int rank = 0; rank < partition.ranks(); ++rank) total += partition.chunk_size(rank);
        EXPECT_EQ(total, c.n);
    }
}

TEST(Partition, RefusesWhatDoesNotFit)
{
    EXPECT_THROW(Partition(-1, 1, 1), InputError);
    EXPECT_NO_THROW(Partition(kMaxVertices - (Vertex{1} << 40), 65536, 65536));
    EXPECT_THROW(Partition(kMaxVertices + 1, 65536, 65536), InputError);
    EXPECT_THROW(Partition(Vertex{1} << 33, 1, 1), InputError);
    EXPECT_THROW(Partition(Vertex{1} << 33, 2, 2), InputError);  // 2^31 of each of two chunks
    // A long grid column gathers every vertex.
    EXPECT_THROW(Partition(Vertex{1} << 33, 4, 1), InputError);
    EXPECT_THROW(Partition(Vertex{1} << 33, 1, 4), InputError);
    EXPECT_THROW(Partition(kMaxVertices, 1, 1), InputError);
    EXPECT_NO_THROW(Partition(Vertex{1} << 33, 4, 4));
}

TEST(Partition, TheLargestBlockThatFits)
{
    const auto side = static_cast<Vertex>(kMaxBlockSide);
    EXPECT_NO_THROW(Partition(side, 1, 1));
    EXPECT_THROW(Partition(side + 1, 1, 1), InputError);

    // Over two chunks, each rounded up to whole words: twice 2^31 - 64.
    const Vertex half = (Vertex{1} << 31) - 64;
    EXPECT_NO_THROW(Partition(2 * half, 2, 1));
    EXPECT_THROW(Partition(2 * half + 1, 2, 1), InputError);
    EXPECT_NO_THROW(Partition(4 * half, 2, 2));
    EXPECT_THROW(Partition(4 * half + 1, 2, 2), InputError);
}

}  // namespace
}  // namespace wayfront
