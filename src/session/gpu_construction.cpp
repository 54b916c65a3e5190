#include "session/gpu_construction.hpp"

#include <utility>

#include "session/prepared_graph.hpp"

namespace wayfront::session {

namespace {

/// The host constructs smaller graphs in less time than the passes of a GPU take to start.
constexpr EdgeCount kGpuFromEdges = EdgeCount{1} << 17;

}  // namespace

bool gpu_constructs(const comm::Communicator& world, const plan::EnginePlan& plan, const EdgeFeed& feed,
                    WeightType weights)
{
    namespace construction = gpu::construction;
    if (world.size() > 1 || !plan.resident()) return false;
    if (weights != WeightType::none && weights != WeightType::uint32 && weights != WeightType::float32) return false;
    const bool on_device = feed.device_edges() != nullptr;
    if (!on_device && feed.size() < kGpuFromEdges) return false;
    const construction::EdgesSize size{feed.vertex_count(), feed.size(), feed.directed(), weights != WeightType::none,
                                       !on_device};
    return size.vertices <= construction::kMostVertices && size.edges <= construction::kMostEdges &&
           construction::edge_construction_bytes(size) <= plan.free_bytes;
}

DistributedGraph numbers_of(const EdgeFeed& feed, gpu::construction::HostNumbers numbers,
                            std::int64_t connected_vertices, EdgeCount arcs)
{
    DistributedGraph graph = graph_without_edges(feed);
    graph.block.slot_stride = numbers.slot_stride;
    graph.block.symmetric = !feed.directed();
    graph.block.out_degrees = std::move(numbers.out_degrees);
    graph.slot_of_local = std::move(numbers.slot_of_local);
    graph.connected_vertices = connected_vertices;
    graph.directed_edges = arcs;
    graph.input_edges = feed.size();
    return graph;
}

}  // namespace wayfront::session
