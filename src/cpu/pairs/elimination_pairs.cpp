#include "cpu/pairs/elimination_pairs.hpp"

#include <algorithm>
#include <utility>

namespace wayfront::cpu {

namespace {

using algo::Elimination;
using algo::EliminationArc;

constexpr std::uint32_t kFar = Elimination::kFar;
constexpr std::uint32_t kNoPosition = Elimination::kNoPosition;

/// The arcs of `arcs`, lists by lower position, by upper position.
ArcArray<std::uint32_t> by_upper(const Elimination& tree, const std::vector<std::uint32_t>& begins,
                                 const std::vector<EliminationArc>& arcs)
{
    ArcArray<std::uint32_t> lists;
    lists.begins = HostBuffer<std::uint64_t>(std::size_t{tree.size()} + 1, 0);
    lists.arcs = HostBuffer<Arc<std::uint32_t>>(arcs.size());
    std::vector<std::uint32_t> ancestors(tree.height);  // the ancestors of position p, by depth
    const auto for_each_arc = [&](auto&& f) {
        for (std::uint32_t p = 0; p < tree.size(); ++p) {
            ancestors[tree.depths[p]] = p;
            for (std::uint32_t a = begins[p]; a < begins[p + 1]; ++a) f(ancestors[arcs[a].depth], p, arcs[a].weight);
        }
    };
    for_each_arc([&](std::uint32_t upper, std::uint32_t, std::uint32_t) { ++lists.begins[upper + 1]; });
    for (std::size_t i = 1; i <= tree.size(); ++i) lists.begins[i] += lists.begins[i - 1];
    std::vector<std::uint64_t> next(lists.begins.begin(), lists.begins.end() - 1);
    for_each_arc([&](std::uint32_t upper, std::uint32_t lower, std::uint32_t weight) {
        lists.arcs[next[upper]++] = {lower, weight};
    });
    return lists;
}

}  // namespace

EliminationPaths::EliminationPaths(Elimination tree)
    : tree_(std::move(tree)),
      up_to_(by_upper(tree_, tree_.arcs_to_ancestors_begins, tree_.arcs_to_ancestors)),
      down_from_(by_upper(tree_, tree_.arcs_from_ancestors_begins, tree_.arcs_from_ancestors))
{
}

EliminationPairs::EliminationPairs(const EliminationPaths& paths) : paths_(paths), tree_(paths.tree())
{
    for (Climb* const climb : {&up_, &down_})
        for (std::vector<std::uint32_t>* const each :
             {&climb->lengths, &climb->before, &climb->positions, &climb->weights})
            each->resize(tree_.height);
}

void EliminationPairs::climb(Climb& climb, std::uint32_t position, const std::vector<std::uint32_t>& begins,
                             const std::vector<EliminationArc>& arcs) const
{
    const std::uint32_t depth = tree_.depths[position];
    std::fill_n(climb.lengths.begin(), depth, kFar);
    climb.lengths[depth] = 0;
    for (std::uint32_t p = position; p != kNoPosition; p = tree_.parents[p]) {
        const std::uint32_t own = tree_.depths[p];
        climb.positions[own] = p;
        const std::uint32_t length = climb.lengths[own];
        if (length == kFar) continue;
        for (std::uint32_t a = begins[p]; a < begins[p + 1]; ++a) {
            const auto [above, weight] = arcs[a];
            if (length + weight >= climb.lengths[above]) continue;
            climb.lengths[above] = length + weight;
            climb.before[above] = own;
            climb.weights[above] = weight;
        }
    }
}

std::uint64_t EliminationPairs::run(std::uint32_t source, std::uint32_t target)
{
    source_ = source;
    target_ = target;
    if (source == target) return 0;
    const std::uint32_t first = tree_.positions[source];
    const std::uint32_t last = tree_.positions[target];
    if (first == kNoPosition || last == kNoPosition) return kNone;
    climb(up_, first, tree_.arcs_to_ancestors_begins, tree_.arcs_to_ancestors);
    climb(down_, last, tree_.arcs_from_ancestors_begins, tree_.arcs_from_ancestors);
    std::uint32_t best = kFar;
    const std::uint32_t most = std::min(tree_.depths[first], tree_.depths[last]);
    for (std::uint32_t depth = 0; depth <= most && up_.positions[depth] == down_.positions[depth]; ++depth) {
        const std::uint32_t sum = up_.lengths[depth] + down_.lengths[depth];
        if (sum >= best) continue;
        best = sum;
        meeting_ = depth;
    }
    return best == kFar ? kNone : best;
}

void EliminationPairs::begin_path()
{
    stack_.clear();
    const std::uint32_t last = tree_.depths[tree_.positions[target_]];
    for (std::uint32_t depth = meeting_; depth != last; depth = down_.before[depth])
        stack_.push_back({down_.positions[depth], down_.positions[down_.before[depth]], down_.weights[depth]});
    std::ranges::reverse(stack_);
    const std::uint32_t first = tree_.depths[tree_.positions[source_]];
    for (std::uint32_t depth = meeting_; depth != first; depth = up_.before[depth])
        stack_.push_back({up_.positions[up_.before[depth]], up_.positions[depth], up_.weights[depth]});
}

bool EliminationPairs::divide(const TreeArc& arc)
{
    const bool up = tree_.depths[arc.from] > tree_.depths[arc.to];
    const std::uint32_t lower = up ? arc.from : arc.to;
    const std::uint32_t depth = tree_.depths[up ? arc.to : arc.from];  // the depth of the upper end
    const std::vector<std::uint32_t>& begins = up ? tree_.arcs_to_ancestors_begins : tree_.arcs_from_ancestors_begins;
    const std::vector<EliminationArc>& arcs = up ? tree_.arcs_to_ancestors : tree_.arcs_from_ancestors;
    for (const Arc<std::uint32_t>& below : (up ? paths_.down_from() : paths_.up_to()).list(lower)) {
        if (below.weight > arc.weight) continue;
        for (std::uint32_t a = begins[below.vertex]; a < begins[below.vertex + 1]; ++a) {
            if (arcs[a].depth != depth || arcs[a].weight != arc.weight - below.weight) continue;
            const TreeArc to_upper{up ? below.vertex : arc.from, up ? arc.to : below.vertex, arcs[a].weight};
            const TreeArc to_lower{up ? arc.from : below.vertex, up ? below.vertex : arc.to, below.weight};
            stack_.push_back(up ? to_upper : to_lower);
            stack_.push_back(up ? to_lower : to_upper);
            return true;
        }
    }
    return false;
}

}  // namespace wayfront::cpu
