// The plan of all pairs on the CPU's cores.
#pragma once

#include <memory>

#include "algo/apsp/gathered_rows.hpp"
#include "algo/apsp/rows.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "job/job.hpp"
#include "plan/apsp/plan.hpp"

namespace wayfront::plan {

/// The ranks that share the matrix of Floyd-Warshall: as nearly square as possible, so that panels
/// are short.
[[nodiscard]] comm::GridShape matrix_shape(const job::Job& job);

/// Chooses the method of a plan for the cores, whose type of distances is known, checks it, and
/// estimates the memory and the time that it will take. Throws InputError. To be called on all ranks.
void plan_on_cores(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph, ApspPlan& plan);

/// Makes the engine of such a plan, with predecessors if the work needs them. `ranks` share the
/// matrix of Floyd-Warshall. The graph outlives the engine. Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_rows_on_cores(const ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph,
                                                                    algo::MatrixRanks ranks, ProgressListener* listener);

}  // namespace wayfront::plan
