// All pairs of sparse graphs with small separators, such as road networks, by the elimination of
// vertices: once for the graph, so that the distances from each source take two or three sums a
// vertex.
//
// Vertices are eliminated one after the other, those of few neighbours first. Between any two
// neighbours of an eliminated vertex an arc is added that replaces the way through it. An arc to a
// vertex that is eliminated later leads *up*, one from there *down*. Then a shortest path from s to
// t leads up and afterwards down. So the distances from s follow from the arcs that lead up from s,
// which are few, and one pass over all vertices, each after those that are eliminated later:
// d(s, v) is the minimum of d(s, u) + w(u, v) over the arcs that lead down to v (D. Delling, A.
// Goldberg, A. Nowatzyk and R. Werneck, "PHAST: hardware-accelerated shortest path trees", J.
// Parallel and Distributed Computing 73, 2013). Arcs are added without searches for other paths,
// then weighted exactly, and dropped if two others replace them (J. Dibbelt, B. Strasser and D.
// Wagner, "Customizable contraction hierarchies", J. Experimental Algorithmics 21, 2016).
//
// All neighbours of v that are eliminated later are ancestors of v in the elimination tree.
// Vertices are numbered in preorder of this tree, so that a pass needs the distances of the
// ancestors of one vertex only: at most as many as the height of the tree, in graphs of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// An arc between a vertex and its ancestor at a depth of the tree.
struct alignas(8) EliminationArc
{
    std::uint32_t depth;
    std::uint32_t weight;
};

/// The vertices that have edges, by their *positions* in preorder, and their arcs to and from
/// ancestors.
struct Elimination
{
    static constexpr std::uint32_t kNoPosition = ~std::uint32_t{0};
    /// More than any distance. The sum of two such numbers fits 32 bits without a sign.
    static constexpr std::uint32_t kFar = 0x7FFFFFFF;

    std::vector<std::uint32_t> vertices;   // of each position
    std::vector<std::uint32_t> positions;  // of each vertex of the graph; kNoPosition without edges
    std::vector<std::uint32_t> parents;    // of each position; kNoPosition for roots
    std::vector<std::uint32_t> depths;     // of each position; 0 for roots
    // The subtree of position p has the positions p to ends[p] - 1.
    std::vector<std::uint32_t> ends;
    // The arcs of position p to its ancestors begin at arcs_to_ancestors_begins[p] of arcs_to_ancestors, and end where
    // those of position p + 1 begin. The arcs to p from its ancestors are stored likewise.
    std::vector<std::uint32_t> arcs_to_ancestors_begins;
    std::vector<std::uint32_t> arcs_from_ancestors_begins;
    std::vector<EliminationArc> arcs_to_ancestors;
    std::vector<EliminationArc> arcs_from_ancestors;
    std::uint32_t height = 0;  // one more than the largest depth

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(vertices.size()); }
    [[nodiscard]] std::size_t bytes() const;
};

struct EliminationLimits
{
    /// Pairs of neighbours, of the graph and added ones, as a multiple of the vertices.
    double pairs_a_vertex = 48;
    std::uint32_t height = 4096;
    /// Links that are read or written. Each takes about kEliminationLinkSeconds. Other steps count as
    /// the links that would take as long.
    double work = 1e12;
    /// The memory that the elimination may take.
    double bytes = 1e300;
};
inline constexpr double kEliminationLinkSeconds = 4e-9;

/// A lower bound of the work of an elimination, from the numbers of edges and vertices. Trees take about 1.5 times
/// this work, long grids and New York's roads 4 to 6 times.
[[nodiscard]] double least_elimination_work(const DistributedGraph& graph);

/// Eliminates all vertices. No value if this exceeds a limit, which happens soon in random graphs, and
/// at once if the least work exceeds the limit.
/// Edges of an unweighted graph have weight 1. Pre: the graph is on one rank; weights are whole
/// numbers that are not negative; distances are less than kFar.
[[nodiscard]] std::optional<Elimination> eliminate(const DistributedGraph& graph, const EliminationLimits& limits = {});

}  // namespace wayfront::algo
