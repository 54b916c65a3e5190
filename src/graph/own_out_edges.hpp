// The out-edges of a rank's own vertices, over a grid of one column.
//
// A block has the in-edges of own vertices, and of the out-edges of all vertices those that lead to
// own vertices. An algorithm that pushes from own vertices needs all of their out-edges. In an
// undirected graph these are the in-edges; with one rank the block has them. Otherwise the ranks
// exchange them here, once.
#pragma once

#include "comm/communicator.hpp"
#include "graph/block_weights.hpp"
#include "graph/csr.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront {

class OwnOutEdges
{
public:
    /// Pre: a P x 1 grid. `graph` outlives the object. Collective. Throws an AgreedError if memory
    /// does not suffice.
    OwnOutEdges(const comm::Communicator& world, const DistributedGraph& graph);

    /// The list of each own slot, of columns of the block, in the order of the block's lists.
    [[nodiscard]] const Csr& edges() const { return shared_ != nullptr ? *shared_ : gathered_; }
    [[nodiscard]] const BlockWeights& weights() const
    {
        return shared_weights_ != nullptr ? *shared_weights_ : gathered_weights_;
    }

private:
    void gather(const comm::Communicator& world, const CsrBlock& block);

    // The graph's out-edges; null if they were gathered.
    const Csr* shared_ = nullptr;
    const BlockWeights* shared_weights_ = nullptr;
    Csr gathered_;
    BlockWeights gathered_weights_;
};

}  // namespace wayfront
