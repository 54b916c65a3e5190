// The choices that the ranks of a 1.5D breadth-first search make in each level, from sums over all ranks. The
// owner of a vertex has all of its arcs. Hubs are the vertices of the largest degrees; all ranks have the bits of
// the hubs of the frontier. After H. Cao, Y. Wang, H. Wang, H. Lin, Z. Ma, W. Yin,
// W. Chen, "Scaling graph traversal to 281 trillion edges with 40 million cores", PPoPP 2022,
// doi:10.1145/3503221.3508403. The program has no such search yet: the model of clusters uses these rules.
#pragma once

#include <cstdint>

#include "algo/bfs/direction.hpp"
#include "base/bitmap.hpp"
#include "comm/frontier_exchange.hpp"

namespace wayfront::algo {

/// The bytes of a push, and of a query with its answer of one bit.
inline constexpr double kPushBytes = 8;
inline constexpr double kAnswerBytes = 0.125;
inline constexpr double kQueryBytes = 4 + kAnswerBytes;

/// Whether arcs between vertices that are no hubs are pushed in a level: `pushes` arcs would be, or
/// some of the `open_arcs` arcs of open rows would be asked about.
[[nodiscard]] inline bool prefers_pushes(double pushes, double open_arcs)
{
    return pushes * kPushBytes < open_arcs * kQueryBytes;
}

/// Open rows that are visited rather than one push is sent. Of 4, 8 and 16, plans of 8192 GPUs lose the
/// least with 16.
inline constexpr double kRowsOfAPush = 16;

/// Whether a top-down level visits all open rows, as a bottom-up level does: hubs that have no lists of
/// their own would push `pushes` arcs otherwise.
[[nodiscard]] inline bool prefers_rows(double pushes, double open_rows)
{
    return pushes * kRowsOfAPush > open_rows;
}

/// The sums over all ranks from which a level of a 1.5D search is chosen.
struct HubLevelSums
{
    Direction direction = Direction::top_down;
    double rows = 0;             // open rows with arcs
    double pushes = 0;           // arcs that vertices of the frontier that are no hubs would push
    double unlisted_pushes = 0;  // and its hubs that have no lists of their own
    double open_arcs = 0;        // the arcs of open rows between vertices that are no hubs
};

struct HubLevelChoice
{
    bool by_lists = false;  // the frontier's hubs are expanded by their lists, and open rows not visited
    bool pushes = false;    // other arcs are pushed, and not asked about
    bool unlisted = false;  // hubs without lists push, too
};

[[nodiscard]] inline HubLevelChoice choose_hub_level(const HubLevelSums& sums)
{
    constexpr double none = 0.5;
    HubLevelChoice choice;
    choice.by_lists = sums.direction == Direction::top_down && !prefers_rows(sums.unlisted_pushes, sums.rows);
    choice.unlisted = choice.by_lists && sums.unlisted_pushes > none;
    choice.pushes = prefers_pushes(sums.pushes + (choice.unlisted ? sums.unlisted_pushes : 0), sums.open_arcs);
    // Hubs that push nothing find rows only where these are visited.
    if (!choice.pushes && choice.unlisted) choice = {false, false, false};
    return choice;
}

/// A rank's part of the bits of the hubs, which are divided evenly: whole words.
[[nodiscard]] inline std::uint64_t hub_stride(std::uint64_t hubs, std::uint64_t ranks)
{
    return round_up_to_word((hubs + ranks - 1) / ranks);
}

/// Whether the hubs of a frontier are sent as a list, and not as a bitmap.
[[nodiscard]] inline bool hubs_travel_as_list(std::uint64_t frontier_hubs, std::uint64_t hubs, std::uint64_t ranks)
{
    return comm::travels_as_list(comm::ExchangeFormat::automatic, frontier_hubs, ranks, hub_stride(hubs, ranks));
}

}  // namespace wayfront::algo
