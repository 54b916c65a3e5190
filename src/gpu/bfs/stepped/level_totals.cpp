#include "gpu/bfs/stepped/level_totals.hpp"

#include <algorithm>
#include <span>

namespace wayfront::gpu::bfs {

void LevelTotals::clear()
{
    fill_bytes_async(counters_.span(), 0, stream_);
}

LevelCounts LevelTotals::level_counts(std::int32_t level)
{
    start_copy();
    return copied_counts(level);
}

void LevelTotals::start_copy()
{
    copy_async(std::span<const StepCounts>(counters_.span()), on_host_.span(), stream_);
    copied_.record(stream_);
    clear();
}

void LevelTotals::finish_copy()
{
    copied_.synchronize();
    own_ = on_host_.span().front();
}

LevelCounts LevelTotals::copied_counts(std::int32_t level)
{
    finish_copy();
    return sum_over_ranks(level);
}

LevelCounts LevelTotals::sum_over_ranks(std::int32_t level)
{
    const LevelCounts counts = own_.level.counts();
    most_vertices_ = counts.vertices;
    if (world_.size() == 1) return counts;
    const Phase phase(log_, "all-gather", level);
    LevelCounts all;
    for (const LevelCounts& of_rank : world_.all_gather(counts)) {
        all = {all.vertices + of_rank.vertices, all.out_edges + of_rank.out_edges, all.tail_edges + of_rank.tail_edges};
        most_vertices_ = std::max(most_vertices_, of_rank.vertices);
    }
    return all;
}

}  // namespace wayfront::gpu::bfs
