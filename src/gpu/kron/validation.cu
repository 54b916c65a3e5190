#include <cstdint>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "gpu/kron/result_checker.cuh"
#include "gpu/kron/validation.hpp"

namespace wayfront::gpu::kron {

namespace {

/// Checks rules 3 and 4, and offers tuples that break one of them. Counts the tuples inside the
/// tree. Sets the bit in `marks` of each vertex that a tuple joins to its parent.
template <typename Levels>
__global__ void __launch_bounds__(256) check_tuples(const __grid_constant__ TupleShare tuples, ParentTree tree,
                                                    Levels levels, std::uint32_t* marks, Findings* findings)
{
    const RankMajorLayout& layout = tree.layout;
    std::uint32_t inside = 0;
    Counter broken = kNone;
    for_each_run(tuples.range, [&](std::uint64_t first, std::uint64_t count) {
        for_each_kron_edge(tuples.generator, first, count, [&](std::uint64_t number, KronPair edge) {
            const std::uint32_t source = layout.index(edge.source);
            const std::uint32_t target = layout.index(edge.target);
            const std::uint32_t source_level = levels[source];
            const std::uint32_t target_level = levels[target];
            inside += source_level != Levels::kUnreachedLevel ? 1 : 0;
            if (source_level == target_level) return;
            if (source_level - target_level + 1 > 2 && number < broken) broken = number;
            const bool down = source_level < target_level;
            const std::uint32_t child = down ? target : source;
            if (tree.parent(child) == static_cast<std::int32_t>(down ? edge.source : edge.target))
                set_mark(marks, child);
        });
    });
    if (broken != kNone) offer(*findings, broken);
    add_of_warp(findings->tuples, inside);
}

/// Checks rules 2 and 5 for a rank's own vertices, and finds the number and the depth of reached
/// vertices. `marks`: see is_marked(). The order of a fault is twice the vertex's number, plus 1
/// for rule 5.
template <typename Levels>
__global__ void check_vertices(ParentTree tree, std::uint32_t rank, Levels levels,
                               const std::uint32_t* __restrict__ marks, Findings* findings)
{
    const RankMajorLayout& layout = tree.layout;
    std::uint32_t reached = 0;
    std::uint32_t deepest = 0;
    for (std::uint64_t local = first_index(); local < layout.stride; local += index_stride()) {
        const auto i = static_cast<std::uint32_t>(std::uint64_t{rank} * layout.stride + local);
        const std::uint32_t level = levels[i];
        if (level == Levels::kUnreachedLevel) continue;
        ++reached;
        deepest = level > deepest ? level : deepest;
        const std::uint64_t v = layout.vertex(i);
        if (v == tree.key) continue;
        if (levels[layout.index(static_cast<std::uint32_t>(tree.parent(i)))] + 1 != level) offer(*findings, 2 * v);
        if (!is_marked(layout, marks, local)) offer(*findings, 2 * v + 1);
    }
    add_of_warp(findings->reached, reached);
    deepest = __reduce_max_sync(kAllLanes, deepest);
    if (lane_id() == 0 && deepest != 0) atomicMax(&findings->deepest, Counter{deepest});
}

std::int64_t shown_level(std::uint32_t level, std::uint32_t unreached)
{
    return level == unreached ? -1 : static_cast<std::int64_t>(level);
}

}  // namespace

class KronValidator::Checker final : ResultChecker
{
public:
    Checker(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks, const Stream& stream)
        : ResultChecker(parameters, tuples, ranks, stream)
    {
    }

