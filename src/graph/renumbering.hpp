// The numbering inside searches: slots by descending degree class (see distributed_graph.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "comm/process_grid.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront {

struct Renumbering
{
    std::uint32_t slot_stride = 0;  // of all ranks; a multiple of 64, at least 64
    std::uint32_t connected = 0;    // vertices of this rank that have edges: its slots
    // The row after renumbering, by the row before; undefined for vertices without edges.
    HostBuffer<std::uint32_t> new_row;
    // By the column before renumbering: slot * R + chunk, the order of likely parents; undefined
    // for vertices without edges.
    HostBuffer<std::uint32_t> new_col_key;
    // By the column before renumbering: the slot; slot_stride without edges.
    HostBuffer<std::uint32_t> slots_of_cols;
    // By own slot, slot_stride elements: out-edges, including duplicates.
    HostBuffer<std::uint32_t> out_degrees;
};

/// The class of a degree, with two classes per octave: 1, 2, 3, 4-5, 6-7, 8-11, 12-15, ... Class 0
/// is degree 0.
[[nodiscard]] std::uint32_t degree_class(std::uint64_t degree);

/// `row_counts` is the number of edges of each row of this rank's block; `col_counts` is that of
/// each column if the graph is directed, and otherwise empty. Collective over the grid.
Renumbering renumber(const comm::ProcessGrid& grid, const Partition& partition,
                     std::span<const std::uint32_t> row_counts, std::span<const std::uint32_t> col_counts,
                     bool by_degree);

/// The slot of each vertex of this rank's chunk; slot_stride for vertices without edges.
HostBuffer<std::uint32_t> own_slots(const Renumbering& numbers, const Partition& partition,
                                    const comm::ProcessGrid& grid);

/// The input's vertex of each column after renumbering; kUnreached for columns without a vertex,
/// and for one more element at the end.
VertexArray column_vertices(const Renumbering& numbers, const Partition& partition, const comm::ProcessGrid& grid);

}  // namespace wayfront
