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
    std::uint32_t slot_stride = 0;            // of all ranks; a multiple of 64, at least 64
    std::uint32_t connected = 0;              // vertices of this rank that have edges: its slots
    HostBuffer<std::uint32_t> new_row;        // by row before renumbering: the row after; meaningless for a vertex without edges
    HostBuffer<std::uint32_t> new_col_key;    // by column before: slot * R + chunk, the order of likely parents; meaningless without edges
    HostBuffer<std::uint32_t> slots_of_cols;  // by column before: the slot; slot_stride without edges
    HostBuffer<std::uint32_t> out_degrees;    // by own slot, slot_stride of them: out-edges, duplicates counted
};

/// Degrees of a vertex fall into classes, two to an octave: 1, 2, 3, 4-5, 6-7, 8-11, 12-15, ... Class 0 is degree 0.
[[nodiscard]] std::uint32_t degree_class(std::uint64_t degree);

/// Collective over the grid. `row_counts`: edges of each row of this rank's block; `col_counts`: of each column where the graph is directed, else
/// empty.
Renumbering renumber(const comm::ProcessGrid& grid, const Partition& partition, std::span<const std::uint32_t> row_counts,
                     std::span<const std::uint32_t> col_counts, bool by_degree);

/// The slot of each vertex of this rank's chunk; slot_stride without edges.
HostBuffer<std::uint32_t> own_slots(const Renumbering& numbers, const Partition& partition, const comm::ProcessGrid& grid);

/// The input's vertex of each column after renumbering, kUnreached for columns that hold none, and kUnreached once more at the end.
VertexArray column_vertices(const Renumbering& numbers, const Partition& partition, const comm::ProcessGrid& grid);

}  // namespace wayfront
