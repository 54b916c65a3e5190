// The time that a search for shortest paths takes, by what is known of the graph before it is constructed.
#pragma once

#include "plan/rates.hpp"

namespace wayfront::plan {

/// The time per vertex of a heap that holds one or two vertices, as in a path; that of another small heap is 1.
inline constexpr double kHeapOfPath = 0.3;

/// A graph without negative weights, and the ranks that search it. The same on all ranks.
struct SsspCase
{
    double vertices = 0;
    double arcs = 0;  // an undirected edge is two
    // The mean degree of the vertices at the ends of edges. In directed graphs half of it counts, since edges
    // count at both ends.
    double end_degree = 1;
    bool directed = false;
    int ranks = 1;
    bool several_hosts = false;  // so that GPUs exchange messages
    bool windows = false;        // whether an option sets their width
    bool nearest = false;        // whether a search starts from several sources, and so reaches more than one would

    [[nodiscard]] double mean_degree() const { return vertices > 0 && arcs > vertices ? arcs / vertices : 1; }
    /// Whether few vertices wait at a time, as in paths and rings. In a binary tree, whose end degree is almost 2.5,
    /// many wait.
    [[nodiscard]] bool is_path() const { return end_degree < 2.05 && !directed; }
};

// The seconds of one core of each rank for one search. Threads do not count: on two, delta-stepping takes 0.9 to 1.4
// times as long as on one, and push-pull 0.7 to 1 times (bench/results/sssp-crossovers.json).
[[nodiscard]] double dijkstra_seconds(const CoreRates& rates, const SsspCase& graph);
[[nodiscard]] double delta_stepping_seconds(const CoreRates& rates, const SsspCase& graph);
[[nodiscard]] double push_pull_seconds(const CoreRates& rates, const SsspCase& graph);

/// The seconds of the GPUs of all ranks, one for each, for one search by push-pull.
[[nodiscard]] double push_pull_seconds(const GpuRates& rates, const SsspCase& graph);

}  // namespace wayfront::plan
