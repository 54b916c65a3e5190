// A graph file written by all ranks: their shares of the edges one after the other, through rank 0.
#pragma once

#include <optional>

#include "app/io/graph_target.hpp"
#include "app/job.hpp"
#include "graph/edge_list.hpp"
#include "graph/io/graph_writer.hpp"

namespace wayfront::app {

class GraphOutput
{
public:
    /// Collective. Throws an AgreedError if the format cannot hold such a graph, or the file cannot be made.
    GraphOutput(const Job& job, const GraphTarget& target, const GraphHeader& header);

    /// Appends every rank's share, in the order of ranks; edges travel in pieces of bounded size. Collective.
    void append(const EdgeList& share);

    /// Completes the file. Collective.
    void commit();

    /// The largest vertex of this rank's edges so far, if the format does not record the number of
    /// vertices; otherwise -1, as without edges.
    [[nodiscard]] Vertex largest_vertex() const { return largest_; }

private:
    const Job& job_;
    bool finds_largest_;
    Vertex largest_ = -1;
    WeightKind weights_;
    std::optional<GraphWriter> writer_;  // on rank 0
};

}  // namespace wayfront::app
