// A pass over the edges of all ranks, with the results of a search for their ends: the second step
// of validation. The rules are those of the search (LevelRules in validate_edges.cpp, DistanceRules
// in validate_distances.cpp). Rules know the results for the rank's vertices, by local number, and
// have:
//
//   Id, Label, Weight              types of parents, of the search's result for a vertex, and of
//                                  weights; Weight is Unweighted if weights do not matter
//   label(v), parent(v)            of the rank's vertex v
//   parent_label(v)                of the parent of v
//   mark_parent_confirmed(v)       marks v as a vertex whose parent is confirmed
//   reached(label)                 whether a vertex with this label was reached
//   violates_rule<directed>(s, t, w)
//                                  whether an edge of weight w that joins labels s and t breaks a
//                                  rule
//   joins(p, c, w)                 whether the label c follows from the label p of the parent
//   candidates<directed>(s, t, w, add)
//                                  calls add(down, b) once or twice, the same number of times for
//                                  all edges: b is true if the edge may join a parent and its
//                                  child, the edge's target if `down`
//   kMostCandidates                the number of these calls
//   report<directed>(violations, order, edge)
//                                  describes a LabelledEdge that breaks a rule
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/routing.hpp"
#include "graph/block_weights.hpp"
#include "graph/edge_feed.hpp"
#include "graph500/checked_edges.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

/// Reads weights of a feed chunk by chunk, as numbers of type `Weight`, which holds them. The
/// weights of an unweighted feed are 1.
template <typename Weight>
class WeightChunks
{
public:
    WeightChunks(const EdgeFeed& feed, std::size_t most_edges) : feed_(feed)
    {
        with_weight_type(feed.weight_type(), [&]<typename T>(T) {
            if constexpr (!std::is_same_v<T, Unweighted>) words<T>() = HostBuffer<OrderedWord<T>>(most_edges);
        });
        weights_ = HostBuffer<Weight>(most_edges);
    }

    /// The weights of `count` edges from `first` on, valid until the next call.
    [[nodiscard]] std::span<const Weight> read(EdgeCount first, std::size_t count)
    {
        with_weight_type(feed_.weight_type(), [&]<typename T>(T) {
            if constexpr (std::is_same_v<T, Unweighted>) {
                std::fill_n(weights_.begin(), count, Weight{1});
            } else {
                const std::span<OrderedWord<T>> read = words<T>().span().first(count);
                feed_.weights(first, read);
                parallel_for(count, comm::kSerialBelowItems,
                             [&](std::size_t i) { weights_[i] = static_cast<Weight>(from_ordered<T>(read[i])); });
            }
        });
        return weights_.span().first(count);
    }

private:
    template <typename T>
    auto& words()
    {
        if constexpr (sizeof(T) == sizeof(std::uint32_t))
            return narrow_;
        else
            return wide_;
    }

    const EdgeFeed& feed_;
    HostBuffer<std::uint32_t> narrow_;
    HostBuffer<std::uint64_t> wide_;
    HostBuffer<Weight> weights_;
};

template <>
class WeightChunks<Unweighted>
{
public:
    WeightChunks(const EdgeFeed& /*feed*/, std::size_t /*most_edges*/) {}
    [[nodiscard]] static std::span<const Unweighted> read(EdgeCount /*first*/, std::size_t /*count*/) { return {}; }
};

