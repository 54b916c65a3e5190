// The passes of construction for any type of tuples.
//
// Kernels go through tuples by a type `Tuples`, an argument of kernels, with
//
//     // Whether the vertex of an end belongs to a rank.
//     __device__ bool is_dealt_to(std::uint32_t end, std::uint32_t ranks, std::uint32_t rank) const;
//     // Calls f(number, pair of ends, in_range), as for_each_tuple_stream() of gpu/kron/kron_recursive.cuh
//     // does: all threads of a warp make the same calls, and `in_range` is false after the last tuple.
//     template <typename F> __device__ void for_each_pair(F&& f) const;
//     // Calls f(number, pair of ends, in_range, bits of the weight) in the same order.
//     template <typename F> __device__ void for_each_weighted_pair(F&& f) const;
//
// `Passes` launches the kernels:
//
//     using Tuples = ...;
//     static constexpr bool kDirected;  // whether tuples may be those of a directed graph
//     std::uint64_t vertices() const;
//     bool directed() const;
//     // Launches kernel(tuples, arguments...), once or for one part of the tuples after another, with
//     // blocks of kTupleThreads.
//     template <...> void launch(Kernel kernel, const Stream& stream, Arguments... arguments) const;
//     // Returns an object with the function vertex_of(end). Kernels get a copy of the object.
//     ... ends() const;
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gpu/construction/edge_keys.cuh"
#include "gpu/construction/tuple_source.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::construction {

/// Same as wayfront::degree_class: two classes per octave.
__device__ inline std::uint32_t class_of(std::uint32_t degree)
{
    if (degree < 2) return degree;
    const auto octave = static_cast<std::uint32_t>(31 - __clz(static_cast<int>(degree)));
    return 2 * octave + ((degree >> (octave - 1)) & 1U);
}

/// Implements TupleSource::count_degrees. The degrees of other ranks' vertices stay 0.
template <bool kDirected, typename Tuples>
__global__ void __launch_bounds__(kTupleThreads)
    count_degrees(const __grid_constant__ Tuples tuples, std::uint32_t ranks, std::uint32_t rank, DegreeArrays of_ends)
{
    tuples.for_each_pair([&](std::uint64_t, auto pair, bool is_tuple) {
        if (!is_tuple || pair.source == pair.target) return;
        std::uint32_t* const of_sources = kDirected ? of_ends.out : of_ends.in;
        if (tuples.is_dealt_to(pair.source, ranks, rank)) atomicAdd(&of_sources[pair.source], 1U);
        if (tuples.is_dealt_to(pair.target, ranks, rank)) atomicAdd(&of_ends.in[pair.target], 1U);
    });
}

/// Implements TupleSource::make_keys.
template <RowEnds kRows, typename Keys, typename Tuples>
__global__ void __launch_bounds__(kTupleThreads)
    make_keys(const __grid_constant__ Tuples tuples, const __grid_constant__ EndColumns columns, Batch batch, Keys keys)
{
    __shared__ typename Keys::Staged staged[kWarps];
    WarpStage<Keys> stage(staged[threadIdx.x / 32], keys);
    const ColumnNumbers& numbers = columns.numbers;
    // Adds the edge if its row is an own row in the batch. `row` counts from the batch's first row;
    // for an earlier row, it wraps around to a number that is not less than batch.rows.
    const auto add = [&](bool own, std::uint32_t row_column, std::uint32_t column, auto... weight) {
        const std::uint32_t slot = numbers.ranks == 1 ? row_column : numbers.slot_of(row_column);
        const std::uint32_t row = slot - batch.first_row;
        stage.add(own && row < batch.rows, std::uint64_t{row} << batch.column_bits | column, weight...);
    };
    Keys::for_each_pair(tuples, [&](std::uint64_t, auto pair, bool is_tuple, auto... weight) {
        const bool edge = is_tuple && pair.source != pair.target;
        const bool own_source =
            kRows != RowEnds::targets && edge && tuples.is_dealt_to(pair.source, numbers.ranks, numbers.rank);
        const bool own_target =
            kRows != RowEnds::sources && edge && tuples.is_dealt_to(pair.target, numbers.ranks, numbers.rank);
        std::uint32_t source_column = 0;
        std::uint32_t target_column = 0;
        if (own_source || own_target) {
            source_column = columns.column_of_end[pair.source];
            target_column = columns.column_of_end[pair.target];
        }
        if constexpr (kRows != RowEnds::targets) add(own_source, source_column, target_column, weight...);
        if constexpr (kRows != RowEnds::sources) add(own_target, target_column, source_column, weight...);
        if (!stage.has_room()) stage.flush();
    });
    stage.flush();
}

