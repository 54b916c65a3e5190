// All pairs on the cores with searches from some of the vertices only: the other rows are combined
// from those of out-neighbours (algo/apsp/row_combination.hpp).
//
// Columns do not depend on each other. So each thread combines blocks of columns: all rows of a
// block one after the other, which keeps the block in the thread's cache.
#pragma once

#include <memory>

#include "algo/apsp/row_combination.hpp"
#include "algo/apsp/rows.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// `searches` makes the rows of the vertices that are searched, in a type whose whole numbers hold
/// all distances. Edges of an unweighted graph have weight 1. The matrix is allocated by run(),
/// which throws ResourceError. The graph outlives the method. Pre: the graph is on one rank, and
/// weights are whole numbers that are not negative.
[[nodiscard]] std::unique_ptr<algo::MatrixMethod> make_combined_rows(const DistributedGraph& graph,
                                                                     std::unique_ptr<algo::RowProducer> searches,
                                                                     const algo::FeedbackVertexOptions& options = {});

}  // namespace wayfront::cpu
