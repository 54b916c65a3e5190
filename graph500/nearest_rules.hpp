// The rules of a search from several keys (edge_pass.hpp): those of a search from one, and rule 6: no
// edge of a shortest path leads from a vertex to one whose nearest key is greater. With the rules of
// the tree it follows that the nearest key of each vertex is the smallest of those at its distance.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "graph/edge_list.hpp"
#include "graph500/checked_edges.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

/// `Base` are the rules of a search from one key.
template <typename Base>
struct NearestRules
{
    using Id = typename Base::Id;
    using Weight = typename Base::Weight;
    struct Label
    {
        typename Base::Label of;
        Id nearest;
    };
    static constexpr std::size_t kMostCandidates = Base::kMostCandidates;

    Base base;
    std::span<const Id> nearest;

    [[nodiscard]] Label label(std::size_t v) const { return {base.label(v), nearest[v]}; }
    [[nodiscard]] Id parent(std::size_t v) const { return base.parent(v); }
    [[nodiscard]] Label parent_label(std::size_t v) const { return {base.parent_label(v), nearest[v]}; }
    void mark_parent_confirmed(std::size_t v) const { base.mark_parent_confirmed(v); }

    static bool reached(const Label& label) { return Base::reached(label.of); }
    static bool joins(const Label& parent, const Label& child, Weight weight)
    {
        return Base::joins(parent.of, child.of, weight);
    }
    template <bool directed>
    static bool violates_rule(const Label& source, const Label& target, Weight weight)
    {
        // All three, so that there is no branch on each.
        const bool of_base = Base::template violates_rule<directed>(source.of, target.of, weight);
        const bool forwards = leads_to_greater(source, target, weight);
        const bool backwards = !directed && leads_to_greater(target, source, weight);
        return of_base | forwards | backwards;
    }
    template <bool directed, typename F>
    static void candidates(const Label& source, const Label& target, Weight weight, F&& add)
    {
        Base::template candidates<directed>(source.of, target.of, weight, std::forward<F>(add));
    }
    template <bool directed>
    static void report(ViolationRecord& violations, std::uint64_t order, const LabelledEdge<Label, Weight>& labelled)
    {
        const auto& [edge, source, target, weight] = labelled;
        if (Base::template violates_rule<directed>(source.of, target.of, weight)) {
            Base::template report<directed>(
                violations, order, LabelledEdge<typename Base::Label, Weight>{edge, source.of, target.of, weight});
            return;
        }
        violations.offer(order, Rule::nearest, [&] {
            return "edge " + std::to_string(labelled.edge.source) + (directed ? " -> " : " - ") +
                   std::to_string(labelled.edge.target) + " of a shortest path joins vertices whose nearest keys are " +
                   std::to_string(labelled.source.nearest) + " and " + std::to_string(labelled.target.nearest);
        });
    }

private:
    static bool leads_to_greater(const Label& from, const Label& to, Weight weight)
    {
        return from.nearest < to.nearest && reached(from) && joins(from, to, weight);
    }
};

}  // namespace wayfront::graph500
