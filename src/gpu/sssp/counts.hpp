// The counts of the steps of searches by pushes and pulls. Needs no nvcc.
//
// Barriers and messages reduce the same three words after each step. Each kind of step has a struct
// that names what its words count.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/runtime/counts.hpp"
#include "gpu/sssp/reach.hpp"

namespace wayfront::gpu::sssp {

/// The counts of any step, as they are reduced over all threads.
struct SsspCounts
{
    std::uint64_t minimum = 0;
    std::uint64_t first_sum = 0;
    std::uint64_t second_sum = 0;

    static WAYFRONT_HD constexpr WordReduction reduction(int word)
    {
        return word == 0 ? WordReduction::minimum : WordReduction::sum;
    }
    [[nodiscard]] static WAYFRONT_HD constexpr SsspCounts none()
    {
        return {(std::uint64_t{1} << kCountBits) - 1, 0, 0};
    }
};

/// The minimum of no distances.
inline constexpr std::uint64_t kNoDistance = SsspCounts::none().minimum;

/// The start of a search counts the sources that have edges.
struct SourceCounts
{
    std::uint64_t least = kNoDistance;  // weight of the lightest arc of a source
    std::uint64_t arcs = 0;             // number of out-arcs of the source; 0 unless GPUs exchange messages
    std::uint64_t sources = 0;

    [[nodiscard]] static WAYFRONT_HD constexpr SourceCounts of(const SsspCounts& counts)
    {
        return {counts.minimum, counts.first_sum, counts.second_sum};
    }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {least, arcs, sources}; }
};

/// A push on several GPUs counts the vertices that it improves.
template <Reach kReach>
struct PushCounts
{
    std::uint64_t nearest = kNoDistance;  // smallest distance at or beyond the limit that an arc leads to
    std::uint64_t settled_arcs = 0;       // number of arcs of the vertices that the step visited for the first time
    std::uint64_t improved = 0;           // number of vertices that the step appended to a frontier

    [[nodiscard]] static WAYFRONT_HD constexpr PushCounts of(const SsspCounts& counts)
    {
        return {counts.minimum, counts.first_sum, counts.second_sum};
    }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {nearest, settled_arcs, improved}; }
};

/// A push on one GPU counts the arcs that it relaxes. The size of the next frontier is in a counter
/// of its own.
template <>
struct PushCounts<Reach::single_gpu>
{
    std::uint64_t nearest = kNoDistance;  // smallest distance at or beyond the limit that an arc leads to
    std::uint64_t settled_arcs = 0;       // number of arcs of the vertices that the step visited for the first time
    std::uint64_t relaxed_arcs = 0;

    [[nodiscard]] static WAYFRONT_HD constexpr PushCounts of(const SsspCounts& counts)
    {
        return {counts.minimum, counts.first_sum, counts.second_sum};
    }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {nearest, settled_arcs, relaxed_arcs}; }
};

/// The vertices of large degree that pushes reached.
struct LargeCounts
{
    std::uint64_t nearest = kNoDistance;  // smallest distance of such a vertex

    [[nodiscard]] static WAYFRONT_HD constexpr LargeCounts of(const SsspCounts& counts) { return {counts.minimum}; }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {nearest, 0, 0}; }
};

/// The near vertices: those that are nearer to the source than all vertices of large degree.
struct NearCounts
{
    std::uint64_t vertices = 0;
    std::uint64_t arcs = 0;

    [[nodiscard]] static WAYFRONT_HD constexpr NearCounts of(const SsspCounts& counts)
    {
        return {counts.first_sum, counts.second_sum};
    }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {kNoDistance, vertices, arcs}; }
};

/// A pass of pulls, or a part of it.
struct PullCounts
{
    std::uint64_t nearest = kNoDistance;  // smallest distance that the pass has stored
    std::uint64_t open = 0;               // number of vertices that the pass left open
    std::uint64_t improved = 0;           // number of improvements; the first pass may improve a vertex twice

    [[nodiscard]] static WAYFRONT_HD constexpr PullCounts of(const SsspCounts& counts)
    {
        return {counts.minimum, counts.first_sum, counts.second_sum};
    }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {nearest, open, improved}; }
};

/// The arcs of the vertices that the last pass of pulls improved.
struct ImprovedCounts
{
    std::uint64_t arcs = 0;

    [[nodiscard]] static WAYFRONT_HD constexpr ImprovedCounts of(const SsspCounts& counts)
    {
        return {counts.second_sum};
    }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {kNoDistance, 0, arcs}; }
};

/// A push of single vertices.
struct OfferCounts
{
    std::uint64_t takers = 0;  // number of vertices that received an offer

    [[nodiscard]] static WAYFRONT_HD constexpr OfferCounts of(const SsspCounts& counts) { return {counts.second_sum}; }
    [[nodiscard]] WAYFRONT_HD constexpr SsspCounts counts() const { return {kNoDistance, 0, takers}; }
};

}  // namespace wayfront::gpu::sssp
