#include "gpu/apsp/hops/hop_counter.hpp"

#include "gpu/apsp/hops/hop_counter_of.hpp"
#include "gpu/apsp/hops/hop_counter_plan.hpp"

namespace wayfront::gpu::apsp {

std::unique_ptr<HopCounter> make_hop_counter(const DistributedGraph& graph, const HopMemory& memory,
                                             const HopOptions& options, const Stream& stream)
{
    const bool is_short = graph.connected_vertices <= std::int64_t{kMostShortPlaces};
    return is_short ? make_hop_counter_of<std::uint16_t>(graph, memory, options, stream)
                    : make_hop_counter_of<std::uint32_t>(graph, memory, options, stream);
}

std::size_t hop_counter_bytes(std::size_t vertices, std::size_t arcs)
{
    const std::size_t graph = vertices <= kMostShortPlaces ? HopGraphPlan<std::uint16_t>::most(vertices, arcs).bytes()
                                                           : HopGraphPlan<std::uint32_t>::most(vertices, arcs).bytes();
    return graph + bytes_of(HopPlacesPlan(vertices, vertices), HopSetsPlan(vertices));
}

}  // namespace wayfront::gpu::apsp
