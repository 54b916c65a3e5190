// Numbers a graph's vertices on the device: from degrees to slots and columns, like
// graph/renumbering.hpp on the host.
#pragma once

#include <cstdint>

#include "gpu/construction/options.hpp"
#include "gpu/construction/tuple_source.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/graph/device_graph.hpp"

namespace wayfront::gpu::construction {

struct Numbering
{
    DeviceGraphView view;         // only its numbers: ranks, rank, slot_stride, local_count
    std::uint32_t connected = 0;  // own vertices with edges: slots 0 .. connected - 1
    std::int64_t connected_of_all = 0;

    // Own vertices; slot_stride for a vertex without edges.
    DeviceBuffer<std::uint32_t> slot_of_local;
    DeviceBuffer<std::uint32_t> vertex_of_column;  // as in DeviceGraph
    DeviceBuffer<std::uint32_t> column_of_end;     // of all vertices
    // slot_stride + 1 entries: where each slot's list would begin if duplicates were kept. The lists are
    // those of in-edges; a directed graph has those of out-edges, too.
    DeviceBuffer<std::uint64_t> row_starts, out_row_starts;

    [[nodiscard]] DeviceBuffer<std::uint64_t>& starts(RowEnds rows)
    {
        return rows == RowEnds::sources ? out_row_starts : row_starts;
    }
    /// Frees the columns of ends if no lists are left to make: making lists takes their starts away.
    void free_columns_if_done()
    {
        if (row_starts.empty() && out_row_starts.empty()) column_of_end = {};
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return slot_of_local.bytes() + vertex_of_column.bytes() + column_of_end.bytes() + row_starts.bytes() +
               out_row_starts.bytes();
    }
};

/// Numbers the vertices, and returns when all work is done. Collective over `ranks`.
[[nodiscard]] Numbering number_vertices(const TupleSource& tuples, DeviceCollectives& ranks, const Stream& stream,
                                        PhaseLog* log, ConstructionReport& report);

}  // namespace wayfront::gpu::construction
