#include "graph/edge_exchange.hpp"

#include <algorithm>

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
    parallel_ranges(edges.size(), kSerialBelowEdges, [&](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            const auto source = static_cast<std::uint32_t>(edges[i].source());
            const auto target = static_cast<std::uint32_t>(edges[i].target());
            const bool loop = source == target;
            piece[copies * i] = loop ? BlockEdge{BlockEdges::kNoEdge} : BlockEdge::make({target}, {source});
            if (!directed) piece[2 * i + 1] = loop ? BlockEdge{BlockEdges::kNoEdge} : BlockEdge::make({source}, {target});
        }
    });
    return piece;
}

/// The edges that one rank sends in one round, ordered by destination.
struct Outgoing
{
    HostBuffer<BlockEdge> edges;
    std::vector<std::int64_t> counts;  // one per rank
};

Outgoing sort_by_block(const Partition& partition, std::span<const PackedEdge> edges, bool directed)
{
    const Placer placer(partition);
    const auto ranks = static_cast<std::size_t>(partition.ranks());
    const auto parts = static_cast<std::size_t>(edges.size() < kSerialBelowEdges ? 1 : thread_count());
    // Each part's counts, then its write positions.
    std::vector<std::vector<std::size_t>> next(parts, std::vector<std::size_t>(ranks, 0));

    const auto for_each = [&](std::size_t part, auto&& f) {
        const IndexRange range = part_of(edges.size(), part, parts);
        for (std::size_t i = range.first; i < range.last; ++i) {
            const Edge edge = edges[i].unpack();
            if (edge.source == edge.target) continue;
            const Place source = placer.place(edge.source);
            const Place target = placer.place(edge.target);
            f(placer.block(source, target), source, target);
            if (!directed) f(placer.block(target, source), target, source);
        }
    };

    const int threads = static_cast<int>(parts);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (std::size_t part = 0; part < parts; ++part) for_each(part, [&](std::size_t block, const Place&, const Place&) { ++next[part][block]; });

    Outgoing outgoing{{}, std::vector<std::int64_t>(ranks, 0)};
    std::size_t total = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t part = 0; part < parts; ++part) {
            const std::size_t count = next[part][rank];
            next[part][rank] = total;
            total += count;
            outgoing.counts[rank] += static_cast<std::int64_t>(count);
        }
    }
    outgoing.edges = HostBuffer<BlockEdge>(total);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (std::size_t part = 0; part < parts; ++part)
        for_each(part, [&](std::size_t block, const Place& source, const Place& target) {
            outgoing.edges[next[part][block]++] = placer.edge(source, target);
        });
    return outgoing;
}

}  // namespace

BlockEdges exchange_edges(const comm::ProcessGrid& grid, const Partition& partition, const EdgeFeed& feed, std::size_t chunk_edges)
{
    const auto share = static_cast<std::size_t>(feed.size());
    const auto own_rounds = static_cast<std::int64_t>((share + chunk_edges - 1) / chunk_edges);
    const std::int64_t rounds = grid.world().all_reduce(own_rounds, comm::Reduction::max);

    BlockEdges received;
    HostBuffer<PackedEdge> scratch(std::min(share, chunk_edges));
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::size_t first = std::min(share, static_cast<std::size_t>(round) * chunk_edges);
        const std::size_t count = std::min(chunk_edges, share - first);
        const std::span<const PackedEdge> edges = feed.chunk(static_cast<EdgeCount>(first), count, scratch.span());
        if (grid.world().size() == 1) {
            received.add(local_piece(edges, feed.directed()));
            continue;
        }
        const Outgoing outgoing = sort_by_block(partition, edges, feed.directed());
        const std::vector<std::int64_t> incoming = grid.world().all_to_all(outgoing.counts);
        std::int64_t total = 0;
        for (const std::int64_t n : incoming) total += n;
        HostBuffer<BlockEdge> piece(static_cast<std::size_t>(total));
        grid.world().all_to_all_v(outgoing.edges.span(), outgoing.counts, piece.span(), incoming);
        received.add(std::move(piece));
    }
    return received;
}

}  // namespace wayfront
