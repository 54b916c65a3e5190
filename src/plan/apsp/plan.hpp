// Chooses how all pairs are computed: the engine, the method, the type of the distances, and the
// memory and time that they take.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algo/apsp/elimination.hpp"
#include "algo/apsp/rows.hpp"
#include "base/parallel.hpp"
#include "graph/distributed_graph.hpp"
#include "job/job.hpp"
#include "plan/apsp/machine.hpp"
#include "plan/apsp/method.hpp"
#include "plan/apsp/methods.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::plan {

struct ApspPlan : ApspDistances
{
    EnginePlan engine;
    ApspMachine machine;  // the resources of all ranks
    const ApspMethod* method = nullptr;
    std::string reason;  // why the method was chosen; empty if an option names it
    ApspOffer offer;     // the offer of the method
    std::shared_ptr<const algo::Elimination> elimination;
    double elimination_seconds = 0;  // the time of the elimination, if the method uses one

    /// "dijkstra, since ...; distances as uint16; about 4.0 MiB a rank and 2 s". The reason is left
    /// out if an option names the method. The time of an elimination and the device memory are
    /// added.
    [[nodiscard]] std::string in_words() const;

    /// Whether ranks share tiles on their GPUs.
    [[nodiscard]] bool shares_tiles() const
    {
        return engine.on_device() && offer.matrix_grid && offer.matrix_grid->size() > 1;
    }
    /// How the panels of such tiles go from GPU to GPU, for facts: "p2p", "nccl" or "mpi".
    [[nodiscard]] std::string_view panel_transport() const;
};

/// The processors that the options ask for: a GPU for each rank, or the cores. If the options leave
/// the choice to the program, these are the cores until plan_apsp() decides by the graph. Throws an
/// AgreedError if there are no such GPUs. Collective.
[[nodiscard]] EnginePlan choose_apsp_engine(const job::Job& job, const ApspMethodOptions& options);

/// Plans for the engine, or for GPUs instead of the cores if that is better and the options leave the
/// choice: ApspPlan::engine is the one that is used.
/// Throws an AgreedError if the method or the type that the options name does not suit the graph,
/// the engine or the ranks. If the memory is too small, the error has exit code 3 and proposes a
/// remedy. Collective.
[[nodiscard]] ApspPlan plan_apsp(const job::Job& job, const ApspMethodOptions& options, const EnginePlan& engine,
                                 const ApspWork& work, const DistributedGraph& graph);

/// The time of a plan's method by the rates of `options`, which may be others than those of the
/// plan.
[[nodiscard]] double estimated_seconds(const job::Job& job, const ApspMethodOptions& options, const ApspPlan& plan,
                                       const ApspWork& work, const DistributedGraph& graph);

struct MethodTime
{
    std::string_view method;
    double seconds = 0;
    double bytes = 0;              // the bytes of a rank's memory, besides the graph
    bool fits = true;              // whether `bytes` fit the memory of `machine`; true if that memory is unknown
    bool other_roundings = false;  // whether floats are added in another order than along paths
};

/// The offers of the methods on cores that can do the work, on ranks that have `machine` together, by the rates of
/// `options`; those that fit the memory first, and of these the ones that the program takes first. Throws InputError or
/// ResourceError as choose_distances() does.
[[nodiscard]] std::vector<MethodTime> method_times(const job::Job& job, const ApspMethodOptions& options,
                                                   const ApspMachine& machine, const ApspWork& work,
                                                   const DistributedGraph& graph);

/// The positions whose rows a rank makes, of those that are not done: an even part, or the rows of
/// its tiles.
[[nodiscard]] std::vector<IndexRange> rows_of_rank(const ApspPlan& plan, const ApspWork& work, std::size_t rank,
                                                   std::size_t ranks);

/// Makes the engine, whose prepare() the caller calls next. `listener`, which may be null, is
/// informed of work before the first row. The graph outlives the producer. Throws an AgreedError.
/// Collective.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_rows(const job::Job& job, const ApspPlan& plan,
                                                           const ApspWork& work, const DistributedGraph& graph,
                                                           ProgressListener* listener);

/// Adds predecessors to the rows of an engine that finds distances only, if the work needs them.
[[nodiscard]] std::unique_ptr<algo::RowProducer> with_parents(const ApspPlan& plan, const ApspWork& work,
                                                              const DistributedGraph& graph,
                                                              std::unique_ptr<algo::RowProducer> rows);

}  // namespace wayfront::plan
