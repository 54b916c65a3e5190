// Chooses how all pairs are computed: the engine, the method, the type of the distances, and the
// memory and time that they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algo/apsp/elimination.hpp"
#include "algo/apsp/roundings.hpp"
#include "algo/apsp/rows.hpp"
#include "base/parallel.hpp"
#include "comm/process_grid.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"
#include "job/job.hpp"
#include "plan/apsp/machine.hpp"
#include "plan/apsp/methods.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::plan {

/// The rows that are to be computed.
struct ApspWork
{
    std::string name;  // of the graph
    WeightType weights = WeightType::none;
    bool negative_weights = false;
    std::size_t sources = 0;              // of all ranks
    std::span<const Vertex> source_list;  // the same by position; outlives the producer
    std::vector<IndexRange> done;         // positions whose rows an earlier job has made
    bool all_rows = true;                 // whether each vertex is a source
    bool rows = false;                    // wanted; otherwise a summary is enough
    bool parents = false;
    bool checkpoint = false;
    bool one_of_many = false;  // whether the graph is one of many of a bulk job
};

struct ApspPlan
{
    EnginePlan engine;
    ApspMachine machine;  // of all ranks
    ApspMethod method = ApspMethod::dijkstra;
    std::string reason;  // why the method was chosen; empty if an option names it
    algo::DistanceType type = algo::DistanceType::float64;
    bool whole = false;  // distances are whole numbers
    double most_distance = 0;
    std::shared_ptr<const algo::Elimination> elimination;  // of that method
    double elimination_seconds = 0;                        // the time of the elimination
    std::size_t sources_a_thread = 0;                      // of bit-parallel search
    double bytes = 0;                                      // of a rank's memory, besides the graph
    double seconds = 0;                                    // a rough estimate
    // Only for an engine on a GPU.
    double device_bytes = 0;           // of a rank's device memory
    std::size_t row_buffer_bytes = 0;  // for rows that wait to be copied, among them
    // Further bytes that the engine may use to be faster.
    std::size_t spare_bytes = 0;
    std::uint32_t batch_sources = 32;
    // Whether Floyd-Warshall works on tiles: if ranks share them, if they are saved, or out of
    // core.
    bool tiles = false;
    bool out_of_core = false;   // whether the tiles are in host memory
    std::size_t tile = 0;       // vertices on a side of a tile
    comm::GridShape tile_grid;  // of the ranks that share the tiles
    // Of `bytes`, those that are needed only if panels pass through the hosts.
    double host_panel_bytes = 0;
    std::size_t staging_bytes = 0;  // of each buffer out of core; 0: the engine's choice
    algo::Roundings roundings;

    /// "dijkstra, since ...; distances as uint16; about 4.0 MiB a rank and 2 s". The reason is left
    /// out if an option names the method. The time of an elimination and the device memory are
    /// added.
    [[nodiscard]] std::string in_words() const;

    /// How the panels of tiles that ranks share go from GPU to GPU, for facts: "p2p", "nccl" or
    /// "mpi".
    [[nodiscard]] std::string_view panel_transport() const;
    /// Whether ranks have the rows of their tiles as whole rows, so that each makes these rows.
    [[nodiscard]] bool has_whole_rows() const { return tiles && tile_grid.columns == 1; }
};

/// The processors that the options ask for: a GPU for each rank, or the cores. If the options leave
/// the choice to the program, these are the cores, until plan_apsp() knows the graph. Throws an
/// AgreedError if there are no such GPUs. Collective.
[[nodiscard]] EnginePlan choose_apsp_engine(const job::Job& job, const ApspMethodOptions& options);

/// Plans for the engine, or for GPUs instead of the cores if that is better and the options leave the
/// choice: ApspPlan::engine is the one that is used.
/// Throws an AgreedError if the method or the type that the options name does not suit the graph,
/// the engine or the ranks. If the memory is too small, the error has exit code 3 and proposes a
/// remedy. Collective.
[[nodiscard]] ApspPlan plan_apsp(const job::Job& job, const ApspMethodOptions& options, const EnginePlan& engine, const ApspWork& work,
                                 const DistributedGraph& graph);

/// The positions whose rows a rank makes, of those that are not done: an even part, or the rows of
/// its tiles.
[[nodiscard]] std::vector<IndexRange> rows_of_rank(const ApspPlan& plan, const ApspWork& work, std::size_t rank, std::size_t ranks);

/// Makes the engine, whose prepare() the caller calls next. `listener`, which may be null, is
/// informed of work before the first row. The graph outlives the producer. Throws an AgreedError.
/// Collective.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_rows(const job::Job& job, const ApspPlan& plan, const ApspWork& work,
                                                           const DistributedGraph& graph, ProgressListener* listener);

/// Adds predecessors to the rows of an engine that finds distances only, if the work needs them.
[[nodiscard]] std::unique_ptr<algo::RowProducer> with_parents(const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph,
                                                              std::unique_ptr<algo::RowProducer> rows);

}  // namespace wayfront::plan
