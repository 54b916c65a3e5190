#include "algo/bfs/level_loop.hpp"

#include <utility>

namespace wayfront::algo {

void run_levels(LevelSteps& steps, const LevelRules& rules, LevelProgress& progress)
{
    progress.records.clear();
    progress.reached = 0;
    SearchDirection directions(rules.bounds);
    Clock::time_point begin = Clock::now();  // the beginning of the level
    for (std::int32_t level = 1;; ++level) {
        const Phase whole(rules.log, "level", level);
        // Only the switch from top-down to bottom-up depends on edges.
        const bool with_edges =
            directions.last() == Direction::top_down && rules.bounds.choice == DirectionChoice::automatic;
        const FrontierCounts counts = steps.count(level, with_edges);
        if (counts.vertices == 0) return;
        progress.reached += counts.vertices;
        if (level > rules.max_level) return;
        const Direction direction = directions.next(counts, [&steps] { return steps.frontier_reaches_unvisited(); });
        progress.records.push_back({direction, counts});
        {
            const Phase phase(rules.log, "expand", level);
            steps.expand(level, direction);
        }
        {
            const Phase phase({rules.log, level}, "search", to_string(direction), counts.vertices, counts.out_edges);
            steps.search(level, progress.records.back(), with_edges);
        }
        {
            const Phase phase(rules.log, "fold", level);
            steps.fold(level);
        }
        // Levels of a few vertices take little longer than reading the clock, which is therefore read once a level.
        const Clock::time_point end = Clock::now();
        progress.records.back().seconds = seconds_between(std::exchange(begin, end), end);
    }
}

}  // namespace wayfront::algo
