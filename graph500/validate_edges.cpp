#include "graph500/validate_edges.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/routing.hpp"
#include "graph500/validate_levels.hpp"

namespace wayfront::graph500 {

namespace {

/// The two rules that an edge can violate, given the levels of its ends.
template <bool directed>
struct EdgeRules
{
    static bool broken(std::uint32_t source_level, std::uint32_t target_level)
    {
        if constexpr (directed) return target_level > source_level + 1;
        return source_level - target_level + 1 > 2;  // wraps; kNoLevel is far from all levels
    }
    static void report(ViolationRecord& violations, std::uint64_t order, Edge edge, std::uint32_t source_level, std::uint32_t target_level)
    {
        const auto level = [](std::uint32_t value) { return value == kNoLevel ? std::string("not reached") : "level " + std::to_string(value); };
        const bool left_out = source_level == kNoLevel || target_level == kNoLevel;
        violations.offer(order, left_out ? Rule::component : Rule::edge_levels, [&] {
            return std::string("edge ") + std::to_string(edge.source) + (directed ? " -> " : " - ") + std::to_string(edge.target) + " joins " +
                   level(source_level) + " and " + level(target_level);
        });
    }
};

void mark(std::uint8_t& flag)
{
    std::atomic_ref<std::uint8_t>(flag).store(1, std::memory_order_relaxed);
}

/// For one rank, which owns both ends of every edge. Blocks of edges go through loops without
/// unpredictable branches; the few edges that may be tree edges are checked in a second loop.
template <bool directed, typename Id>
EdgeCount check_here(std::span<const PackedEdge> edges, std::uint64_t first, const TreeView<Id>& tree, ViolationRecord& violations)
{
    constexpr std::size_t block_edges = 1024;
    using Rules = EdgeRules<directed>;
    EdgeCount inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside) if (edges.size() >= comm::kSerialBelowItems)
    for (std::size_t begin = 0; begin < edges.size(); begin += block_edges) {
        const std::span<const PackedEdge> block = edges.subspan(begin, std::min(block_edges, edges.size() - begin));
        Id children[block_edges];
        Id parents[block_edges];
        std::size_t candidates = 0;
        std::int32_t reached = 0;
        bool broken = false;
        for (const PackedEdge& edge : block) {
            const auto source = static_cast<Id>(edge.source());
            const auto target = static_cast<Id>(edge.target());
            const std::uint32_t source_level = tree.levels[static_cast<std::size_t>(source)];
            const std::uint32_t target_level = tree.levels[static_cast<std::size_t>(target)];
            broken |= Rules::broken(source_level, target_level);
            reached += source_level != kNoLevel ? 1 : 0;
            const bool down = directed || source_level < target_level;
            children[candidates] = down ? target : source;
            parents[candidates] = down ? source : target;
            candidates += (directed ? target_level == source_level + 1 : target_level != source_level) ? 1 : 0;
        }
        for (std::size_t i = 0; i < candidates; ++i) {
            const auto child = static_cast<std::size_t>(children[i]);
            if (tree.parents[child] == parents[i]) mark(tree.confirmed[child]);
        }
        inside += reached;
        if (!broken) continue;
        for (std::size_t i = 0; i < block.size(); ++i) {
            const Edge edge = block[i].unpack();
            const std::uint32_t source_level = tree.levels[static_cast<std::size_t>(edge.source)];
            const std::uint32_t target_level = tree.levels[static_cast<std::size_t>(edge.target)];
            if (Rules::broken(source_level, target_level)) Rules::report(violations, first + begin + i, edge, source_level, target_level);
        }
    }
    return inside;
}

/// An edge on its way from its source's owner to its target's owner.
struct SeenEdge
{
    std::uint64_t source;
    std::uint32_t target_local;
    std::uint32_t source_level;
};

/// For several ranks. An edge is sent to its source's owner, which adds the source's level and
/// checks whether the edge is the source's tree edge. Then it is sent to its target's owner, which
/// compares the levels.
template <bool directed, typename Id>
EdgeCount check_everywhere(const comm::Communicator& communicator, const Partition& partition, std::span<const PackedEdge> edges, std::uint64_t round,
                           const TreeView<Id>& tree, ViolationRecord& violations)
{
    using Rules = EdgeRules<directed>;
    std::vector<std::int64_t> from;
    const comm::Routing to_sources(edges.size(), communicator.size(), [&](std::size_t i) { return partition.owner(edges[i].source()); });
    const HostBuffer<PackedEdge> arrived = to_sources.send<PackedEdge>(communicator, from, [&](std::size_t i) { return edges[i]; });

    EdgeCount inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside) if (arrived.size() >= comm::kSerialBelowItems)
    for (const PackedEdge& edge : arrived) {
        const std::uint32_t source = partition.local(edge.source());
        if (tree.levels[source] == kNoLevel) continue;
        ++inside;
        // The target's level is not known here, but the level of a parent is one up by definition.
        if (!directed && static_cast<Vertex>(tree.parents[source]) == edge.target()) mark(tree.confirmed[source]);
    }

