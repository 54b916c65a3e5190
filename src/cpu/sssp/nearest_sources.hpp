// The nearest sources after a search from several sources on one rank (algo/nearest_sources.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
    NearestSources(const ArcLists<W>& lists, Labels<D>& labels, Ties<D>& ties)
        : lists_(lists), labels_(labels), ties_(ties), tree_{lists, labels}
    {
    }

    /// Chooses the nearest sources, and replaces the parents of labels by those towards them. `sources`
    /// are those of the search. Pre: the labels are final, those of leaves, too.
    void choose(std::span<const std::uint32_t> sources)
    {
        if (ties_.settled) {
            sources_.assign(sources.begin(), sources.end());
        } else {
            choose_in_tree();
            choose_of_leaves();
        }
    }

    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    /// The nearest source of a vertex; kNoLocal if it is not reached.
    [[nodiscard]] std::uint32_t operator[](std::uint32_t vertex) const
    {
        if (!ties_.settled) return in_tree_->nearest(vertex);
        return labels_.parent(vertex) == kNoLocal ? kNoLocal : sources_[labels_.source(vertex)];
    }

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

    /// Chooses the sources of vertices that are not leaves. Needed only if the search has not settled its ties.
    void choose_in_tree()
    {
        if (!in_tree_) in_tree_.emplace(labels_.size());
        in_tree_->assign_roots(tree_);
        const std::vector<std::uint32_t> changed =
            ties_.complete ? in_tree_->push_sources_from(tree_, take_ties()) : in_tree_->push_sources_from_all(tree_);
        for (const std::uint32_t vertex : changed) labels_.set_parent(vertex, in_tree_->parent(vertex));
    }

    /// Returns the vertices that got a smaller source. A tie whose distance is final is a tight arc:
    /// if the parent's distance has decreased since, the sum with it can only be the same.
    [[nodiscard]] std::vector<std::uint32_t> take_ties()
    {
        std::vector<std::uint32_t> changed;
        for (const Candidate<D>& tie : ties_.kept)
            if (tie.distance == labels_.distance(tie.vertex) && labels_.parent(tie.vertex) != kNoLocal &&
                in_tree_->lower(tie.vertex, in_tree_->nearest(tie.mark), tie.mark))
                changed.push_back(tie.vertex);
        return changed;
    }

    /// Chooses the sources of leaves, after those of all other vertices. A leaf passes no source on. In a component of
    /// two vertices, each is the leaf of the other; one of them has its final source before.
    void choose_of_leaves()
    {
        for (std::size_t i = 0; i < lists_.leaves.size(); ++i) {
            const std::uint32_t leaf = lists_.leaves[i];
            if (labels_.parent(leaf) == kNoLocal) continue;
            for (const Arc<W>& arc : lists_.to_leaves.list(i)) {
                const std::uint32_t source = in_tree_->nearest(arc.vertex);
                if (source < in_tree_->nearest(leaf) && tree_.is_tight(arc.vertex, leaf, arc.weight)) {
                    labels_.set_parent(leaf, arc.vertex);
                    in_tree_->lower(leaf, source, arc.vertex);
                }
            }
        }
    }

    const ArcLists<W>& lists_;
    Labels<D>& labels_;
    Ties<D>& ties_;
    Tree tree_;
    std::optional<algo::NearestInMemory<Tree>> in_tree_;
    std::vector<std::uint32_t> sources_;  // by their numbers in labels
};

}  // namespace wayfront::cpu
