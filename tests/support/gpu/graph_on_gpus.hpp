// A graph on the GPUs of the ranks that search it, and its lists on the host for the oracle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/graph/upload.hpp"
#include "graph/construction.hpp"
#include "graph/own_out_edges.hpp"
#include "oracle/serial_bfs.hpp"
#include "support/graphs.hpp"

namespace wayfront::gpu::bfs {

/// A graph that the hosts have constructed over a grid.
struct ConstructedGraph
{
    ConstructedGraph(const comm::Communicator& ranks, comm::GridShape shape, const oracle::Graph& graph)
        : grid(ranks, shape),
          constructed(construct(grid, ListFeed(share_of(graph, Deal::in_turn, ranks.rank(), ranks.size())))),
          lists(oracle::followers(graph))
    {
    }

    /// Searches from each key, and compares levels, parents and the number of reached vertices with
    /// the oracle, up to a level. Collective.
    void expect_right(DeviceSearch& search, const std::vector<std::int64_t>& keys,
                      std::int64_t max_level = algo::kNoMaxLevel) const
    {
        for (const std::int64_t key : keys) {
            SCOPED_TRACE("key " + std::to_string(key));
            search.run(key);
            expect_result(search, key, max_level);
        }
    }

    comm::ProcessGrid grid;
    DistributedGraph constructed;
    oracle::Lists lists;

private:
    void expect_result(const DeviceSearch& search, std::int64_t key, std::int64_t max_level) const
    {
        const comm::Communicator& ranks = grid.world();
        const auto vertices = static_cast<std::int64_t>(lists.size());
        std::vector<std::int32_t> own_parents(
            static_cast<std::size_t>((vertices + ranks.size() - 1 - ranks.rank()) / ranks.size()));
        std::vector<std::int32_t> own_levels(own_parents.size());
        search.copy_parents(own_parents);
        search.copy_levels(own_levels);
        const std::vector<std::int64_t> parents =
            gather_by_vertex(ranks, vertices, [&](std::size_t i) { return std::int64_t{own_parents[i]}; });
        const std::vector<std::int64_t> levels =
            gather_by_vertex(ranks, vertices, [&](std::size_t i) { return std::int64_t{own_levels[i]}; });
        std::vector<std::int64_t> expected = oracle::levels(lists, key);
        std::ranges::replace_if(
            expected, [max_level](std::int64_t level) { return level > max_level; }, -1);
        EXPECT_EQ(levels, expected) << "first at vertex "
                                    << std::ranges::mismatch(levels, expected).in1 - levels.begin();
        EXPECT_EQ(oracle::tree_fault(lists, key, expected, parents), "");
        std::uint64_t reached = 0;
        for (const std::int64_t level : expected) reached += level >= 0 ? 1 : 0;
        EXPECT_EQ(search.reached(), reached);
    }
};

/// A graph over a P x 1 grid.
struct GraphOnGpus : ConstructedGraph
{
    GraphOnGpus(const comm::Communicator& ranks, const oracle::Graph& graph)
        : ConstructedGraph(ranks, {ranks.size(), 1}, graph),
          device(upload_graph(constructed, OwnOutEdges(ranks, constructed), stream))
    {
    }

    Stream stream;
    DeviceGraph device;
};

/// A graph over any grid.
struct BlocksOnGpus : ConstructedGraph
{
    BlocksOnGpus(const comm::Communicator& ranks, comm::GridShape shape, const oracle::Graph& graph)
        : ConstructedGraph(ranks, shape, graph), device(upload_block(constructed, stream))
    {
    }

    Stream stream;
    DeviceBlock device;
};

}  // namespace wayfront::gpu::bfs
