// The blocks of a grid of ranks, cut from a graph on one rank.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/partition.hpp"

namespace wayfront::model {

/// Who owns the slots of a graph on one rank, if it is divided.
struct SlotOwners
{
    SlotOwners(const DistributedGraph& whole, const Partition& partition);

    // By slot of the whole graph.
    std::vector<Vertex> vertex;  // kUnreached if no vertex has the slot; the others are 0 then
    std::vector<std::uint32_t> rank;
    std::vector<std::uint32_t> slot;  // the owner's
    std::uint32_t slot_stride = 0;    // of all ranks, as construction chooses it
};

/// The block that construction would give each rank of a grid of `shape`, by rank. `whole` is the graph on one
/// rank. Takes 12 bytes for each arc beside the blocks, or 16 with weights of 64 bits. Throws InputError if
/// the grid does not suit the graph.
std::vector<DistributedGraph> divide(const DistributedGraph& whole, comm::GridShape shape);

}  // namespace wayfront::model
