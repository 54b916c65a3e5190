#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "gpu/kron/distance_validation.hpp"
#include "gpu/kron/kron_device.cuh"
#include "gpu/kron/tuple_range.cuh"
#include "gpu/kron/validation_layout.hpp"
#include "gpu/kron/validation_levels.cuh"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

constexpr float kNotReached = std::numeric_limits<float>::infinity();

/// A search's result, by vertex.
struct ResultView
{
    const std::uint32_t* distances;  // bits of floats
    const std::int32_t* parents;

    [[nodiscard]] __device__ float distance(std::uint32_t v) const { return __uint_as_float(__ldg(distances + v)); }
};

/// Checks the part of rule 2 that concerns single vertices, and counts those that have a distance.
/// Offers the vertex.
__global__ void check_single_vertices(ResultView result, std::uint32_t vertices, std::uint32_t key, Findings* findings)
{
    std::uint32_t reached = 0;
    for (std::uint64_t i = first_index(); i < vertices; i += index_stride()) {
        const auto v = static_cast<std::uint32_t>(i);
        const float distance = result.distance(v);
        const bool has_distance = distance != kNotReached;  // also if it is not a number
        const bool is_number = !has_distance || isfinite(distance);
        const bool has_parent = result.parents[v] != static_cast<std::int32_t>(kUnreached);
        if (!is_number || has_distance != has_parent || (v == key && distance != 0)) offer(*findings, v);
        reached += has_distance ? 1 : 0;
    }
    reached = __reduce_add_sync(kAllLanes, reached);
    if (lane_id() == 0 && reached != 0) atomicAdd(&findings->reached, Counter{reached});
}

/// Checks rules 3 and 4: offers the tuples that break one of them. Counts the tuples inside the
/// tree. Sets the bits of `marks` of the vertices that a tuple joins to their parents with the
/// right weight.
__global__ void __launch_bounds__(256) check_weighted_tuples(const __grid_constant__ KronGenerator generator, TupleRange tuples, ResultView result,
                                                             std::uint32_t* marks, Findings* findings)
{
    std::uint32_t inside = 0;
    Counter broken = kNone;
    const auto mark_child = [&](std::uint32_t parent, std::uint32_t child) {
        if (__ldg(result.parents + child) != static_cast<std::int32_t>(parent)) return;
        const std::uint32_t bit = 1U << (child % 32);
        if ((marks[child / 32] & bit) == 0) atomicOr(marks + child / 32, bit);
    };
    for_each_run(tuples, [&](std::uint64_t first, std::uint64_t count) {
        for_each_weighted_edge(generator, first, count, [&](std::uint64_t number, KronPair edge, std::uint32_t weight_bits) {
            const float weight = __uint_as_float(weight_bits);
            const float source = result.distance(edge.source);
            const float target = result.distance(edge.target);
            inside += source != kNotReached ? 1 : 0;
            const float over_source = __fadd_rn(source, weight);  // infinity remains infinity
            const float over_target = __fadd_rn(target, weight);
            if ((over_source < target || over_target < source) && number < broken) broken = number;
            if (over_source == target) mark_child(edge.source, edge.target);
            if (over_target == source) mark_child(edge.target, edge.source);
        });
    });
    if (broken != kNone) offer(*findings, broken);
    inside = __reduce_add_sync(kAllLanes, inside);
    if (lane_id() == 0 && inside != 0) atomicAdd(&findings->tuples, Counter{inside});
}

/// Offers the reached vertices other than the key that have no mark.
__global__ void find_unmarked(ResultView result, std::uint32_t vertices, std::uint32_t key, const std::uint32_t* __restrict__ marks,
                              Findings* findings)
{
    for (std::uint64_t i = first_index(); i < vertices; i += index_stride()) {
        const auto v = static_cast<std::uint32_t>(i);
        if (v != key && (marks[v / 32] >> (v % 32) & 1U) == 0 && result.distance(v) != kNotReached) offer(*findings, v);
    }
}

/// Lowers *lightest to the bits of the least weight of the tuples that join u and v.
__global__ void __launch_bounds__(256)
    find_lightest(const __grid_constant__ KronGenerator generator, TupleRange tuples, std::uint32_t u, std::uint32_t v, std::uint32_t* lightest)
{
    for_each_run(tuples, [&](std::uint64_t first, std::uint64_t count) {
        for_each_weighted_edge(generator, first, count, [&](std::uint64_t, KronPair edge, std::uint32_t weight_bits) {
            const bool joins = (edge.source == u && edge.target == v) || (edge.source == v && edge.target == u);
            if (joins) atomicMin(lightest, weight_bits);
        });
    });
}

constexpr std::uint32_t kNoWeight = ~0U;

}  // namespace

