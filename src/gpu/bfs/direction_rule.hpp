// The rule that chooses the direction of each level of an on-GPU search, and the form of the level.
// The same code runs on the host and in kernels. Needs no nvcc.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/graph/work_items.hpp"
#include "gpu/runtime/counts.hpp"

namespace wayfront::gpu::bfs {

/// The sums over a level that the direction rule reads.
struct LevelCounts
{
    std::uint64_t vertices = 0;    // number of vertices found
    std::uint64_t out_edges = 0;   // out-edges of these vertices, if they are counted
    std::uint64_t tail_edges = 0;  // out-edges of the tail, which are the found vertices that are not hubs

    WAYFRONT_HD void add_edges(std::uint32_t degree, bool tail)
    {
        out_edges += degree;
        tail_edges += tail ? degree : 0;
    }
    [[nodiscard]] WAYFRONT_HD static constexpr WordReduction reduction(int /*word*/) { return WordReduction::sum; }
};

/// The form of a bottom-up level.
enum class BottomUpVariant {
    all,
    few_rows,  // few rows are unvisited: batches are large, and no bits are in shared memory
    // The rows look for hubs only. A top-down step visited the arcs of the tail before, and the
    // vertices that it found belong to the next frontier.
    hubs,
};

struct DirectionRule
{
    DeviceSearchOptions options;
    std::uint64_t connected = 0;  // number of vertices with edges
    std::uint32_t ranks = 1;
    bool has_tail = false;  // whether some columns are not hubs

    static constexpr std::uint64_t kFewVertices = 2048;  // see has_few_vertices()
    // Few rows are unvisited if at most one row in kFewRowsPart is, which is one row per word of a
    // bitmap.
    static constexpr std::uint64_t kFewRowsPart = 32;
    static constexpr std::uint64_t kManyRowsPart = 8;  // see DeviceSearchOptions::top_down_in_block

    /// Whether the next level is split: the tail of the frontier is followed top-down, and the rows
    /// look for hubs only. Pre: the frontier's out-edges are known.
    [[nodiscard]] WAYFRONT_HD bool splits(const LevelCounts& frontier) const
    {
        return has_tail && static_cast<double>(frontier.out_edges) <= options.most_split_edges &&
               static_cast<double>(frontier.tail_edges) <= options.most_tail_edges;
    }

    /// The form of a bottom-up level. `reached`: number of vertices reached, including the
    /// frontier.
    [[nodiscard]] WAYFRONT_HD BottomUpVariant bottom_up_variant(bool split, std::uint64_t reached) const
    {
        if (split) return BottomUpVariant::hubs;
        return kFewRowsPart * (connected - reached) <= connected ? BottomUpVariant::few_rows : BottomUpVariant::all;
    }

    /// Whether a frontier is so small that making its work items costs no more than counting its
    /// out-edges.
    [[nodiscard]] WAYFRONT_HD static bool has_few_vertices(std::uint64_t vertices) { return vertices <= kFewVertices; }

    /// The sizes of work items for a frontier with `edges` out-edges on one rank.
    [[nodiscard]] WAYFRONT_HD ItemSizes item_sizes(std::uint64_t edges) const
    {
        return edges >= options.large_items_from ? ItemSizes::two : ItemSizes::one;
    }

    /// Whether the direction of a level depends on the out-edges of its frontier. `vertices`: size
    /// of the frontier. `failed_switches`: number of failed switches to bottom-up.
    [[nodiscard]] WAYFRONT_HD bool needs_edges(bool last_bottom_up, std::uint64_t vertices,
                                               std::uint32_t failed_switches) const
    {
        return options.direction.choice == algo::DirectionChoice::automatic && !last_bottom_up &&
               static_cast<double>(vertices) <=
                   algo::DirectionBounds::patience(failed_switches) * options.bottom_up_from_vertices;
    }

    /// The direction of the next level. `reached` as in bottom_up_variant(). Pre:
    /// frontier.out_edges is known if needs_edges() returns true. If the frontier has more than
    /// bottom_up_from_vertices vertices, the level is bottom-up: with average degrees, its
    /// out-edges exceed the bound.
    [[nodiscard]] WAYFRONT_HD bool bottom_up(bool last_bottom_up, const LevelCounts& frontier, std::uint64_t reached,
                                             std::uint32_t failed_switches) const
    {
        const bool automatic = options.direction.choice == algo::DirectionChoice::automatic;
        if (automatic && last_bottom_up && frontier.vertices < options.top_down_in_block &&
            kManyRowsPart * (connected - reached) >= connected)
            return false;
        if (automatic && !last_bottom_up && !needs_edges(last_bottom_up, frontier.vertices, failed_switches))
            return true;
        const algo::Direction last = last_bottom_up ? algo::Direction::bottom_up : algo::Direction::top_down;
        return options.direction.next(last, {frontier.vertices, frontier.out_edges}, failed_switches) ==
               algo::Direction::bottom_up;
    }
};

}  // namespace wayfront::gpu::bfs
