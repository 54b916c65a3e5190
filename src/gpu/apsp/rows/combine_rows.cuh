// The kernel that combines a row from the rows of out-neighbours (algo/apsp/row_combination.hpp).
//
// Each thread computes 16 bytes of a row, and reads the same 16 bytes of one row for each arc of
// the vertex. The kernel is bound by memory: a row takes (arcs + 1) * vertices * bytes of a
// distance / (4.3 TB/s) on an H200, less for rows in the L2 cache. Blocks with the same columns run
// one after the other, so that the L2 cache contains a row on which several rows of a level depend.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/apsp/rows/combined_rows_plan.hpp"

namespace wayfront::gpu::apsp {

struct CombinationView
{
    const std::uint32_t* combined = nullptr;  // vertices whose rows are combined, by level
    const CombinedRow* rows = nullptr;
    const RowTerm* terms = nullptr;
};

/// Words of distances: one int32, or two uint16. Sums never wrap around.
template <typename Out>
struct CombinedWord
{
    static_assert(std::is_same_v<Out, std::int32_t>);
    static constexpr std::uint32_t kFar = 0x7FFFFFFF;
    [[nodiscard]] static __device__ std::uint32_t spread(std::uint32_t weight) { return weight; }
    [[nodiscard]] static __device__ std::uint32_t least(std::uint32_t word, std::uint32_t distance,
                                                        std::uint32_t weight)
    {
        const std::uint32_t sum = distance + weight;  // both numbers are below 2^31
        return sum < word ? sum : word;
    }
};
template <>
struct CombinedWord<std::uint16_t>
{
    static constexpr std::uint32_t kFar = 0xFFFFFFFF;
    [[nodiscard]] static __device__ std::uint32_t spread(std::uint32_t weight) { return weight << 16 | weight; }
    [[nodiscard]] static __device__ std::uint32_t least(std::uint32_t word, std::uint32_t distances,
                                                        std::uint32_t weights)
    {
        return __vminu2(word, __vaddus2(distances, weights));
    }
};

inline constexpr unsigned kCombineThreads = 256;

/// Combines the row number first + blockIdx.x of view.combined, in the columns of this block: 16
/// bytes per thread, by blockIdx.y.
template <typename Out>
__global__ void __launch_bounds__(kCombineThreads)
    combine_rows(CombinationView view, std::uint32_t first, std::byte* matrix, std::uint64_t stride)
{
    using Word = CombinedWord<Out>;
    constexpr std::uint32_t elements = 16 / sizeof(Out);
    const std::uint64_t column = (std::uint64_t{blockIdx.y} * kCombineThreads + threadIdx.x) * elements;
    if (column >= stride) return;
    const CombinedRow combined = view.rows[view.combined[first + blockIdx.x]];
    const std::uint32_t row = combined.row;
    const auto place = [&](std::uint32_t of) {
        return reinterpret_cast<uint4*>(matrix + (of * stride + column) * sizeof(Out));
    };
    uint4 least{Word::kFar, Word::kFar, Word::kFar, Word::kFar};
#pragma unroll 4
    for (std::uint32_t term = combined.begin; term < combined.end; ++term) {
        const RowTerm t = view.terms[term];
        const uint4 distances = *place(t.row);
        const std::uint32_t weight = Word::spread(t.weight);
        least.x = Word::least(least.x, distances.x, weight);
        least.y = Word::least(least.y, distances.y, weight);
        least.z = Word::least(least.z, distances.z, weight);
        least.w = Word::least(least.w, distances.w, weight);
    }
    if (row >= column && row < column + elements) {
        // The distance of the vertex to itself. The compiler must know the indices of registers.
        const auto own = static_cast<std::uint32_t>(row - column);
        const std::uint32_t word = own * sizeof(Out) / 4;
        const std::uint32_t kept = sizeof(Out) == 4 ? 0 : own % 2 == 0 ? 0xFFFF0000 : 0x0000FFFF;
        least.x &= word == 0 ? kept : ~0U;
        least.y &= word == 1 ? kept : ~0U;
        least.z &= word == 2 ? kept : ~0U;
        least.w &= word == 3 ? kept : ~0U;
    }
    *place(row) = least;
}

}  // namespace wayfront::gpu::apsp
