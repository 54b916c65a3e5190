// The nearest of several sources, of each vertex, in the plainest form: a search from each source.
//
// Shares no code with the program, on purpose: nothing of src/ is included here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/dijkstra.hpp"

namespace oracle {

template <typename W>
struct Nearest
{
    std::vector<W> distances;           // from the nearest source
    std::vector<std::int64_t> sources;  // the nearest one; -1 if not reached
};

/// Whether an edge of this weight from u to v is part of a shortest path.
template <typename W>
bool is_tight(const std::vector<W>& distance, std::int64_t u, std::int64_t v, W weight)
{
    const W from = distance[static_cast<std::size_t>(u)];
    return from != infinity<W>() && static_cast<W>(from + weight) == distance[static_cast<std::size_t>(v)];
}

/// Of the sources, which ascend, the first one from which tight edges lead to a vertex is its nearest
/// one. Vertices beyond the cutoff count as not reached. Pre: no weight is negative.
template <typename W>
Nearest<W> nearest_sources(const WeightedGraph<W>& graph, const std::vector<std::int64_t>& sources, double cutoff)
{
    const auto vertices = static_cast<std::size_t>(graph.vertices);
    Nearest<W> nearest{std::vector<W>(vertices, infinity<W>()), std::vector<std::int64_t>(vertices, -1)};
    for (const std::int64_t source : sources) {
        const std::vector<W> from = dijkstra(graph, source);
        for (std::size_t v = 0; v < vertices; ++v) nearest.distances[v] = std::min(nearest.distances[v], from[v]);
    }
    for (W& distance : nearest.distances)
        if (static_cast<double>(distance) > cutoff) distance = infinity<W>();
    std::vector<std::vector<std::int64_t>> along(vertices);
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, W weight) {
        if (is_tight(nearest.distances, u, v, weight)) along[static_cast<std::size_t>(u)].push_back(v);
    });
    for (const std::int64_t source : sources) {
        std::vector<std::int64_t> waiting{source};
        while (!waiting.empty()) {
            const auto v = static_cast<std::size_t>(waiting.back());
            waiting.pop_back();
            if (nearest.sources[v] != -1) continue;
            nearest.sources[v] = source;
            waiting.insert(waiting.end(), along[v].begin(), along[v].end());
        }
    }
    return nearest;
}

/// The fault of the parents, in words; empty if there is none. Each vertex that was reached must have
/// a parent with the same nearest source, to which a tight edge leads, and parents must lead to it.
template <typename W>
std::string parents_fault(const WeightedGraph<W>& graph, const Nearest<W>& nearest,
                          const std::vector<std::int64_t>& parent)
{
    std::vector<bool> has_edge(parent.size(), false);
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, W weight) {
        if (parent[static_cast<std::size_t>(v)] == u && is_tight(nearest.distances, u, v, weight))
            has_edge[static_cast<std::size_t>(v)] = true;
    });
    for (std::size_t v = 0; v < parent.size(); ++v) {
        const std::string name = "vertex " + std::to_string(v);
        const std::int64_t source = nearest.sources[v];
        if ((source == -1) != (parent[v] == -1)) return name + " is reached, or has a parent, but not both";
        if (source == -1) continue;
        std::size_t at = v;
        for (std::size_t steps = 0; static_cast<std::int64_t>(at) != source; ++steps) {
            if (steps > parent.size()) return "the parents of " + name + " form a cycle";
            if (!has_edge[at]) return "vertex " + std::to_string(at) + " has no tight edge from its parent";
            at = static_cast<std::size_t>(parent[at]);
            if (nearest.sources[at] != source) return "the parents of " + name + " lead to another source";
        }
        if (parent[at] != source) return "the source " + std::to_string(source) + " is not its own parent";
    }
    return "";
}

}  // namespace oracle
