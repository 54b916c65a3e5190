// A graph over all ranks: each rank's block of the adjacency matrix, and the numbering that searches use inside.
//
// Construction renumbers the vertices that have edges: within its owner's chunk a vertex gets a slot, by descending degree class, in the input's
// order inside a class. Vertices without edges get none. So busy vertices share few cache lines of every bitmap, the lists of a block name likely
// parents first, and neighbours in the input stay neighbours in memory where results are written in the input's order.
//
// Numbers of a vertex v, then: the input's (`Vertex`); its local number in its owner's chunk (`Partition::local`); its slot; and, within a block,
// RowLocal = c * slot_stride + slot where its owner stands at column c of the grid row, ColLocal = r * slot_stride + slot where its owner stands at
// row r of the grid column. slot_stride is the same on all ranks and a multiple of 64, so that a chunk's bitmap is whole words.
#pragma once

#include <cstdint>

#include "base/host_buffer.hpp"
#include "base/types.hpp"
#include "graph/csr.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront {

/// One rank's block. Row v lists the columns u with an edge u -> v (ascending by slot), column u the rows v.
struct CsrBlock
{
    std::uint32_t slot_stride = 0;
    std::uint32_t row_chunks = 1;  // C: chunks in this grid row
    std::uint32_t col_chunks = 1;  // R: chunks in this grid column
    std::uint32_t own_row_chunk = 0;
    std::uint32_t own_col_chunk = 0;

    Csr in_edges;                                  // by row
    Csr out_edges_stored;                          // by column; empty where the block is symmetric
    bool symmetric = false;                        // one rank, undirected: both directions are the same lists
    HostBuffer<std::uint32_t> first_in_neighbour;  // of each row; cols() where the row is empty
    HostBuffer<std::uint32_t> out_degrees;         // of each slot this rank owns: out-edges in the whole graph, duplicates counted

    [[nodiscard]] std::uint32_t rows() const { return row_chunks * slot_stride; }
    [[nodiscard]] std::uint32_t cols() const { return col_chunks * slot_stride; }
    [[nodiscard]] const Csr& out_edges() const { return symmetric ? in_edges : out_edges_stored; }
    [[nodiscard]] RowLocal own_row(std::uint32_t slot) const { return {own_row_chunk * slot_stride + slot}; }
    [[nodiscard]] ColLocal own_col(std::uint32_t slot) const { return {own_col_chunk * slot_stride + slot}; }
};

struct DistributedGraph
{
    Partition partition;
    bool directed = false;
    int rank = 0;
    CsrBlock block;

    HostBuffer<std::uint32_t> slot_of_local;  // of this rank's chunk; slot_stride for a vertex without edges
    VertexArray vertex_of_column;             // the input's number of each ColLocal; one more element, for the column cols(): kUnreached
    std::int64_t connected_vertices = 0;      // vertices with an edge, of all ranks
    EdgeCount directed_edges = 0;             // of all blocks, without self-loops and duplicates
    EdgeCount input_edges = 0;                // tuples of the input, of all ranks

    [[nodiscard]] std::uint32_t local_count() const { return static_cast<std::uint32_t>(slot_of_local.size()); }
};

}  // namespace wayfront
