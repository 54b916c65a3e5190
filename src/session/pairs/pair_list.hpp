// A list of pairs of vertices, of --pairs.
#pragma once

#include <string>
#include <vector>

#include "algo/pairs.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"

namespace wayfront::session {

/// The pairs in the file `path` (- for standard input), as numbers of the edge list: a line for each
/// pair, with the input's numbers or names of source and target, separated by blanks or by a comma. A comment
/// begins with #, and the first line may be a header. Throws an AgreedError, with the line, if the file
/// cannot be read or parsed, if the graph does not have a vertex, or if there is no pair. Collective.
[[nodiscard]] std::vector<algo::VertexPair> read_pairs(const job::Job& job, const std::string& path,
                                                       const LoadedGraph& input);

}  // namespace wayfront::session