/// Implements TupleSource::deal_degrees.
template <typename Ends>
__global__ void deal_degrees(Ends ends, std::uint64_t vertices, ColumnNumbers ranks, DegreeArrays of_ends,
                             OrderArrays own)
{
    for (std::uint64_t i = first_index(); i < vertices; i += index_stride()) {
        const std::uint32_t vertex = ends.vertex_of(static_cast<std::uint32_t>(i));
        if (vertex % ranks.ranks != ranks.rank) continue;
        const std::uint32_t local = vertex / ranks.ranks;
        std::uint64_t degree = of_ends.in[i];
        own.degrees.in[local] = of_ends.in[i];
        if (of_ends.out != nullptr) {
            own.degrees.out[local] = of_ends.out[i];
            degree += of_ends.out[i];
        }
        const auto capped = static_cast<std::uint32_t>(degree < ~0U ? degree : ~0U);
        own.class_keys[local] = static_cast<std::uint8_t>(kNoEdgesKey - class_of(capped));
        own.locals[local] = local;
    }
}

/// Implements TupleSource::place_columns.
template <typename Ends>
__global__ void place_columns(Ends ends, std::uint64_t vertices, ColumnNumbers columns, SlotsOfRanks slots,
                              ColumnArrays arrays)
{
    for (std::uint64_t i = first_index(); i < vertices; i += index_stride()) {
        const std::uint32_t vertex = ends.vertex_of(static_cast<std::uint32_t>(i));
        const std::uint32_t owner = vertex % columns.ranks;
        const std::uint32_t slot = slots.slots[owner * slots.part + vertex / columns.ranks];
        const bool connected = slot != columns.slot_stride;
        const std::uint32_t column = connected ? columns.column(owner, slot) : kNoColumn;
        arrays.column_of_end[i] = column;
        if (connected) arrays.vertex_of_column[column] = vertex;
    }
}

template <typename Passes>
class TuplesOf final : public TupleSource
{
public:
    explicit TuplesOf(Passes passes) : passes_(std::move(passes)) {}

    [[nodiscard]] std::uint64_t vertices() const override { return passes_.vertices(); }
    [[nodiscard]] bool directed() const override { return passes_.directed(); }

    void count_degrees(const ColumnNumbers& ranks, const DegreeArrays& of_ends, const Stream& stream) const override
    {
        if constexpr (Passes::kDirected)
            if (directed())
                return passes_.launch(construction::count_degrees<true, Tuples>, stream, ranks.ranks, ranks.rank,
                                      of_ends);
        passes_.launch(construction::count_degrees<false, Tuples>, stream, ranks.ranks, ranks.rank, of_ends);
    }
    void make_keys(RowEnds rows, const EndColumns& columns, const Batch& batch, const KeyArrays& keys,
                   const Stream& stream) const override
    {
        if constexpr (Passes::kDirected) {
            if (rows == RowEnds::targets) return make<RowEnds::targets>(columns, batch, keys, stream);
            if (rows == RowEnds::sources) return make<RowEnds::sources>(columns, batch, keys, stream);
        }
        make<RowEnds::both>(columns, batch, keys, stream);
    }
    void deal_degrees(const ColumnNumbers& ranks, const DegreeArrays& of_ends, const OrderArrays& own,
                      const Stream& stream) const override
    {
        gpu::launch(construction::deal_degrees<Ends>, vertices(), stream, passes_.ends(), vertices(), ranks, of_ends,
                    own);
    }
    void place_columns(const ColumnNumbers& columns, const SlotsOfRanks& slots, const ColumnArrays& arrays,
                       const Stream& stream) const override
    {
        gpu::launch(construction::place_columns<Ends>, vertices(), stream, passes_.ends(), vertices(), columns, slots,
                    arrays);
    }

private:
    using Tuples = typename Passes::Tuples;
    using Ends = decltype(std::declval<const Passes&>().ends());

    template <RowEnds kRows>
    void make(const EndColumns& columns, const Batch& batch, const KeyArrays& keys, const Stream& stream) const
    {
        if (keys.weights == nullptr)
            passes_.launch(construction::make_keys<kRows, PlainKeys, Tuples>, stream, columns, batch,
                           PlainKeys{keys.keys, keys.end});
        else
            passes_.launch(construction::make_keys<kRows, WeightedKeys, Tuples>, stream, columns, batch,
                           WeightedKeys{keys.keys, keys.weights, keys.end});
    }

    Passes passes_;
};

}  // namespace wayfront::gpu::construction
