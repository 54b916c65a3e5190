#include "plan/sssp_times.hpp"

#include <algorithm>
#include <cmath>

namespace wayfront::plan {

namespace {

// The constants of this file are fitted to bench/results/sssp-crossovers.json and regret-two-cores.json. Of 167 times
// of delta-stepping and push-pull, 132 are within a factor of two. The chosen method takes at most 1.05 times as long
// as the fastest one in 79 of 84 cases, and 3 times as long in one: cliques in a chain.

/// How many times a factor grows if `size` is larger than `from`, by `step` each time that it doubles.
double growth(double size, double from, double step)
{
    return 1 + step * std::max(0.0, std::log2(size / from));
}

/// The time of push-pull per vertex, relative to a graph of 4096 vertices whose end degree is five times its mean
/// degree. In a larger graph, or one with fewer hubs, distances improve more often.
double push_pull_factor(const SsspCase& graph)
{
    constexpr double with_hubs = 0.6;
    constexpr double without_hubs = 5;
    constexpr double vertices_in_cache = 4096;
    // Over several ranks, rounds of messages make smaller graphs like the smallest one that was measured.
    constexpr double least_over_ranks = 16384;
    const double vertices = graph.ranks > 1 ? std::max(graph.vertices, least_over_ranks) : graph.vertices;
    const double distances = without_hubs * growth(vertices, vertices_in_cache, 1 / without_hubs);
    return std::max(with_hubs, distances * graph.mean_degree() / std::max(1.0, graph.end_degree));
}

}  // namespace

double dijkstra_seconds(const CoreRates& rates, const SsspCase& graph)
{
    constexpr double label_seconds = 4e-9;  // of a vertex, to clear its label and to read it at the end
    constexpr double degree_of_wide_search = 8;
    const double degree = graph.mean_degree();
    double heap = 1;
    if (graph.is_path())
        heap = kHeapOfPath;
    else if (degree >= degree_of_wide_search)
        heap = std::max(1.0, std::log2(graph.vertices) / 3 - 3);
    // A vertex with d arcs of random weights gets about 1 + log(d) distances, each shorter than the last.
    return label_seconds * graph.vertices + rates.search_arc * graph.arcs +
           rates.search_vertex * graph.vertices * (1 + std::log(degree)) * heap;
}

double delta_stepping_seconds(const CoreRates& rates, const SsspCase& graph)
{
    // Multiples of Dijkstra's rates, since both methods read arcs and labels at random.
    if (graph.ranks > 1) {
        // Measured with two ranks that share the work, and send messages in each step.
        constexpr double vertex = 4.4;
        constexpr double arc = 5.4;
        return (vertex * rates.search_vertex * graph.vertices + arc * rates.search_arc * graph.arcs) / graph.ranks;
    }
    constexpr double vertex = 0.4;
    constexpr double arc = 1.92;
    constexpr double vertex_of_path = 1.2;  // for a vertex that is alone in its window
    constexpr double labels_in_cache = 16384;
    const double of_vertices = (graph.is_path() ? vertex_of_path : vertex) * rates.search_vertex * graph.vertices;
    return of_vertices + arc * rates.search_arc * growth(graph.vertices, labels_in_cache, 0.25) * graph.arcs;
}

double push_pull_seconds(const CoreRates& rates, const SsspCase& graph)
{
    constexpr double of_row = 0.4;  // the rate of rows of all pairs, which have fewer vertices in a cache
    constexpr double labels_in_cache = 1 << 18;
    constexpr double over_ranks =
        1.6;  // the sum of the times of ranks that share the work, in units of the time of one
    const double seconds = rates.push_pull_arc * graph.arcs + of_row * rates.push_pull_vertex * graph.vertices *
                                                                  growth(graph.vertices, labels_in_cache, 0.35) *
                                                                  push_pull_factor(graph);
    return graph.ranks > 1 ? seconds * over_ranks / graph.ranks : seconds;
}

double push_pull_seconds(const GpuRates& rates, const SsspCase& graph)
{
    return rates.sssp_start + (graph.several_hosts ? rates.sssp_messages : 0) +
           rates.sssp_vertex * graph.vertices * push_pull_factor(graph) / graph.ranks;
}

}  // namespace wayfront::plan
