// The rounds of a search for shortest paths in a graph of classes (vertex_classes.hpp), in the mean, with weights
// that are uniform from 0 to 1: those of push-pull (algo/sssp/sssp_loop.hpp).
//
// Distances are divided into bins. The sums that arrive at a vertex along its arcs are independent: how many arrive
// below a distance has a Poisson distribution, whose mean follows from the distances of all classes (first passage
// percolation: S. Bhamidi, R. van der Hofstad, G. Hooghiemstra, Annals of Applied Probability 20, 2010,
// doi:10.1214/09-AAP666). The first rounds, while few vertices are reached, are drawn at random.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "model/vertex_classes.hpp"

namespace wayfront::model {

/// A number for each class and bin of distances. Of numbers of vertices, the last bin has those that were not
/// reached.
using ClassBins = std::vector<std::vector<double>>;

/// The vertices that have relaxed arcs: all arcs whose sums are below `end`, and in `whole` their whole lists.
struct Relaxed
{
    ClassBins vertices;  // without those of `whole`
    ClassBins whole;
    double end = 0;
};

struct FieldRound
{
    enum class Kind {
        push_window,  // arcs whose sums are below the window's end
        push_lists,   // whole lists of the changed vertices
        pull_first,
        pull,  // or, if that is less, a push of the whole lists of the changed vertices
    };
    Kind kind = Kind::push_window;
    bool all_sent = false;  // before the round all distances were sent, and not the changed ones
    double window = 0;      // the end of the window before the round; in pulls, smaller distances are final
    double least = 0;       // in pulls, the smallest distance that can improve another one
    ClassBins changed;      // vertices whose distances changed before
    ClassBins open;         // vertices that the round can improve
    Relaxed relaxed;        // after the round
    // The sums that arrive in the round at one vertex, for each class at the other ends of arcs: the mean number in
    // each bin if one arc led from each vertex of the class to it. Those of rounds before are not among them.
    ClassBins arrivals;

    [[nodiscard]] bool pulls() const { return kind == Kind::pull_first || kind == Kind::pull; }
    /// The number of vertices whose changed distances are sent before the round.
    [[nodiscard]] double changed_vertices() const;
    /// Their arcs, duplicates among them.
    [[nodiscard]] double changed_arcs(const VertexClasses& classes) const;
};

/// A round while vertices are drawn.
struct DrawnRound
{
    double changed = 0;  // changed vertices
    double arcs = 0;     // relaxed arcs
};

struct FieldPaths
{
    std::vector<DrawnRound> drawn;   // the first rounds
    std::vector<double> edges;       // the edges of the bins: one more than there are bins
    std::vector<FieldRound> rounds;  // the next ones
    double reached = 0;

    [[nodiscard]] std::size_t bins() const { return edges.size() - 1; }
};

/// The mean numbers of vertices of a class in a bin, among those that a round can improve.
struct ImprovedBin
{
    double improved = 0;  // vertices that a sum in the bin improves
    double kept = 0;      // vertices whose distance was in the bin before, and is not improved to a smaller one
};

/// Calls f(bin, ImprovedBin) for each bin but the last one, which has the vertices that were not reached before the
/// round. Returns the number of vertices that are not reached after the round. `open`: the vertices by their distances
/// before the round. `sums`: the mean numbers of sums that arrive in each bin.
template <typename F>
double for_each_improved_bin(const std::vector<double>& open, const std::vector<double>& sums, F&& f)
{
    double greater = std::accumulate(open.begin(), open.end(), 0.0);
    double missed = 1;  // the chance that no sum has arrived in the bins before
    for (std::size_t bin = 0; bin + 1 < open.size(); ++bin) {
        greater -= open[bin];
        const double arrives = -std::expm1(-sums[bin]);
        f(bin, ImprovedBin{std::max(0.0, greater) * missed * arrives, open[bin] * missed});
        missed *= 1 - arrives;
    }
    return open.back() * missed;
}

/// A search from a random vertex with arcs.
FieldPaths field_paths(const VertexClasses& classes, std::mt19937_64& random);

/// For each class and bin, the mean number of sums that arrive at a vertex in a round, and had not arrived before:
/// along arcs from a share of each class.
ClassBins new_sums(const VertexClasses& classes, const FieldRound& round, const std::vector<double>& from_share);

/// The width of windows in which a vertex of the mean degree at the ends of arcs has about two arcs: the weight that
/// this share of the arcs is below.
double window_width(const VertexClasses& classes);

}  // namespace wayfront::model
