#include "session/sssp/negative_weights.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/host_buffer.hpp"
#include "comm/routing.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::session {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

/// Calls f(first, weights) for chunks of the share, from edge `first` on, if weights can be
/// negative.
template <typename F>
void for_each_chunk(const EdgeFeed& feed, F&& f)
{
    with_weight_type(feed.weight_type(), [&]<typename T>(T) {
        if constexpr (std::is_signed_v<T>) {
            const auto edges = static_cast<std::size_t>(feed.size());
            HostBuffer<OrderedWord<T>> words(std::min(edges, kChunk));
            std::vector<T> weights;
            for (std::size_t first = 0; first < edges; first += kChunk) {
                const std::span<OrderedWord<T>> some = words.span().first(std::min(kChunk, edges - first));
                feed.weights(static_cast<EdgeCount>(first), some);
                weights.resize(some.size());
                std::ranges::transform(some, weights.begin(), from_ordered<T>);
                f(static_cast<EdgeCount>(first), std::span<const T>(weights));
            }
        }
    });
}

}  // namespace

bool has_negative_weights(const comm::Communicator& world, const EdgeFeed& feed)
{
    if (const DeviceEdges* const edges = feed.device_edges(); edges != nullptr)
        return world.any(edges->negative_weights);
    bool found = false;
    for_each_chunk(feed, [&](EdgeCount /*first*/, const auto& weights) {
        found = found || std::ranges::any_of(weights, [](auto weight) { return weight < 0; });
    });
    return world.any(found);
}

NegativeLoops::NegativeLoops(const comm::Communicator& world, const Partition& partition, const EdgeFeed& feed)
{
    std::vector<Vertex> found;
    HostBuffer<PackedEdge> scratch(std::min(static_cast<std::size_t>(feed.size()), kChunk));
    for_each_chunk(feed, [&](EdgeCount first, const auto& weights) {
        const std::span<const PackedEdge> edges = feed.chunk(first, weights.size(), scratch.span());
        for (std::size_t i = 0; i < edges.size(); ++i)
            if (weights[i] < 0 && edges[i].source() == edges[i].target()) found.push_back(edges[i].source());
    });
    const comm::Routing to_owners(found.size(), world.size(), [&](std::size_t i) { return partition.owner(found[i]); });
    std::vector<std::int64_t> from;
    const HostBuffer<std::uint32_t> own =
        to_owners.send<std::uint32_t>(world, from, [&](std::size_t i) { return partition.local(found[i]); });
    own_.assign(own.begin(), own.end());
}

Vertex NegativeLoops::first_reached(const comm::Communicator& world, const Partition& partition,
                                    const VertexArray& parents) const
{
    constexpr Vertex none = std::numeric_limits<Vertex>::max();
    Vertex first = none;
    for (const std::uint32_t local : own_)
        if (parents[local] != kUnreached) first = std::min(first, partition.vertex(world.rank(), local));
    first = world.all_reduce(first, comm::Reduction::min);
    return first == none ? kUnreached : first;
}

}  // namespace wayfront::session
