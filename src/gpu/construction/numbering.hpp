// Numbers a graph's vertices on the device, from degrees to slots and columns, as
// graph/renumbering.hpp does on the host.
#pragma once

#include <cstdint>

#include "gpu/construction/options.hpp"
#include "gpu/construction/tuple_source.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/graph/device_graph.hpp"

namespace wayfront::gpu::construction {

struct Numbering
{
    DeviceGraphView view;         // only these numbers are set: ranks, rank, slot_stride, local_count
    std::uint32_t connected = 0;  // own vertices with edges, whose slots are 0 .. connected - 1
    std::int64_t connected_of_all = 0;

    // By local number; slot_stride for a vertex without edges.
    DeviceBuffer<std::uint32_t> slot_of_local;
    DeviceBuffer<std::uint32_t> vertex_of_column;  // see DeviceGraph
    DeviceBuffer<std::uint32_t> column_of_end;     // for all vertices
    // slot_stride + 1 entries: the beginning of each slot's list if duplicates were kept. row_starts is
    // for lists of in-edges; in a directed graph, out_row_starts is for lists of out-edges.
    DeviceBuffer<std::uint64_t> row_starts, out_row_starts;

    [[nodiscard]] DeviceBuffer<std::uint64_t>& starts(RowEnds rows)
    {
        return rows == RowEnds::sources ? out_row_starts : row_starts;
    }
    /// Frees the columns of ends if no lists remain to be made. Making lists moves their starts
    /// away.
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

/// Numbers the vertices. Returns when all work is complete. Collective over `ranks`.
[[nodiscard]] Numbering number_vertices(const TupleSource& tuples, DeviceCollectives& ranks, ConstructionRun& run);

/// Tuples whose vertices are numbered, and the ends that are rows of the lists to be made.
struct NumberedTuples
{
    const TupleSource& tuples;
    Numbering& numbers;
    RowEnds rows;
};

}  // namespace wayfront::gpu::construction
