// The smallest parents that a shortest-path tree on one rank can have.
//
// An arc u -> v is *tight* if the distance of v is that of u plus the arc's weight. The parent of v
// is the smallest u with a tight arc to v and a smaller distance. If weights are 0 or are lost in
// rounding, v may have tight arcs only from vertices of its own distance. Its parent is then one of
// those with the fewest arcs on the way back to a smaller distance, and the smallest of these. After
// a search from several sources, a vertex and its parent have the same nearest source.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/nearest_sources.hpp"

namespace wayfront::cpu {

template <typename W, typename D>
class SmallestParents
{
public:
    /// `nearest`: the nearest sources of the vertices, if there are several sources; null if not.
    SmallestParents(const ArcLists<W>& lists, Labels<D>& labels, const NearestSources<W, D>* nearest)
        : lists_(lists), labels_(labels), nearest_(nearest), parents_(lists.vertices(), kNoLocal)
    {
    }

    /// Replaces the parents of all labels. Pre: the distances are final, and roots are their own
    /// parents.
    void choose()
    {
        for (std::uint32_t vertex = 0; vertex < lists_.vertices(); ++vertex)
            if (is_root(vertex)) parents_[vertex] = vertex;
        choose_by_distance();
        choose_at_equal_distance();
        choose_of_leaves();
        for (std::uint32_t vertex = 0; vertex < lists_.vertices(); ++vertex)
            if (reached(vertex)) labels_.set_parent(vertex, parents_[vertex]);
    }

private:
    [[nodiscard]] bool reached(std::uint32_t vertex) const { return labels_.parent(vertex) != kNoLocal; }
    [[nodiscard]] bool is_root(std::uint32_t vertex) const { return labels_.parent(vertex) == vertex; }
    /// Whether the arc is tight, and joins vertices with the same nearest source.
    [[nodiscard]] bool tight(std::uint32_t from, std::uint32_t to, W weight) const
    {
        return path_length(labels_.distance(from), weight) == labels_.distance(to) &&
               (nearest_ == nullptr || (*nearest_)[from] == (*nearest_)[to]);
    }

    void choose_by_distance()
    {
        parallel_for(lists_.vertices(), kSerialBelow, [&](std::size_t i) {
            const auto vertex = static_cast<std::uint32_t>(i);
            if (!reached(vertex)) return;
            for (const Arc<W>& arc : lists_.out.list(vertex)) {
                if (is_root(arc.vertex) || !reached(arc.vertex) || !tight(vertex, arc.vertex, arc.weight)) continue;
                if (!(labels_.distance(vertex) < labels_.distance(arc.vertex))) continue;
                const std::atomic_ref<std::uint32_t> parent(parents_[arc.vertex]);
                std::uint32_t seen = parent.load(std::memory_order_relaxed);
                while (vertex < seen && !parent.compare_exchange_weak(seen, vertex, std::memory_order_relaxed)) {
                }
            }
        });
    }

    /// A search from the vertices that have parents along tight arcs to vertices of the same
    /// distance.
    void choose_at_equal_distance()
    {
        steps_.assign(lists_.vertices(), kNoLocal);
        std::vector<std::uint32_t> frontier;
        for (std::uint32_t vertex = 0; vertex < lists_.vertices(); ++vertex) {
            if (parents_[vertex] == kNoLocal) continue;
            steps_[vertex] = 0;
            frontier.push_back(vertex);
        }
        for (std::uint32_t steps = 1; !frontier.empty(); ++steps) {
            std::vector<std::uint32_t> next;
            for (const std::uint32_t vertex : frontier) {
                for (const Arc<W>& arc : lists_.out.list(vertex)) {
                    if (steps_[arc.vertex] < steps || !reached(arc.vertex) || !tight(vertex, arc.vertex, arc.weight))
                        continue;
                    if (steps_[arc.vertex] == kNoLocal) next.push_back(arc.vertex);
                    steps_[arc.vertex] = steps;
                    parents_[arc.vertex] = std::min(parents_[arc.vertex], vertex);
                }
            }
            frontier = std::move(next);
        }
    }

    void choose_of_leaves()
    {
        parallel_for(lists_.leaves.size(), kSerialBelow, [&](std::size_t i) {
            const std::uint32_t leaf = lists_.leaves[i];
            if (is_root(leaf) || !reached(leaf)) return;
            // Parents at a smaller distance come first, then those with the fewest steps.
            const auto rank = [&](std::uint32_t vertex) {
                const bool smaller = labels_.distance(vertex) < labels_.distance(leaf);
                return std::pair(smaller ? 0 : std::uint64_t{steps_[vertex]} + 1, vertex);
            };
            std::uint32_t& parent = parents_[leaf];
            for (const Arc<W>& arc : lists_.to_leaves.list(i))
                if (reached(arc.vertex) && tight(arc.vertex, leaf, arc.weight) &&
                    (parent == kNoLocal || rank(arc.vertex) < rank(parent)))
                    parent = arc.vertex;
        });
    }

    static constexpr std::size_t kSerialBelow = 1 << 12;

    const ArcLists<W>& lists_;
    Labels<D>& labels_;
    const NearestSources<W, D>* nearest_;
    HostBuffer<std::uint32_t> parents_;
    std::vector<std::uint32_t> steps_;  // along arcs between equal distances
};

}  // namespace wayfront::cpu
