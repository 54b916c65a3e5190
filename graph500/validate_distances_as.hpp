// The validator of shortest paths for one type of distances and one of parents. Included by the
// files that compile it for whole distances and for floats.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "comm/routing.hpp"
#include "graph500/edge_pass.hpp"
#include "graph500/nearest_rules.hpp"
#include "graph500/validate_distances.hpp"

namespace wayfront::graph500 {

namespace detail {

/// The type in which weights are added to distances: whole numbers are added in 64 bits, floats in
/// their own type.
template <typename D>
using WeightOf = std::conditional_t<std::is_integral_v<D>, std::int64_t, D>;

/// The length of a path of length `distance` and one more edge, rounded once. Sums of whole numbers
/// that do not fit stay at the largest or smallest number.
template <typename D>
WeightOf<D> sum(D distance, WeightOf<D> weight)
{
    if constexpr (std::is_floating_point_v<D>) {
        return distance + weight;
    } else {
        std::int64_t result = 0;
        if (!__builtin_add_overflow(static_cast<std::int64_t>(distance), weight, &result)) return result;
        return weight < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    }
}

template <typename D>
std::string text(D distance)
{
    return distance == unreached<D>() ? "not reached" : fmt::format("distance {}", distance);
}

/// Rules 2 to 5 of shortest paths (edge_pass.hpp).
template <typename D, typename Own>
struct DistanceRules
{
    using Id = Own;
    using Label = D;
    using Weight = WeightOf<D>;
    // An edge of weight 0 may join a child and its parent in either direction.
    static constexpr std::size_t kMostCandidates = 2;

    std::span<const Id> parents;
    std::span<const D> distances;
    std::span<const D> parent_distances;  // of each vertex's parent; empty with one rank
    std::span<std::uint8_t> confirmed;

    [[nodiscard]] Label label(std::size_t v) const { return distances[v]; }
    [[nodiscard]] Id parent(std::size_t v) const { return parents[v]; }
    [[nodiscard]] Label parent_label(std::size_t v) const { return parent_distances[v]; }
    void mark_parent_confirmed(std::size_t v) const
    {
        std::atomic_ref<std::uint8_t>(confirmed[v]).store(1, std::memory_order_relaxed);
    }

