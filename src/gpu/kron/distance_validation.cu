#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "gpu/kron/distance_validation.hpp"
#include "gpu/kron/result_checker.cuh"

namespace wayfront::gpu::kron {

namespace {

constexpr float kNotReached = std::numeric_limits<float>::infinity();

/// The result of a search, by index.
struct ResultView
{
    const std::uint32_t* distances;  // bits of floats
    const std::int32_t* parents;

    [[nodiscard]] __device__ float distance(std::uint32_t i) const { return __uint_as_float(__ldg(distances + i)); }
};

/// The layout for a single rank, in which a vertex is its own index, so that kernels need no
/// division.
struct OneRankLayout
{
    [[nodiscard]] static __device__ std::uint32_t index(std::uint32_t v) { return v; }
};

/// The vertices of a rank.
struct OwnVertices
{
    RankMajorLayout layout;
    std::uint32_t rank;

    /// Calls f(vertex, index, local number) for each vertex.
    template <typename F>
    __device__ void for_each(F&& f) const
    {
        const std::uint32_t count = layout.owned_by(rank);
        for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
            const auto local = static_cast<std::uint32_t>(i);
            f(local * layout.ranks + rank, rank * layout.stride + local, local);
        }
    }
};

/// Checks the part of rule 2 that concerns single vertices, for a rank's own vertices, and counts
/// the vertices that have a distance. Offers vertices that break the rule.
__global__ void check_single_vertices(OwnVertices own, std::uint32_t key, ResultView result, Findings* findings)
{
    std::uint32_t reached = 0;
    own.for_each([&](std::uint32_t v, std::uint32_t i, std::uint32_t) {
        const float distance = result.distance(i);
        const bool has_distance = distance != kNotReached;  // true also if the distance is not a number
        const bool is_number = !has_distance || isfinite(distance);
        const bool has_parent = result.parents[i] != static_cast<std::int32_t>(kUnreached);
        if (!is_number || has_distance != has_parent || (v == key && distance != 0)) offer(*findings, v);
        reached += has_distance ? 1 : 0;
    });
    add_of_warp(findings->reached, reached);
}

/// Checks rules 3 and 4, and offers tuples that break one of them. Counts the tuples inside the
/// tree. Sets the bit in `marks` of each vertex that a tuple with the right weight joins to its
/// parent.
template <typename Layout>
__global__ void __launch_bounds__(256)
    check_weighted_tuples(const __grid_constant__ TupleShare tuples, Layout layout, ResultView result,
                          std::uint32_t* marks, Findings* findings)
{
    std::uint32_t inside = 0;
    Counter broken = kNone;
    const auto mark_child = [&](std::uint32_t parent, std::uint32_t child) {
        if (__ldg(result.parents + child) == static_cast<std::int32_t>(parent)) set_mark(marks, child);
    };
    for_each_run(tuples.range, [&](std::uint64_t first, std::uint64_t count) {
        for_each_weighted_edge(tuples.generator, first, count,
                               [&](std::uint64_t number, KronPair edge, std::uint32_t weight_bits) {
                                   const float weight = __uint_as_float(weight_bits);
                                   const std::uint32_t source_index = layout.index(edge.source);
                                   const std::uint32_t target_index = layout.index(edge.target);
                                   const float source = result.distance(source_index);
                                   const float target = result.distance(target_index);
                                   inside += source != kNotReached ? 1 : 0;
                                   const float over_source = __fadd_rn(source, weight);  // infinity remains infinity
                                   const float over_target = __fadd_rn(target, weight);
                                   if ((over_source < target || over_target < source) && number < broken)
                                       broken = number;
                                   if (over_source == target) mark_child(edge.source, target_index);
                                   if (over_target == source) mark_child(edge.target, source_index);
                               });
    });
    if (broken != kNone) offer(*findings, broken);
    add_of_warp(findings->tuples, inside);
}

/// Offers a rank's reached vertices without a mark, except the key. `marks`: see is_marked().
__global__ void find_unmarked(OwnVertices own, std::uint32_t key, ResultView result,
                              const std::uint32_t* __restrict__ marks, Findings* findings)
{
    own.for_each([&](std::uint32_t v, std::uint32_t i, std::uint32_t local) {
        if (v != key && !is_marked(own.layout, marks, local) && result.distance(i) != kNotReached) offer(*findings, v);
    });
}

/// Lowers *lightest to the bits of the smallest weight of the tuples that join u and v.
__global__ void __launch_bounds__(256)
    find_lightest(const __grid_constant__ TupleShare tuples, std::uint32_t u, std::uint32_t v, std::uint32_t* lightest)
{
    for_each_run(tuples.range, [&](std::uint64_t first, std::uint64_t count) {
        for_each_weighted_edge(
            tuples.generator, first, count, [&](std::uint64_t, KronPair edge, std::uint32_t weight_bits) {
                const bool joins = (edge.source == u && edge.target == v) || (edge.source == v && edge.target == u);
                if (joins) atomicMin(lightest, weight_bits);
            });
    });
}

constexpr std::uint32_t kNoWeight = ~0U;

}  // namespace

