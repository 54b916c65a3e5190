// The options and the result of a search for shortest paths.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/phase.hpp"
#include "base/types.hpp"
#include "graph/distances.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::algo {

enum class SsspMethod {
    automatic,
    dijkstra,        // one rank, one thread
    delta_stepping,  // windows of width delta, each searched until nothing in it changes
    bellman_ford,    // all changed vertices in every round; allows negative weights, too
    // Lists by weight: windows are pushed until the vertices of large degrees are settled, then the rest
    // is pulled.
    push_pull,
    // The following methods run on a GPU alone.
    near_far,      // windows; each block searches a part of the graph
    conventional,  // phases over all vertices
    selection,     // phases over the updated vertices
    adaptive,      // changes between these two by the time of a phase
    fixed_order,   // Bellman-Ford on a dense matrix; allows negative weights
};

/// The adaptive method compares the time of a phase with these times, to choose between phases over all
/// vertices and phases over the updated vertices.
struct PhaseTimes
{
    // After a longer phase over the updated vertices, the next phase is over all vertices.
    double up_seconds;
    // After a shorter phase over all vertices, the next phase is over the updated vertices.
    double down_seconds;
};

/// The largest distance that a search finds: a real number, and the largest whole number that is not
/// above it.
struct Cutoff
{
    double real = std::numeric_limits<double>::infinity();
    std::int64_t whole = std::numeric_limits<std::int64_t>::max();

    Cutoff() = default;
    Cutoff(double limit)  // NOLINT(google-explicit-constructor): a number is a cutoff
        : real(limit)
    {
        constexpr double least = static_cast<double>(std::numeric_limits<std::int64_t>::min());
        if (limit < -least)
            whole =
                limit < least ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(std::floor(limit));
    }

    /// A whole number, all of whose bits count.
    [[nodiscard]] static Cutoff of_whole(std::int64_t limit)
    {
        Cutoff cutoff(static_cast<double>(limit));
        cutoff.whole = limit;
        return cutoff;
    }

    [[nodiscard]] bool is_finite() const { return std::isfinite(real); }
};

struct SsspOptions
{
    SsspMethod method = SsspMethod::automatic;
    /// The width of a window, in units of the weights; without a value the search chooses.
    std::optional<double> delta{};
    /// The times that the adaptive method compares; without a value, they are measured before the
    /// first search.
    std::optional<PhaseTimes> phase_times{};
    /// Vertices at a greater distance count as not reached. It is rounded to the type of distances.
    Cutoff cutoff{};
    /// Report the smallest valid parent of each vertex.
    bool smallest_parents = false;
    /// Whether ranks on one host may share the memory of distances instead of sending them.
    bool shares_memory = true;
    /// The expected number of searches. Many searches make up for a longer preparation.
    std::int64_t expected_searches = std::numeric_limits<std::int64_t>::max();
    PhaseLog* log = nullptr;
};

using wayfront::Distances;
using wayfront::unreached;

/// Counts of the work of a search, summed over all ranks.
struct SsspCounters
{
    std::uint64_t rounds = 0;        // between two exchanges
    std::uint64_t relaxed_arcs = 0;  // arcs whose weight was read, in pushes
    std::uint64_t pulled_arcs = 0;   // arcs whose weight was read, in pulls
};

struct SsspResult
{
    std::uint64_t reached = 0;  // vertices, of all ranks
    Distances distances;
    /// The parents of the rank's vertices, by local number; kUnreached if a vertex was not reached.
    /// The source is its own parent. A vertex's distance is the sum of its parent's distance and
    /// the weight of an edge from it, rounded once.
    VertexArray parents;
    /// Only after a search from several sources: the nearest source of each of the rank's vertices, by
    /// local number (algo/nearest_sources.hpp); kUnreached if a vertex was not reached. A vertex and
    /// its parent have the same nearest source, which is its own parent.
    VertexArray nearest;
    /// The vertices of a cycle of negative length that the source reaches, in the order of its
    /// edges; empty if there is none. If there is one, distances and parents are not defined.
    std::vector<Vertex> negative_cycle;
    SsspMethod method = SsspMethod::automatic;  // the method that was used
    SsspCounters counters;
};

}  // namespace wayfront::algo
