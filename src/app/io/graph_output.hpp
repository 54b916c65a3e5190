// A graph file written by all ranks: their shares of the edges one after the other, through rank 0.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "app/cli/progress.hpp"
#include "app/io/graph_target.hpp"
#include "app/job.hpp"
#include "graph/edge_list.hpp"
#include "graph/io/graph_writer.hpp"

namespace wayfront::app {

class GraphOutput
{
public:
    /// Throws an AgreedError if the format cannot hold such a graph, or the file cannot be made.
    /// Collective.
    GraphOutput(const Job& job, const GraphTarget& target, const GraphHeader& header);

    /// Appends every rank's share, in the order of ranks. Edges are sent and written in pieces of
    /// bounded size; `progress` hears of each piece. Collective.
    void append(const EdgeList& share, Progress& progress);

    /// Completes the file, which is most of the work if the format needs sorted edges. Collective.
    void commit(Progress& progress);

    /// The largest vertex of this rank's edges so far, if the format does not record the number of
    /// vertices; otherwise -1, as without edges.
    [[nodiscard]] Vertex largest_vertex() const { return largest_; }

private:
    void write(std::span<const PackedEdge> edges, const Weights& weights, std::size_t first, Progress& progress);

    const Job& job_;
    std::string path_;
    bool finds_largest_;
    Vertex largest_ = -1;
    WeightKind weights_;
    std::optional<GraphWriter> writer_;  // on rank 0
};

}  // namespace wayfront::app
