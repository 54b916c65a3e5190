#include "model/virtual_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/bitmap.hpp"
#include "base/counting_sort.hpp"
#include "base/parallel.hpp"
#include "graph/block_lists.hpp"
#include "graph/partition.hpp"

namespace wayfront::model {

namespace {

constexpr std::size_t kSerialBelow = 1 << 14;

/// An arc of the whole graph, in slots of its ends' owners.
template <typename T>
struct OwnedArc
{
    std::uint32_t row;  // RowLocal of its block
    std::uint32_t key;  // of the column: slot * R + chunk
    OrderedWord<T> weight;
};

/// The lists of arcs that have no duplicates: for_each_arc(f) calls f(list, neighbour, weight). Most
/// lists are in order before they are sorted, since those of the whole graph are.
template <typename Word, typename ForEachArc>
WeightedCsr<Word> sorted_lists(std::uint32_t lists, ListOrder order, ForEachArc&& for_each_arc)
{
    struct Entry
    {
        std::uint32_t neighbour;
        Word weight;
    };
    HostBuffer<std::uint32_t> degrees(lists, 0);
    for_each_arc([&](std::uint32_t list, std::uint32_t, Word) { ++degrees[list]; });
    WeightedCsr<Word> made{Csr(degrees.span()), {}};
    const CsrView view = made.csr.view();
    HostBuffer<Entry> entries(made.csr.edges());
    std::ranges::fill(degrees, 0);
    for_each_arc([&](std::uint32_t list, std::uint32_t neighbour, Word weight) {
        entries[view.begin(list) + degrees[list]++] = {neighbour, weight};
    });
    const auto comes_first = [&](const Entry& a, const Entry& b) {
        if constexpr (!std::is_same_v<Word, Unweighted>)
            if (order == ListOrder::weights && a.weight != b.weight) return a.weight < b.weight;
        return a.neighbour < b.neighbour;
    };
    parallel_ranges(lists, kSerialBelow, [&](IndexRange range) {
        for (auto list = static_cast<std::uint32_t>(range.first); list < range.last; ++list) {
            const std::span<Entry> own = entries.span().subspan(view.begin(list), view.degree(list));
            if (!std::ranges::is_sorted(own, comes_first)) std::ranges::sort(own, comes_first);
        }
    });
    if constexpr (!std::is_same_v<Word, Unweighted>) made.weights = HostBuffer<Word>(entries.size());
    const std::span<std::uint32_t> neighbours = made.csr.neighbours();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        neighbours[i] = entries[i].neighbour;
        if constexpr (!std::is_same_v<Word, Unweighted>) made.weights[i] = entries[i].weight;
    }
    return made;
}

/// The lists that build_block_lists() makes of these arcs.
template <typename T>
void fill_block(CsrBlock& block, std::span<const OwnedArc<T>> arcs)
{
    using Word = OrderedWord<T>;
    WeightedCsr<Word> in_edges = sorted_lists<Word>(block.rows(), block.list_order, [&arcs](auto&& f) {
        for (const OwnedArc<T>& arc : arcs) f(arc.row, arc.key, arc.weight);
    });
    detail::columns_from_keys(in_edges.csr, block.col_chunks, block.slot_stride);
    if (!block.symmetric) {
        const CsrView rows = in_edges.csr.view();
        WeightedCsr<Word> out_edges = sorted_lists<Word>(block.cols(), block.list_order, [&](auto&& f) {
            for (std::uint32_t row = 0; row < rows.lists; ++row)
                for (std::uint64_t i = rows.begin(row); i < rows.end(row); ++i)
                    if constexpr (std::is_same_v<Word, Unweighted>)
                        f(rows.neighbours[i], row, Word{});
                    else
                        f(rows.neighbours[i], row, in_edges.weights[i]);
        });
        block.out_edges_stored = std::move(out_edges.csr);
        block.out_weights_stored = detail::weights_of<T>(out_edges.weights);
    }
    block.in_edges = std::move(in_edges.csr);
    block.in_weights = detail::weights_of<T>(in_edges.weights);
    block.first_in_neighbour = detail::first_neighbours(block.in_edges, block.cols());
}

class Division
{
public:
    Division(const DistributedGraph& whole, comm::GridShape shape)
        : whole_(whole),
          partition_(whole.partition.vertex_count(), shape.rows, shape.columns),
          owners_(whole, partition_)
    {
    }

    [[nodiscard]] std::vector<DistributedGraph> parts() const;

private:
    [[nodiscard]] DistributedGraph empty_part(int rank) const;
    void add_vertices(std::vector<DistributedGraph>& parts) const;
    template <typename T>
    void add_lists(std::vector<DistributedGraph>& parts) const;
    [[nodiscard]] std::uint32_t columns() const { return static_cast<std::uint32_t>(partition_.grid_columns()); }
    [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(partition_.grid_rows()); }

