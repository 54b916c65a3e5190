// Parents that are found from distances, for engines that find distances only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "algo/apsp/least_sums.hpp"
#include "algo/apsp/rows.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// Calls f(target, weight) for each out-edge of a vertex, without loops and duplicates. Edges of an
/// unweighted graph have weight 1. Pre: the graph is on one rank.
template <typename F>
void for_each_edge_of(const DistributedGraph& graph, std::size_t vertex, F&& f)
{
    const CsrBlock& block = graph.block;
    const std::uint32_t slot = graph.slot_of_local[vertex];
    if (slot == block.slot_stride) return;
    const CsrView lists = block.out_edges().view();
    with_weight_type(weight_type(block.out_weights()), [&]<typename W>(W) {
        for (std::uint64_t edge = lists.begin(slot); edge < lists.end(slot); ++edge) {
            const auto target = static_cast<std::size_t>(graph.vertex_of_column[lists.neighbours[edge]]);
            if constexpr (std::is_same_v<W, Unweighted>)
                f(target, 1);
            else
                f(target, std::get<HostBuffer<W>>(block.out_weights())[edge]);
        }
    });
}

/// Whether an edge has a negative weight.
[[nodiscard]] bool has_negative_weights(const DistributedGraph& graph);

/// Whether the weight of an edge is the difference of two distances. Whole numbers are compared
/// exactly, floats after a sum in their type.
template <typename T, typename W>
[[nodiscard]] bool is_tight(T from, W weight, T to)
{
    if constexpr (std::is_integral_v<T>)
        return static_cast<double>(from) + static_cast<double>(weight) == static_cast<double>(to);
    else
        return from + static_cast<T>(weight) == to;
}

/// How the distances of rows were added up: as sums of the weights along paths, or otherwise.
enum class Sums { along_paths, otherwise };

/// Finds the parents of rows, one after the other, in the way that suits their sums.
class ParentTracer
{
public:
    /// `negative`: see has_negative_weights(). The graph outlives the tracer.
    ParentTracer(const DistributedGraph& graph, Sums sums, bool negative)
        : graph_(graph), sums_(sums), negative_(negative)
    {
    }

    template <typename T>
    void trace(std::size_t source, const T* row, std::span<std::int32_t> parents)
    {
        // Whole numbers have no roundings.
        if constexpr (std::is_floating_point_v<T>)
            if (sums_ == Sums::otherwise) return trace_least_sums(source, row, parents);
        trace_tight_edges(source, row, parents);
    }

private:
    /// Breadth first from the source, along tight edges. Pre: the distances are sums along paths.
    template <typename T>
    void trace_tight_edges(std::size_t source, const T* row, std::span<std::int32_t> parents)
    {
        std::ranges::fill(parents, algo::kNoParent);
        parents[source] = static_cast<std::int32_t>(source);
        reached_.assign(1, static_cast<std::uint32_t>(source));
        for (std::size_t next = 0; next < reached_.size(); ++next) {
            const std::size_t vertex = reached_[next];
            for_each_edge_of(graph_, vertex, [&](std::size_t target, auto weight) {
                if (parents[target] != algo::kNoParent || !is_tight(row[vertex], weight, row[target])) return;
                parents[target] = static_cast<std::int32_t>(vertex);
                reached_.push_back(static_cast<std::uint32_t>(target));
            });
        }
    }

    /// Finds the parents on the paths with the least sums of weights. For float distances that the method
    /// added up in another order, or rounded once more, so that few edges are tight.
    template <typename T>
    void trace_least_sums(std::size_t source, const T* row, std::span<std::int32_t> parents)
    {
        const auto for_each_arc = [this](std::size_t vertex, const auto& f) { for_each_edge_of(graph_, vertex, f); };
        const auto potential = [row, this](std::size_t vertex) {
            return negative_ || !std::isfinite(row[vertex]) ? algo::LeastSums::Sum{row[vertex]}
                                                            : algo::LeastSums::Sum{0};
        };
        paths_.search(parents.size(), source, for_each_arc, potential);
        std::ranges::copy(paths_.parents(), parents.begin());
    }

    const DistributedGraph& graph_;
    Sums sums_;
    bool negative_;
    algo::LeastSums paths_;               // working memory
    std::vector<std::uint32_t> reached_;  // working memory
};

/// Adds parents to the rows of an engine. The graph outlives the producer.
[[nodiscard]] std::unique_ptr<algo::RowProducer> with_traced_parents(const DistributedGraph& graph,
                                                                     std::unique_ptr<algo::RowProducer> rows,
                                                                     Sums sums);

}  // namespace wayfront::cpu
