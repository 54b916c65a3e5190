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

/// Writes the padded degree of each row from `first` on to the element of `begins` after the row's
/// element.
template <typename Lists>
__global__ void list_padded_degrees(Lists lists, std::uint32_t first, std::uint32_t rows, std::uint64_t* begins)
{
    for (std::uint64_t i = first_index(); i < rows; i += index_stride())
        begins[first + i + 1] = padded_degree(lists.degree(first + static_cast<std::uint32_t>(i)));
}

/// Writes places, heads and padding of the rows. Each thread handles one arc of a head.
template <typename Lists>
__global__ void place_heads(Lists lists, ColumnNumbers columns, std::uint32_t first, std::uint32_t rows,
                            std::uint32_t no_weight, const std::uint64_t* begins, ListPlace* places, Arc* arcs,
                            Arc* heads)
{
    for (std::uint64_t i = first_index(); i < std::uint64_t{rows} * kHeadArcs; i += index_stride()) {
        const std::uint32_t row = first + static_cast<std::uint32_t>(i / kHeadArcs);
        const auto k = static_cast<std::uint32_t>(i % kHeadArcs);
        const std::uint32_t degree = lists.degree(row);
        const std::uint64_t begin = begins[row];
        const Arc none{columns.own_column(row), no_weight};  // an arc from the vertex to itself
        heads[std::uint64_t{row} * kHeadArcs + k] = k < degree ? lists.arc(row, k) : none;
        if (degree + k < padded_degree(degree)) arcs[begin + degree + k] = none;
        if (k == 0) places[row] = ListPlace::make(begin, degree);
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
        : stream_(stream), columns_(columns), no_weight_(no_weight), begins_(PlacingPlan(columns.slot_stride).begins)
    {
        fill_bytes_async(begins_.span().first(1), 0, stream);
    }

    /// Computes the begins of the lists of `rows` rows from `first` on, after the lists of earlier
    /// rows. Returns the end of the last list. Waits for the stream. Pre: `first` is 0, or the end
    /// of the rows of the previous call.
    template <typename Lists>
    std::uint64_t measure(const Lists& lists, std::uint32_t first, std::uint32_t rows)
    {
        if (rows > 0) {
            launch(list_padded_degrees<Lists>, rows, stream_, lists, first, rows, begins_.data());
            // The first element is the end of the earlier rows' lists, to which the sums are added.
            inclusive_sum(begins_.span().subspan(first, std::size_t{rows} + 1), scratch_, stream_);
        }
        return fetch(begins_.data() + first + rows, stream_);
    }

    /// Writes the places, heads and padding of rows that have been measured.
    template <typename Lists>
    void place_heads(const Lists& lists, std::uint32_t first, std::uint32_t rows, ArcArrays& arrays) const
    {
        launch(gpu::place_heads<Lists>, std::uint64_t{rows} * kHeadArcs, stream_, lists, columns_, first, rows,
               no_weight_, begins_.data(), arrays.lists.data(), arrays.list_arcs.data(), arrays.heads.data());
    }

    /// First position of the list of each measured row.
    [[nodiscard]] const std::uint64_t* begins() const { return begins_.data(); }
    [[nodiscard]] std::size_t bytes() const { return begins_.bytes() + scratch_.bytes(); }

private:
    const Stream& stream_;
    ColumnNumbers columns_;
    std::uint32_t no_weight_;
    DeviceBuffer<std::uint64_t> begins_;
    DeviceBuffer<std::byte> scratch_;
};

}  // namespace wayfront::gpu
