// The arcs that pulls read, and the bounds of the distances at the ends of these arcs.
#pragma once

#include <cstdint>

#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/lightest_arcs.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

[[nodiscard]] __device__ inline Arc load_arc(const Arc* arc)
{
    const uint2 words = __ldg(reinterpret_cast<const uint2*>(arc));
    return {words.x, words.y};
}

/// Loads four arcs, which fill one sector, if `wanted`. Otherwise returns arcs of infinite weight.
template <typename Distance>
__device__ void load_four(bool wanted, const Arc* arcs, Arc (&four)[4])
{
    constexpr uint4 none{0, Distance::kInfinity, 0, Distance::kInfinity};
    const uint4 first = wanted ? __ldcs(reinterpret_cast<const uint4*>(arcs)) : none;
    const uint4 second = wanted ? __ldcs(reinterpret_cast<const uint4*>(arcs) + 1) : none;
    four[0] = {first.x, first.y};
    four[1] = {first.z, first.w};
    four[2] = {second.x, second.y};
    four[3] = {second.z, second.w};
}

/// The result of a pull for a vertex.
template <typename Distance>
struct PullResult
{
    std::uint32_t upper;   // distance of the vertex
    std::uint32_t parent;  // valid if the distance has become smaller
    // Lower bound of the paths through neighbours that are not final; infinity if there are no such
    // neighbours.
    std::uint32_t lower;

    [[nodiscard]] static __device__ PullResult of(std::uint32_t distance) { return {distance, 0, Distance::kInfinity}; }
    [[nodiscard]] __device__ bool is_open() const { return lower < upper; }
};

/// The arcs that a thread reads in a pass of pulls. `pulled` counts the arcs whose ends are read.
template <typename Distance>
class ArcBounds
{
public:
    using Result = PullResult<Distance>;

    __device__ ArcBounds(const SsspView& view, const PullLimits& limits, std::uint32_t& pulled)
        : view_(view), least_(limits.least), settled_(limits.settled), pulled_(pulled)
    {
    }

    [[nodiscard]] __device__ std::uint32_t least() const { return least_; }
    [[nodiscard]] __device__ std::uint32_t settled() const { return settled_; }
    __device__ void count_pull() { ++pulled_; }

    [[nodiscard]] __device__ bool is_leaf(const Arc& arc) const { return arc.end >= view_.first_leaf_column; }

    [[nodiscard]] __device__ std::uint32_t load_upper(std::uint32_t column) const
    {
        return known_distance<Distance>(__ldcg(&view_.own.bounds[column].upper));
    }

    /// The bounds of the neighbour to which an arc leads. After the first pass over peers, bounds
    /// are known of all neighbours. With messages, bounds are known of all neighbours that may
    /// improve an open vertex; the lower bounds of other neighbours only grow.
    [[nodiscard]] __device__ DistanceBounds load_bounds(const Arc& arc) const
    {
        const uint2 words = __ldcg(reinterpret_cast<const uint2*>(view_.own.bounds + arc.end));
        if (words.x == kUnknown<Distance>)
            return {Distance::kInfinity, Distance::sum(least_, Lightest{words.y}.other_than(arc.weight))};
        return StoredBounds{words.x, words.y}.bounds();
    }

    [[nodiscard]] __device__ bool could_improve(std::uint32_t distance, std::uint32_t weight) const
    {
        return Distance::sum(least_, weight) < distance;
    }

    /// The bounds of the neighbour if the arc can improve the upper bound; otherwise the bounds
    /// {infinity, 0}. A leaf has infinite bounds.
    [[nodiscard]] __device__ DistanceBounds load_end(const Arc& arc, const Result& result)
    {
        if (is_leaf(arc)) return {Distance::kInfinity, Distance::kInfinity};
        if (!could_improve(result.upper, arc.weight)) return {Distance::kInfinity, 0};
        ++pulled_;
        return load_bounds(arc);
    }

    /// Whether a later pass may improve `distance` along the arc, because the distance of the arc's
    /// end may still become smaller.
    [[nodiscard]] __device__ bool may_improve(const Arc& arc, const DistanceBounds& end, std::uint32_t distance) const
    {
        return end.upper >= settled_ && end.lower < end.upper && lower_length(arc, end) < distance;
    }

    /// Applies an arc whose end has these bounds.
    __device__ void apply(const Arc& arc, const DistanceBounds& end, Result& result)
    {
        const std::uint32_t length = Distance::sum(end.upper, arc.weight);
        if (Distance::kOverflows && length == Distance::kInfinity && end.upper != Distance::kInfinity)
            view_.summary->overflow = 1;
        if (length < result.upper) {
            result.upper = length;
            result.parent = arc.end;
        }
        if (end.upper < settled_) return;
        const std::uint32_t low = lower_length(arc, end);
        result.lower = low < result.lower ? low : result.lower;
    }

    __device__ void apply_four(const Arc (&four)[4], Result& result)
    {
        DistanceBounds ends[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) ends[k] = load_end(four[k], result);
#pragma unroll
        for (int k = 0; k < 4; ++k) apply(four[k], ends[k], result);
    }

private:
    using Lightest = LightestArcs<typename Distance::Weights>;

    /// The lower bound of a path along the arc. A vertex that is not settled is at least at the
    /// distance `settled`.
    [[nodiscard]] __device__ std::uint32_t lower_length(const Arc& arc, const DistanceBounds& end) const
    {
        return Distance::sum(end.lower > settled_ ? end.lower : settled_, arc.weight);
    }

    const SsspView& view_;
    std::uint32_t least_;
    std::uint32_t settled_;
    std::uint32_t& pulled_;
};

}  // namespace wayfront::gpu::sssp
