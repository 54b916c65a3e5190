// A breadth-first search of a graph that is divided among virtual ranks: the loop of all searches
// (algo/bfs/level_loop.hpp) over steps that hold the sets of all ranks. Each derived class counts the work and the
// messages of the ranks for one partition of the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/bfs/level_loop.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/partition.hpp"
#include "model/virtual_bfs.hpp"
#include "model/virtual_blocks.hpp"

namespace wayfront::model {

class VirtualLevels : public algo::LevelSteps
{
public:
    /// Refers to the arguments.
    VirtualLevels(const DistributedGraph& whole, comm::GridShape shape);

    /// Throws InputError if the key is not in the graph.
    SearchWork run(Vertex key, const algo::DirectionPolicy& direction, std::int32_t max_level);

    algo::FrontierCounts count(std::int32_t level, bool with_edges) override;
    void fold(std::int32_t level) override;

protected:
    /// Marks the first vertex of the search.
    virtual void start(std::uint32_t slot) = 0;
    /// Counts the messages of the vertices that the last search found. Writes the new slots to `found`.
    virtual void send_found(std::vector<std::uint32_t>& found) = 0;
    /// As SearchWork::result_queries.
    [[nodiscard]] virtual std::vector<RankWork> result_queries() const = 0;

    [[nodiscard]] bool is_visited(std::uint32_t slot) const { return visited_[slot] != 0; }
    [[nodiscard]] bool in_frontier(std::uint32_t slot) const { return in_frontier_[slot] != 0; }
    [[nodiscard]] const std::vector<std::uint32_t>& frontier() const { return frontier_; }
    [[nodiscard]] const SlotOwners& owners() const { return owners_; }
    [[nodiscard]] LevelWork& level() { return levels_.back(); }
    [[nodiscard]] std::uint32_t slots() const { return static_cast<std::uint32_t>(visited_.size()); }
    [[nodiscard]] std::uint32_t ranks() const { return ranks_; }
    [[nodiscard]] const DistributedGraph& whole() const { return whole_; }
    [[nodiscard]] Vertex vertex_count() const { return partition_.vertex_count(); }
    /// Numbers of vertices of the frontier, by owner.
    [[nodiscard]] const std::vector<std::uint64_t>& frontier_sizes() const { return frontier_sizes_; }

private:
    void begin(Vertex key);
    void add_to_frontier(std::uint32_t slot);

    const DistributedGraph& whole_;
    Partition partition_;
    SlotOwners owners_;
    std::uint32_t ranks_;
    std::vector<std::uint8_t> visited_;  // by slot
    std::vector<std::uint8_t> in_frontier_;
    std::vector<std::uint32_t> frontier_;
    std::vector<std::uint64_t> frontier_sizes_;
    std::vector<LevelWork> levels_;
};

}  // namespace wayfront::model
