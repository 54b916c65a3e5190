// The methods of all pairs on GPUs: each rank has a GPU, on which it makes the rows of its share of
// the sources, or holds its share of the matrix.
#pragma once

#include <memory>
#include <span>

#include "algo/apsp/bulk.hpp"
#include "job/job.hpp"
#include "plan/apsp/method.hpp"
#include "plan/apsp/plan.hpp"

namespace wayfront::plan {

[[nodiscard]] std::span<const ApspMethod> gpu_methods();

/// Chooses the way between ranks that share tiles, as --transport asks, or the first one that is
/// possible: the GPUs' memories, NCCL, or MPI. Throws an AgreedError. Collective.
void choose_exchange(const job::Job& job, const ApspMethodOptions& options, ApspPlan& plan);

/// Makes the engine with which a GPU computes all pairs of many small graphs (apsp --bulk). Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::BulkEngine> make_bulk_on_gpu(const EnginePlan& engine);

}  // namespace wayfront::plan
