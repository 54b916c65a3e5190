// The plan of all pairs on GPUs: each rank has a GPU, on which it makes the rows of its share of
// the sources.
#pragma once

#include <memory>

#include "algo/apsp/bulk.hpp"
#include "algo/apsp/gathered_rows.hpp"
#include "algo/apsp/rows.hpp"
#include "graph/distributed_graph.hpp"
#include "job/job.hpp"
#include "plan/apsp/plan.hpp"

namespace wayfront::plan {

/// Chooses the method of a plan for GPUs, whose type of distances is known, checks it, and
/// estimates the memory and the time that it will take. Throws InputError or ResourceError. To be
/// called on all ranks.
void plan_on_gpu(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan);

/// Chooses the way between ranks that share tiles, as --transport asks, or the first one that is
/// possible: the GPUs' memories, NCCL, or MPI. Throws an AgreedError. Collective.
void choose_exchange(const job::Job& job, const ApspMethodOptions& options, ApspPlan& plan);

/// Makes the engine of such a plan. `ranks` of plan.tiles share them. The graph outlives the
/// engine. Throws InputError or ResourceError.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_rows_on_gpu(const job::Job& job, const ApspPlan& plan, const ApspWork& work,
                                                                  const DistributedGraph& graph, algo::MatrixRanks ranks, ProgressListener* listener);

/// Whether the plan's graph is one of many, and its matrix can be closed together with others.
[[nodiscard]] bool joins_others(const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph);

/// Makes the engine of many graphs. Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::BulkEngine> make_bulk_on_gpu(const EnginePlan& engine);

}  // namespace wayfront::plan
