// Copies a graph of the host into the form that searches for shortest paths read.
#pragma once

#include "comm/communicator.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/sssp/search.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

struct CopiedGraph
{
    ArcLists lists;
    SsspGraph facts;
};

/// Copies the lists of this rank's block of the matrix to its GPU, with lists of in-arcs if the
/// search needs them. Pre: as for DeviceSssp. Collective. Throws ResourceError.
[[nodiscard]] CopiedGraph copy_graph(const comm::Communicator& world, const DistributedGraph& graph,
                                     const SsspTuning& tuning);

}  // namespace wayfront::gpu::sssp
