// Notes for users who convert or generate a graph: the facts of the graph that the file's format
// loses or changes.
#pragma once

#include <string>
#include <string_view>

#include "graph/io/graph_writer.hpp"
#include "job/job.hpp"
#include "session/output/graph_target.hpp"

namespace wayfront::session {

/// A graph that was read and written. A view.
struct WrittenGraph
{
    std::string_view input;
    Vertex input_first;  // the number of its first vertex
    const GraphTarget& target;
    const GraphHeader& header;
    Vertex largest;  // GraphOutput::largest_vertex()
};

/// Prints a note on standard error if `target` numbers the vertices differently than `input`. Prints a further note if
/// `target` does not record the direction, the numbering, or vertices without edges after `largest`. This note names
/// the options that read the file correctly. Collective.
void note_format_changes(const job::Job& job, const WrittenGraph& graph);

/// Returns the kind of weights that the format of `target` holds for a graph with weights of
/// `kind`. Floats of a kron graph become whole numbers in .wsg files, with a note; all other kinds
/// remain. Collective.
WeightKind kind_in_file(const job::Job& job, WeightKind kind, const std::string& spec, const GraphTarget& target);

/// Converts the weights to the kind_in_file(), and returns it. Collective.
WeightKind fit_weights(const job::Job& job, Weights& weights, const std::string& spec, const GraphTarget& target);

}  // namespace wayfront::session
