// A graph file written by all ranks: their shares of the edges one after the other, through rank 0.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "graph/edge_list.hpp"
#include "graph/io/graph_writer.hpp"
#include "job/job.hpp"
#include "job/progress.hpp"
#include "session/output/graph_target.hpp"

namespace wayfront::session {

class GraphOutput
{
public:
    /// Throws an AgreedError if the format cannot hold such a graph, or if the file cannot be
    /// created. Collective.
    GraphOutput(const job::Job& job, const GraphTarget& target, const GraphHeader& header);

    /// Appends every rank's share, in the order of ranks. Edges are sent and written in pieces of
    /// bounded size; each piece advances `progress`. Collective.
    void append(const EdgeList& share, job::Progress& progress);

    /// Completes the file. If the format needs sorted edges, this is most of the work. Collective.
    void commit(job::Progress& progress);

    /// The largest vertex of this rank's edges so far. -1 if there are no edges, or if the format
    /// records the number of vertices.
    [[nodiscard]] Vertex largest_vertex() const { return largest_; }

private:
    void write(std::span<const PackedEdge> edges, const Weights& weights, std::size_t first, job::Progress& progress);

    const job::Job& job_;
    std::string path_;
    bool finds_largest_;
    Vertex largest_ = -1;
    WeightKind weights_;
    std::optional<GraphWriter> writer_;  // on rank 0
};

}  // namespace wayfront::session
