// A Kronecker graph on one rank, its levels, and what a 1.5D partition inspects and sends in them, counted without the
// model's code.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"
#include "model/partition_work.hpp"
#include "model/virtual_bfs.hpp"

namespace wayfront::model {

inline constexpr int kScale = 15;
inline const algo::DirectionPolicy kPolicy{};

inline DistributedGraph generated(const char* spec)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(spec);
    const comm::ProcessGrid grid(comm::Communicator::alone(), {1, 1});
    return construct(grid, SourceFeed(*source, 0, 1));
}

inline const DistributedGraph& kronecker_graph()
{
    static const DistributedGraph graph = generated("kron:15");
    return graph;
}

inline void expect_near(double expected, double found, double tolerance, const char* what)
{
    EXPECT_NEAR(found / expected, 1, tolerance) << what << ": expected " << expected << ", found " << found;
}

/// Counts a level of a 1.5D search of a real graph, whose slots are in descending order of degrees.
inline HubWork counted_hub_level(const std::vector<std::int32_t>& levels, std::int32_t level, std::uint32_t hubs)
{
    const CsrView lists = kronecker_graph().block.in_edges.view();
    HubWork work;
    std::vector<std::uint8_t> found_by_hub(lists.lists, 0);
    for (std::uint32_t row = 0; row < lists.lists; ++row) {
        if (lists.degree(row) == 0 || (levels[row] >= 0 && levels[row] <= level)) continue;
        ++work.rows;
        double others = 0;
        bool asks = true;
        double queries = 0;
        for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i) {
            const std::uint32_t end = lists.neighbours[i];
            if (end < hubs) {
                if (found_by_hub[row] != 0) continue;
                ++work.hub_arcs;
                if (levels[end] == level) found_by_hub[row] = 1;
            } else {
                ++others;
                if (asks) ++queries;
                if (levels[end] == level) asks = false;
            }
        }
        work.found += found_by_hub[row];
        if (row < hubs) work.found_hubs += levels[row] == level + 1 ? 1 : 0;
        if (found_by_hub[row] != 0 || others == 0 || lists.degree(row) == 1) continue;
        ++work.open_rows;
        work.open_arcs += others;
        work.queries += queries;
    }
    for (std::uint32_t row = hubs; row < lists.lists; ++row) {
        if (levels[row] != level) continue;
        bool has_parent = level == 0;  // the arc to one parent, which is a hub if there is one, is not pushed
        for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i) {
            const std::uint32_t end = lists.neighbours[i];
            if (!has_parent && levels[end] == level - 1) {
                has_parent = true;
                continue;
            }
            const bool open = levels[end] < 0 || levels[end] > level;
            if (end >= hubs || (open && found_by_hub[end] == 0)) ++work.pushes;
        }
    }
    return work;
}

inline std::vector<std::int32_t> levels_from(std::uint32_t key)
{
    const CsrView lists = kronecker_graph().block.in_edges.view();
    std::vector<std::int32_t> levels(lists.lists, -1);
    std::vector<std::uint32_t> frontier{key};
    levels[key] = 0;
    for (std::int32_t level = 1; !frontier.empty(); ++level) {
        std::vector<std::uint32_t> next;
        for (const std::uint32_t row : frontier)
            for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i) {
                const std::uint32_t end = lists.neighbours[i];
                if (levels[end] >= 0) continue;
                levels[end] = level;
                next.push_back(end);
            }
        frontier = std::move(next);
    }
    return levels;
}

/// The sum of a number over the ranks of a level.
template <typename F>
double sum_of_ranks(const LevelWork& level, F&& number)
{
    double sum = 0;
    for (const RankWork& rank : level.ranks) sum += static_cast<double>(number(rank));
    return sum;
}

}  // namespace wayfront::model
