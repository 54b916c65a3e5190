// The memory of a stepped search.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::bfs {

/// The arrays of a search, besides its results and counters.
struct SteppedMemoryPlan : MemoryPlan
{
    SteppedMemoryPlan(const DeviceGraphView& graph, std::uint64_t round_items, bool with_levels)
        : visited(array<std::uint32_t>("visited slots", graph.slot_stride / 32)),
          expanded(array<std::uint32_t>("expanded slots", graph.slot_stride / 32)),
          own_frontier(array<std::uint32_t>("own frontier", graph.slot_stride / 32)),
          parts(array<std::uint32_t>("parts of a frontier", graph.cols() / 32)),
          parents(array<std::uint32_t>("parents", graph.slot_stride)),
          slot_levels(array<std::int32_t>("levels", with_levels ? graph.slot_stride : 0)),
          queue(array<WorkItem>("work items", queue_capacity(graph.slot_stride, graph.out.edges))),
          requests(array<VisitRequest>(
              "requests", graph.ranks > 1 ? std::max<std::uint64_t>(round_items * kItemEdges, kLongItemEdges) : 0)),
          sent(array<VisitRequest>("requests to send", requests.count)),
          received(array<VisitRequest>("received requests", requests.count))
    {
        // Each bitmap ends with a tile of zeros.
        for (PlannedArray<std::uint32_t>& bitmap : frontiers)
            bitmap = array<std::uint32_t>("frontier", graph.cols() / 32 + kTileWords);
    }

    PlannedArray<std::uint32_t> visited, expanded, own_frontier, parts, parents;
    PlannedArray<std::int32_t> slot_levels;
    PlannedArray<WorkItem> queue;
    PlannedArray<VisitRequest> requests, sent, received;
    std::array<PlannedArray<std::uint32_t>, 2> frontiers;
};

}  // namespace wayfront::gpu::bfs
