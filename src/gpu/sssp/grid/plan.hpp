// The device arrays of a search over a grid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "algo/sssp/sssp_result.hpp"
#include "base/device_bytes.hpp"
#include "gpu/graph/block_memory.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/grid/row_words.hpp"
#include "gpu/sssp/grid/view.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

template <typename W>
struct ArcWeightsPlan : MemoryPlan
{
    /// `pulls`: whether the in-edges are in device memory, too. If the in-edges are equal to the
    /// out-edges, their weights are stored once.
    ArcWeightsPlan(const CsrBlock& block, bool pulls)
        : out_weights(array<W>("weights of out-edges", block.out_edges().edges())),
          in_weights(array<W>("weights of in-edges", pulls && !block.symmetric ? block.in_edges.edges() : 0))
    {
    }

    PlannedArray<W> out_weights;
    PlannedArray<W> in_weights;
};

/// The numbers from which the sizes of the arrays follow.
struct StateSize
{
    std::uint32_t slots = 0;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::uint32_t row_chunks = 1;
    std::size_t most_pieces = 0;  // number of pieces of all wide lists
    std::uint32_t local_count = 0;
    bool sorted = false;         // whether lists are sorted by weight
    bool wide_vertices = false;  // whether the input's numbers have 64 bits
    bool waits = false;          // whether the method is delta-stepping
    bool settles = false;        // whether the method is push-pull

    [[nodiscard]] bool folds() const { return row_chunks > 1; }
};

// Smallest room of a piece of found distances; largest room of all pieces of a rank.
inline constexpr std::uint32_t kLeastRoom = 64;
inline constexpr std::uint32_t kMostRoomOfAll = 1 << 18;

/// The largest room of a piece if a rank has `pieces` pieces.
[[nodiscard]] constexpr std::uint32_t most_room(std::uint32_t pieces)
{
    return std::max(kMostRoomOfAll / pieces, kLeastRoom);
}

template <typename D>
struct SsspStatePlan : MemoryPlan
{
    explicit SsspStatePlan(const StateSize& size)
        : words(array<std::uint64_t>("distances of rows", size.rows)),
          parents(array<std::uint32_t>("parents of rows", RowWord<D>::kHasParent ? 0 : size.rows)),
          columns(array<D>("distances of columns", size.cols)),
          changed(array<std::uint32_t>("changed columns", size.cols)),
          active(array<std::uint32_t>("active columns", size.sorted ? size.cols : 0)),
          places(array<PushedEntries>("places in lists", size.sorted ? size.cols : 0)),
          nexts(array<D>("next sums", size.sorted ? size.cols : 0)),
          is_open(array<std::uint8_t>("marks of open columns", size.sorted ? size.cols : 0)),
          open(array<std::uint32_t>("open columns or rows", size.sorted ? std::max(size.rows, size.cols) : 0)),
          still_open(
              array<std::uint32_t>("columns or rows that stay open", size.sorted ? std::max(size.rows, size.cols) : 0)),
          improved(array<std::uint32_t>("improved rows", size.rows)),
          improved_bits(array<std::uint32_t>("marks of improved rows", bits(size.rows))),
          pieces(array<WidePiece>("pieces of wide lists", size.most_pieces)),
          gathered(array<SentDistance<D>>("distances of the grid column", size.cols)),
          sent(array<FoundDistance<D>>("found distances to send", size.folds() ? size.rows : 0)),
          received(array<FoundDistance<D>>("received distances", size.folds() ? size.rows : 0)),
          sent_pieces(array<std::byte>("pieces of found distances to send", piece_bytes(size))),
          received_pieces(array<std::byte>("received pieces", piece_bytes(size))),
          narrow_vertices(
              array<std::int32_t>("vertices of columns", size.wide_vertices ? 0 : std::size_t{size.cols} + 1)),
          wide_vertices(
              array<std::int64_t>("vertices of columns", size.wide_vertices ? std::size_t{size.cols} + 1 : 0)),
          changed_slots(array<std::uint32_t>("changed slots", size.slots)),
          changed_bits(array<std::uint32_t>("marks of changed slots", size.folds() ? bits(size.slots) : 0)),
          chosen(array<std::uint32_t>("chosen slots", size.slots)),
          waiting(array<std::uint32_t>("waiting slots", size.waits ? size.slots : 0)),
          still_waiting(array<std::uint32_t>("slots that still wait", size.waits ? size.slots : 0)),
          waiting_bits(array<std::uint32_t>("marks of waiting slots", size.waits ? bits(size.slots) : 0)),
          settled(array<std::uint32_t>("settled slots", size.settles ? size.slots : 0)),
          settled_bits(array<std::uint32_t>("marks of settled slots", size.settles ? bits(size.slots) : 0)),
          out_degrees(array<std::uint32_t>("numbers of out-edges", size.slots)),
          own_parents(array<std::int64_t>("parents", size.folds() ? size.slots : 0)),
          slot_of_local(array<std::uint32_t>("slots of vertices", size.local_count)),
          local_distances(array<D>("distances of vertices", size.local_count)),
          local_parents(array<std::int64_t>("parents of vertices", size.local_count))
    {
    }