    const DistributedGraph& whole_;
    Partition partition_;
    SlotOwners owners_;
};

DistributedGraph Division::empty_part(int rank) const
{
    DistributedGraph part{partition_, whole_.directed, rank, {}, {}, {}};
    CsrBlock& block = part.block;
    block.slot_stride = owners_.slot_stride;
    block.row_chunks = columns();
    block.col_chunks = rows();
    block.own_row_chunk = static_cast<std::uint32_t>(partition_.grid_column(rank));
    block.own_col_chunk = static_cast<std::uint32_t>(partition_.grid_row(rank));
    block.symmetric = partition_.ranks() == 1 && !whole_.directed;
    block.list_order = whole_.block.list_order;
    block.out_degrees = HostBuffer<std::uint32_t>(owners_.slot_stride, 0);
    part.slot_of_local = HostBuffer<std::uint32_t>(partition_.chunk_size(rank), owners_.slot_stride);
    part.vertex_of_column = VertexArray(std::size_t{block.cols()} + 1, partition_.vertex_count());
    for (std::size_t column = 0; column <= block.cols(); ++column) part.vertex_of_column.set(column, kUnreached);
    part.connected_vertices = whole_.connected_vertices;
    part.directed_edges = whole_.directed_edges;
    part.input_edges = whole_.input_edges;
    return part;
}

/// Tells each rank which slots its vertices have, and the vertices of its columns.
void Division::add_vertices(std::vector<DistributedGraph>& parts) const
{
    for (std::size_t slot = 0; slot < owners_.vertex.size(); ++slot) {
        const Vertex vertex = owners_.vertex[slot];
        if (vertex == kUnreached) continue;
        DistributedGraph& owner = parts[owners_.rank[slot]];
        owner.slot_of_local[partition_.local(vertex)] = owners_.slot[slot];
        owner.block.out_degrees[owners_.slot[slot]] = whole_.block.out_degrees[slot];
        const std::size_t column =
            std::size_t{owners_.rank[slot] / columns()} * owners_.slot_stride + owners_.slot[slot];
        for (std::uint32_t row = 0; row < rows(); ++row)
            parts[std::size_t{row} * columns() + owners_.rank[slot] % columns()].vertex_of_column.set(column, vertex);
    }
}

template <typename T>
void Division::add_lists(std::vector<DistributedGraph>& parts) const
{
    std::vector<std::uint32_t> grid_row;
    std::vector<std::uint32_t> grid_column;
    for (std::uint32_t rank = 0; rank < parts.size(); ++rank) {
        grid_row.push_back(rank / columns());
        grid_column.push_back(rank % columns());
    }
    const CsrView lists = whole_.block.in_edges.view();
    const auto weight = [&]([[maybe_unused]] std::uint64_t arc) {
        if constexpr (std::is_same_v<T, Unweighted>)
            return Unweighted{};
        else
            return to_ordered(std::get<HostBuffer<T>>(whole_.block.in_weights)[arc]);
    };
    const auto visit = [&](std::size_t row, auto&& f) {
        const std::uint32_t owner = owners_.rank[row];
        const std::uint32_t own_row = grid_column[owner] * owners_.slot_stride + owners_.slot[row];
        const std::uint32_t first_block = grid_row[owner] * columns();
        const std::uint64_t last = lists.end(static_cast<std::uint32_t>(row));
        for (std::uint64_t arc = lists.begin(static_cast<std::uint32_t>(row)); arc < last; ++arc) {
            const std::uint32_t source = lists.neighbours[arc];
            const std::uint32_t of_source = owners_.rank[source];
            f(first_block + grid_column[of_source],
              OwnedArc<T>{own_row, owners_.slot[source] * rows() + grid_row[of_source], weight(arc)});
        }
    };
    CountingSort by_block(parts.size());
    by_block.count(lists.lists, kSerialBelow, visit);
    HostBuffer<OwnedArc<T>> arcs(by_block.size());
    by_block.place(visit, [&](std::size_t position, const OwnedArc<T>& arc) { arcs[position] = arc; });

    for (std::size_t rank = 0; rank < parts.size(); ++rank)
        fill_block<T>(parts[rank].block, arcs.span().subspan(by_block.begins()[rank],
                                                             by_block.begins()[rank + 1] - by_block.begins()[rank]));
}

std::vector<DistributedGraph> Division::parts() const
{
    std::vector<DistributedGraph> parts;
    parts.reserve(static_cast<std::size_t>(partition_.ranks()));
    for (int rank = 0; rank < partition_.ranks(); ++rank) parts.push_back(empty_part(rank));
    add_vertices(parts);
    with_weight_type(weight_type(whole_.block.in_weights), [&](auto type) { add_lists<decltype(type)>(parts); });
    return parts;
}

}  // namespace

SlotOwners::SlotOwners(const DistributedGraph& whole, const Partition& partition)
    : vertex(whole.block.slot_stride, kUnreached), rank(whole.block.slot_stride, 0), slot(whole.block.slot_stride, 0)
{
    for (std::uint32_t local = 0; local < whole.local_count(); ++local) {
        const std::uint32_t of_whole = whole.slot_of_local[local];
        if (of_whole == whole.block.slot_stride) continue;
        vertex[of_whole] = local;
        rank[of_whole] = static_cast<std::uint32_t>(partition.owner(Vertex{local}));
    }
    // A rank's slots have the order of those of the whole graph.
    std::vector<std::uint32_t> slots(static_cast<std::size_t>(partition.ranks()), 0);
    for (std::size_t i = 0; i < slot.size(); ++i)
        if (vertex[i] != kUnreached) slot[i] = slots[rank[i]]++;
    const std::size_t most = *std::ranges::max_element(slots);
    slot_stride = static_cast<std::uint32_t>(std::max(round_up_to_word(most), kWordBits));
}

std::vector<DistributedGraph> divide(const DistributedGraph& whole, comm::GridShape shape)
{
    return Division(whole, shape).parts();
}

}  // namespace wayfront::model
