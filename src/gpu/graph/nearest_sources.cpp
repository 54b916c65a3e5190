#include "gpu/graph/nearest_sources.hpp"

#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront::gpu {

NearestSources::NearestSources(const Graph& graph, const Stream& stream)
    : graph_(graph),
      sources_(graph.local_slots),
      plan_(graph.slots, graph.arcs, graph.local_slots.count),
      memory_(plan_),
      blocks_(static_cast<unsigned>(multiprocessors()))
{
    const auto first = GridBarrierState<NearestCounts>::first(blocks_);
    copy_async(std::span(&first, 1), memory_[plan_.barrier], stream);
    stream.synchronize();
}

NearestView NearestSources::begin(const std::uint32_t* distances, std::int32_t* parents, const Stream& stream)
{
    NearestView view;
    view.local_slots = graph_.local_slots;
    view.vertex_of_slot = graph_.vertex_of_slot;
    view.slots = graph_.slots;
    view.result_distances = distances;
    view.result_parents = parents;
    view.nearest = memory_[plan_.nearest].data();
    view.distances = memory_[plan_.distances].data();
    view.labels = memory_[plan_.labels].data();
    view.ancestors = memory_[plan_.listed[0]].data();
    for (std::size_t i = 0; i < 2; ++i) view.listed[i] = memory_[plan_.listed[i]].data();
    view.pieces = memory_[plan_.pieces].data();
    view.sizes = memory_[plan_.sizes].data();
    view.barrier.state = memory_[plan_.barrier].data();
    fill_bytes_async(memory_[plan_.labels], 0xFF, stream);
    fill_bytes_async(memory_[plan_.listed[0]], 0xFF, stream);
    fill_bytes_async(memory_[plan_.sizes], 0, stream);
    return view;
}

void NearestSources::copy(std::span<std::int32_t> nearest, const Stream& stream)
{
    const std::span<const std::int32_t> found = memory_[plan_.nearest];
    copy_async(found, nearest, stream);
    stream.synchronize();
}

}  // namespace wayfront::gpu
