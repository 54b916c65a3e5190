#include "model/virtual_levels.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "algo/bfs/graph_counts.hpp"

namespace wayfront::model {

VirtualLevels::VirtualLevels(const DistributedGraph& whole, comm::GridShape shape)
    : whole_(whole),
      partition_(whole.partition.vertex_count(), shape.rows, shape.columns),
      owners_(whole, partition_),
      ranks_(static_cast<std::uint32_t>(shape.size())),
      visited_(whole.block.slot_stride, 0),
      in_frontier_(whole.block.slot_stride, 0),
      frontier_sizes_(ranks_, 0)
{
}

SearchWork VirtualLevels::run(Vertex key, const algo::DirectionPolicy& direction, std::int32_t max_level)
{
    begin(key);
    algo::LevelProgress progress;
    algo::run_levels(*this, {direction.bounds(algo::counts_of(whole_)), max_level, nullptr}, progress);
    for (std::size_t level = 0; level < progress.records.size(); ++level)
        levels_[level].record = progress.records[level];
    return {std::move(levels_), result_queries(), std::max<std::uint64_t>(progress.reached, 1)};
}

void VirtualLevels::begin(Vertex key)
{
    partition_.require(key);
    const std::uint32_t slot = whole_.slot_of_local[static_cast<std::size_t>(key)];
    if (slot == whole_.block.slot_stride) return;  // no edges
    add_to_frontier(slot);
    start(slot);
}

void VirtualLevels::add_to_frontier(std::uint32_t slot)
{
    visited_[slot] = 1;
    in_frontier_[slot] = 1;
    ++frontier_sizes_[owners_.rank[slot]];
    frontier_.push_back(slot);
}

algo::FrontierCounts VirtualLevels::count(std::int32_t /*level*/, bool with_edges)
{
    levels_.push_back({{}, std::vector<RankWork>(ranks_)});
    algo::FrontierCounts sum{frontier_.size(), 0};
    if (with_edges)
        for (const std::uint32_t slot : frontier_) sum.out_edges += whole_.block.out_degrees[slot];
    if (ranks_ == 1) return sum;
    for (RankWork& rank : levels_.back().ranks) rank.counts = {1, (ranks_ - 1) * sizeof(algo::FrontierCounts)};
    return sum;
}

void VirtualLevels::fold(std::int32_t /*level*/)
{
    std::vector<std::uint32_t> found;
    send_found(found);
    for (const std::uint32_t slot : frontier_) in_frontier_[slot] = 0;
    frontier_.clear();
    std::ranges::fill(frontier_sizes_, 0);
    for (const std::uint32_t slot : found) add_to_frontier(slot);
}

}  // namespace wayfront::model
