// Dijkstra's algorithm as plainly as it can be written, and what makes a tree of shortest paths right.
//
// Shares no code with the program, on purpose: nothing of src/ is included here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

/// Edges with weights of type W; an undirected edge is listed once.
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
};

/// For each vertex its out-neighbours and the smallest weight of an edge to each; no self-loops.
template <typename W>
using WeightedLists = std::vector<std::map<std::int64_t, W>>;

template <typename W>
WeightedLists<W> weighted_lists(const WeightedGraph<W>& graph)
{
    WeightedLists<W> lists(static_cast<std::size_t>(graph.vertices));
    const auto add = [&lists](std::int64_t source, std::int64_t target, W weight) {
        if (source == target) return;
        const auto [place, inserted] = lists[static_cast<std::size_t>(source)].emplace(target, weight);
        if (!inserted && weight < place->second) place->second = weight;
    };
    for (const auto& edge : graph.edges) {
        add(edge.source, edge.target, edge.weight);
        if (!graph.directed) add(edge.target, edge.source, edge.weight);
    }
    return lists;
}

/// The distance of each vertex from `source`, as sums of type D that are rounded after each edge; -1
/// if a vertex is not reached, or if its distance is greater than `cutoff`.
template <typename D, typename W>
std::vector<D> dijkstra_distances(const WeightedLists<W>& lists, std::int64_t source, double cutoff)
{
    std::vector<D> distances(lists.size(), D{-1});
    using Entry = std::pair<D, std::int64_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.emplace(D{0}, source);
    while (!queue.empty()) {
        const auto [distance, vertex] = queue.top();
        queue.pop();
        if (distances[static_cast<std::size_t>(vertex)] != D{-1}) continue;
        distances[static_cast<std::size_t>(vertex)] = distance;
        for (const auto& [target, weight] : lists[static_cast<std::size_t>(vertex)]) {
            const D length = distance + static_cast<D>(weight);
            if (static_cast<double>(length) <= cutoff && distances[static_cast<std::size_t>(target)] == D{-1}) queue.emplace(length, target);
        }
    }
    return distances;
}

/// The first fault of `parents` as a tree of shortest paths from `source`; empty if there is none:
///   - the source is its own parent
///   - a vertex has a parent (not -1) exactly if it is reached (its distance is not -1)
///   - an edge leads from the parent, and its weight and the parent's distance add up to the distance
///   - the parents of each vertex lead to the source
template <typename D, typename W>
std::string shortest_path_tree_fault(const WeightedLists<W>& lists, std::int64_t source, const std::vector<D>& distances,
                                     const std::vector<std::int64_t>& parents)
{
    std::vector<bool> leads_to_source(parents.size(), false);
    if (parents[static_cast<std::size_t>(source)] != source) return "the source is not its own parent";
    leads_to_source[static_cast<std::size_t>(source)] = true;
    for (std::size_t v = 0; v < parents.size(); ++v) {
        const std::string name = "vertex " + std::to_string(v) + " (parent " + std::to_string(parents[v]) + ") ";
        if ((parents[v] == -1) != (distances[v] == D{-1})) return name + "has distance " + std::to_string(distances[v]);
        if (parents[v] == -1 || static_cast<std::int64_t>(v) == source) continue;
        if (parents[v] < 0 || parents[v] >= static_cast<std::int64_t>(parents.size())) return name + "has a parent that is no vertex";
        const auto parent = static_cast<std::size_t>(parents[v]);
        const auto edge = lists[parent].find(static_cast<std::int64_t>(v));
        if (edge == lists[parent].end()) return name + "has no edge from its parent";
        const D length = distances[parent] + static_cast<D>(edge->second);
        if (length != distances[v]) return name + "has another distance than the path over its parent";
    }
    for (std::size_t v = 0; v < parents.size(); ++v) {
        if (parents[v] == -1) continue;
        std::vector<std::size_t> path;
        for (std::size_t on = v; !leads_to_source[on]; on = static_cast<std::size_t>(parents[on])) {
            path.push_back(on);
            if (path.size() > parents.size()) return "the parents of vertex " + std::to_string(v) + " form a cycle";
        }
        for (const std::size_t on : path) leads_to_source[on] = true;
    }
    return {};
}

}  // namespace oracle
