// The loop of a breadth-first search over all ranks, level by level: A. Buluc, K. Madduri, "Parallel
// breadth-first search on distributed memory systems", SC 2011, doi:10.1145/2063384.2063471, with S.
// Beamer, A. Buluc, K. Asanovic, D. Patterson, "Distributed memory breadth-first search revisited:
// enabling bottom-up search", IPDPSW 2013, doi:10.1109/IPDPSW.2013.159.
//
// The loop is written once. The sets of vertices are in host memory (bfs_search.hpp), or in the
// memory of GPUs (gpu/bfs/grid/search.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "base/phase.hpp"

namespace wayfront::algo {

struct LevelRecord
{
    Direction direction = Direction::top_down;
    // The vertices that the level starts from, of all ranks; out_edges is 0 if they were not
    // counted.
    FrontierCounts frontier;
    // The time of this rank, from the count of the frontier until its discoveries are with their owners;
    // 0 if the level was not measured.
    double seconds = 0;
};

/// The progress of a search. Equal on all ranks, except for the seconds.
struct LevelProgress
{
    std::vector<LevelRecord> records;  // one per level that was searched
    std::uint64_t reached = 0;         // the vertices of all frontiers
};

struct LevelRules
{
    DirectionBounds bounds;
    std::int32_t max_level = kNoMaxLevel;  // vertices beyond this level are not reached
    PhaseLog* log = nullptr;               // gets the spans of levels; may be null
};

/// The steps of a level over the 2D partition. Every function is collective over all ranks.
class LevelSteps
{
public:
    LevelSteps() = default;
    LevelSteps(const LevelSteps&) = delete;  // refers to the state of a search
    LevelSteps& operator=(const LevelSteps&) = delete;
    virtual ~LevelSteps() = default;

    /// The counts of the frontier of `level`, of all ranks; its out-edges only if `with_edges`.
    [[nodiscard]] virtual FrontierCounts count(std::int32_t level, bool with_edges) = 0;
    /// Whether edges of the counted frontier lead to unvisited vertices, judged by a sample. Equal on all ranks.
    [[nodiscard]] virtual bool frontier_reaches_unvisited() { return true; }
    /// Gathers the frontier along the grid column.
    virtual void expand(std::int32_t level, Direction direction) = 0;
    /// Searches the edges of this rank's block. `with_edges`: whether the record's out-edges were
    /// counted.
    virtual void search(std::int32_t level, const LevelRecord& record, bool with_edges) = 0;
    /// Sends the vertices that were found to their owners, along the grid row. Those that are new are
    /// the frontier of the next level.
    virtual void fold(std::int32_t level) = 0;
};

/// Runs levels until a frontier is empty, from the frontier of level 1. The steps may read the
/// progress of the levels before.
void run_levels(LevelSteps& steps, const LevelRules& rules, LevelProgress& progress);

}  // namespace wayfront::algo
