// The work and the messages of the ranks of a grid in a search for shortest paths, counted on one process.
//
// The graph is divided into the blocks of all ranks. Each has an engine and a state of its own, those
// of real ranks, and one loop (algo/sssp/sssp_loop.hpp) goes through the rounds of all. Messages are
// handed over in memory, and counted as the program counts them on ranks that do not share memory.
// The all-reduces after the last round, and those of searches for negative cycles, are not counted.
// With one column, a block's rows are its own columns: then what a round finds depends on the order
// of its work, and counts equal those of ranks with one thread each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algo/sssp/sssp_engine.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "algo/sssp/sssp_search.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "model/rank_work.hpp"

namespace wayfront::model {

/// All ranks in one round. The last one has no work, but the messages that ended the search.
struct RoundWork
{
    std::vector<RankWork> ranks;  // by rank of the grid
    std::uint64_t changed = 0;    // the number of distances whose arcs the round relaxes
    bool pulls = false;
};

/// A search on a grid.
struct SsspWork
{
    std::vector<RoundWork> rounds;
    std::uint64_t reached = 0;      // vertices, the source among them
    std::uint64_t count_bytes = 0;  // in each fold, the bytes of the numbers of entries
    bool on_one_rank = false;       // whether a method of one rank searches, without rounds
};

/// The arcs that all ranks read in all rounds.
[[nodiscard]] std::uint64_t all_arcs(const SsspWork& work);

/// Scales counts to a graph of the same kind with `factor` times as many vertices, on the same grid. The number
/// of rounds stays the same, messages grow by `factor`, and the arcs that are read grow by `arcs_factor`.
[[nodiscard]] SsspWork scaled(SsspWork work, double factor, double arcs_factor);

class VirtualSssp
{
public:
    /// `alone` has one rank, and `whole` is its graph, with weights; both outlive the object. The
    /// options' log is not used. Throws InputError if the grid or the method does not suit the graph.
    VirtualSssp(const comm::ProcessGrid& alone, const DistributedGraph& whole, comm::GridShape shape,
                const algo::SsspOptions& options, const algo::SsspEngineMaker& make_engine);
    VirtualSssp(const VirtualSssp&) = delete;
    VirtualSssp& operator=(const VirtualSssp&) = delete;
    ~VirtualSssp();

    /// Counts a search from `source`. Throws InputError if it is not in the graph.
    const SsspWork& run(Vertex source);
    /// The result of the last search, on the whole graph.
    [[nodiscard]] const algo::SsspResult& result() const { return search_->result(); }

private:
    std::vector<DistributedGraph> parts_;
    SsspWork work_;  // of the last search
    std::unique_ptr<algo::SsspSearch> search_;
};

}  // namespace wayfront::model
