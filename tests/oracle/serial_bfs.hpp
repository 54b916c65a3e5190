// A breadth-first search as plain as possible, and the conditions of a correct result. Tests check
// the program's results with both. It shares no code with the program: nothing of src/ is included
// here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

/// A whole graph as an edge list; an undirected edge is listed once.
struct Graph
{
    std::int64_t vertices = 0;
    bool directed = false;
    std::vector<std::pair<std::int64_t, std::int64_t>> edges;  // source, target
};

/// The neighbours of each vertex in ascending order, without duplicates.
using Lists = std::vector<std::vector<std::int64_t>>;

/// For each vertex, the vertices that it has an edge to, without itself.
inline Lists followers(const Graph& graph)
{
    Lists lists(static_cast<std::size_t>(graph.vertices));
    for (const auto& [source, target] : graph.edges) {
        if (source == target) continue;
        lists[static_cast<std::size_t>(source)].push_back(target);
        if (!graph.directed) lists[static_cast<std::size_t>(target)].push_back(source);
    }
    for (std::vector<std::int64_t>& list : lists) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return lists;
}

/// The level of each vertex in a search from `key`; -1 if it is not reached.
inline std::vector<std::int64_t> levels(const Lists& follow, std::int64_t key)
{
    std::vector<std::int64_t> level(follow.size(), -1);
    std::queue<std::int64_t> waiting;
    level[static_cast<std::size_t>(key)] = 0;
    waiting.push(key);
    while (!waiting.empty()) {
        const std::int64_t u = waiting.front();
        waiting.pop();
        for (const std::int64_t v : follow[static_cast<std::size_t>(u)]) {
            if (level[static_cast<std::size_t>(v)] != -1) continue;
            level[static_cast<std::size_t>(v)] = level[static_cast<std::size_t>(u)] + 1;
            waiting.push(v);
        }
    }
    return level;
}

/// The first violation of these rules by `parents`, the tree of a search from `key` with these
/// levels; empty if there is none:
///   - the key is its own parent
///   - a vertex has a parent (not -1) if and only if it is reached
///   - the parent is a vertex, is reached, and is one level above
///   - an edge leads from the parent to the vertex
inline std::string tree_fault(const Lists& follow, std::int64_t key, const std::vector<std::int64_t>& level,
                              const std::vector<std::int64_t>& parents)
{
    if (parents.size() != follow.size())
        return "there are " + std::to_string(parents.size()) + " parents of " + std::to_string(follow.size()) +
               " vertices";
    for (std::size_t v = 0; v < parents.size(); ++v) {
        const std::int64_t parent = parents[v];
        const std::string name = "vertex " + std::to_string(v) + " (parent " + std::to_string(parent) + ") ";
        if (static_cast<std::int64_t>(v) == key) {
            if (parent != key) return name + "is the key and not its own parent";
            continue;
        }
        if ((parent == -1) != (level[v] == -1)) return name + "has level " + std::to_string(level[v]);
        if (parent == -1) continue;
        if (parent < 0 || parent >= static_cast<std::int64_t>(parents.size()))
            return name + "has a parent that is no vertex";
        if (level[static_cast<std::size_t>(parent)] != level[v] - 1) return name + "is not one level below its parent";
        const std::vector<std::int64_t>& list = follow[static_cast<std::size_t>(parent)];
        if (!std::binary_search(list.begin(), list.end(), static_cast<std::int64_t>(v)))
            return name + "has no edge from its parent";
    }
    return {};
}

/// The smallest of all vertices that could be a vertex's parent; -1 if it is not reached.
inline std::vector<std::int64_t> smallest_parents(const Lists& follow, std::int64_t key,
                                                  const std::vector<std::int64_t>& level)
{
    std::vector<std::int64_t> parents(follow.size(), -1);
    parents[static_cast<std::size_t>(key)] = key;
    // Vertices ascend, so that the first one found is the smallest.
    for (std::size_t u = 0; u < follow.size(); ++u) {
        if (level[u] == -1) continue;
        for (const std::int64_t v : follow[u])
            if (level[static_cast<std::size_t>(v)] == level[u] + 1 && parents[static_cast<std::size_t>(v)] == -1)
                parents[static_cast<std::size_t>(v)] = static_cast<std::int64_t>(u);
    }
    return parents;
}

}  // namespace oracle
