// Converts lists of any form in device memory to the form of ArcLists (gpu/graph/arc_lists.hpp).
//
// The form of the given lists is a type `Lists`, an argument of kernels, with
//
//     __device__ std::uint32_t degree(std::uint32_t row) const;
//     __device__ Arc arc(std::uint32_t row, std::uint32_t k) const;  // arc k < degree(row)
#pragma once

#include <cstdint>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// The number of arcs of a list with padding.
WAYFRONT_HD constexpr std::uint32_t padded_degree(std::uint32_t degree)
{
    return (degree + kListAlign - 1) / kListAlign * kListAlign;
}

/// Neighbouring rows.
struct RowRange
{
    std::uint32_t first;
    std::uint32_t count;
};

/// The arcs with which lists are padded. They lead from a vertex to itself, with infinite weight.
struct PaddingArcs
{
    ColumnNumbers columns;
    std::uint32_t weight;  // the bits of an infinite weight

    [[nodiscard]] __device__ Arc of_row(std::uint32_t row) const { return {columns.own_column(row), weight}; }
};

/// The arrays of ArcArrays, for a kernel that fills them.
struct ArcArrayPointers
{
    ListPlace* lists;
    Arc* list_arcs;
    Arc* heads;
};

/// Writes the padded degree of each row to the element of `begins` after the row's element.
template <typename Lists>
__global__ void list_padded_degrees(Lists lists, RowRange rows, std::uint64_t* begins)
{
    for (std::uint64_t i = first_index(); i < rows.count; i += index_stride())
        begins[rows.first + i + 1] = padded_degree(lists.degree(rows.first + static_cast<std::uint32_t>(i)));
}

/// Writes places, heads and padding of the rows. Each thread handles one arc of a head.
template <typename Lists>
__global__ void place_heads(Lists lists, RowRange rows, PaddingArcs padding, const std::uint64_t* begins,
                            ArcArrayPointers arrays)
{
    for (std::uint64_t i = first_index(); i < std::uint64_t{rows.count} * kHeadArcs; i += index_stride()) {
        const std::uint32_t row = rows.first + static_cast<std::uint32_t>(i / kHeadArcs);
        const auto k = static_cast<std::uint32_t>(i % kHeadArcs);
        const std::uint32_t degree = lists.degree(row);
        const std::uint64_t begin = begins[row];
        const Arc none = padding.of_row(row);
        arrays.heads[std::uint64_t{row} * kHeadArcs + k] = k < degree ? lists.arc(row, k) : none;
        if (degree + k < padded_degree(degree)) arrays.list_arcs[begin + degree + k] = none;
        if (k == 0) arrays.lists[row] = ListPlace::make(begin, degree);
    }
}
static_assert(kHeadArcs >= kListAlign - 1, "a thread for each arc of padding");

/// Computes the places of lists, row by row, and writes places, heads and padding. The caller
/// copies the arcs.
class ArcPlacer
{
public:
    /// Places the lists of columns.slot_stride slots. `no_weight`: the bits of an infinite weight.
    ArcPlacer(const ColumnNumbers& columns, std::uint32_t no_weight, const Stream& stream)
        : stream_(stream), padding_{columns, no_weight}, begins_(PlacingPlan(columns.slot_stride).begins)
    {
        fill_bytes_async(begins_.span().first(1), 0, stream);
    }

    /// Computes the begins of the lists of the rows, after the lists of earlier rows. Returns the
    /// end of the last list. Waits for the stream. Pre: the first row is 0, or the end of the rows
    /// of the previous call.
    template <typename Lists>
    std::uint64_t measure(const Lists& lists, RowRange rows)
    {
        if (rows.count > 0) {
            launch(list_padded_degrees<Lists>, rows.count, stream_, lists, rows, begins_.data());
            // The first element is the end of the earlier rows' lists, to which the sums are added.
            inclusive_sum(begins_.span().subspan(rows.first, std::size_t{rows.count} + 1), scratch_, stream_);
        }
        return fetch(begins_.data() + rows.first + rows.count, stream_);
    }

    /// Writes the places, heads and padding of rows that have been measured.
    template <typename Lists>
    void place_heads(const Lists& lists, RowRange rows, ArcArrays& arrays) const
    {
        launch(gpu::place_heads<Lists>, std::uint64_t{rows.count} * kHeadArcs, stream_, lists, rows, padding_,
               begins_.data(), ArcArrayPointers{arrays.lists.data(), arrays.list_arcs.data(), arrays.heads.data()});
    }

    /// First position of the list of each measured row.
    [[nodiscard]] const std::uint64_t* begins() const { return begins_.data(); }
    [[nodiscard]] std::size_t bytes() const { return begins_.bytes() + scratch_.bytes(); }

private:
    const Stream& stream_;
    PaddingArcs padding_;
    DeviceBuffer<std::uint64_t> begins_;
    DeviceBuffer<std::byte> scratch_;
};

}  // namespace wayfront::gpu
