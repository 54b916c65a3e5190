// Graphs that are described by classes of vertices alone: the vertices of a class have the same mean
// degree, and the other ends of their arcs have the same distribution over the classes. So graphs of
// any size are described in a few kilobytes.
//
// In a Kronecker graph (J. Leskovec, D. Chakrabarti, J. Kleinberg, C. Faloutsos, Z. Ghahramani,
// "Kronecker graphs", JMLR 11, 2010), the class of a vertex is the number of one-bits of its number,
// before numbers are permuted.
#pragma once

#include <cstddef>
#include <vector>

namespace wayfront::model {

/// An undirected graph. An edge counts as two arcs; the number of arcs of a vertex has a Poisson
/// distribution. Classes are in descending order of degrees.
struct VertexClasses
{
    std::vector<double> sizes;              // vertices of each class
    std::vector<double> degrees;            // mean number of arcs of a vertex, duplicates among them
    std::vector<std::vector<double>> ends;  // ends[k][j]: the share of the arcs of class k to class j
    // The share of the arcs of class k to class j that are left without duplicates.
    std::vector<std::vector<double>> distinct_ends;
    double distinct = 1;  // the same share for all arcs
    // Ordered pairs of vertices by the mean number of arcs from the one to the other.
    struct Pairs
    {
        double number = 0;  // the number of pairs
        double arcs = 0;    // the mean number of arcs of each pair
    };
    std::vector<Pairs> pairs;

    [[nodiscard]] std::size_t count() const { return sizes.size(); }
    [[nodiscard]] double vertices() const;
    [[nodiscard]] double arcs() const;       // duplicates among them
    [[nodiscard]] double connected() const;  // vertices with arcs
    [[nodiscard]] double leaves() const;     // vertices with one arc
    /// The mean number of arcs, duplicates among them, of the vertices at the ends of arcs.
    [[nodiscard]] double degree_at_ends() const;
    /// The arcs that are left without duplicates, of which the lightest one stays, with a weight below `weight`;
    /// weights are uniform from 0 to 1.
    [[nodiscard]] double lighter_arcs(double weight) const;
};

/// A Kronecker graph of the Graph500 benchmark: 2^scale vertices and `edge_factor` edge tuples for
/// each. Pre: 1 <= scale <= 48.
VertexClasses kronecker_classes(int scale, double edge_factor);

/// `edges` edges between vertices that are drawn uniformly.
VertexClasses uniform_classes(double vertices, double edges);

/// The part of each class that is among the `hubs` vertices of the largest degrees: 1 for the first
/// classes, 0 for the last ones.
std::vector<double> hub_shares(const VertexClasses& classes, double hubs);

}  // namespace wayfront::model
