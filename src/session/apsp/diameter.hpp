// The largest distance between two vertices of an undirected graph, by a few searches.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/distributed_graph.hpp"
#include "job/progress.hpp"

namespace wayfront::session {

/// Searches from single vertices on all threads, which the bounds of eccentricities choose
/// (algo/diameter_bounds.hpp), component after component. Returns no value if the bounds do not find the
/// diameter, or not by far fewer searches than there are vertices: then it takes the rows of all vertices.
/// The bounds need an undirected graph, and whole weights that are not negative. Pre: the graph is on one
/// rank, and no weight is negative. Local, and the same on all ranks that have the same graph.
[[nodiscard]] std::optional<std::int64_t> diameter_by_searches(const DistributedGraph& graph, job::Progress& progress);

}  // namespace wayfront::session
