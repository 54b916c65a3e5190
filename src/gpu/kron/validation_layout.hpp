// The layout of validation's arrays over all vertices.
//
// The arrays are rank-major: vertex v has index (v mod P) * stride + v / P, so that a rank's
// vertices form one piece, and a gathered array consists of the ranks' arrays one after the other.
// stride is a multiple of 64, so that a piece of a bitmap consists of whole words. Indices after a
// rank's last vertex have no vertex.
#pragma once

#include <bit>
#include <cstdint>

#include "base/host_device.hpp"
#include "base/types.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::kron {

struct RankMajorLayout
{
    std::uint32_t vertices;  // at most 2^31
    std::uint32_t ranks;
    std::uint32_t stride;
    // v / ranks = v * reciprocal >> shift for v < 2^31, as reciprocal * ranks exceeds 2^shift by
    // less than ranks <= 2^(shift - 31). (T. Granlund, P. L. Montgomery: Division by invariant
    // integers using multiplication. PLDI 1994, doi:10.1145/178243.178249.)
    std::uint32_t shift;
    std::uint32_t reciprocal;

    /// Pre: 1 <= vertices <= 2^31, 1 <= ranks.
    static RankMajorLayout of(Vertex vertices, int ranks)
    {
        const auto n = static_cast<std::uint64_t>(vertices);
        const auto p = static_cast<std::uint64_t>(ranks);
        const auto shift = static_cast<std::uint32_t>(31 + std::bit_width(p - 1));
        return {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(p),
                static_cast<std::uint32_t>(((n + p - 1) / p + 63) / 64 * 64), shift,
                static_cast<std::uint32_t>(((std::uint64_t{1} << shift) + p - 1) / p)};
    }

    [[nodiscard]] WAYFRONT_HD std::uint64_t indices() const { return std::uint64_t{ranks} * stride; }
    /// The number of vertices that rank `rank` owns.
    [[nodiscard]] WAYFRONT_HD std::uint32_t owned_by(std::uint32_t rank) const
    {
        return vertices > rank ? (vertices - rank - 1) / ranks + 1 : 0;
    }
    /// The index of vertex v.
    [[nodiscard]] WAYFRONT_HD std::uint32_t index(std::uint32_t v) const
    {
        const auto local = static_cast<std::uint32_t>((std::uint64_t{v} * reciprocal) >> shift);
        return (v - local * ranks) * stride + local;
    }
    /// The vertex at index i; a number that is not less than `vertices` if there is none.
    [[nodiscard]] WAYFRONT_HD std::uint64_t vertex(std::uint32_t i) const
    {
        return std::uint64_t{i % stride} * ranks + i / stride;
    }
};

/// The arrays of a validator. With one rank, `gathered` and `received_marks` are empty.
struct ValidationPlan : MemoryPlan
{
    ValidationPlan(std::uint64_t indices, int ranks)
        : gathered(array<std::int32_t>("parents of all vertices", ranks > 1 ? indices : 0)),
          levels(array<std::uint8_t>("levels", indices)),
          marks(array<std::uint32_t>("marks", indices / 32)),
          received_marks(array<std::uint32_t>("marks of own vertices", ranks > 1 ? indices / 32 : 0))
    {
    }

    PlannedArray<std::int32_t> gathered;
    PlannedArray<std::uint8_t> levels;
    PlannedArray<std::uint32_t> marks, received_marks;
};

/// The additional array of a validator of distances.
struct GatheredDistancesPlan : MemoryPlan
{
    GatheredDistancesPlan(std::uint64_t indices, int ranks)
        : distances(array<std::uint32_t>("distances of all vertices", ranks > 1 ? indices : 0))
    {
    }

    PlannedArray<std::uint32_t> distances;
};

}  // namespace wayfront::gpu::kron
