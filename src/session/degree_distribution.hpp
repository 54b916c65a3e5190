// The distribution of the degrees of a graph's vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::session {

/// Degrees count duplicates, but no self-loops; in a directed graph they are out-degrees. Vertices
/// without edges have degree 0.
struct DegreeDistribution
{
    std::uint64_t min = 0;
    double median = 0;
    double mean = 0;
    std::uint64_t max = 0;
    std::vector<std::int64_t> log2_histogram;  // [0]: degree 0; [i]: degrees 2^(i-1) to 2^i - 1
};

/// Collective; equal on all ranks.
[[nodiscard]] DegreeDistribution degree_distribution(const comm::Communicator& world, const DistributedGraph& graph);

}  // namespace wayfront::session
