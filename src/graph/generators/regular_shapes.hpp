// Formulas of graphs of a known shape (formula_source.hpp), all undirected and simple. Their distances are known in closed form, which tests use.
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

/// Vertex 0 joined to each of the others. Pre: n >= 1.
struct StarGraph
{
    Vertex n;

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return n; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return n - 1; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const { return {0, e + 1}; }
};

/// Every vertex joined to every other. Edges (i, j), i < j, by j and then i. Pre: 1 <= n <= 2^28.
struct CompleteGraph
{
    Vertex n;

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return n; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return n * (n - 1) / 2; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const
    {
        // j is the largest with j (j - 1) / 2 <= e; the root is off by a rounding at most, which the loops put right.
        auto j = static_cast<Vertex>((1 + sqrt(1 + 8 * static_cast<double>(e))) / 2);
        while (j * (j - 1) / 2 > e) --j;
        while (j * (j + 1) / 2 <= e) ++j;
        return {e - j * (j - 1) / 2, j};
    }
};

/// rows x columns vertices, numbered row by row, each joined to its neighbours to the right and below: first all edges within rows, then those
/// within columns.
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
