// Tests of the lists of a graph for searches by thread blocks.
#include "gpu/apsp/rows/arc_sectors.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_list.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront::gpu::apsp {
namespace {

ArcSectors sectors_of(const oracle::WeightedGraph<std::int64_t>& graph)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    return make_arc_sectors(construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1)));
}

/// The number of arcs for which the list of a place has room.
std::uint32_t room(const ArcSectors& graph, std::uint32_t place)
{
    const std::uint32_t rest = place < graph.long_lists ? graph.rest_begins[place + 1] - graph.rest_begins[place] : 0;
    return arcs_of_sector(graph.form) + rest / words_of_arc(graph.form);
}

/// In this graph, vertex v has v + 1 arcs.
TEST(ArcSectors, PlacesAreSortedByDegree)
{
    constexpr std::int64_t n = 3000;
    oracle::WeightedGraph<std::int64_t> graph{n + 1, true, {}};
    for (std::int64_t v = 0; v < n; ++v)
        for (std::int64_t i = 0; i <= v; ++i) graph.edges.push_back({v, i == v ? n : i, 70000});
    const ArcSectors found = sectors_of(graph);
    EXPECT_EQ(found.form, ArcForm::two_words);
    EXPECT_EQ(found.expanding, n);
    EXPECT_EQ(found.place_of_vertex[n - 1], 0U);
    EXPECT_EQ(found.place_of_vertex[0], n - 1);
    EXPECT_EQ(found.place_of_vertex[n], n);
    for (std::uint32_t place = 1; place < n; ++place) EXPECT_LE(room(found, place), room(found, place - 1));
    // The rest of a list of 2052 arcs has 4096 words.
    EXPECT_EQ(found.block_lists, n - 2052);
}

/// In this graph, each of 2100 vertices has 2099 arcs.
TEST(ArcSectors, BlocksReadAtMostSoManyLists)
{
    constexpr std::int64_t n = 2100;
    oracle::WeightedGraph<std::int64_t> complete{n, false, {}};
    for (std::int64_t u = 0; u < n; ++u)
        for (std::int64_t v = 0; v < u; ++v) complete.edges.push_back({u, v, 70000});
    const ArcSectors found = sectors_of(complete);
    EXPECT_EQ(found.block_lists, kMostBlockLists);
    EXPECT_EQ(found.shared_lists, n);
}

}  // namespace
}  // namespace wayfront::gpu::apsp