    const comm::Routing to_targets(arrived.size(), communicator.size(), [&](std::size_t i) { return partition.owner(arrived[i].target()); });
    const HostBuffer<SeenEdge> seen = to_targets.send<SeenEdge>(communicator, from, [&](std::size_t i) {
        return SeenEdge{static_cast<std::uint64_t>(arrived[i].source()), partition.local(arrived[i].target()),
                        tree.levels[partition.local(arrived[i].source())]};
    });
    parallel_ranges(seen.size(), comm::kSerialBelowItems, [&](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            const SeenEdge& edge = seen[i];
            const std::uint32_t target_level = tree.levels[edge.target_local];
            const auto source = static_cast<Vertex>(edge.source);
            if (Rules::broken(edge.source_level, target_level)) {
                const Vertex target = partition.vertex(communicator.rank(), edge.target_local);
                Rules::report(violations, (round << 32) + i, {source, target}, edge.source_level, target_level);
            }
            if (target_level == edge.source_level + 1 && static_cast<Vertex>(tree.parents[edge.target_local]) == source)
                mark(tree.confirmed[edge.target_local]);
        }
    });
    return inside;
}

}  // namespace

template <typename Id>
EdgeCount check_edges(const comm::Communicator& communicator, const Partition& partition, const EdgeFeed& feed, const TreeView<Id>& tree,
                      std::size_t chunk_edges, ViolationRecord& violations)
{
    const auto share = static_cast<std::size_t>(feed.size());
    const auto own_rounds = static_cast<std::int64_t>((share + chunk_edges - 1) / chunk_edges);
    const auto rounds = static_cast<std::size_t>(communicator.all_reduce(own_rounds, comm::Reduction::max));
    HostBuffer<PackedEdge> scratch(std::min(share, chunk_edges));
    EdgeCount inside = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t first = std::min(share, round * chunk_edges);
        const std::span<const PackedEdge> edges = feed.chunk(static_cast<EdgeCount>(first), std::min(chunk_edges, share - first), scratch.span());
        if (communicator.size() == 1)
            inside += feed.directed() ? check_here<true>(edges, first, tree, violations) : check_here<false>(edges, first, tree, violations);
        else if (feed.directed())
            inside += check_everywhere<true>(communicator, partition, edges, round, tree, violations);
        else
            inside += check_everywhere<false>(communicator, partition, edges, round, tree, violations);
    }
    return communicator.all_reduce(inside, comm::Reduction::sum);
}

template EdgeCount check_edges(const comm::Communicator&, const Partition&, const EdgeFeed&, const TreeView<std::int32_t>&, std::size_t,
                               ViolationRecord&);
template EdgeCount check_edges(const comm::Communicator&, const Partition&, const EdgeFeed&, const TreeView<std::int64_t>&, std::size_t,
                               ViolationRecord&);

}  // namespace wayfront::graph500
