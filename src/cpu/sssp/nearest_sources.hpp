// The nearest sources after a search from several sources on one rank (algo/nearest_sources.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "algo/nearest_in_memory.hpp"
#include "base/types.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/ties.hpp"

namespace wayfront::cpu {

template <typename W, typename D>
class NearestSources
{
public:
    /// The arguments outlive the object.
    NearestSources(const ArcLists<W>& lists, Labels<D>& labels)
        : lists_(lists), labels_(labels), tree_{lists, labels}, nearest_(labels.size())
    {
    }

    /// Chooses the nearest sources, and replaces the parents of labels by those towards them. Pre: the
    /// distances are final.
    void choose(const Ties<D>& ties)
    {
        nearest_.take_roots(tree_);
        std::vector<std::uint32_t> changed =
            ties.complete ? nearest_.pass_on_from(tree_, take_ties(ties.kept)) : nearest_.pass_on_from_all(tree_);
        choose_of_leaves(changed);
        for (const std::uint32_t vertex : changed)
            labels_.set(vertex, labels_.distance(vertex), nearest_.parent(vertex));
    }

    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    /// The nearest source of a vertex; kNoLocal if it is not reached.
    [[nodiscard]] std::uint32_t operator[](std::uint32_t vertex) const { return nearest_.nearest(vertex); }

private:
    /// The tree of the labels. Arcs to leaves are not among its out-arcs.
    struct Tree
    {
        const ArcLists<W>& lists;
        const Labels<D>& labels;

        [[nodiscard]] std::uint32_t parent(std::uint32_t vertex) const { return labels.parent(vertex); }
        [[nodiscard]] static std::uint32_t number(std::uint32_t vertex) { return vertex; }
        template <typename F>
        void for_each_out_arc(std::uint32_t from, F&& f) const
        {
            for (const Arc<W>& arc : lists.out.list(from)) f(arc.vertex, arc.weight);
        }
        [[nodiscard]] bool is_tight(std::uint32_t from, std::uint32_t to, W weight) const
        {
            return path_length(labels.distance(from), weight) == labels.distance(to);
        }
    };

    /// Returns the vertices that got a smaller source. A tie whose distance is final is a tight arc:
    /// if the parent's distance has decreased since, the sum with it can only be the same.
    [[nodiscard]] std::vector<std::uint32_t> take_ties(const std::vector<Candidate<D>>& ties)
    {
        std::vector<std::uint32_t> changed;
        for (const Candidate<D>& tie : ties)
            if (tie.distance == labels_.distance(tie.vertex) && labels_.parent(tie.vertex) != kNoLocal &&
                nearest_.lower(tie.vertex, nearest_.nearest(tie.parent), tie.parent))
                changed.push_back(tie.vertex);
        return changed;
    }

    /// A leaf passes no source on, except that the two vertices of a component of two are leaves of
    /// each other; one of them has its final source before.
    void choose_of_leaves(std::vector<std::uint32_t>& changed)
    {
        for (std::size_t i = 0; i < lists_.leaves.size(); ++i) {
            const std::uint32_t leaf = lists_.leaves[i];
            if (nearest_.nearest(leaf) == kNoLocal) continue;
            for (const Arc<W>& arc : lists_.to_leaves.list(i)) {
                const std::uint32_t source = nearest_.nearest(arc.vertex);
                if (source < nearest_.nearest(leaf) && tree_.is_tight(arc.vertex, leaf, arc.weight) &&
                    nearest_.lower(leaf, source, arc.vertex))
                    changed.push_back(leaf);
            }
        }
    }

    const ArcLists<W>& lists_;
    Labels<D>& labels_;
    Tree tree_;
    algo::NearestInMemory<Tree> nearest_;
};

}  // namespace wayfront::cpu
