#include "model/virtual_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    for (std::size_t slot = 0; slot < owners_.vertex.size(); ++slot) {
        const Vertex vertex = owners_.vertex[slot];
        if (vertex == kUnreached) continue;
        const auto owner = static_cast<int>(owners_.rank[slot]);
        if (partition_.grid_column(owner) == partition_.grid_column(rank))
            part.vertex_of_column.set(
                static_cast<std::size_t>(partition_.grid_row(owner)) * owners_.slot_stride + owners_.slot[slot],
                vertex);
        if (owner != rank) continue;
        part.slot_of_local[partition_.local(vertex)] = owners_.slot[slot];
        block.out_degrees[owners_.slot[slot]] = whole_.block.out_degrees[slot];
    }
    part.connected_vertices = whole_.connected_vertices;
    part.directed_edges = whole_.directed_edges;
    part.input_edges = whole_.input_edges;
    return part;
}

template <typename T>
void Division::add_lists(std::vector<DistributedGraph>& parts) const
{
    const CsrView lists = whole_.block.in_edges.view();
    const auto weight = [&]([[maybe_unused]] std::uint64_t arc) {
        if constexpr (std::is_same_v<T, Unweighted>)
            return Unweighted{};
        else
            return to_ordered(std::get<HostBuffer<T>>(whole_.block.in_weights)[arc]);
    };
    const auto visit = [&](std::size_t row, auto&& f) {
        for (std::uint64_t arc = lists.begin(static_cast<std::uint32_t>(row));
             arc < lists.end(static_cast<std::uint32_t>(row)); ++arc) {
            const std::uint32_t source = lists.neighbours[arc];
            const std::uint32_t block = owners_.rank[row] / columns() * columns() + owners_.rank[source] % columns();
            f(block, OwnedArc<T>{owners_.rank[row] % columns() * owners_.slot_stride + owners_.slot[row],
                                 owners_.slot[source] * rows() + owners_.rank[source] / columns(), weight(arc)});
        }
    };
    CountingSort by_block(parts.size());
    by_block.count(lists.lists, kSerialBelow, visit);
    HostBuffer<OwnedArc<T>> arcs(by_block.size());
    by_block.place(visit, [&](std::size_t position, const OwnedArc<T>& arc) { arcs[position] = arc; });

    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        CsrBlock& block = parts[rank].block;
        const std::span<const OwnedArc<T>> own =
            arcs.span().subspan(by_block.begins()[rank], by_block.begins()[rank + 1] - by_block.begins()[rank]);
        HostBuffer<std::uint32_t> counts(block.rows(), 0);
        for (const OwnedArc<T>& arc : own) ++counts[arc.row];
        const auto for_each_edge = [&own](std::size_t part, std::size_t all, auto&& f) {
            const IndexRange range = part_of(own.size(), part, all);
            for (std::size_t i = range.first; i < range.last; ++i) f(own[i].row, own[i].key, own[i].weight);
        };
        build_block_lists<T>(block, counts.span(), for_each_edge, [] {});
    }
}

std::vector<DistributedGraph> Division::parts() const
{
    std::vector<DistributedGraph> parts;
    parts.reserve(static_cast<std::size_t>(partition_.ranks()));
    for (int rank = 0; rank < partition_.ranks(); ++rank) parts.push_back(empty_part(rank));
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
