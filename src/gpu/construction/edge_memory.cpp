#include <algorithm>

#include "gpu/construction/construction_plans.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/graph/arc_lists_plan.hpp"
#include "gpu/graph/device_graph_plan.hpp"
#include "graph/edge_list.hpp"

namespace wayfront::gpu::construction {

namespace {

// Number of batches that the estimate assumes. This number of passes still takes little time.
constexpr std::size_t kFewestBatches = 16;
// Number of edges in a part, if an edge list is copied from the host in parts.
constexpr std::size_t kPartEdges = std::size_t{1} << 23;

struct Sizes
{
    std::size_t vertices;
    std::size_t slots;
    std::size_t arcs;  // number of arcs of the lists in one direction

    explicit Sizes(const EdgesSize& size)
        : vertices(static_cast<std::size_t>(size.vertices)),
          slots((std::min(vertices, 2 * static_cast<std::size_t>(size.edges)) + kTileSlots) / kTileSlots * kTileSlots),
          arcs(static_cast<std::size_t>(size.edges) * (size.directed ? 1 : 2))
    {
    }
};

/// The bytes of copied edges, with their weights.
std::size_t copied_bytes(std::size_t edges, bool weighted)
{
    return edges * (sizeof(PackedEdge) + (weighted ? sizeof(std::uint32_t) : 0));
}

/// The bytes of the finished lists in one direction.
std::size_t finished_bytes(const Sizes& sizes, bool weighted)
{
    if (weighted) return bytes_of(ArcArraysPlan::most(sizes.slots, sizes.arcs));
    return bytes_of(PlacedListsPlan::most(static_cast<std::uint32_t>(sizes.slots), sizes.arcs));
}

/// The temporary memory of one set of lists while it is made, without the finished lists.
std::size_t making_bytes(const Sizes& sizes, bool weighted)
{
    if (weighted) return bytes_of(PlacingPlan(sizes.slots), WeightedBatchPlan(sizes.arcs / kFewestBatches));
    const PlainListsPlan lists(sizes.slots, sizes.arcs);
    return std::max(bytes_of(BatchPlan(sizes.arcs / kFewestBatches)) + 2 * lists.columns.bytes(),
                    bytes_of(lists, PlacingPlan(sizes.slots)));
}

}  // namespace

std::size_t edge_construction_bytes(const EdgesSize& size)
{
    const Sizes sizes(size);
    const VertexTablePlan table(sizes.vertices, size.directed);
    const SlotsPlan slots(sizes.vertices, sizes.slots, size.directed);
    const ColumnsPlan columns(1, sizes.slots);
    const LocalSlotsPlan locals(sizes.vertices, sizes.slots);
    const std::size_t lists = finished_bytes(sizes, size.weighted) * (size.directed ? 2 : 1);
    const std::size_t numbering = bytes_of(table, OrderPlan(sizes.vertices, size.directed));
    const std::size_t making = bytes_of(table, slots, columns) + lists + making_bytes(sizes, size.weighted);
    const std::size_t completing =
        bytes_of(columns, locals, NearVerticesPlan::most(static_cast<std::uint32_t>(sizes.slots))) + lists +
        slots.slot_of_local.bytes();
    const std::size_t copied = size.from_host ? copied_bytes(kPartEdges, size.weighted) : 0;
    return std::max({numbering, making, completing}) + copied + kDeviceReserveBytes;
}

std::size_t edges_of_part(EdgesSize size, std::size_t free_bytes)
{
    const auto edges = static_cast<std::size_t>(size.edges);
    size.from_host = false;
    const std::size_t needed = edge_construction_bytes(size) + copied_bytes(edges, size.weighted);
    return needed <= free_bytes ? edges : std::min(edges, kPartEdges);
}

}  // namespace wayfront::gpu::construction
