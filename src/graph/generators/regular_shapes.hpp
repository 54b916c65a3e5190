// Formulas of graphs of a known shape (formula_source.hpp), all undirected and simple. Tests use
// their distances, which are known in closed form.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.hpp"
#include "graph/edge_list.hpp"

namespace wayfront {

/// 0 - 1 - ... - (n - 1) - 0. Pre: n >= 3.
struct RingGraph
{
    Vertex n;

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return n; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return n; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const { return {e, e + 1 < n ? e + 1 : 0}; }
};

/// 0 - 1 - ... - (n - 1). Pre: n >= 1.
struct PathGraph
{
    Vertex n;

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return n; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return n - 1; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const { return {e, e + 1}; }
};

/// An edge from vertex 0 to each other vertex. Pre: n >= 1.
struct StarGraph
{
    Vertex n;

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return n; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return n - 1; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const { return {0, e + 1}; }
};

/// All pairs of vertices. Edges (i, j), i < j, are ordered by j and then by i. Pre: 1 <= n <= 2^28.
struct CompleteGraph
{
    Vertex n;

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return n; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return n * (n - 1) / 2; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const
    {
        // j is the largest number with j (j - 1) / 2 <= e. The loops correct the rounding of the
        // root.
        auto j = static_cast<Vertex>((1 + sqrt(1 + 8 * static_cast<double>(e))) / 2);
        while (j * (j - 1) / 2 > e) --j;
        while (j * (j + 1) / 2 <= e) ++j;
        return {e - j * (j - 1) / 2, j};
    }
};

/// rows x columns vertices, numbered row by row, with edges to the right and downward: first all
/// edges within rows, then all edges within columns.
struct GridGraph
{
    Vertex rows;
    Vertex columns;

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return rows * columns; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return rows * (columns - 1) + (rows - 1) * columns; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const
    {
        const EdgeCount within_rows = rows * (columns - 1);
        if (e >= within_rows) return {e - within_rows, e - within_rows + columns};
        const Vertex left = e / (columns - 1) * columns + e % (columns - 1);
        return {left, left + 1};
    }
};

}  // namespace wayfront
