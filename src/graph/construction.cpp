#include "graph/construction.hpp"

#include <algorithm>
#include <array>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"
#include "graph/csr_builder.hpp"
#include "graph/edge_exchange.hpp"
#include "graph/renumbering.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kSerialBelow = 4096;

/// Adds 1 to counts[i] for each i that for_each(range, f) passes to f, over ranges that cover [0,
/// size). Additions are atomic only if several threads work.
template <typename ForEach>
void count_places(std::size_t size, std::span<std::uint32_t> counts, ForEach&& for_each)
{
    parallel_ranges(size, kSerialBelow, [&](IndexRange range) {
        const bool single_thread = range.size() == size;
        for_each(range, [&](std::uint32_t place) {
            if (single_thread)
                ++counts[place];
            else
                std::atomic_ref<std::uint32_t>(counts[place]).fetch_add(1, std::memory_order_relaxed);
        });
    });
}

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

/// Construction sorts the columns of a row by (slot, chunk), so that likely parents of all chunks
/// come first. This turns the sort keys back into columns.
void columns_from_keys(Csr& csr, std::uint32_t col_chunks, std::uint32_t slot_stride)
{
    if (col_chunks == 1) return;
    const std::span<std::uint32_t> keys = csr.neighbours();
    parallel_ranges(keys.size(), kSerialBelow, [&](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i)
            keys[i] = (keys[i] % col_chunks) * slot_stride + keys[i] / col_chunks;
    });
}

/// The lists of the same edges, by column.
template <typename Word>
WeightedCsr<Word> transpose(const WeightedCsr<Word>& by_row, std::uint32_t cols, ListOrder order)
{
    HostBuffer<std::uint32_t> counts(cols, 0);
    const std::span<const std::uint32_t> neighbours = by_row.csr.neighbours();
    count_places(neighbours.size(), counts.span(), [&](IndexRange range, auto&& add) {
        for (std::size_t i = range.first; i < range.last; ++i) add(neighbours[i]);
    });
    const CsrView rows = by_row.csr.view();
    const auto weight = [&]([[maybe_unused]] std::uint64_t e) {
        if constexpr (BlockEdges<Word>::kWeighted)
            return by_row.weights[e];
        else
            return Unweighted{};
    };
    const auto for_each_edge = [&](std::size_t part, std::size_t parts, auto&& f) {
        // Parts have equal numbers of edges, not of rows: the first rows are the busiest.
        const std::uint64_t edges = rows.begin(rows.lists);
        const auto first_row = [&](std::size_t p) {
            const std::uint64_t edge = edges * p / parts;
            std::uint32_t low = 0;
            std::uint32_t high = rows.lists;
            while (low < high) {
                const std::uint32_t middle = low + (high - low) / 2;
                if (rows.begin(middle) < edge)
                    low = middle + 1;
                else
                    high = middle;
            }
            return low;
        };
        const std::uint32_t last = part + 1 == parts ? rows.lists : first_row(part + 1);
        for (std::uint32_t row = part == 0 ? 0 : first_row(part); row < last; ++row)
            for (std::uint64_t e = rows.begin(row); e < rows.end(row); ++e) f(rows.neighbours[e], row, weight(e));
    };
    return build_weighted_csr<Word>(counts.span(), order, for_each_edge, [] {});
}

/// The weights that ordered words encode.
template <typename T>
BlockWeights weights_of([[maybe_unused]] const HostBuffer<OrderedWord<T>>& words)
{
    if constexpr (std::is_same_v<T, Unweighted>) {
        return {};
    } else {
        HostBuffer<T> weights(words.size());
        parallel_for(words.size(), kSerialBelow, [&](std::size_t i) { weights[i] = from_ordered<T>(words[i]); });
        return weights;
    }
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
    WeightedCsr<Word> in_edges =
        build_weighted_csr<Word>(counts.span(), block.list_order, for_each_edge, [&edges] { edges = {}; });
    columns_from_keys(in_edges.csr, block.col_chunks, block.slot_stride);
    if (!block.symmetric) {
        WeightedCsr<Word> out_edges = transpose(in_edges, block.cols(), block.list_order);
        block.out_edges_stored = std::move(out_edges.csr);
        block.out_weights_stored = weights_of<T>(out_edges.weights);
    }
    block.in_edges = std::move(in_edges.csr);
    block.in_weights = weights_of<T>(in_edges.weights);
}

HostBuffer<std::uint32_t> first_neighbours(const Csr& csr, std::uint32_t none)
{
    HostBuffer<std::uint32_t> first(csr.lists());
    const CsrView view = csr.view();
    parallel_ranges(csr.lists(), kSerialBelow, [&](IndexRange range) {
        for (auto i = static_cast<std::uint32_t>(range.first); i < range.last; ++i)
            first[i] = view.begin(i) < view.end(i) ? view.neighbours[view.begin(i)] : none;
    });
    return first;
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
    block.first_in_neighbour = first_neighbours(block.in_edges, block.cols());

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
