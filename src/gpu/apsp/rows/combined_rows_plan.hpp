// A row that is combined from others, and the arrays that combined rows (combined_rows.hpp)
// allocate. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// A term of a combined row: the row of an out-neighbour and the weight of the arc to this
/// neighbour.
struct RowTerm
{
    std::uint32_t row;
    std::uint32_t weight;  // at most the largest number of the distances' type
};

/// A row that can be combined.
struct alignas(16) CombinedRow
{
    std::uint32_t row;
    std::uint32_t begin;  // index of the row's first term
    std::uint32_t end;
    std::uint32_t unused;
};

/// The arrays of combined rows, without those of the searches.
struct CombinedRowsPlan : MemoryPlan
{
    /// `slots`: number of vertices with edges.
    CombinedRowsPlan(std::size_t vertices, std::size_t slots, std::size_t arcs)
        : rows(array<CombinedRow>("rows of vertices with edges", slots)),
          terms(array<RowTerm>("terms of rows", arcs)),
          sources(array<std::uint32_t>("vertices that are searched", vertices)),
          combined(array<std::uint32_t>("rows that are combined", slots))
    {
    }
    /// The plan with the most memory: all vertices have edges.
    static CombinedRowsPlan most(std::size_t vertices, std::size_t arcs) { return {vertices, vertices, arcs}; }

    PlannedArray<CombinedRow> rows;
    PlannedArray<RowTerm> terms;
    PlannedArray<std::uint32_t> sources, combined;
};

}  // namespace wayfront::gpu::apsp