class KronDistanceValidator::Checker final : ResultChecker
{
public:
    Checker(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks, const Stream& stream)
        : ResultChecker(parameters, tuples, ranks, stream),
          gathered_distances_(GatheredDistancesPlan(layout_.indices(), ranks.ranks()).distances)
    {
    }

    DistanceVerdict validate(Vertex key, const std::uint32_t* own_distances, const std::int32_t* own_parents)
    {
        const TreeLevels tree = begin(key, own_parents);
        result_ = {gather(own_distances, gathered_distances_), parents_};
        if (tree.fault != Fault::none) return broken_tree(tree);

        findings_.reset(stream_);
        const OwnVertices own{layout_, rank_};
        launch(check_single_vertices, layout_.owned_by(rank_), stream_, own, key_, result_, findings_.data());
        const Findings single = findings_.read(stream_);
        const Counter vertex = least_of_all(single.first);
        if (vertex != kNone) return broken_vertex(static_cast<std::uint32_t>(vertex));

        const Findings found = check_tuples();
        const Counter tuple = least_of_all(found.first);
        if (tuple != kNone) return broken_edge(tuple);

        const std::uint32_t* const marks = exchange_marks();
        findings_.reset(stream_);
        launch(find_unmarked, layout_.owned_by(rank_), stream_, own, key_, result_, marks, findings_.data());
        const Counter unmarked = least_of_all(findings_.read(stream_).first);
        if (unmarked != kNone) return broken_branch(static_cast<std::uint32_t>(unmarked));

        std::int64_t sums[] = {static_cast<std::int64_t>(found.tuples), static_cast<std::int64_t>(single.reached)};
        ranks_.sum(sums);
        DistanceVerdict verdict;
        verdict.component_tuples = static_cast<std::uint64_t>(sums[0]);
        verdict.reached = static_cast<std::uint64_t>(sums[1]);
        return verdict;
    }

private:
    /// Checks this rank's share of the tuples.
    Findings check_tuples()
    {
        fill_bytes_async(marks_.span(), 0, stream_);
        findings_.reset(stream_);
        const auto check_with = [&](auto kernel, auto layout) {
            launch(kernel, tuples_.range.runs(), stream_, tuples_, layout, result_, marks_.data(), findings_.data());
        };
        if (layout_.ranks == 1)
            check_with(check_weighted_tuples<OneRankLayout>, OneRankLayout{});
        else
            check_with(check_weighted_tuples<RankMajorLayout>, layout_);
        return findings_.read(stream_);
    }

    DistanceVerdict broken_tree(const TreeLevels& tree)
    {
        DistanceVerdict verdict = of_vertex(DistanceFault::tree, 1, tree.offender);
        verdict.tree_fault = tree.fault;
        return verdict;
    }

