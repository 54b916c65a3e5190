// The parts of validation on the GPU that are the same for all kinds of results: the memory of a
// validator, its share of the tuples, and the exchange with the other ranks.
//
// Every rank gathers the results of all vertices, checks its share of the tuples, and marks the
// vertices that one of these tuples joins to their parents. The ranks send the marks to the owners
// of the vertices, and agree on the first offender. With one rank, nothing is gathered, copied or
// sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/kron/kron_device.cuh"
#include "gpu/kron/tuple_range.cuh"
#include "gpu/kron/validation_layout.hpp"
#include "gpu/kron/validation_levels.cuh"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/launch.cuh"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu::kron {

/// Marks the vertex at index i.
__device__ inline void set_mark(std::uint32_t* marks, std::uint32_t i)
{
    const std::uint32_t bit = 1U << (i % 32);
    if ((marks[i / 32] & bit) == 0) atomicOr(marks + i / 32, bit);
}

/// Whether any rank has marked the own vertex with local number `local`. `marks` contains a piece
/// of layout.stride bits from each rank, with that rank's marks of the own vertices.
__device__ inline bool is_marked(const RankMajorLayout& layout, const std::uint32_t* __restrict__ marks,
                                 std::uint64_t local)
{
    std::uint32_t word = 0;
    for (std::uint32_t piece = 0; piece < layout.ranks; ++piece)
        word |= marks[(std::uint64_t{piece} * layout.stride + local) / 32];
    return (word >> (local % 32) & 1U) != 0;
}

/// Adds the numbers of the warp's lanes to `sum`. All lanes of the warp call.
__device__ inline void add_of_warp(Counter& sum, std::uint32_t of_lane)
{
    const std::uint32_t of_warp = __reduce_add_sync(kAllLanes, of_lane);
    if (lane_id() == 0 && of_warp != 0) atomicAdd(&sum, Counter{of_warp});
}

/// The base of validators.
class ResultChecker
{
protected:
    /// The graph consists of the first `tuples` tuples of the generator. Ranks and stream outlive
    /// the object. Throws ResourceError if the device memory does not suffice. Pre: 1 <=
    /// parameters.scale <= 31.
    ResultChecker(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks, const Stream& stream);
    ~ResultChecker() = default;

    /// Returns the values of all vertices by index. `own`: values of this rank's vertices by local
    /// number. `all`: layout_.indices() elements if there are several ranks. Collective.
    template <typename T>
    [[nodiscard]] const T* gather(const T* own, DeviceBuffer<T>& all)
    {
        if (layout_.ranks == 1) return own;
        const std::span<T> piece = all.span().subspan(std::size_t{rank_} * layout_.stride, layout_.stride);
        const std::size_t own_count = layout_.owned_by(rank_);
        copy_async(std::span<const T>(own, own_count), piece.first(own_count), stream_);
        fill_bytes_async(piece.subspan(own_count), 0xFF, stream_);  // indices without a vertex get this value
        ranks_.all_gather(reinterpret_cast<std::byte*>(all.data()), piece.size_bytes(), stream_);
        return all.data();
    }

    /// Begins the validation of a search: gathers the parents, and finds the levels of all
    /// vertices. Collective.
    [[nodiscard]] TreeLevels begin(Vertex key, const std::int32_t* own_parents);
    /// The minimum over all ranks. Collective.
    [[nodiscard]] Counter least_of_all(Counter own);
    /// Sends the marks to the vertices' owners. Returns the marks that is_marked() reads.
    /// Collective.
    [[nodiscard]] const std::uint32_t* exchange_marks();

    /// The result of the current validation.
    [[nodiscard]] ParentTree tree() const { return {layout_, key_, parents_}; }
    [[nodiscard]] std::uint32_t index(Vertex v) const { return layout_.index(static_cast<std::uint32_t>(v)); }
    /// The parent of a vertex in the result of the search.
    [[nodiscard]] std::int32_t parent_of(Vertex v) const { return fetch(parents_ + index(v), stream_); }

    const Stream& stream_;
    DeviceCollectives& ranks_;
    RankMajorLayout layout_;
    std::uint32_t rank_;
    KronTables tables_;
    TupleShare tuples_;
    ValidationPlan plan_;
    DeviceBuffer<std::int32_t> gathered_;  // parents of all vertices; used with several ranks
    DeviceBuffer<std::uint8_t> levels_;
    // A bit for each vertex: whether one of this rank's tuples joins the vertex to its parent.
    DeviceBuffer<std::uint32_t> marks_;
    // Marks of this rank's vertices, received from each rank; used with several ranks.
    DeviceBuffer<std::uint32_t> received_marks_;
    FindingsCell findings_;
    const std::int32_t* parents_ = nullptr;  // parents of all vertices, in the current validation
    std::uint32_t key_ = 0;
};

}  // namespace wayfront::gpu::kron