    static bool reached(Label distance) { return distance != unreached<D>(); }
    static bool joins(Label parent, Label child, Weight weight)
    {
        return sum(parent, weight) == static_cast<Weight>(child);
    }
    static bool leads_nearer(Label from, Label to, Weight weight)
    {
        const bool from_reached = reached(from);
        const bool to_reached = reached(to);
        return from_reached & (!to_reached | (sum(from, weight) < static_cast<Weight>(to)));
    }
    template <bool directed>
    static bool violates_rule(Label source, Label target, Weight weight)
    {
        const bool forwards = leads_nearer(source, target, weight);
        const bool backwards = !directed && leads_nearer(target, source, weight);
        return forwards | backwards;
    }
    template <bool directed, typename F>
    static void candidates(Label source, Label target, Weight weight, F&& add)
    {
        add(true, joins(source, target, weight));
        if constexpr (!directed) add(false, joins(target, source, weight));
    }
    template <bool directed>
    static void report(ViolationRecord& violations, std::uint64_t order, const LabelledEdge<Label, Weight>& labelled)
    {
        const bool both_reached = reached(labelled.source) && reached(labelled.target);
        violations.offer(order, both_reached ? Rule::edge_distances : Rule::component, [&] {
            return fmt::format("edge {} {} {}, weight {}, joins {} and {}", labelled.edge.source, directed ? "->" : "-",
                               labelled.edge.target, labelled.weight, text(labelled.source), text(labelled.target));
        });
    }
};

/// Rule 2 as far as it concerns single vertices.
template <typename D, typename Id>
void check_vertices(const CheckedEdges& checked, const Roots<Id>& roots, std::span<const D> distances,
                    std::span<const Id> parents, ViolationRecord& violations)
{
    const int rank = checked.communicator.rank();
    const Partition& partition = checked.partition;
    for (const Vertex key : roots.keys()) {
        if (partition.owner(key) != rank || !(distances[partition.local(key)] > D{0})) continue;
        violations.offer(partition.local(key), Rule::tree_distances, [&] {
            return fmt::format("the key {} has {}, not 0", key, text(distances[partition.local(key)]));
        });
    }
    parallel_for(distances.size(), comm::kSerialBelowItems, [&](std::size_t i) {
        const D distance = distances[i];
        const auto parent = static_cast<Vertex>(parents[i]);
        const bool has_distance = distance != unreached<D>();
        bool number = true;
        if constexpr (std::is_floating_point_v<D>) number = !has_distance || std::isfinite(distance);
        const Vertex v = partition.vertex(rank, static_cast<std::uint32_t>(i));
        const bool root = v == static_cast<Vertex>(roots.of(i));
        if (number && has_distance == (parent != kUnreached) && (!root || distance == D{0})) return;
        violations.offer(i, Rule::tree_distances, [&] {
            if (!number) return fmt::format("vertex {} has distance {}", v, distance);
            if (has_distance && parent == kUnreached)
                return fmt::format("vertex {} has distance {}, but no parent", v, distance);
            if (!has_distance) return fmt::format("vertex {} has parent {}, but no distance", v, parent);
            return fmt::format("the key {} has distance {}, not 0", v, distance);
        });
    });
}

/// Returns the distance of each vertex's parent; unreached if it has none. At most `chunk` queries
/// of a rank are under way at a time. Collective.
template <typename D, typename Id>
HostBuffer<D> distances_of_parents(const comm::Communicator& communicator, const Partition& partition,
                                   std::span<const D> distances, std::span<const Id> parents, std::size_t chunk)
{
    HostBuffer<D> found(parents.size(), unreached<D>());
    const std::size_t chunks = (static_cast<std::size_t>(partition.chunk_stride()) + chunk - 1) / chunk;
    std::vector<std::int64_t> from;
    for (std::size_t i = 0; i < chunks; ++i) {
        const std::size_t first = std::min(i * chunk, parents.size());
        const std::span<const Id> asking = parents.subspan(first, std::min(chunk, parents.size() - first));
        const auto parent = [&](std::size_t k) { return static_cast<Vertex>(asking[k]); };
        const comm::Routing routing(asking.size(), communicator.size(), [&](std::size_t k) {
            return parent(k) == kUnreached ? -1 : partition.owner(parent(k));
        });
        const HostBuffer<std::uint32_t> asked =
            routing.send<std::uint32_t>(communicator, from, [&](std::size_t k) { return partition.local(parent(k)); });
        HostBuffer<D> answers(asked.size());
        parallel_for(asked.size(), comm::kSerialBelowItems, [&](std::size_t k) { answers[k] = distances[asked[k]]; });
        const HostBuffer<D> received = routing.reply(communicator, from, answers);
        parallel_for(asking.size(), comm::kSerialBelowItems, [&](std::size_t k) {
            if (parent(k) != kUnreached) found[first + k] = received[routing.position(k)];
        });
    }
    return found;
}

/// An element of a rank's array, on all ranks. Collective.
template <typename T>
T element(const comm::Communicator& communicator, const Partition& partition, std::span<const T> elements, Vertex v)
{
    const int owner = partition.owner(v);
    T value = owner == communicator.rank() ? elements[partition.local(v)] : T{};
    communicator.broadcast(std::span(&value, 1), owner);
    return value;
}

/// The weight of the lightest edge from u to v; no value if there is no edge. Collective.
template <typename Weight>
std::optional<Weight> lightest_edge(const comm::Communicator& communicator, const EdgeFeed& feed, Vertex u, Vertex v,
                                    std::size_t chunk)
{
    const auto share = static_cast<std::size_t>(feed.size());
    HostBuffer<PackedEdge> scratch(std::min(share, chunk));
    WeightChunks<Weight> weight_chunks(feed, std::min(share, chunk));
    std::int64_t found = 0;
    Weight lightest{};
    for (std::size_t first = 0; first < share; first += chunk) {
        const std::size_t count = std::min(chunk, share - first);
        const std::span<const PackedEdge> edges = feed.chunk(static_cast<EdgeCount>(first), count, scratch.span());
        const std::span<const Weight> weights = weight_chunks.read(static_cast<EdgeCount>(first), count);
        for (std::size_t i = 0; i < count; ++i) {
            const Edge edge = edges[i].unpack();
            if (edge != Edge{u, v} && (feed.directed() || edge != Edge{v, u})) continue;
            lightest = found == 0 ? weights[i] : std::min(lightest, weights[i]);
            found = 1;
        }
    }
    std::optional<Weight> of_all;
    const std::vector<std::int64_t> have = communicator.all_gather(found);
    const std::vector<Weight> all = communicator.all_gather(lightest);
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (have[rank] != 0) of_all = of_all ? std::min(*of_all, all[rank]) : all[rank];
    return of_all;
}

/// Rules 2 and 5: the first vertex whose parent is not confirmed by an edge, and the reason. Edges
/// are divided among the ranks of `world`, vertices among those of `checked`. Collective.
template <typename D, typename Id>
std::optional<Violation> unconfirmed_parent(const comm::Communicator& world, const CheckedEdges& checked,
                                            const Roots<Id>& roots, const DistanceRules<D, Id>& rules)
{
    const comm::Communicator& communicator = checked.communicator;
    const Partition& partition = checked.partition;
    constexpr Vertex none = std::numeric_limits<Vertex>::max();
    Vertex first = none;
    const std::size_t vertices = rules.distances.size();
#pragma omp parallel for reduction(min : first) if (vertices >= comm::kSerialBelowItems)
    for (std::size_t i = 0; i < vertices; ++i) {
        const Vertex v = partition.vertex(communicator.rank(), static_cast<std::uint32_t>(i));
        if (rules.confirmed[i] == 0 && rules.reached(rules.distances[i]) && v != static_cast<Vertex>(roots.of(i)))
            first = std::min(first, v);
    }
    first = communicator.all_reduce(first, comm::Reduction::min);
    if (first == none) return std::nullopt;
    const auto parent = static_cast<Vertex>(element(communicator, partition, rules.parents, first));
    const D distance = element(communicator, partition, rules.distances, first);
    const D parent_distance = element(communicator, partition, rules.distances, parent);
    const auto lightest = lightest_edge<WeightOf<D>>(world, checked.feed, parent, first, checked.chunk);
    if (!lightest)
        return Violation{Rule::tree_edges, fmt::format("no edge joins vertex {}, distance {}, to its parent {}", first,
                                                       distance, parent)};
    return Violation{
        Rule::tree_distances,
        fmt::format("vertex {} has distance {}, its parent {} has distance {}, and their lightest edge has weight {}",
                    first, distance, parent, parent_distance, *lightest)};
}

}  // namespace detail

template <typename D, typename Id>
Validation SsspValidator::validate_as(const Roots<Id>& roots, std::span<const D> own_distances,
                                      std::span<const Id> own_parents)
{
    Validation result;
    ViolationRecord violations;
    HostBuffer<D> gathered_distances;
    HostBuffer<Id> gathered_parents;
    const std::span<const D> distances = held(own_distances, gathered_distances);
    const std::span<const Id> parents = held(own_parents, gathered_parents);
    if (!build_tree(roots, parents, violations, result)) return result;
    detail::check_vertices(edges(), roots, distances, parents, violations);
    if (!agree(violations, result)) return result;

    HostBuffer<D> parent_distances;
    if (communicator().size() > 1)
        parent_distances = detail::distances_of_parents(communicator(), partition(), distances, parents, edges().chunk);
    const detail::DistanceRules<D, Id> rules{parents, distances, parent_distances.span(), confirmed()};
    const auto pass = [&](const auto& of_edges) { return pass_over_edges(edges(), of_edges, violations); };
    result.edges = combine(
        roots.are_several() ? pass(NearestRules<detail::DistanceRules<D, Id>>{rules, roots.nearest()}) : pass(rules));
    if (!agree(violations, result)) return result;

    result.violation = detail::unconfirmed_parent(world(), edges(), roots, rules);
    if (result.violation) result.outcome = Outcome::invalid;
    Vertex reached = 0;
    const std::size_t vertices = distances.size();
#pragma omp parallel for reduction(+ : reached) if (vertices >= comm::kSerialBelowItems)
    for (std::size_t i = 0; i < vertices; ++i) reached += distances[i] != unreached<D>() ? 1 : 0;
    result.reached = communicator().all_reduce(reached, comm::Reduction::sum);
    return result;
}

}  // namespace wayfront::graph500