namespace detail {

template <typename Weight>
Weight weight_at([[maybe_unused]] std::span<const Weight> weights, [[maybe_unused]] std::size_t i)
{
    if constexpr (std::is_same_v<Weight, Unweighted>)
        return {};
    else
        return weights[i];
}

/// For one rank, which owns both ends of every edge. Blocks of edges go through loops without
/// unpredictable branches; the few edges that may be tree edges are checked in a second loop.
template <bool directed, typename Rules>
EdgeCount check_here(const Rules& rules, std::span<const PackedEdge> edges,
                     std::span<const typename Rules::Weight> weights, std::uint64_t first, ViolationRecord& violations)
{
    using Id = typename Rules::Id;
    using Label = typename Rules::Label;
    using Weight = typename Rules::Weight;
    constexpr std::size_t block_edges = 1024;
    EdgeCount inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside) if (edges.size() >= comm::kSerialBelowItems)
    for (std::size_t begin = 0; begin < edges.size(); begin += block_edges) {
        const std::span<const PackedEdge> block = edges.subspan(begin, std::min(block_edges, edges.size() - begin));
        Id children[Rules::kMostCandidates * block_edges];
        Id parents[Rules::kMostCandidates * block_edges];
        std::size_t candidates = 0;
        std::int32_t reached = 0;
        bool violated = false;
        for (std::size_t i = 0; i < block.size(); ++i) {
            const auto source = static_cast<Id>(block[i].source());
            const auto target = static_cast<Id>(block[i].target());
            const Label source_label = rules.label(static_cast<std::size_t>(source));
            const Label target_label = rules.label(static_cast<std::size_t>(target));
            const Weight weight = weight_at(weights, begin + i);
            violated |= Rules::template violates_rule<directed>(source_label, target_label, weight);
            reached += Rules::reached(source_label) ? 1 : 0;
            Rules::template candidates<directed>(source_label, target_label, weight, [&](bool down, bool candidate) {
                children[candidates] = down ? target : source;
                parents[candidates] = down ? source : target;
                candidates += candidate ? 1 : 0;
            });
        }
        for (std::size_t i = 0; i < candidates; ++i) {
            const auto child = static_cast<std::size_t>(children[i]);
            if (rules.parent(child) == parents[i]) rules.mark_parent_confirmed(child);
        }
        inside += reached;
        if (!violated) continue;
        for (std::size_t i = 0; i < block.size(); ++i) {
            const Edge edge = block[i].unpack();
            const Label source_label = rules.label(static_cast<std::size_t>(edge.source));
            const Label target_label = rules.label(static_cast<std::size_t>(edge.target));
            const Weight weight = weight_at(weights, begin + i);
            if (Rules::template violates_rule<directed>(source_label, target_label, weight))
                Rules::template report<directed>(violations, first + begin + i,
                                                 LabelledEdge<Label, Weight>{edge, source_label, target_label, weight});
        }
    }
    return inside;
}

/// The edges of this rank that are checked in one round. `weights` is empty if weights do not matter.
template <typename Weight>
struct EdgeChunk
{
    std::span<const PackedEdge> edges;
    std::span<const Weight> weights;
    std::uint64_t round;
};

/// An edge on its way to its source's owner.
template <typename Weight>
struct SentEdge
{
    PackedEdge edge;
    [[no_unique_address]] Weight weight;
};
static_assert(sizeof(SentEdge<Unweighted>) == sizeof(PackedEdge));

/// An edge on its way from its source's owner to its target's owner.
template <typename Rules>
struct SeenEdge
{
    std::uint64_t source;
    std::uint32_t target_local;
    typename Rules::Label source_label;
    [[no_unique_address]] typename Rules::Weight weight;
};

