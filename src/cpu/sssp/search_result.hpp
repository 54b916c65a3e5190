// Makes the result of a search on one rank from its labels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <variant>

#include "algo/sssp/sssp_result.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/nearest_sources.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::cpu {

inline constexpr std::size_t kSerialResultBelow = 1 << 16;

/// Labels the leaves when all other vertices have their labels. Returns the number of arcs read.
/// Two leaves that are each other's only neighbours are reached only if one of them is a source.
template <typename W, typename D>
std::uint64_t label_leaves(const ArcLists<W>& lists, Labels<D>& labels)
{
    constexpr bool by_source = Labels<D>::kMayHaveSources;
    parallel_for(lists.leaves.size(), kSerialResultBelow, [&](std::size_t i) {
        const std::uint32_t leaf = lists.leaves[i];
        for (const Arc<W>& arc : lists.to_leaves.list(i))
            labels.template improve<false, by_source>(leaf, path_length(labels.distance(arc.vertex), arc.weight),
                                                      labels.mark_of_child(arc.vertex));
    });
    return lists.to_leaves.arcs.size();
}

template <typename D>
struct ReachedVertices
{
    std::uint64_t count = 0;
    D greatest_distance = 0;
};

/// Calls f(vertex, distance, parent) for each vertex, on all threads; the parent is kNoLocal if the
/// vertex is not reached.
template <typename D, typename F>
ReachedVertices<D> for_each_label(const Labels<D>& labels, F&& f)
{
    ReachedVertices<D> all;
    std::mutex lock;
    parallel_ranges(labels.size(), kSerialResultBelow, [&](IndexRange range) {
        ReachedVertices<D> part;
        labels.visit_settled(range, [&](std::size_t vertex, D distance, std::uint32_t parent) {
            part.count += parent != kNoLocal ? 1 : 0;
            part.greatest_distance = std::max(part.greatest_distance, parent != kNoLocal ? distance : D{0});
            f(vertex, distance, parent);
        });
        const std::lock_guard guard(lock);
        all.count += part.count;
        all.greatest_distance = std::max(all.greatest_distance, part.greatest_distance);
    });
    return all;
}

/// Returns whether an arc leads from a reached vertex to a vertex that is not reached. There is no
/// such arc if no distance was too large for D or for the cutoff.
template <typename W, typename D>
[[nodiscard]] bool arc_leaves_reached(const ArcLists<W>& lists, const Labels<D>& labels)
{
    const auto reached = [&labels](std::uint32_t vertex) { return labels.parent(vertex) != kNoLocal; };
    for (std::uint32_t vertex = 0; vertex < lists.vertices(); ++vertex)
        if (reached(vertex))
            for (const Arc<W>& arc : lists.out.list(vertex))
                if (!reached(arc.vertex)) return true;
    for (std::size_t i = 0; i < lists.leaves.size(); ++i)
        if (!reached(lists.leaves[i]))
            for (const Arc<W>& arc : lists.to_leaves.list(i))
                if (reached(arc.vertex)) return true;
    return false;
}

/// Writes distances as numbers of type Out, into the existing buffer if its type and size fit.
template <typename Out, typename D>
ReachedVertices<D> write_labels(const Labels<D>& labels, Vertex vertex_count, algo::SsspResult& result)
{
    auto* buffer = std::get_if<HostBuffer<Out>>(&result.distances);
    if (buffer == nullptr || buffer->size() != labels.size())
        buffer = &result.distances.template emplace<HostBuffer<Out>>(labels.size());
    if (result.parents.size() != labels.size()) result.parents = VertexArray(labels.size(), vertex_count);
    return result.parents.visit([&](auto parents) {
        return for_each_label(
            labels, [parents, distances = buffer->data()](std::size_t vertex, D distance, std::uint32_t parent) {
                using Element = typename decltype(parents)::value_type;
                distances[vertex] = parent == kNoLocal ? algo::unreached<Out>() : static_cast<Out>(distance);
                parents[vertex] = parent == kNoLocal ? static_cast<Element>(kUnreached) : static_cast<Element>(parent);
            });
    });
}

/// Writes the nearest source of each vertex.
template <typename W, typename D>
void write_nearest(const NearestSources<W, D>& nearest, Vertex vertex_count, algo::SsspResult& result)
{
    if (result.nearest.size() != nearest.size()) result.nearest = VertexArray(nearest.size(), vertex_count);
    result.nearest.visit([&](auto out) {
        using Element = typename decltype(out)::value_type;
        parallel_for(out.size(), kSerialResultBelow, [&](std::size_t i) {
            const std::uint32_t source = nearest[static_cast<std::uint32_t>(i)];
            out[i] = source == kNoLocal ? static_cast<Element>(kUnreached) : static_cast<Element>(source);
        });
    });
}

/// Writes the distances and parents of all vertices, and their number. Returns false if there may
/// be vertices whose distance does not fit D. `bound` is the value with which the labels were
/// cleared.
template <typename W, typename D>
[[nodiscard]] bool write_result(const ArcLists<W>& lists, const Labels<D>& labels, D bound, Vertex vertex_count,
                                algo::SsspResult& result)
{
    ReachedVertices<D> reached;
    if constexpr (std::is_same_v<D, std::int64_t>) {
        reached = for_each_label(labels, [](std::size_t, D, std::uint32_t) {});
        if (reached.greatest_distance < D{algo::unreached<std::uint32_t>()})
            write_labels<std::uint32_t>(labels, vertex_count, result);
        else
            write_labels<D>(labels, vertex_count, result);
    } else {
        reached = write_labels<D>(labels, vertex_count, result);
    }
    result.reached = reached.count;
    // All arcs of reached vertices were relaxed. If the longest sum fits, no distance was lost.
    const bool all_fit = path_length(reached.greatest_distance, lists.max_weight) < algo::unreached<D>();
    return all_fit || bound < algo::unreached<D>() || !arc_leaves_reached(lists, labels);
}

}  // namespace wayfront::cpu
