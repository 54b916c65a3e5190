#include "graph/construction.hpp"

#include <algorithm>
#include <array>

#include "base/parallel.hpp"
#include "graph/block_lists.hpp"
#include "graph/edge_exchange.hpp"
#include "graph/renumbering.hpp"

namespace wayfront {

namespace {

/// Adds 1 to counts[pick(edge)] for each edge.
template <typename Word, typename Pick>
void count_edges(const BlockEdges<Word>& edges, std::span<std::uint32_t> counts, Pick&& pick)
{
    count_places(edges.size(), counts, [&](IndexRange range, auto&& add) {
        edges.for_each(range.first, range.last, [&](BlockEdge edge, Word) { add(pick(edge)); });
    });
}

/// The counts of the lists before renumbering, in the order after renumbering.
HostBuffer<std::uint32_t> renumbered_counts(std::span<const std::uint32_t> counts,
                                            std::span<const std::uint32_t> new_place, std::uint32_t places)
{
    HostBuffer<std::uint32_t> moved(places, 0);
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] != 0) moved[new_place[i]] = counts[i];
    return moved;
}

/// Builds the lists of both directions from the edges of the block, which are released.
template <typename T>
void build_lists(CsrBlock& block, BlockEdges<OrderedWord<T>> edges, const Renumbering& numbers,
                 std::span<const std::uint32_t> row_counts)
{
    using Word = OrderedWord<T>;
    const HostBuffer<std::uint32_t> counts = renumbered_counts(row_counts, numbers.new_row.span(), block.rows());
    const auto for_each_edge = [&](std::size_t part, std::size_t parts, auto&& f) {
        const IndexRange range = part_of(edges.size(), part, parts);
        edges.for_each(range.first, range.last, [&](BlockEdge edge, Word weight) {
            f(numbers.new_row[edge.row()], numbers.new_col_key[edge.col()], weight);
        });
    };
    build_block_lists<T>(block, counts.span(), for_each_edge, [&edges] { edges = {}; });
}

}  // namespace

Vertex find_vertex_count(const comm::ProcessGrid& grid, const EdgeFeed& feed, std::size_t chunk_edges)
{
    const auto share = static_cast<std::size_t>(feed.size());
    HostBuffer<PackedEdge> scratch(std::min(share, chunk_edges));
    std::int64_t largest = -1;
    for (std::size_t first = 0; first < share; first += chunk_edges) {
        const std::size_t count = std::min(chunk_edges, share - first);
        const std::span<const PackedEdge> edges = feed.chunk(static_cast<EdgeCount>(first), count, scratch.span());
#pragma omp parallel for reduction(max : largest)
        for (std::size_t i = 0; i < count; ++i) largest = std::max({largest, edges[i].source(), edges[i].target()});
    }
    return grid.world().all_reduce(largest, comm::Reduction::max) + 1;
}

namespace {

template <typename T>
DistributedGraph construct_as(const comm::ProcessGrid& grid, const EdgeFeed& feed, const ConstructionOptions& options)
{
    using Word = OrderedWord<T>;
    const Partition partition(feed.vertex_count(), grid.shape().rows, grid.shape().columns);
    const auto row_chunks = static_cast<std::uint32_t>(grid.shape().columns);
    const auto col_chunks = static_cast<std::uint32_t>(grid.shape().rows);
    const auto chunk_stride = static_cast<std::uint32_t>(partition.chunk_stride());

    HostBuffer<std::uint32_t> row_counts(std::size_t{row_chunks} * chunk_stride, 0);
    HostBuffer<std::uint32_t> col_counts(feed.directed() ? std::size_t{col_chunks} * chunk_stride : 0, 0);
    BlockEdges<Word> edges = exchange_edges<Word>(grid, partition, feed, options.chunk_edges);
    count_edges(edges, row_counts.span(), [](BlockEdge edge) { return edge.row(); });
    if (feed.directed()) count_edges(edges, col_counts.span(), [](BlockEdge edge) { return edge.col(); });

    Renumbering numbers = renumber(grid, partition, row_counts.span(), col_counts.span(), options.renumber);
    DistributedGraph graph{partition, feed.directed(), grid.rank(), {}, {}, {}};
    CsrBlock& block = graph.block;
    block.slot_stride = numbers.slot_stride;
    block.row_chunks = row_chunks;
    block.col_chunks = col_chunks;
    block.own_row_chunk = static_cast<std::uint32_t>(grid.column_index());
    block.own_col_chunk = static_cast<std::uint32_t>(grid.row_index());
    block.symmetric = grid.world().size() == 1 && !feed.directed();
    block.list_order = options.list_order;
    build_lists<T>(block, std::move(edges), numbers, row_counts.span());

    graph.slot_of_local = own_slots(numbers, partition, grid);
    graph.vertex_of_column = column_vertices(numbers, partition, grid);
    block.out_degrees = std::move(numbers.out_degrees);
    std::array<std::int64_t, 3> totals{static_cast<std::int64_t>(numbers.connected),
                                       static_cast<std::int64_t>(block.in_edges.edges()), feed.size()};
    grid.world().all_reduce(std::span<std::int64_t>(totals), comm::Reduction::sum);
    graph.connected_vertices = totals[0];
    graph.directed_edges = totals[1];
    graph.input_edges = totals[2];
    return graph;
}

}  // namespace

DistributedGraph construct(const comm::ProcessGrid& grid, const EdgeFeed& feed, const ConstructionOptions& options)
{
    return with_weight_type(feed.weight_type(),
                            [&](auto type) { return construct_as<decltype(type)>(grid, feed, options); });
}

}  // namespace wayfront
