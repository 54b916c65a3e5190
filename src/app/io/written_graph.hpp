// What a graph file of a certain format keeps of a graph, and what it changes: notes for those who convert or generate one.
#pragma once

#include <string>

#include "app/job.hpp"
#include "graph/edge_list.hpp"
#include "graph/io/graph_writer.hpp"

namespace wayfront::app {

/// The largest vertex of this rank's edges; -1 without edges.
Vertex largest_vertex(const EdgeList& share);

/// Notes on standard error if `output` numbers vertices otherwise than `input`, which calls the first one `input_first`, and if it does not say what
/// it takes to read it back: direction, numbering, vertices without edges after `largest`, the largest vertex of this rank's edges. Collective.
void note_what_changes(const Job& job, const std::string& input, Vertex input_first, const std::string& output, const GraphHeader& header,
                       Vertex largest);

/// Kron graphs' weights as what the format of `output` holds: floats become whole numbers for .wsg files, with a note. Others remain. Collective.
WeightKind kind_in_file(const Job& job, WeightKind kind, const std::string& spec, const std::string& output);

}  // namespace wayfront::app
