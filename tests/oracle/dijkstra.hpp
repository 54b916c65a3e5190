// Dijkstra's algorithm in its plainest form, over an edge list, and the conditions of a correct
// result. Tests check the program's results with both.
//
// Shares no code with the program, on purpose: nothing of src/ is included here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace oracle {

/// An edge list with weights, which contains an undirected edge once. W is std::int64_t for whole
/// numbers.
template <typename W>
struct WeightedGraph
{
    struct Edge
    {
        std::int64_t source;
        std::int64_t target;
        W weight;
    };
    std::int64_t vertices = 0;
    bool directed = false;
    std::vector<Edge> edges;

    /// Calls f(source, target, weight) for each edge, in both directions if it is undirected.
    template <typename F>
    void for_each_arc(F&& f) const
    {
        for (const Edge& edge : edges) {
            f(edge.source, edge.target, edge.weight);
            if (!directed) f(edge.target, edge.source, edge.weight);
        }
    }
};

/// "Not reached": greater than all distances.
template <typename W>
constexpr W infinity()
{
    return std::is_floating_point_v<W> ? std::numeric_limits<W>::infinity() : std::numeric_limits<W>::max();
}

/// The length of the shortest path to each vertex. Pre: no weight is negative.
template <typename W>
std::vector<W> dijkstra(const WeightedGraph<W>& graph, std::int64_t source)
{
    std::vector<std::vector<std::pair<std::int64_t, W>>> arcs(static_cast<std::size_t>(graph.vertices));
    graph.for_each_arc(
        [&](std::int64_t u, std::int64_t v, W weight) { arcs[static_cast<std::size_t>(u)].emplace_back(v, weight); });
    std::vector<W> distance(arcs.size(), infinity<W>());
    using Entry = std::pair<W, std::int64_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[static_cast<std::size_t>(source)] = 0;
    queue.emplace(W{0}, source);
    while (!queue.empty()) {
        const auto [d, u] = queue.top();
        queue.pop();
        if (d != distance[static_cast<std::size_t>(u)]) continue;
        for (const auto& [v, weight] : arcs[static_cast<std::size_t>(u)]) {
            const W sum = d + weight;
            if (!(sum < distance[static_cast<std::size_t>(v)])) continue;
            distance[static_cast<std::size_t>(v)] = sum;
            queue.emplace(sum, v);
        }
    }
    return distance;
}

/// The fault of the parents, in words; empty if there is none. Each vertex that was reached must
/// have a parent whose distance and an edge make up its own, and parents must lead to the source.
template <typename W>
std::string parents_fault(const WeightedGraph<W>& graph, std::int64_t source, const std::vector<W>& distance,
                          const std::vector<std::int64_t>& parent)
{
    std::vector<bool> has_edge(distance.size(), false);
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, W weight) {
        const auto from = static_cast<std::size_t>(u);
        const auto to = static_cast<std::size_t>(v);
        if (parent[to] == u && distance[from] != infinity<W>() &&
            static_cast<W>(distance[from] + weight) == distance[to])
            has_edge[to] = true;
    });
    std::vector<std::vector<std::size_t>> children(distance.size());
    for (std::size_t v = 0; v < distance.size(); ++v) {
        const bool reached = distance[v] != infinity<W>();
        const std::string name = "vertex " + std::to_string(v);
        if (reached != (parent[v] != -1)) return name + " is reached, or has a parent, but not both";
        if (!reached) continue;
        if (static_cast<std::int64_t>(v) == source) {
            if (parent[v] != source) return "the source is not its own parent";
            continue;
        }
        if (!has_edge[v]) return name + " has no edge of the right length from its parent " + std::to_string(parent[v]);
        children[static_cast<std::size_t>(parent[v])].push_back(v);
    }
    // The tree below the source must have all vertices that were reached.
    std::vector<std::size_t> waiting{static_cast<std::size_t>(source)};
    std::vector<bool> in_tree(distance.size(), false);
    while (!waiting.empty()) {
        const std::size_t v = waiting.back();
        waiting.pop_back();
        in_tree[v] = true;
        waiting.insert(waiting.end(), children[v].begin(), children[v].end());
    }
    for (std::size_t v = 0; v < distance.size(); ++v)
        if (distance[v] != infinity<W>() && !in_tree[v])
            return "the parents of vertex " + std::to_string(v) + " do not lead to the source";
    return "";
}

}  // namespace oracle
