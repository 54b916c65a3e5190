#include "app/search/component_edges.hpp"

#include <algorithm>
#include <vector>

namespace wayfront::app {

namespace {

constexpr std::size_t kChunkEdges = std::size_t{1} << 20;

}  // namespace

ComponentEdges::ComponentEdges(const comm::Communicator& world, const DistributedGraph& graph, const EdgeFeed& feed)
    : world_(world), graph_(graph), loops_(graph.local_count(), 0)
{
    const auto share = static_cast<std::size_t>(feed.size());
    const auto chunks = world.all_reduce(static_cast<std::int64_t>((share + kChunkEdges - 1) / kChunkEdges), comm::Reduction::max);
    HostBuffer<PackedEdge> scratch(std::min(share, kChunkEdges));
    std::vector<std::vector<Vertex>> of_rank(static_cast<std::size_t>(world.size()));
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        for (auto& vertices : of_rank) vertices.clear();
        const std::size_t first = std::min(share, static_cast<std::size_t>(chunk) * kChunkEdges);
        const std::size_t count = std::min(kChunkEdges, share - first);
        for (const PackedEdge edge : feed.chunk(static_cast<EdgeCount>(first), count, scratch.span()))
            if (edge.source() == edge.target()) of_rank[static_cast<std::size_t>(graph.partition.owner(edge.source()))].push_back(edge.source());
        std::vector<Vertex> send;
        std::vector<std::int64_t> counts;
        for (const auto& vertices : of_rank) {
            send.insert(send.end(), vertices.begin(), vertices.end());
            counts.push_back(static_cast<std::int64_t>(vertices.size()));
        }
        for (const Vertex v : world.all_to_all_v(std::span<const Vertex>(send), counts)) ++loops_[graph.partition.local(v)];
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

}  // namespace wayfront::app
