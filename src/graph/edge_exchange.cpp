#include "graph/edge_exchange.hpp"

#include <algorithm>
#include <numeric>

#include "base/counting_sort.hpp"
#include "base/parallel.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kSerialBelowEdges = 4096;

/// The position of a vertex in the partition, computed once per vertex.
struct Place
{
    int grid_row;
    int grid_column;
    std::uint32_t local;
};

class Placer
{
public:
    explicit Placer(const Partition& partition) : partition_(partition), stride_(partition.chunk_stride()) {}

    [[nodiscard]] Place place(Vertex v) const
    {
        const int owner = partition_.owner(v);
        return {partition_.grid_row(owner), partition_.grid_column(owner), partition_.local(v)};
    }
    [[nodiscard]] BlockEdge edge(const Place& source, const Place& target) const
    {
        return BlockEdge::make({static_cast<std::uint32_t>(static_cast<std::uint64_t>(target.grid_column) * stride_ + target.local)},
                               {static_cast<std::uint32_t>(static_cast<std::uint64_t>(source.grid_row) * stride_ + source.local)});
    }
    [[nodiscard]] std::size_t block(const Place& source, const Place& target) const
    {
        return static_cast<std::size_t>(partition_.rank_at(target.grid_row, source.grid_column));
    }

private:
    const Partition& partition_;
    std::uint64_t stride_;
};

/// The piece of a single rank: nothing is sent, and edge i of a chunk becomes element i of the
/// piece (undirected: elements 2i and 2i + 1).
HostBuffer<BlockEdge> local_piece(std::span<const PackedEdge> edges, bool directed)
{
    const std::size_t copies = directed ? 1 : 2;
    HostBuffer<BlockEdge> piece(edges.size() * copies);
    parallel_for(edges.size(), kSerialBelowEdges, [&](std::size_t i) {
        const auto source = static_cast<std::uint32_t>(edges[i].source());
        const auto target = static_cast<std::uint32_t>(edges[i].target());
        const bool loop = source == target;
        piece[copies * i] = loop ? BlockEdge{BlockEdges::kNoEdge} : BlockEdge::make({target}, {source});
        if (!directed) piece[2 * i + 1] = loop ? BlockEdge{BlockEdges::kNoEdge} : BlockEdge::make({source}, {target});
    });
    return piece;
}

/// Sorts the edges by the block that they belong to, both ways round if they are undirected.
HostBuffer<BlockEdge> sort_by_block(const Partition& partition, std::span<const PackedEdge> edges, bool directed, CountingSort& sort)
{
    const Placer placer(partition);
    const auto visit = [&](std::size_t i, auto&& f) {
        const Edge edge = edges[i].unpack();
        if (edge.source == edge.target) return;
        const Place source = placer.place(edge.source);
        const Place target = placer.place(edge.target);
        f(placer.block(source, target), source, target);
        if (!directed) f(placer.block(target, source), target, source);
    };
    sort.count(edges.size(), kSerialBelowEdges, visit);
    HostBuffer<BlockEdge> sorted(sort.size());
    sort.place(visit, [&placer, to = sorted.data()](std::size_t position, const Place& source, const Place& target) {
        to[position] = placer.edge(source, target);
    });
    return sorted;
}

}  // namespace

BlockEdges exchange_edges(const comm::ProcessGrid& grid, const Partition& partition, const EdgeFeed& feed, std::size_t chunk_edges)
{
    const auto share = static_cast<std::size_t>(feed.size());
    const auto own_rounds = static_cast<std::int64_t>((share + chunk_edges - 1) / chunk_edges);
    const std::int64_t rounds = grid.world().all_reduce(own_rounds, comm::Reduction::max);

    BlockEdges received;
    CountingSort sort(static_cast<std::size_t>(grid.world().size()));
    HostBuffer<PackedEdge> scratch(std::min(share, chunk_edges));
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::size_t first = std::min(share, static_cast<std::size_t>(round) * chunk_edges);
        const std::size_t count = std::min(chunk_edges, share - first);
        const std::span<const PackedEdge> edges = feed.chunk(static_cast<EdgeCount>(first), count, scratch.span());
        if (grid.world().size() == 1) {
            received.add(local_piece(edges, feed.directed()));
            continue;
        }
        const HostBuffer<BlockEdge> outgoing = sort_by_block(partition, edges, feed.directed(), sort);
        const std::vector<std::int64_t> incoming = grid.world().all_to_all(sort.counts());
        HostBuffer<BlockEdge> piece(static_cast<std::size_t>(std::reduce(incoming.begin(), incoming.end())));
        grid.world().all_to_all_v(outgoing.span(), sort.counts(), piece.span(), std::span<const std::int64_t>(incoming));
        received.add(std::move(piece));
    }
    return received;
}

}  // namespace wayfront
