#include "graph500/validate_edges.hpp"

#include <atomic>
#include <string>

#include "graph500/edge_pass.hpp"
#include "graph500/nearest_rules.hpp"
#include "graph500/validate_levels.hpp"

namespace wayfront::graph500 {

namespace {

/// Rules 3 to 5 of breadth-first search (edge_pass.hpp).
template <typename Own>
struct LevelRules
{
    using Id = Own;
    using Label = std::uint32_t;
    using Weight = Unweighted;
    static constexpr std::size_t kMostCandidates = 1;

    TreeView<Id> tree;

    [[nodiscard]] Label label(std::size_t v) const { return tree.levels[v]; }
    [[nodiscard]] Id parent(std::size_t v) const { return tree.parents[v]; }
    /// The level of a parent is one up by definition.
    [[nodiscard]] Label parent_label(std::size_t v) const { return tree.levels[v] - 1; }
    void mark_parent_confirmed(std::size_t v) const
    {
        std::atomic_ref<std::uint8_t>(tree.confirmed[v]).store(1, std::memory_order_relaxed);
    }

    static bool reached(Label level) { return level != kNoLevel; }
    static bool joins(Label parent, Label child, Weight /*weight*/) { return child == parent + 1; }
    template <bool directed>
    static bool violates_rule(Label source, Label target, Weight /*weight*/)
    {
        if constexpr (directed) return target > source + 1;
        return source - target + 1 > 2;  // wraps; kNoLevel is far from all levels
    }
    template <bool directed, typename F>
    static void candidates(Label source, Label target, Weight weight, F&& add)
    {
        if constexpr (directed)
            add(true, joins(source, target, weight));
        else
            add(source < target, source != target);
    }
    template <bool directed>
    static void report(ViolationRecord& violations, std::uint64_t order, const LabelledEdge<Label, Weight>& labelled)
    {
        const auto level = [](Label value) {
            return reached(value) ? "level " + std::to_string(value) : std::string("not reached");
        };
        const bool both_reached = reached(labelled.source) && reached(labelled.target);
        violations.offer(order, both_reached ? Rule::edge_levels : Rule::component, [&] {
            return "edge " + std::to_string(labelled.edge.source) + (directed ? " -> " : " - ") +
                   std::to_string(labelled.edge.target) + " joins " + level(labelled.source) + " and " +
                   level(labelled.target);
        });
    }
};

}  // namespace

template <typename Id>
EdgeCount check_edges(const CheckedEdges& checked, const TreeView<Id>& tree, ViolationRecord& violations)
{
    const LevelRules<Id> rules{tree};
    if (tree.nearest.empty()) return pass_over_edges(checked, rules, violations);
    return pass_over_edges(checked, NearestRules<LevelRules<Id>>{rules, tree.nearest}, violations);
}

template EdgeCount check_edges(const CheckedEdges&, const TreeView<std::int32_t>&, ViolationRecord&);
template EdgeCount check_edges(const CheckedEdges&, const TreeView<std::int64_t>&, ViolationRecord&);

}  // namespace wayfront::graph500