    PlannedArray<std::uint64_t> words;
    PlannedArray<std::uint32_t> parents;
    PlannedArray<D> columns;
    PlannedArray<std::uint32_t> changed;
    PlannedArray<std::uint32_t> active;
    PlannedArray<PushedEntries> places;
    PlannedArray<D> nexts;
    PlannedArray<std::uint8_t> is_open;
    PlannedArray<std::uint32_t> open;
    PlannedArray<std::uint32_t> still_open;
    PlannedArray<std::uint32_t> improved;
    PlannedArray<std::uint32_t> improved_bits;
    PlannedArray<WidePiece> pieces;
    PlannedArray<SentDistance<D>> gathered;
    PlannedArray<FoundDistance<D>> sent, received;
    PlannedArray<std::byte> sent_pieces, received_pieces;
    PlannedArray<std::int32_t> narrow_vertices;
    PlannedArray<std::int64_t> wide_vertices;
    PlannedArray<std::uint32_t> changed_slots, changed_bits, chosen, waiting, still_waiting, waiting_bits, settled,
        settled_bits, out_degrees;
    PlannedArray<std::int64_t> own_parents;
    PlannedArray<std::uint32_t> slot_of_local;
    PlannedArray<D> local_distances;
    PlannedArray<std::int64_t> local_parents;

private:
    static std::size_t piece_bytes(const StateSize& size)
    {
        if (!size.folds()) return 0;
        return size.row_chunks * FoundPieces<D>::piece_bytes(most_room(size.row_chunks));
    }
    static std::size_t bits(std::uint32_t count) { return (std::size_t{count} + 31) / 32; }
};

/// All arrays of a rank.
template <typename D, typename W>
struct GridStepsPlan
{
    GridStepsPlan(const DistributedGraph& graph, algo::SsspMethod method)
        : pulls(graph.block.list_order == ListOrder::weights),
          out_edges(graph.block.out_edges().view()),
          in_edges(pulls && !graph.block.symmetric ? DeviceCsrPlan(graph.block.in_edges.view()) : DeviceCsrPlan(0, 0)),
          weights(graph.block, pulls),
          state(size_of(graph, method))
    {
    }

    [[nodiscard]] DeviceBytes bytes() const { return {bytes_of(out_edges, in_edges, weights), state.bytes()}; }

    [[nodiscard]] static StateSize size_of(const DistributedGraph& graph, algo::SsspMethod method)
    {
        const CsrBlock& block = graph.block;
        return {.slots = block.slot_stride,
                .rows = block.rows(),
                .cols = block.cols(),
                .row_chunks = block.row_chunks,
                .most_pieces = count_wide_pieces(block.out_edges().view()),
                .local_count = graph.local_count(),
                .sorted = block.list_order == ListOrder::weights,
                .wide_vertices = !VertexArray::is_narrow(graph.partition.vertex_count()),
                .waits = method == algo::SsspMethod::delta_stepping,
                .settles = method == algo::SsspMethod::push_pull};
    }

    bool pulls;
    DeviceCsrPlan out_edges;
    DeviceCsrPlan in_edges;
    ArcWeightsPlan<W> weights;
    SsspStatePlan<D> state;
};

}  // namespace wayfront::gpu::sssp
