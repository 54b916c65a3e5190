// Dijkstra's algorithm on one thread.
//
// Follows E. W. Dijkstra: A note on two problems in connexion with graphs. Numerische Mathematik 1,
// 1959, pp. 269-271, doi:10.1007/BF01386390. The queue has no "decrease key": a vertex is queued
// each time its distance decreases, and entries that are out of date are skipped.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "algo/sssp/sssp_result.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/quaternary_heap.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::cpu {

template <typename W, typename D>
class Dijkstra
{
public:
    /// Computes the labels of all vertices that are not leaves: the distances from the nearest of the
    /// sources. Pre: no weight is negative, and the labels are cleared.
    algo::SsspCounters run(const ArcLists<W>& lists, std::span<const std::uint32_t> sources, Labels<D>& labels)
    {
        return run(lists, sources, labels, [](std::uint32_t) { return false; });
    }

    /// The same, but ends as soon as ends(v) is true, which is called once for each vertex v, when its
    /// distance is final. The labels of vertices for which it was not called are not final.
    template <typename Ends>
    algo::SsspCounters run(const ArcLists<W>& lists, std::span<const std::uint32_t> sources, Labels<D>& labels,
                           Ends&& ends)
    {
        algo::SsspCounters counters{.rounds = 1};
        queue_.clear();
        for (const std::uint32_t source : sources) {
            labels.set(source, D{0}, source);
            queue_.push(make(D{0}, source));
        }
        while (!queue_.empty()) {
            const Entry entry = queue_.pop();
            const D distance = distance_of(entry);
            const std::uint32_t vertex = vertex_of(entry);
            if (distance != labels.distance(vertex)) continue;
            if (ends(vertex)) break;
            const std::span<const Arc<W>> arcs = lists.out.list(vertex);
            counters.relaxed_arcs += arcs.size();
            for (const Arc<W>& arc : arcs) {
                const D length = path_length(distance, arc.weight);
                if (labels.template improve<false>(arc.vertex, length, vertex)) queue_.push(make(length, arc.vertex));
            }
        }
        return counters;
    }

private:
    struct Pair
    {
        D distance;
        std::uint32_t vertex;

        friend bool operator<(const Pair& a, const Pair& b) { return a.distance < b.distance; }
    };
    // A distance of 32 bits and a vertex are one word: the bits of floating-point numbers that are
    // not negative have the order of the numbers.
    static constexpr bool kOneWord = sizeof(D) == 4;
    using Entry = std::conditional_t<kOneWord, std::uint64_t, Pair>;

    [[nodiscard]] static Entry make(D distance, std::uint32_t vertex)
    {
        if constexpr (kOneWord)
            return (static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(distance)) << 32) | vertex;
        else
            return {distance, vertex};
    }
    [[nodiscard]] static D distance_of(const Entry& entry)
    {
        if constexpr (kOneWord)
            return std::bit_cast<D>(static_cast<std::uint32_t>(entry >> 32));
        else
            return entry.distance;
    }
    [[nodiscard]] static std::uint32_t vertex_of(const Entry& entry)
    {
        if constexpr (kOneWord)
            return static_cast<std::uint32_t>(entry);
        else
            return entry.vertex;
    }

    QuaternaryHeap<Entry> queue_;
};

}  // namespace wayfront::cpu
