#include "algo/sssp/negative_cycle.hpp"

#include <algorithm>

#include "base/host_buffer.hpp"
#include "graph/all_vertices.hpp"

namespace wayfront::algo {

std::vector<Vertex> find_parent_cycle(const comm::Communicator& world, const Partition& partition,
                                      std::span<const Vertex> parents)
{
    const auto n = static_cast<std::size_t>(partition.vertex_count());
    HostBuffer<Vertex> all(n);
    gather_vertices(world, partition, parents, all.span());
    const auto parent_of = [&](Vertex v) { return all[static_cast<std::size_t>(v)]; };

    // Each walk along the parents ends at a vertex without a parent, at a vertex of an earlier walk, or at a
    // vertex of the same walk, which is then on a cycle.
    HostBuffer<Vertex> walk_of(n, kUnreached);
    for (Vertex first = 0; first < partition.vertex_count(); ++first) {
        Vertex v = first;
        while (v != kUnreached && walk_of[static_cast<std::size_t>(v)] == kUnreached) {
            walk_of[static_cast<std::size_t>(v)] = first;
            v = parent_of(v);
        }
        if (v == kUnreached || walk_of[static_cast<std::size_t>(v)] != first) continue;
        std::vector<Vertex> cycle{v};
        for (Vertex u = parent_of(v); u != v; u = parent_of(u)) cycle.push_back(u);
        std::ranges::reverse(cycle);
        return cycle;
    }
    return {};
}

}  // namespace wayfront::algo