class KronDistanceValidator::Checker
{
public:
    Checker(const KronParameters& parameters, EdgeCount tuples, const Stream& stream)
        : stream_(stream),
          layout_(RankMajorLayout::of(Vertex{1} << parameters.scale, 1)),
          tuples_(share_of(tuples, 1, 0)),
          tables_(stream),
          generator_(tables_.generator(parameters)),
          plan_(layout_.indices(), 1),
          levels_(plan_.levels),
          marks_(plan_.marks)
    {
    }

    DistanceVerdict validate(Vertex key, const std::uint32_t* distances, const std::int32_t* parents)
    {
        result_ = {distances, parents};
        key_ = static_cast<std::uint32_t>(key);
        const TreeLevels tree = tree_levels(layout_, key_, parents, levels_.data(), findings_, stream_);
        if (tree.fault != Fault::none) return broken_tree(tree);

        findings_.reset(stream_);
        launch(check_single_vertices, layout_.vertices, stream_, result_, layout_.vertices, key_, findings_.data());
        const Findings single = findings_.read(stream_);
        if (single.first != kNone) return broken_vertex(static_cast<std::uint32_t>(single.first));

        fill_bytes_async(marks_.span(), 0, stream_);
        findings_.reset(stream_);
        launch(check_weighted_tuples, tuples_.runs(), stream_, generator_, tuples_, result_, marks_.data(), findings_.data());
        const Findings found = findings_.read(stream_);
        if (found.first != kNone) return broken_edge(found.first);

        findings_.reset(stream_);
        launch(find_unmarked, layout_.vertices, stream_, result_, layout_.vertices, key_, static_cast<const std::uint32_t*>(marks_.data()),
               findings_.data());
        const Counter unmarked = findings_.read(stream_).first;
        if (unmarked != kNone) return broken_branch(static_cast<std::uint32_t>(unmarked));

        DistanceVerdict verdict;
        verdict.component_tuples = found.tuples;
        verdict.reached = single.reached;
        return verdict;
    }

private:
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
        MrgState stream = kron_stream(generator_.parameters, mrg_powers().power, number);
        const Edge edge = kron_edge(generator_.parameters, stream);
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

    DistanceVerdict broken_branch(std::uint32_t v)
    {
        DistanceVerdict verdict = of_vertex(DistanceFault::missing_tree_edge, 5, v);
        DeviceBuffer<std::uint32_t> lightest(1);
        fill_bytes_async(lightest.span(), 0xFF, stream_);
        launch(find_lightest, tuples_.runs(), stream_, generator_, tuples_, v, static_cast<std::uint32_t>(verdict.parent), lightest.data());
        const std::uint32_t bits = fetch(lightest.data(), stream_);
        if (bits == kNoWeight) return verdict;
        verdict.fault = DistanceFault::wrong_sum;
        verdict.rule = 2;
        verdict.weight = std::bit_cast<float>(bits);
        verdict.other_distance = distance_of(verdict.parent);
        return verdict;
    }

    /// The fault of a vertex, with its parent and its distance.
    DistanceVerdict of_vertex(DistanceFault fault, int rule, std::uint32_t v)
    {
        DistanceVerdict verdict;
        verdict.fault = fault;
        verdict.rule = rule;
        verdict.vertex = v;
        verdict.parent = fetch(result_.parents + v, stream_);
        verdict.distance = distance_of(v);
        return verdict;
    }

    float distance_of(Vertex v) { return std::bit_cast<float>(fetch(result_.distances + v, stream_)); }

    const Stream& stream_;
    RankMajorLayout layout_;  // with one rank, a vertex is its own index
    TupleRange tuples_;
    KronTables tables_;
    KronGenerator generator_;
    ValidationPlan plan_;
    DeviceBuffer<std::uint8_t> levels_;
    // A bit for each vertex: whether a tuple joins it to its parent.
    DeviceBuffer<std::uint32_t> marks_;
    FindingsCell findings_;
    ResultView result_{};  // of the current validation
    std::uint32_t key_ = 0;
};

KronDistanceValidator::KronDistanceValidator(const KronParameters& parameters, EdgeCount tuples, const Stream& stream)
{
    if (parameters.scale < 1 || parameters.scale > 31)
        throw InputError("validation on the GPU takes Kronecker graphs of scale 1 to 31, not " + std::to_string(parameters.scale));
    checker_ = std::make_unique<Checker>(parameters, tuples, stream);
}

KronDistanceValidator::~KronDistanceValidator() = default;

DistanceVerdict KronDistanceValidator::validate(Vertex key, const std::uint32_t* distances, const std::int32_t* parents)
{
    return checker_->validate(key, distances, parents);
}

std::size_t KronDistanceValidator::device_bytes(Vertex n)
{
    return bytes_of(ValidationPlan(RankMajorLayout::of(n, 1).indices(), 1), KronTablesPlan(), FindingsPlan());
}

}  // namespace wayfront::gpu