    DistanceVerdict broken_vertex(std::uint32_t v)
    {
        DistanceVerdict verdict = of_vertex(DistanceFault::key_distance, 2, v);
        const bool has_distance = verdict.distance != kNotReached;
        if (has_distance && !std::isfinite(verdict.distance))
            verdict.fault = DistanceFault::no_number;
        else if (has_distance && verdict.parent == kUnreached)
            verdict.fault = DistanceFault::no_parent;
        else if (!has_distance)
            verdict.fault = DistanceFault::no_distance;
        return verdict;
    }

    DistanceVerdict broken_edge(Counter number)
    {
        MrgState stream = kron_stream(tuples_.generator.parameters, mrg_powers().power, number);
        const Edge edge = kron_edge(tuples_.generator.parameters, stream);
        DistanceVerdict verdict;
        verdict.edge = static_cast<EdgeCount>(number);
        verdict.weight = kron_weight(stream);
        verdict.vertex = edge.source;
        verdict.parent = edge.target;
        verdict.distance = distance_of(edge.source);
        verdict.other_distance = distance_of(edge.target);
        const bool leaves = verdict.distance == kNotReached || verdict.other_distance == kNotReached;
        verdict.fault = leaves ? DistanceFault::leaves_component : DistanceFault::shorter_path;
        verdict.rule = leaves ? 4 : 3;
        return verdict;
    }

    /// The fault of a vertex without a mark. Collective.
    DistanceVerdict broken_branch(std::uint32_t v)
    {
        DistanceVerdict verdict = of_vertex(DistanceFault::missing_tree_edge, 5, v);
        DeviceBuffer<std::uint32_t> lightest(1);
        fill_bytes_async(lightest.span(), 0xFF, stream_);
        launch(find_lightest, tuples_.range.runs(), stream_, tuples_, v, static_cast<std::uint32_t>(verdict.parent),
               lightest.data());
        const std::uint32_t own_bits = fetch(lightest.data(), stream_);
        const Counter bits = least_of_all(own_bits == kNoWeight ? kNone : Counter{own_bits});
        if (bits == kNone) return verdict;
        verdict.fault = DistanceFault::wrong_sum;
        verdict.rule = 2;
        verdict.weight = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        verdict.other_distance = distance_of(verdict.parent);
        return verdict;
    }

    /// The description of a vertex's fault, with the vertex's parent and distance.
    DistanceVerdict of_vertex(DistanceFault fault, int rule, std::uint32_t v)
    {
        DistanceVerdict verdict;
        verdict.fault = fault;
        verdict.rule = rule;
        verdict.vertex = v;
        verdict.parent = parent_of(v);
        verdict.distance = distance_of(v);
        return verdict;
    }

    float distance_of(Vertex v) { return std::bit_cast<float>(fetch(result_.distances + index(v), stream_)); }

    DeviceBuffer<std::uint32_t> gathered_distances_;  // distances of all vertices; used with several ranks
    ResultView result_{};                             // result of the current validation
};

KronDistanceValidator::KronDistanceValidator(const KronParameters& parameters, EdgeCount tuples,
                                             DeviceCollectives& ranks, const Stream& stream)
{
    if (parameters.scale < 1 || parameters.scale > 31)
        throw InputError("validation on the GPU takes Kronecker graphs of scale 1 to 31, not " +
                         std::to_string(parameters.scale));
    checker_ = std::make_unique<Checker>(parameters, tuples, ranks, stream);
}

KronDistanceValidator::~KronDistanceValidator() = default;

DistanceVerdict KronDistanceValidator::validate(Vertex key, const std::uint32_t* own_distances,
                                                const std::int32_t* own_parents)
{
    return checker_->validate(key, own_distances, own_parents);
}

std::size_t KronDistanceValidator::device_bytes(Vertex n, int ranks)
{
    return KronValidator::device_bytes(n, ranks) +
           GatheredDistancesPlan(RankMajorLayout::of(n, ranks).indices(), ranks).bytes();
}

}  // namespace wayfront::gpu::kron
