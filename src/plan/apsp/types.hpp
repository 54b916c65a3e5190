// The types with which all pairs are computed: of weights and of distances.
//
// One rule holds for every method: a type that --dtype names must hold all distances of the wanted
// rows, whole numbers exactly. If a distance does not fit, the job ends with exit code 2, also if
// only the summary is wanted: before the search if a bound proves it, otherwise at the row. Engines on
// GPUs, but for bit-parallel, make no such check, and refuse a type that may not hold all distances.
#pragma once

#include <string>

#include "algo/sssp/sssp_result.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_list.hpp"
#include "job/job.hpp"
#include "plan/apsp/method.hpp"
#include "plan/apsp/methods.hpp"

namespace wayfront::plan {

/// The type of the weights with which the graph is to be constructed. `list` has all edges, and
/// `input` is the type of its weights. Floats of 32 bits whose sums may exceed float32 are added
/// with 64 bits. Throws an AgreedError if --dtype does not suit the weights, or if sums may exceed
/// float64. Collective.
[[nodiscard]] WeightType weights_for(const job::Job& job, const ApspMethodOptions& options, const std::string& name,
                                     const EdgeList& list, WeightType input);

/// The type of the distances, and their bound if they are whole numbers. Throws InputError if a
/// distance does not fit the type that --dtype names, or ResourceError if the distances may not fit
/// any type.
[[nodiscard]] ApspDistances choose_distances(const ApspMethodOptions& options, const ApspWork& work,
                                             const DistributedGraph& graph, bool on_device);

/// The same if only distances up to the limit are wanted, on the cores.
[[nodiscard]] ApspDistances choose_distances_within(const algo::Cutoff& limit, const ApspMethodOptions& options,
                                                    const ApspWork& work, const DistributedGraph& graph);

}  // namespace wayfront::plan