    Verdict validate(Vertex key, const std::int32_t* own_parents)
    {
        const TreeLevels tree = begin(key, own_parents);
        if (tree.fault != Fault::none) return broken_tree(tree.fault, tree.offender);
        if (tree.deep_steps.empty()) return check_levels(ByteLevels{levels_.data()});
        return check_levels(DeepLevels{tree.deep_steps.data()});
    }

private:
    /// Checks rules 2 to 5. Collective if there are several ranks.
    template <typename Levels>
    Verdict check_levels(Levels levels)
    {
        fill_bytes_async(marks_.span(), 0, stream_);
        findings_.reset(stream_);
        launch(check_tuples<Levels>, tuples_.range.runs(), stream_, tuples_, tree(), levels, marks_.data(),
               findings_.data());
        Findings found = findings_.read(stream_);
        const Counter tuple = least_of_all(found.first);
        if (tuple != kNone) return broken_edge(tuple, levels);

        const std::uint32_t* const marks = exchange_marks();
        findings_.reset(stream_);
        launch(check_vertices<Levels>, layout_.stride, stream_, tree(), rank_, levels, marks, findings_.data());
        const Counter inside = found.tuples;
        found = findings_.read(stream_);
        const Counter order = least_of_all(found.first);
        if (order != kNone) return broken_branch(static_cast<std::uint32_t>(order / 2), order % 2 == 0, levels);

        std::int64_t sums[] = {static_cast<std::int64_t>(inside), static_cast<std::int64_t>(found.reached)};
        std::int64_t deepest[] = {static_cast<std::int64_t>(found.deepest)};
        ranks_.sum(sums);
        ranks_.max(deepest);
        Verdict verdict;
        verdict.component_tuples = static_cast<std::uint64_t>(sums[0]);
        verdict.reached = static_cast<std::uint64_t>(sums[1]);
        verdict.max_level = deepest[0];
        return verdict;
    }

    Verdict broken_tree(Fault fault, std::uint32_t v)
    {
        Verdict verdict;
        verdict.fault = fault;
        verdict.rule = 1;
        verdict.vertex = v;
        verdict.parent = parent_of(v);
        return verdict;
    }

    template <typename Levels>
    Verdict broken_edge(Counter number, Levels levels)
    {
        MrgState stream = kron_stream(tuples_.generator.parameters, mrg_powers().power, number);
        const Edge edge = kron_edge(tuples_.generator.parameters, stream);
        Verdict verdict;
        verdict.edge = static_cast<EdgeCount>(number);
        verdict.vertex = edge.source;
        verdict.parent = edge.target;
        verdict.level = level_of(levels, edge.source);
        verdict.other_level = level_of(levels, edge.target);
        const bool leaves = verdict.level < 0 || verdict.other_level < 0;
        verdict.fault = leaves ? Fault::leaves_component : Fault::edge_levels;
        verdict.rule = leaves ? 4 : 3;
        return verdict;
    }

    template <typename Levels>
    Verdict broken_branch(std::uint32_t v, bool level_gap, Levels levels)
    {
        Verdict verdict;
        verdict.fault = level_gap ? Fault::level_gap : Fault::missing_tree_edge;
        verdict.rule = level_gap ? 2 : 5;
        verdict.vertex = v;
        verdict.parent = parent_of(v);
        verdict.level = level_of(levels, v);
        verdict.other_level = level_of(levels, verdict.parent);
        return verdict;
    }

    std::int64_t level_of(ByteLevels levels, Vertex v)
    {
        return shown_level(fetch(levels.levels + index(v), stream_), kNoByteLevel);
    }
    std::int64_t level_of(DeepLevels levels, Vertex v)
    {
        return shown_level(static_cast<std::uint32_t>(fetch(levels.steps + index(v), stream_)), kNoLevel);
    }
};

KronValidator::KronValidator(const KronParameters& parameters, EdgeCount tuples, Vertex n, DeviceCollectives& ranks,
                             const Stream& stream)
{
    if (parameters.scale > 31 || n != Vertex{1} << parameters.scale)
        throw InputError("validation on the GPU takes Kronecker graphs of 2 to 2^31 vertices, not " +
                         std::to_string(n) + " at scale " + std::to_string(parameters.scale));
    checker_ = std::make_unique<Checker>(parameters, tuples, ranks, stream);
}

KronValidator::KronValidator(KronValidator&&) noexcept = default;
KronValidator& KronValidator::operator=(KronValidator&&) noexcept = default;
KronValidator::~KronValidator() = default;

Verdict KronValidator::validate(Vertex key, const std::int32_t* own_parents)
{
    return checker_->validate(key, own_parents);
}

std::size_t KronValidator::device_bytes(Vertex n, int ranks)
{
    return bytes_of(ValidationPlan(RankMajorLayout::of(n, ranks).indices(), ranks), KronTablesPlan(), FindingsPlan());
}

}  // namespace wayfront::gpu::kron
