// The memory of construct(), known before it begins.
#pragma once

namespace wayfront {

/// A graph over a grid of rows x columns ranks.
struct ConstructionSize
{
    double vertices = 0;
    double connected = 0;  // vertices with edges, or a bound of their number
    double edges = 0;      // tuples of the input
    bool directed = false;
    double weight_bytes = 0;  // the bytes of a weight; 0 without weights
    int rows = 1;
    int columns = 1;

    [[nodiscard]] double ranks() const { return static_cast<double>(rows) * columns; }
    /// The entries of a rank's lists of one direction, duplicates among them.
    [[nodiscard]] double entries() const { return edges * (directed ? 1 : 2) / ranks(); }
    /// Whether the lists of columns are not those of rows.
    [[nodiscard]] bool transposed() const { return directed || ranks() > 1; }
};

/// The bytes that construct() takes on each rank at its peak, without the rank's share of the input,
/// and without with_page_ends().
[[nodiscard]] double peak_construction_bytes(const ConstructionSize& size);

/// The bytes of a peak, and those at the ends of huge pages that are not full.
[[nodiscard]] double with_page_ends(double bytes);

/// The bytes of a rank's part of the graph, if a share of `distinct` of its entries is left without
/// duplicates.
[[nodiscard]] double constructed_bytes(const ConstructionSize& size, double distinct);

}  // namespace wayfront
