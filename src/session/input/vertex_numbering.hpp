// Numbers the vertices of an edge list whose numbers have gaps, or whose vertices have names, the same
// on any number of ranks.
#pragma once

#include "graph/io/graph_file.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"

namespace wayfront::session {

/// Numbers the vertices of graph.list, which is that of `share`, if it stores names, or with --compact.
/// Applies --vertex-numbers. Throws an AgreedError if options do not suit the vertices, or if memory
/// does not suffice. Collective.
void number_vertices(const job::Job& job, const GraphOptions& options, const GraphShare& share, LoadedGraph& graph);

}  // namespace wayfront::session