/// For several ranks. An edge is sent to its source's owner, which adds the source's label and
/// checks whether the edge is the source's tree edge. Then it is sent to its target's owner, which
/// compares the labels.
template <bool directed, typename Rules>
EdgeCount check_everywhere(const CheckedEdges& checked, const Rules& rules,
                           const EdgeChunk<typename Rules::Weight>& chunk, ViolationRecord& violations)
{
    const comm::Communicator& communicator = checked.communicator;
    const Partition& partition = checked.partition;
    const std::span<const PackedEdge> edges = chunk.edges;
    using Label = typename Rules::Label;
    using Sent = SentEdge<typename Rules::Weight>;
    using Seen = SeenEdge<Rules>;
    std::vector<std::int64_t> from;
    const comm::Routing to_sources(edges.size(), communicator.size(),
                                   [&](std::size_t i) { return partition.owner(edges[i].source()); });
    const HostBuffer<Sent> arrived = to_sources.send<Sent>(communicator, from, [&](std::size_t i) {
        return Sent{edges[i], weight_at(chunk.weights, i)};
    });

    EdgeCount inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside) if (arrived.size() >= comm::kSerialBelowItems)
    for (const Sent& sent : arrived) {
        const std::uint32_t source = partition.local(sent.edge.source());
        const Label label = rules.label(source);
        if (!Rules::reached(label)) continue;
        ++inside;
        if (!directed && static_cast<Vertex>(rules.parent(source)) == sent.edge.target() &&
            Rules::joins(rules.parent_label(source), label, sent.weight))
            rules.mark_parent_confirmed(source);
    }

    const comm::Routing to_targets(arrived.size(), communicator.size(),
                                   [&](std::size_t i) { return partition.owner(arrived[i].edge.target()); });
    const HostBuffer<Seen> seen = to_targets.send<Seen>(communicator, from, [&](std::size_t i) {
        const auto& [edge, weight] = arrived[i];
        return Seen{static_cast<std::uint64_t>(edge.source()), partition.local(edge.target()),
                    rules.label(partition.local(edge.source())), weight};
    });
    parallel_ranges(seen.size(), comm::kSerialBelowItems, [&](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            const Seen& edge = seen[i];
            const Label target_label = rules.label(edge.target_local);
            const auto source = static_cast<Vertex>(edge.source);
            if (Rules::template violates_rule<directed>(edge.source_label, target_label, edge.weight)) {
                const Vertex target = partition.vertex(communicator.rank(), edge.target_local);
                Rules::template report<directed>(violations, (chunk.round << 32) + i,
                                                 LabelledEdge<Label, typename Rules::Weight>{
                                                     {source, target}, edge.source_label, target_label, edge.weight});
            }
            if (Rules::joins(edge.source_label, target_label, edge.weight) &&
                static_cast<Vertex>(rules.parent(edge.target_local)) == source)
                rules.mark_parent_confirmed(edge.target_local);
        }
    });
    return inside;
}

}  // namespace detail

/// Passes over the edges of all ranks. Returns the number of tuples of all ranks that start at a reached vertex:
/// in an undirected graph, the tuples of the key's component. With one rank nothing is sent.
/// Collective.
template <typename Rules>
[[nodiscard]] EdgeCount pass_over_edges(const CheckedEdges& checked, const Rules& rules, ViolationRecord& violations)
{
    const comm::Communicator& communicator = checked.communicator;
    const EdgeFeed& feed = checked.feed;
    const std::size_t chunk_edges = checked.chunk;
    const auto share = static_cast<std::size_t>(feed.size());
    const auto own_rounds = static_cast<std::int64_t>((share + chunk_edges - 1) / chunk_edges);
    const auto rounds = static_cast<std::size_t>(communicator.all_reduce(own_rounds, comm::Reduction::max));
    const std::size_t most_edges = std::min(share, chunk_edges);
    HostBuffer<PackedEdge> scratch(most_edges);
    WeightChunks<typename Rules::Weight> weight_chunks(feed, most_edges);
    EdgeCount inside = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t first = std::min(share, round * chunk_edges);
        const std::size_t count = std::min(chunk_edges, share - first);
        const std::span<const PackedEdge> edges = feed.chunk(static_cast<EdgeCount>(first), count, scratch.span());
        const auto weights = weight_chunks.read(static_cast<EdgeCount>(first), count);
        if (communicator.size() == 1)
            inside += feed.directed() ? detail::check_here<true>(rules, edges, weights, first, violations)
                                      : detail::check_here<false>(rules, edges, weights, first, violations);
        else if (feed.directed())
            inside += detail::check_everywhere<true>(checked, rules, {edges, weights, round}, violations);
        else
            inside += detail::check_everywhere<false>(checked, rules, {edges, weights, round}, violations);
    }
    return communicator.all_reduce(inside, comm::Reduction::sum);
}

}  // namespace wayfront::graph500
