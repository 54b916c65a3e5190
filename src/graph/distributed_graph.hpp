// A graph over all ranks: each rank's block of the adjacency matrix, and the numbering that
// searches use.
//
// Construction renumbers the vertices that have edges. Within its owner's chunk each of them gets a
// slot, by descending degree class, and in the input's order inside a class. Vertices without edges
// have no slot. So vertices of large degrees share few cache lines of every bitmap, the lists of a block begin
// with likely parents, and neighbours in the input remain neighbours in memory when results are
// written in the input's order.
//
// A vertex v therefore has several numbers: the input's (`Vertex`); its local number in its owner's
// chunk (`Partition::local`); its slot; and, within a block, RowLocal = c * slot_stride + slot if
// its owner is in column c of the grid row, and ColLocal = r * slot_stride + slot if its owner is
// in row r of the grid column. slot_stride is the same on all ranks. It is a multiple of 64, so
// that a chunk's bitmap consists of whole words.
#pragma once

#include <cstdint>

#include "base/host_buffer.hpp"
#include "base/types.hpp"
#include "graph/block_weights.hpp"
#include "graph/csr.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront {

/// One rank's block. The list of row v has the columns u with an edge u -> v, in ascending order of
/// slots, or of weights if construction was asked for that; the list of column u has the rows v.
struct CsrBlock
{
    std::uint32_t slot_stride = 0;
    std::uint32_t row_chunks = 1;  // C: chunks of this grid row
    std::uint32_t col_chunks = 1;  // R: chunks of this grid column
    std::uint32_t own_row_chunk = 0;
    std::uint32_t own_col_chunk = 0;

    Csr in_edges;                     // by row
    Csr out_edges_stored;             // by column; empty if the block is symmetric
    BlockWeights in_weights;          // the weights of in_edges
    BlockWeights out_weights_stored;  // the weights of out_edges_stored
    // One rank, undirected: both directions share lists.
    bool symmetric = false;
    ListOrder list_order = ListOrder::neighbours;  // the order of all lists
    HostBuffer<std::uint32_t> first_in_neighbour;  // the first neighbour of each row; cols() if the row is empty
    // The number of out-edges of each own slot in the whole graph, including duplicates.
    HostBuffer<std::uint32_t> out_degrees;

    [[nodiscard]] std::uint32_t rows() const { return row_chunks * slot_stride; }
    [[nodiscard]] std::uint32_t cols() const { return col_chunks * slot_stride; }
    [[nodiscard]] const Csr& out_edges() const { return symmetric ? in_edges : out_edges_stored; }
    [[nodiscard]] const BlockWeights& out_weights() const { return symmetric ? in_weights : out_weights_stored; }
    [[nodiscard]] RowLocal own_row(std::uint32_t slot) const { return {own_row_chunk * slot_stride + slot}; }
    [[nodiscard]] ColLocal own_col(std::uint32_t slot) const { return {own_col_chunk * slot_stride + slot}; }
};

struct DistributedGraph
{
    Partition partition;
    bool directed = false;
    int rank = 0;
    CsrBlock block;

    // For each vertex of this rank's chunk; slot_stride if the vertex has no edges.
    HostBuffer<std::uint32_t> slot_of_local;
    // The input's number of each ColLocal, and one more element: kUnreached, for the column cols().
    VertexArray vertex_of_column;
    std::int64_t connected_vertices = 0;  // vertices with edges, of all ranks
    EdgeCount directed_edges = 0;         // the edges of all blocks, without self-loops and duplicates
    EdgeCount input_edges = 0;            // tuples of the input, of all ranks

    [[nodiscard]] std::uint32_t local_count() const { return static_cast<std::uint32_t>(slot_of_local.size()); }
};

}  // namespace wayfront
