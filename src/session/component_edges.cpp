#include "session/component_edges.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "comm/routing.hpp"

namespace wayfront::session {

namespace {

constexpr std::size_t kChunkEdges = std::size_t{1} << 20;

}  // namespace

ComponentEdges::ComponentEdges(const comm::Communicator& world, const DistributedGraph& graph, const EdgeFeed& feed)
    : world_(world), graph_(graph), loops_(graph.local_count(), 0)
{
    const auto share = static_cast<std::size_t>(feed.size());
    const auto chunks =
        world.all_reduce(static_cast<std::int64_t>((share + kChunkEdges - 1) / kChunkEdges), comm::Reduction::max);
    HostBuffer<PackedEdge> scratch(std::min(share, kChunkEdges));
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t first = std::min(share, static_cast<std::size_t>(chunk) * kChunkEdges);
        const std::size_t count = std::min(kChunkEdges, share - first);
        const std::span<const PackedEdge> edges = feed.chunk(static_cast<EdgeCount>(first), count, scratch.span());
        const comm::Routing loops(edges.size(), world.size(), [&](std::size_t i) {
            return edges[i].source() == edges[i].target() ? graph.partition.owner(edges[i].source()) : -1;
        });
        std::vector<std::int64_t> from;
        for (const Vertex v : loops.send<Vertex>(world, from, [&](std::size_t i) { return edges[i].source(); }))
            ++loops_[graph.partition.local(v)];
    }
}

EdgeCount ComponentEdges::count(const VertexArray& parents) const
{
    const CsrBlock& block = graph_.block;
    std::int64_t ends = 0;
    std::int64_t loops = 0;
    parents.visit([&](auto own) {
#pragma omp parallel for reduction(+ : ends, loops)
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (own[i] == kUnreached) continue;
            const std::uint32_t slot = graph_.slot_of_local[i];
            if (slot != block.slot_stride) ends += block.out_degrees[slot];
            loops += loops_[i];
        }
    });
    return world_.all_reduce(ends, comm::Reduction::sum) / 2 + world_.all_reduce(loops, comm::Reduction::sum);
}

}  // namespace wayfront::session
