// The nearest source of each vertex on one rank, or on ranks of one host that are a grid of one column
// and share memory: each of them has all edges to its vertices, and the choice for all vertices is in
// memory, by column. nearest_sources.hpp defines the nearest source.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "algo/nearest_by_levels.hpp"
#include "algo/nearest_in_memory.hpp"
#include "algo/source_trees.hpp"
#include "algo/tight_edges.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/distances.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::algo {

/// The arrays that the ranks share. All outlive the choice.
template <typename D>
struct SharedColumns
{
    std::span<const D> distances;            // by column
    std::span<const std::uint32_t> numbers;  // of the columns' vertices
    std::span<const std::uint32_t> slots;    // slot_of_local of each rank, `chunk` elements of each
    std::size_t chunk = 0;
    std::span<std::uint32_t> above;   // by column; no values yet
    std::span<std::uint64_t> labels;  // by column; no values yet
};

/// Calls f(local number, slot) for each of this rank's vertices with edges, on all threads.
template <typename F>
void for_each_slot(const DistributedGraph& graph, F&& f)
{
    constexpr std::size_t serial_below = 1 << 13;
    parallel_for(graph.local_count(), serial_below, [&](std::size_t i) {
        if (graph.slot_of_local[i] != graph.block.slot_stride) f(i, graph.slot_of_local[i]);
    });
}

/// The tree of a search, whose vertices are columns. Its arcs are those to this rank's slots.
template <typename D, typename W>
class ColumnTree
{
public:
    /// `parents` are those of the vertices of this rank.
    ColumnTree(const DistributedGraph& graph, const SharedColumns<D>& columns, const VertexArray& parents,
               bool negative_weights)
        : block_(graph.block),
          columns_(columns),
          first_(block_.own_col(0).value),
          lists_end_early_(block_.list_order == ListOrder::weights && !negative_weights),
          farthest_(farthest(columns.distances.subspan(first_, block_.slot_stride))),
          parents_(block_.slot_stride, kNoLocal)
    {
        const bool alone = graph.partition.ranks() == 1;
        parents.visit([&](auto of_vertices) {
            for_each_slot(graph, [&](std::size_t i, std::uint32_t slot) {
                const Vertex parent = of_vertices[i];
                if (parent < 0) return;
                parents_[slot] =
                    alone ? columns.slots[static_cast<std::size_t>(parent)] : column_of(graph.partition, parent);
            });
        });
    }

    [[nodiscard]] std::uint32_t parent(std::uint32_t column) const { return parents_[column - first_]; }
    [[nodiscard]] std::uint32_t number(std::uint32_t column) const { return columns_.numbers[column]; }
    template <typename F>
    void for_each_out_arc(std::uint32_t column, F&& f) const
    {
        const CsrView edges = block_.out_edges().view();
        const auto length = lengths_of<W>(block_.out_weights());
        const D distance = columns_.distances[column];
        for (std::uint64_t e = edges.begin(column); e < edges.end(column); ++e) {
            if (lists_end_early_ && is_beyond_all(distance, length(e))) return;
            f(first_ + edges.neighbours[e], length(e));
        }
    }
    template <typename F>
    void for_each_in_arc(std::uint32_t column, F&& f) const
    {
        const CsrView edges = block_.in_edges.view();
        const auto length = lengths_of<W>(block_.in_weights);
        const D distance = columns_.distances[column];
        const std::uint32_t row = column - first_;
        for (std::uint64_t e = edges.begin(row); e < edges.end(row); ++e) {
            if (lists_end_early_ && length(e) > distance) return;
            f(edges.neighbours[e], length(e));
        }
    }
    template <typename Length>
    [[nodiscard]] bool is_tight(std::uint32_t from, std::uint32_t to, Length length) const
    {
        return algo::is_tight(columns_.distances[from], length, columns_.distances[to]);
    }

private:
    [[nodiscard]] std::uint32_t column_of(const Partition& partition, Vertex vertex) const
    {
        const auto owner = static_cast<std::size_t>(partition.owner(vertex));
        return static_cast<std::uint32_t>(owner) * block_.slot_stride +
               columns_.slots[owner * columns_.chunk + partition.local(vertex)];
    }

    /// Whether the sum of a distance and the length of an arc exceeds the distances of all of this rank's vertices.
    /// Sums are rounded as in is_tight().
    [[nodiscard]] bool is_beyond_all(D distance, auto length) const
    {
        if constexpr (std::is_floating_point_v<D>)
            return distance + length > farthest_;
        else
            return distance > farthest_ || length > farthest_ - distance;
    }

    static D farthest(std::span<const D> distances)
    {
        D most{0};
        for (const D distance : distances)
            if (distance != unreached<D>()) most = std::max(most, distance);
        return most;
    }

    const CsrBlock& block_;
    SharedColumns<D> columns_;
    std::uint32_t first_;   // the column of slot 0
    bool lists_end_early_;  // at arcs that are too long to be tight
    D farthest_;            // the largest distance of this rank's vertices
    HostBuffer<std::uint32_t> parents_;
};

/// Replaces the parents by those towards the nearest sources, and writes these. Vertices without edges
/// have themselves, or none, as parents. Collective over `ranks`.
template <typename D, typename W, typename Ranks>
void choose_nearest_in_columns(const DistributedGraph& graph, const SharedColumns<D>& columns, bool negative_weights,
                               const Ranks& ranks, SourceTrees trees)
{
    const CsrBlock& block = graph.block;
    const std::uint32_t first = block.own_col(0).value;
    // `source` and `parent` of a slot: a number, or kNoLocal; and a column.
    const auto write = [&](const auto& source, const auto& parent) {
        constexpr std::size_t serial_below = 1 << 13;
        trees.nearest.visit([&]<typename Id>(std::span<Id> sources) {
            trees.parents.visit([&]<typename Parent>(std::span<Parent> of_vertices) {
                parallel_for(sources.size(), serial_below, [&](std::size_t i) {
                    const std::uint32_t slot = graph.slot_of_local[i];
                    const bool lone = slot == block.slot_stride || source(slot) == kNoLocal;
                    sources[i] = static_cast<Id>(lone ? of_vertices[i] : static_cast<Id>(source(slot)));
                    if (!lone) of_vertices[i] = static_cast<Parent>(columns.numbers[parent(slot)]);
                });
            });
        });
    };
    if (std::is_same_v<W, Unweighted> && suits_levels(graph)) {
        const NearestByLevels<Ranks> choice(block, columns.distances, columns.numbers, columns.above, ranks);
        write([&](std::uint32_t slot) { return choice.nearest(slot); },
              [&](std::uint32_t slot) { return choice.parent(slot); });
        return;
    }
    const ColumnTree<D, W> tree(graph, columns, trees.parents, negative_weights);
    NearestInMemory<ColumnTree<D, W>, Ranks> choice(columns.above, columns.labels,
                                                    {first, std::size_t{first} + block.slot_stride}, ranks);
    choice.assign_roots(tree);
    choice.pull_sources(tree);
    write([&](std::uint32_t slot) { return choice.nearest(first + slot); },
          [&](std::uint32_t slot) { return choice.parent(first + slot); });
}

}  // namespace wayfront::algo
