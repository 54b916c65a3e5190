#include "graph/lists_by_weight.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "graph/block_lists.hpp"
#include "graph/list_parts.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kListsOfThreads = 1024;  // fewer are counted by one thread
constexpr std::size_t kEdgesOfPart = 1 << 14;

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

/// A weight and a neighbour, whose order is that of the weights and, of equal ones, of the neighbours.
template <typename W>
class Entry
{
public:
    Entry(W weight, std::uint32_t neighbour) : words_(to_ordered(weight), neighbour) {}
    [[nodiscard]] W weight() const { return from_ordered<W>(words_.first); }
    [[nodiscard]] std::uint32_t neighbour() const { return words_.second; }
    friend auto operator<=>(const Entry&, const Entry&) = default;

private:
    std::pair<OrderedWord<W>, std::uint32_t> words_;
};

/// The same as one word, which is compared in less time.
template <typename W>
requires(sizeof(W) == sizeof(std::uint32_t)) class Entry<W>
{
public:
    Entry(W weight, std::uint32_t neighbour) : word_(std::uint64_t{to_ordered(weight)} << 32 | neighbour) {}
    [[nodiscard]] W weight() const { return from_ordered<W>(static_cast<std::uint32_t>(word_ >> 32)); }
    [[nodiscard]] std::uint32_t neighbour() const { return static_cast<std::uint32_t>(word_); }
    friend auto operator<=>(const Entry&, const Entry&) = default;

private:
    std::uint64_t word_;
};

/// Writes the lists to `sorted`, and returns the weights in their order.
template <typename W>
HostBuffer<W> sort_lists(const Csr& lists, const HostBuffer<W>& weights, Csr& sorted)
{
    const CsrView from = lists.view();
    HostBuffer<std::uint32_t> degrees(lists.lists());
    parallel_for(degrees.size(), kListsOfThreads, [&](std::size_t i) {
        degrees[i] = static_cast<std::uint32_t>(from.degree(static_cast<std::uint32_t>(i)));
    });
    sorted = Csr(degrees.span());
    HostBuffer<W> sorted_weights(weights.size());
    std::uint32_t* const neighbours = sorted.neighbours().data();
    const std::size_t parts = lists.edges() / kEdgesOfPart + 1;
    parallel_items(parts, [&](std::size_t part) {
        std::vector<Entry<W>> entries;
        const std::uint32_t last = first_list_of_part(from, part + 1, parts);
        for (std::uint32_t list = first_list_of_part(from, part, parts); list < last; ++list) {
            const std::uint64_t begin = from.begin(list);
            entries.clear();
            for (std::uint64_t e = begin; e < from.end(list); ++e) entries.emplace_back(weights[e], from.neighbours[e]);
            std::ranges::sort(entries);
            for (std::size_t i = 0; i < entries.size(); ++i) {
                sorted_weights[begin + i] = entries[i].weight();
                neighbours[begin + i] = entries[i].neighbour();
            }
        }
    });
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
