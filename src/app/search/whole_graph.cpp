#include "app/search/whole_graph.hpp"

#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "app/failure.hpp"
#include "app/machine/host_memory.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/hash.hpp"

namespace wayfront::app {

namespace {

template <typename T>
HostBuffer<T> gather(const comm::Communicator& world, const HostBuffer<T>& share, std::span<const std::size_t> sizes, std::size_t total)
{
    HostBuffer<T> all(total);
    world.all_gather_v(share.span(), sizes, all.span());
    return all;
}

}  // namespace

EdgeList gather_edges(const Job& job, EdgeList share)
{
    const comm::Communicator& world = job.world();
    if (world.size() == 1) return share;
    const std::vector<std::size_t> sizes = world.all_gather(share.edges.size());
    const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const double edge_bytes = sizeof(PackedEdge) + (share.weighted() ? sizeof(float) : 0);
    require_memory(job, edge_bytes * static_cast<double>(total), "the edges, of which each rank holds all,");
    EdgeList list;
    list.vertex_count = share.vertex_count;
    list.directed = share.directed;
    list.edges = gather(world, share.edges, sizes, total);
    if (const auto* whole = std::get_if<HostBuffer<std::int32_t>>(&share.weights)) list.weights = gather(world, *whole, sizes, total);
    if (const auto* real = std::get_if<HostBuffer<float>>(&share.weights)) list.weights = gather(world, *real, sizes, total);
    return list;
}

std::uint64_t fingerprint_of_edges(const EdgeList& list)
{
    std::uint64_t sum = list.directed ? 1 : 0;
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        std::uint64_t weight = 0;
        if (const auto* whole = std::get_if<HostBuffer<std::int32_t>>(&list.weights)) weight = static_cast<std::uint32_t>((*whole)[i]);
        if (const auto* real = std::get_if<HostBuffer<float>>(&list.weights)) weight = std::bit_cast<std::uint32_t>((*real)[i]);
        const std::uint64_t source = random_word(weight, static_cast<std::uint64_t>(list.edges[i].source()));
        sum += random_word(source, static_cast<std::uint64_t>(list.edges[i].target()));
    }
    return sum;
}

WholeGraph construct_whole(const Job& job, const EdgeList& list, WeightType type)
{
    return run_agreed(job.world(), [&] {
        WholeGraph whole;
        whole.grid = std::make_unique<comm::ProcessGrid>(comm::Communicator::self(), comm::GridShape{1, 1});
        Partition(list.vertex_count, 1, 1);  // throws if the graph is too large
        whole.graph = std::make_unique<DistributedGraph>(construct(*whole.grid, ListFeed(list, type)));
        return whole;
    });
}

}  // namespace wayfront::app
