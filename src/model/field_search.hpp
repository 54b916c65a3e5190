// The levels of a breadth-first search of a graph of classes (vertex_classes.hpp), in the mean: a
// search is followed as shares of each class. The arcs of a vertex that was not reached yet are
// independent, but for those to earlier frontiers, of which it has none. While a frontier is small,
// its numbers are drawn at random, so that searches from different keys differ as real ones do.
#pragma once

#include <random>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "model/vertex_classes.hpp"

namespace wayfront::model {

/// One level, before it is searched. Vectors have a share of each class.
struct FieldLevel
{
    std::vector<double> frontier;
    std::vector<double> previous;  // the frontier of the level before
    std::vector<double> open;      // not reached
    algo::Direction direction = algo::Direction::top_down;
    double vertices = 0;  // vertices of the frontier
    double out_arcs = 0;  // out-arcs of the frontier, duplicates among them
    double distinct_out_arcs = 0;
    double open_rows = 0;  // vertices with arcs that are not reached
    double found = 0;
};

/// A search from a random vertex with arcs, with the rule of directions of all searches.
std::vector<FieldLevel> field_search(const VertexClasses& classes, const algo::DirectionPolicy& direction,
                                     std::mt19937_64& random);

/// For a vertex of class k that is not reached: the mean number of its arcs to the frontier that end
/// in each class, and of those to the frontier or to other vertices that are not reached, with
/// duplicates and without.
struct OpenArcs
{
    std::vector<double> to_frontier;
    std::vector<double> all;
    std::vector<double> distinct;

    OpenArcs(const VertexClasses& classes, const FieldLevel& level, std::size_t k);
};

}  // namespace wayfront::model
