#include "graph/lists_by_weight.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "graph/block_lists.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kListsAtOnce = 1024;

template <typename T>
HostBuffer<T> copy_of(const HostBuffer<T>& buffer)
{
    HostBuffer<T> copy(buffer.size());
    std::ranges::copy(buffer, copy.begin());
    return copy;
}

VertexArray copy_of(const VertexArray& vertices, Vertex vertex_count)
{
    VertexArray copy(vertices.size(), vertex_count);
    copy.visit([&vertices]<typename Id>(std::span<Id> to) {
        std::ranges::copy(vertices.elements<std::remove_const_t<Id>>(), to.begin());
    });
    return copy;
}

/// Writes the lists to `sorted`, and returns the weights in their order.
template <typename W>
HostBuffer<W> sort_lists(const Csr& lists, const HostBuffer<W>& weights, Csr& sorted)
{
    const CsrView from = lists.view();
    HostBuffer<std::uint32_t> degrees(lists.lists());
    parallel_for(degrees.size(), kListsAtOnce, [&](std::size_t i) {
        degrees[i] = static_cast<std::uint32_t>(from.degree(static_cast<std::uint32_t>(i)));
    });
    sorted = Csr(degrees.span());
    HostBuffer<W> sorted_weights(weights.size());
    std::uint32_t* const neighbours = sorted.neighbours().data();
    const auto sort_chunk = [&](std::size_t chunk) {
        std::vector<std::pair<W, std::uint32_t>> entries;
        const std::size_t last = std::min<std::size_t>(lists.lists(), (chunk + 1) * kListsAtOnce);
        for (auto list = static_cast<std::uint32_t>(chunk * kListsAtOnce); list < last; ++list) {
            const std::uint64_t begin = from.begin(list);
            entries.clear();
            for (std::uint64_t e = begin; e < from.end(list); ++e) entries.emplace_back(weights[e], from.neighbours[e]);
            std::ranges::sort(entries);
            for (std::size_t i = 0; i < entries.size(); ++i) {
                sorted_weights[begin + i] = entries[i].first;
                neighbours[begin + i] = entries[i].second;
            }
        }
    };
    parallel_items((lists.lists() + kListsAtOnce - 1) / kListsAtOnce, sort_chunk);
    return sorted_weights;
}

BlockWeights sort_lists(const Csr& lists, const BlockWeights& weights, Csr& sorted)
{
    return std::visit(
        [&](const auto& of_lists) -> BlockWeights {
            if constexpr (std::is_same_v<std::decay_t<decltype(of_lists)>, std::monostate>)
                return {};
            else
                return sort_lists(lists, of_lists, sorted);
        },
        weights);
}

}  // namespace

DistributedGraph with_lists_by_weight(const DistributedGraph& graph)
{
    const CsrBlock& from = graph.block;
    DistributedGraph copy{.partition = graph.partition,
                          .directed = graph.directed,
                          .rank = graph.rank,
                          .block = {},
                          .slot_of_local = copy_of(graph.slot_of_local),
                          .vertex_of_column = copy_of(graph.vertex_of_column, graph.partition.vertex_count()),
                          .connected_vertices = graph.connected_vertices,
                          .directed_edges = graph.directed_edges,
                          .input_edges = graph.input_edges};

    CsrBlock& block = copy.block;
    block.slot_stride = from.slot_stride;
    block.row_chunks = from.row_chunks;
    block.col_chunks = from.col_chunks;
    block.own_row_chunk = from.own_row_chunk;
    block.own_col_chunk = from.own_col_chunk;
    block.symmetric = from.symmetric;
    block.list_order = ListOrder::weights;
    block.in_weights = sort_lists(from.in_edges, from.in_weights, block.in_edges);
    if (!from.symmetric)
        block.out_weights_stored = sort_lists(from.out_edges_stored, from.out_weights_stored, block.out_edges_stored);
    block.first_in_neighbour = detail::first_neighbours(block.in_edges, block.cols());
    block.out_degrees = copy_of(from.out_degrees);
    return copy;
}

}  // namespace wayfront
