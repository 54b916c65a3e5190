// A method of all pairs as a value. The choice (choice.hpp) asks each method of a list whether it
// can do the work, and what it would take, and takes the one of least time. A further method is a
// value in core_methods.cpp or gpu_methods.cpp and a line of the list there; an engine of rows on a
// GPU is also a RowMethod (gpu/apsp/row_engines.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/elimination.hpp"
#include "algo/apsp/gathered_rows.hpp"
#include "algo/apsp/roundings.hpp"
#include "algo/apsp/row_combination.hpp"
#include "algo/apsp/rows.hpp"
#include "base/parallel.hpp"
#include "comm/process_grid.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"
#include "job/job.hpp"
#include "plan/apsp/machine.hpp"
#include "plan/apsp/methods.hpp"
#include "plan/engine_plan.hpp"
#include "plan/rates.hpp"
#include "plan/search_times.hpp"

namespace wayfront::plan {

/// The rows that are to be computed.
struct ApspWork
{
    std::string name;  // the name of the graph
    WeightType weights = WeightType::none;
    bool negative_weights = false;
    std::size_t sources = 0;              // the number of sources of all ranks
    std::span<const Vertex> source_list;  // these sources, by position; outlives the producer
    std::vector<IndexRange> done;         // positions whose rows an earlier job has made
    bool all_rows = true;                 // whether each vertex is a source
    bool rows = false;                    // whether rows are wanted; otherwise a summary is enough
    bool full_summary = false;            // whether the summary is in full detail
    bool parents = false;
    bool checkpoint = false;
    bool in_bulk_job = false;  // whether the graph is one of many of a bulk job

    /// Whether rows leave the GPUs, which summarise in brief only.
    [[nodiscard]] bool rows_of_device() const { return rows || full_summary; }
};

/// The type of the distances, and their bound.
struct ApspDistances
{
    algo::DistanceType type = algo::DistanceType::float64;
    bool whole = false;        // whether distances are whole numbers
    double most_distance = 0;  // the bound of the distances if they are whole numbers
};

/// The work and the graph that a method is asked about; the same on all ranks. Each of them has the whole graph.
struct ApspCase
{
    const job::Job& job;
    const ApspMethodOptions& options;
    const ApspWork& work;
    const DistributedGraph& graph;
    const Rates& rates;
    ApspMachine machine;
    ApspDistances distances;
    SearchShape shape{};                                             // the shape of searches in the graph
    std::size_t device_bytes = 0;                                    // free on the GPU of each rank
    std::shared_ptr<const algo::Elimination> elimination = nullptr;  // the eliminated graph, after a trial
    double elimination_seconds = 0;                                  // the time of the elimination
    /// Reads the graph, since degrees decide.
    std::function<algo::ExpectedCombination()> expected_combination{};

    [[nodiscard]] double vertices() const { return static_cast<double>(graph.partition.vertex_count()); }
    [[nodiscard]] double arcs() const { return static_cast<double>(graph.directed_edges); }
    [[nodiscard]] int ranks() const { return job.world().size(); }
    [[nodiscard]] std::size_t sources_of_rank() const
    {
        const auto ranks = static_cast<std::size_t>(this->ranks());
        return (work.sources + ranks - 1) / ranks;
    }
    /// The bytes of an element of a row.
    [[nodiscard]] double element_bytes() const { return static_cast<double>(algo::bytes_of(distances.type)); }
};

/// The resources with which an engine is made, besides the work and the graph.
struct RowMaking
{
    const comm::Communicator& world;
    const EnginePlan& engine;
    algo::MatrixRanks ranks;     // the ranks of ApspOffer::matrix_grid
    ProgressListener* listener;  // informed of the work before the first row; may be null
};

/// The time and memory that a method would take, and how it is made.
struct ApspOffer
{
    double seconds = 0;  // roughly, without a trial
    // The part of `seconds` that the search from one source takes on a thread; 0 if the method does not search from
    // each.
    double search_seconds = 0;
    double bytes = 0;         // the bytes of a rank's memory, besides the graph
    double device_bytes = 0;  // the bytes of GPU memory of a rank
    /// Why the memory of the GPU does not suffice; empty if it does.
    std::string device_obstacle{};
    algo::Roundings roundings{};

    /// Whether its rows have the parents that the work wants; otherwise they are traced in each
    /// row.
    bool finds_parents = false;
    bool keeps_matrix = false;         // whether the whole matrix is stored
    bool matrix_has_row_type = false;  // whether the matrix is stored in the type of the rows
    /// The ranks that share the tiles of the matrix; without a value, each makes rows of its own.
    std::optional<comm::GridShape> matrix_grid{};
    std::size_t tile = 0;         // vertices on a side of a tile on GPUs
    bool out_of_core = false;     // whether the tiles of GPUs are in host memory
    double host_panel_bytes = 0;  // the part of `bytes` for tiles that pass through the hosts
    bool joins_others = false;    // whether a GPU closes the matrix together with those of other graphs

    /// Whether ranks have the rows of their tiles on GPUs as whole rows.
    [[nodiscard]] bool has_whole_rows() const { return tile > 0 && matrix_grid->columns == 1; }

    /// Makes the engine, whose rows may be of another type. The graph outlives it. Sends no
    /// messages. Throws InputError or ResourceError.
    std::function<std::unique_ptr<algo::RowProducer>(const ApspWork& work, const DistributedGraph& graph,
                                                     RowMaking making)>
        make{};
};

struct ApspMethod
{
    std::string_view name;  // in --algorithm
    std::string_view help;
    /// Whether the method repeats that of a paper; then it is chosen by name only.
    bool of_paper = false;
    /// Prepares a method whose time is known after a trial only. `seconds`: what the best other
    /// method takes; without a value, an option names this method. Returns the reason if the trial is
    /// not worth its time, or not possible. Null: no trial is necessary.
    std::string (*trial)(ApspCase& asked, std::optional<double> seconds) = nullptr;
    /// Why the method cannot do the work, apart from memory, in words; empty if it can.
    std::string (*obstacle)(const ApspCase& asked);
    /// Pre: no obstacle, and no trial that failed.
    ApspOffer (*offer)(const ApspCase& asked);
};

}  // namespace wayfront::plan
