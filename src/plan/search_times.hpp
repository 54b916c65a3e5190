// The time that a search for shortest paths takes on a core, by the shape of the graph.
#pragma once

#include "graph/distributed_graph.hpp"
#include "plan/rates.hpp"

namespace wayfront::plan {

/// The properties of a graph that determine the time of searches.
struct SearchShape
{
    double vertices = 0;
    double arcs = 0;
    // Counts without leaves. A leaf is a vertex of an undirected graph with one neighbour; its distance is computed
    // at the end.
    double inner_vertices = 0;  // with edges
    double inner_arcs = 0;
    // The mean number of out-arcs of the vertices from which arcs lead, and of all vertices with edges. Where
    // the first is many times the second, most arcs lead to hubs.
    double end_degree = 1;
    double mean_degree = 1;
    // A sample of breadth-first searches tells the following.
    double reached = 1;         // the share of the vertices that a search reaches
    double levels = 0;          // the levels of a search
    double width = 1;           // the vertices in a level
    bool is_deep = false;       // whether levels remain small, as on roads and meshes
    bool is_clustered = false;  // whether few arcs join dense parts; only if is_deep is false
};

/// The shape of a graph of which this rank has all edges; the same on all ranks that have them.
[[nodiscard]] SearchShape search_shape(const DistributedGraph& graph);

/// The seconds of a core for one search by Dijkstra's algorithm.
[[nodiscard]] double dijkstra_seconds(const CoreRates& rates, const SearchShape& shape);

/// The seconds of a core for one search by delta-stepping on one thread.
[[nodiscard]] double delta_stepping_seconds(const CoreRates& rates, const SearchShape& shape);

/// The seconds of a core for one search by the Bellman-Ford algorithm. This algorithm does not treat leaves apart, and
/// is the fastest if searches reach few vertices.
[[nodiscard]] double bellman_ford_seconds(const CoreRates& rates, const SearchShape& shape);

/// The seconds of a core for one search by pushes and pulls, without sorting the lists of arcs.
[[nodiscard]] double push_pull_seconds(const CoreRates& rates, const SearchShape& shape);

}  // namespace wayfront::plan
