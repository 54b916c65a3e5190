// The arrays of an engine in device memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "base/device_bytes.hpp"
#include "gpu/graph/block_memory.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/host_driven/row_words.hpp"
#include "gpu/sssp/host_driven/view.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

template <typename W>
struct ArcWeightsPlan : MemoryPlan
{
    /// `pulls`: whether in-edges are in device memory, too. If they are also the out-edges, their
    /// weights are stored once.
    ArcWeightsPlan(const CsrBlock& block, bool pulls)
        : out_weights(array<W>("weights of out-edges", block.out_edges().edges())),
          in_weights(array<W>("weights of in-edges", pulls && !block.symmetric ? block.in_edges.edges() : 0))
    {
    }

    PlannedArray<W> out_weights;
    PlannedArray<W> in_weights;
};

template <typename D>
struct SsspStatePlan : MemoryPlan
{
    /// `most_pieces`: the pieces of all wide lists. `sorted`: whether lists are sorted by weight.
    SsspStatePlan(std::uint32_t rows, std::uint32_t cols, std::size_t most_pieces, bool sorted)
        : words(array<std::uint64_t>("distances of rows", rows)),
          parents(array<std::uint32_t>("parents of rows", RowWord<D>::kHasParent ? 0 : rows)),
          columns(array<D>("distances of columns", cols)),
          changed(array<std::uint32_t>("changed columns", cols)),
          changed_distances(array<D>("distances of changed columns", cols)),
          active(array<std::uint32_t>("active columns", sorted ? cols : 0)),
          places(array<PushedEntries>("places in lists", sorted ? cols : 0)),
          nexts(array<D>("next sums", sorted ? cols : 0)),
          is_open(array<std::uint8_t>("marks of open columns", sorted ? cols : 0)),
          open(array<std::uint32_t>("open columns or rows", sorted ? std::max(rows, cols) : 0)),
          still_open(array<std::uint32_t>("columns or rows that stay open", sorted ? std::max(rows, cols) : 0)),
          improved(array<std::uint32_t>("improved rows", rows)),
          improved_bits(array<std::uint32_t>("marks of improved rows", (std::size_t{rows} + 31) / 32)),
          outcome(
              array<std::byte>("outcome of a round", sizeof(RoundHeader) + std::size_t{rows} * sizeof(ImprovedRow<D>))),
          pieces(array<WidePiece>("pieces of wide lists", most_pieces))
    {
    }

    PlannedArray<std::uint64_t> words;
    PlannedArray<std::uint32_t> parents;
    PlannedArray<D> columns;
    PlannedArray<std::uint32_t> changed;
    PlannedArray<D> changed_distances;
    PlannedArray<std::uint32_t> active;
    PlannedArray<PushedEntries> places;
    PlannedArray<D> nexts;
    PlannedArray<std::uint8_t> is_open;
    PlannedArray<std::uint32_t> open;
    PlannedArray<std::uint32_t> still_open;
    PlannedArray<std::uint32_t> improved;
    PlannedArray<std::uint32_t> improved_bits;
    PlannedArray<std::byte> outcome;  // a RoundHeader, then ImprovedRows
    PlannedArray<WidePiece> pieces;
};

/// All arrays of an engine for a block.
template <typename D, typename W>
struct SsspEnginePlan
{
    explicit SsspEnginePlan(const CsrBlock& block)
        : pulls(block.list_order == ListOrder::weights),
          out_edges(block.out_edges().view()),
          in_edges(pulls && !block.symmetric ? DeviceCsrPlan(block.in_edges.view()) : DeviceCsrPlan(0, 0)),
          weights(block, pulls),
          state(block.rows(), block.cols(), count_wide_pieces(block.out_edges().view()), pulls)
    {
    }

    [[nodiscard]] DeviceBytes bytes() const { return {bytes_of(out_edges, in_edges, weights), state.bytes()}; }

    bool pulls;
    DeviceCsrPlan out_edges;
    DeviceCsrPlan in_edges;
    ArcWeightsPlan<W> weights;
    SsspStatePlan<D> state;
};

}  // namespace wayfront::gpu::sssp
