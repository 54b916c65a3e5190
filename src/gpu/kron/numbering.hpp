// Numbers a graph's vertices on the device: from degrees to slots and columns, like
// graph/renumbering.hpp on the host.
#pragma once

#include <cstdint>

#include "gpu/graph/device_graph.hpp"
#include "gpu/kron/construction.hpp"

namespace wayfront::gpu::kron {

class TuplePass;

/// The entry of column_of_recursive for a vertex without edges.
inline constexpr std::uint32_t kNoColumn = ~0U;

struct Numbering
{
    DeviceGraphView view;         // only its numbers: ranks, rank, slot_stride, local_count
    std::uint32_t connected = 0;  // own vertices with edges: slots 0 .. connected - 1
    std::int64_t connected_of_all = 0;

    // Own vertices; slot_stride for a vertex without edges.
    DeviceBuffer<std::uint32_t> slot_of_local;
    DeviceBuffer<std::uint32_t> vertex_of_column;     // as in DeviceGraph
    DeviceBuffer<std::uint32_t> column_of_recursive;  // by recursive number, of all vertices
    // slot_stride + 1 entries: where each slot's list would begin if duplicates were kept.
    DeviceBuffer<std::uint64_t> row_starts;

    [[nodiscard]] std::size_t bytes() const
    {
        return slot_of_local.bytes() + vertex_of_column.bytes() + column_of_recursive.bytes() + row_starts.bytes();
    }
};

/// Numbers the vertices, and returns when all work is done. Collective over `ranks`.
[[nodiscard]] Numbering number_vertices(const TuplePass& tuples, DeviceCollectives& ranks, const Stream& stream,
                                        PhaseLog* log, ConstructionReport& report);

}  // namespace wayfront::gpu::kron
