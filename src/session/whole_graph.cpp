#include "session/whole_graph.hpp"

#include <bit>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/hash.hpp"
#include "job/host_memory.hpp"

namespace wayfront::session {

namespace {

template <typename T>
HostBuffer<T> gather(const comm::Communicator& world, const HostBuffer<T>& share, std::span<const std::size_t> sizes,
                     std::size_t total)
{
    HostBuffer<T> all(total);
    world.all_gather_v(share.span(), sizes, all.span());
    return all;
}

}  // namespace

EdgeList gather_edges(const job::Job& job, EdgeList share)
{
    const comm::Communicator& world = job.world();
    if (world.size() == 1) return share;
    const std::vector<std::size_t> sizes = world.all_gather(share.edges.size());
    const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    double edge_bytes = sizeof(PackedEdge);
    visit_weights(share.weights, [&](const auto& weights) { edge_bytes += sizeof(weights[0]); });
    require_memory(job, edge_bytes * static_cast<double>(total), "holding all edges on each rank");
    EdgeList list;
    list.vertex_count = share.vertex_count;
    list.directed = share.directed;
    list.edges = gather(world, share.edges, sizes, total);
    visit_weights(share.weights, [&](const auto& weights) { list.weights = gather(world, weights, sizes, total); });
    return list;
}

std::uint64_t fingerprint_of_edges(const EdgeList& list)
{
    std::uint64_t sum = list.directed ? 1 : 0;
    const auto add_edges = [&](auto&& weight_bits) {
        for (std::size_t i = 0; i < list.edges.size(); ++i) {
            const std::uint64_t source =
                random_word(weight_bits(i), static_cast<std::uint64_t>(list.edges[i].source()));
            sum += random_word(source, static_cast<std::uint64_t>(list.edges[i].target()));
        }
    };
    if (!list.weighted()) add_edges([](std::size_t) { return std::uint64_t{0}; });
    visit_weights(list.weights, [&](const auto& weights) {
        add_edges([&weights](std::size_t i) {
            if constexpr (std::is_integral_v<std::decay_t<decltype(weights[i])>>)
                return static_cast<std::uint64_t>(weights[i]);
            else
                return std::bit_cast<std::uint64_t>(static_cast<double>(weights[i]));
        });
    });
    return sum;
}

WholeGraph construct_whole(const job::Job& job, const EdgeList& list, WeightType type)
{
    return run_agreed(job.world(), [&] {
        WholeGraph whole;
        whole.grid = std::make_unique<comm::ProcessGrid>(comm::Communicator::alone(), comm::GridShape{1, 1});
        Partition(list.vertex_count, 1, 1);  // throws if the graph is too large
        whole.graph = std::make_unique<DistributedGraph>(construct(*whole.grid, ListFeed(list, type)));
        return whole;
    });
}

}  // namespace wayfront::session
