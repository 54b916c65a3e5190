// Shortest paths between pairs of vertices by the elimination of vertices (algo/apsp/elimination.hpp).
//
// A shortest path leads up from its source to an ancestor that source and target have in common, and
// then down. The ways up from the source follow from the arcs that lead up from its ancestors, and
// those to the target likewise. An arc that elimination added is replaced by two arcs by way of the
// vertex whose elimination added it, until all are edges of the graph.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "algo/apsp/elimination.hpp"
#include "base/types.hpp"
#include "cpu/sssp/arc_lists.hpp"

namespace wayfront::cpu {

/// The tree with what paths need besides. Threads share it.
class EliminationPaths
{
public:
    explicit EliminationPaths(algo::Elimination tree);

    [[nodiscard]] const algo::Elimination& tree() const { return tree_; }
    /// The arcs that lead up to a position, and those that lead down from it; an arc's `vertex` is the
    /// position at its lower end.
    [[nodiscard]] const ArcArray<std::uint32_t>& up_to() const { return up_to_; }
    [[nodiscard]] const ArcArray<std::uint32_t>& down_from() const { return down_from_; }

private:
    algo::Elimination tree_;
    ArcArray<std::uint32_t> up_to_;
    ArcArray<std::uint32_t> down_from_;
};

/// The searches of a thread, one after the other.
class EliminationPairs
{
public:
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

    explicit EliminationPairs(const EliminationPaths& paths);

    /// The distance from `source` to `target`, vertices of the graph; kNone if there is no path.
    std::uint64_t run(std::uint32_t source, std::uint32_t target);

    /// The path that the last search found. is_edge(u, v, weight) returns whether an edge of this weight
    /// leads from vertex u to v; detour(u, v) returns a shortest path between them, for an arc that was
    /// added by way of arcs that were dropped. Pre: there is a path.
    template <typename IsEdge, typename Detour>
    [[nodiscard]] std::vector<Vertex> path(IsEdge&& is_edge, Detour&& detour)
    {
        std::vector<Vertex> vertices{source_};
        if (source_ == target_) return vertices;
        begin_path();
        while (!stack_.empty()) {
            const TreeArc arc = stack_.back();
            stack_.pop_back();
            const std::uint32_t from = tree_.vertices[arc.from];
            const std::uint32_t to = tree_.vertices[arc.to];
            if (is_edge(from, to, arc.weight)) {
                vertices.push_back(to);
            } else if (!divide(arc)) {
                const std::vector<Vertex> between = detour(from, to);
                vertices.insert(vertices.end(), between.begin() + 1, between.end());
            }
        }
        return vertices;
    }

private:
    /// An arc of the tree between two positions, of which one is an ancestor of the other.
    struct TreeArc
    {
        std::uint32_t from;
        std::uint32_t to;
        std::uint32_t weight;
    };
    /// The shortest ways between a vertex and each of its ancestors, by depth.
    struct Climb
    {
        std::vector<std::uint32_t> lengths;
        std::vector<std::uint32_t> before;  // the depth of the vertex before the ancestor on the shortest way
        std::vector<std::uint32_t> positions;
        std::vector<std::uint32_t> weights;  // the weight of the arc from the vertex at `before`
    };

    void climb(Climb& climb, std::uint32_t position, const std::vector<std::uint32_t>& begins,
               const std::vector<algo::EliminationArc>& arcs) const;
    /// Puts the arcs of the path on the stack, the first one on top.
    void begin_path();
    /// Replaces an arc by two on the stack. Returns false if none of the pairs has its length.
    [[nodiscard]] bool divide(const TreeArc& arc);

    const EliminationPaths& paths_;
    const algo::Elimination& tree_;
    Climb up_;    // from the source
    Climb down_;  // to the target
    std::uint32_t source_ = 0;
    std::uint32_t target_ = 0;
    std::uint32_t meeting_ = 0;  // a depth
    std::vector<TreeArc> stack_;
};

}  // namespace wayfront::cpu
