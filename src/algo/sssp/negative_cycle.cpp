#include "algo/sssp/negative_cycle.hpp"

#include <algorithm>

#include "base/host_buffer.hpp"

namespace wayfront::algo {

std::vector<Vertex> find_parent_cycle(const comm::Communicator& world, const Partition& partition, std::span<const Vertex> parents)
{
    const auto n = static_cast<std::size_t>(partition.vertex_count());
    std::vector<std::size_t> counts;
    std::vector<std::size_t> begins;
    std::size_t begin = 0;
    for (int rank = 0; rank < world.size(); ++rank) {
        begins.push_back(begin);
        counts.push_back(partition.chunk_size(rank));
        begin += counts.back();
    }
    HostBuffer<Vertex> all(n);
    world.all_gather_v(parents, counts, all.span());
    const auto place = [&](Vertex v) { return begins[static_cast<std::size_t>(partition.owner(v))] + partition.local(v); };

    // Each walk along the parents ends at a vertex of an earlier walk, or has met itself.
    HostBuffer<Vertex> walk_of(n, kUnreached);
    for (Vertex first = 0; first < partition.vertex_count(); ++first) {
        Vertex v = first;
        while (v != kUnreached && walk_of[place(v)] == kUnreached) {
            walk_of[place(v)] = first;
            v = all[place(v)];
        }
        if (v == kUnreached || walk_of[place(v)] != first) continue;
        std::vector<Vertex> cycle{v};
        for (Vertex u = all[place(v)]; u != v; u = all[place(u)]) cycle.push_back(u);
        std::ranges::reverse(cycle);
        return cycle;
    }
    return {};
}

}  // namespace wayfront::algo
