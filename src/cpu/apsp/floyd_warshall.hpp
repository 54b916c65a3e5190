// Blocked Floyd-Warshall on the cores.
//
// For each pivot tile on the diagonal: close the tile by the plain algorithm, improve the tiles of
// its row and of its column by products with it, and then all other tiles by products of the column
// with the row: C = min(C, A + B) (min_plus.hpp). G. Venkataraman, S. Sahni, S. Mukhopadhyaya: A
// blocked all-pairs shortest-paths algorithm. ACM Journal of Experimental Algorithmics 8, 2003,
// doi:10.1145/996546.996553, which D. Takafuji, K. Nakano and Y. Ito follow on GPUs (2019). Here, a
// product with the closed tile takes the place of their dependent loops in the pivot's row and
// column. The loop over the pivots is algo/apsp/tile_loop.hpp; the tiles are tile_matrix.hpp.
//
// Distances of whole numbers are exact. Floating-point distances are sums of the same weights as
// those of Dijkstra's algorithm, but rounded in another order.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/gathered_rows.hpp"
#include "algo/apsp/rows.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

struct FloydWarshallOptions
{
    algo::DistanceType type = algo::DistanceType::float64;  // of the rows
    bool parents = false;
    /// An upper bound of the magnitudes of whole-number distances (distance_bound.hpp). It
    /// determines the type of the computation; unused for floating-point weights.
    double most_distance = 0;
    /// The rows and columns of a tile; 0: chosen by the type and the number of vertices.
    std::size_t tile = 0;
};

/// Edges of an unweighted graph have weight 1, and weights may be negative. Whole distances that do
/// not fit the type of the rows throw InputError in rows(). Allocates the matrix; throws
/// ResourceError. The graph outlives the method. Pre: the graph is on one rank and has no cycle of
/// negative length, and whole distances are below 2^53.
[[nodiscard]] std::unique_ptr<algo::MatrixMethod> make_floyd_warshall(const DistributedGraph& graph,
                                                                      const FloydWarshallOptions& options);

/// The same over several ranks that each have the whole graph: run() is collective, and rows()
/// returns the rows that the rank requests.
[[nodiscard]] std::unique_ptr<algo::MatrixMethod> make_floyd_warshall(const DistributedGraph& graph,
                                                                      const FloydWarshallOptions& options,
                                                                      algo::MatrixRanks ranks);

/// Whether the matrix is computed in a type of 2 bytes.
[[nodiscard]] bool floyd_warshall_is_narrow(WeightType weights, const FloydWarshallOptions& options);

/// The number of sums and minima that Floyd-Warshall computes: tiles at the end of the matrix count as whole tiles.
[[nodiscard]] double floyd_warshall_sums(double vertices, WeightType weights, const FloydWarshallOptions& options);

/// An upper bound of the bytes that a rank of a grid allocates if it requests `rows_of_rank` rows.
[[nodiscard]] double floyd_warshall_bytes(double vertices, WeightType weights, const FloydWarshallOptions& options,
                                          comm::GridShape shape = {}, double rows_of_rank = 0);

}  // namespace wayfront::cpu
