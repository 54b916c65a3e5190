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
        return BlockEdge::make(
            {static_cast<std::uint32_t>(static_cast<std::uint64_t>(target.grid_column) * stride_ + target.local)},
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

/// A chunk of a share: its edges and, if there are any, their weights.
template <typename Word>
struct Chunk
{
    std::span<const PackedEdge> edges;
    std::span<const Word> weights;

    [[nodiscard]] Word weight([[maybe_unused]] std::size_t i) const
    {
        if constexpr (BlockEdges<Word>::kWeighted)
            return weights[i];
        else
            return {};
    }
};

/// Reads chunks of a feed into memory that is allocated once.
template <typename Word>
class ChunkReader
{
public:
    ChunkReader(const EdgeFeed& feed, std::size_t most)
        : feed_(feed), edges_(most), weights_(BlockEdges<Word>::kWeighted ? most : 0)
    {
    }

    [[nodiscard]] Chunk<Word> read(std::size_t first, std::size_t count)
    {
        Chunk<Word> chunk{feed_.chunk(static_cast<EdgeCount>(first), count, edges_.span()), {}};
        if constexpr (BlockEdges<Word>::kWeighted) {
            const std::span<Word> weights = weights_.span().first(count);
            feed_.weights(static_cast<EdgeCount>(first), weights);
            chunk.weights = weights;
        }
        return chunk;
    }

private:
    const EdgeFeed& feed_;
    HostBuffer<PackedEdge> edges_;
    HostBuffer<Word> weights_;
};

/// The piece of a single rank: nothing is sent, and edge i of a chunk becomes element i of the
/// piece (undirected: elements 2i and 2i + 1).
template <typename Word>
typename BlockEdges<Word>::Piece local_piece(const Chunk<Word>& chunk, bool directed)
{
    const std::size_t copies = directed ? 1 : 2;
    typename BlockEdges<Word>::Piece piece(chunk.edges.size() * copies);
    parallel_for(chunk.edges.size(), kSerialBelowEdges, [&](std::size_t i) {
        const auto source = static_cast<std::uint32_t>(chunk.edges[i].source());
        const auto target = static_cast<std::uint32_t>(chunk.edges[i].target());
        const bool loop = source == target;
        const auto put = [&](std::size_t at, std::uint32_t row, std::uint32_t col) {
            piece.edges[at] = loop ? BlockEdge{BlockEdges<Word>::kNoEdge} : BlockEdge::make({row}, {col});
            if constexpr (BlockEdges<Word>::kWeighted) piece.weights[at] = chunk.weight(i);
        };
        put(copies * i, target, source);
        if (!directed) put(2 * i + 1, source, target);
    });
    return piece;
}

/// Sorts the edges by the block that they belong to. Undirected edges are sorted in both
/// directions.
template <typename Word>
typename BlockEdges<Word>::Piece sort_by_block(const Partition& partition, const Chunk<Word>& chunk, bool directed,
                                               CountingSort& sort)
{
    const Placer placer(partition);
    const auto visit = [&](std::size_t i, auto&& f) {
        const Edge edge = chunk.edges[i].unpack();
        if (edge.source == edge.target) return;
        const Place source = placer.place(edge.source);
        const Place target = placer.place(edge.target);
        f(placer.block(source, target), source, target, i);
        if (!directed) f(placer.block(target, source), target, source, i);
    };
    sort.count(chunk.edges.size(), kSerialBelowEdges, visit);
    typename BlockEdges<Word>::Piece sorted(sort.size());
    sort.place(visit,
               [&](std::size_t position, const Place& source, const Place& target, [[maybe_unused]] std::size_t i) {
                   sorted.edges[position] = placer.edge(source, target);
                   if constexpr (BlockEdges<Word>::kWeighted) sorted.weights[position] = chunk.weight(i);
               });
    return sorted;
}

}  // namespace

template <typename Word>
BlockEdges<Word> exchange_edges(const comm::ProcessGrid& grid, const Partition& partition, const EdgeFeed& feed,
                                std::size_t chunk_edges)
{
    const comm::Communicator& world = grid.world();
    const auto share = static_cast<std::size_t>(feed.size());
    const auto own_rounds = static_cast<std::int64_t>((share + chunk_edges - 1) / chunk_edges);
    const std::int64_t rounds = world.all_reduce(own_rounds, comm::Reduction::max);

    BlockEdges<Word> received;
    CountingSort sort(static_cast<std::size_t>(world.size()));
    ChunkReader<Word> reader(feed, std::min(share, chunk_edges));
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::size_t first = std::min(share, static_cast<std::size_t>(round) * chunk_edges);
        const Chunk<Word> chunk = reader.read(first, std::min(chunk_edges, share - first));
        if (world.size() == 1) {
            received.add(local_piece(chunk, feed.directed()));
            continue;
        }
        const typename BlockEdges<Word>::Piece outgoing = sort_by_block(partition, chunk, feed.directed(), sort);
        const std::vector<std::int64_t> incoming = world.all_to_all(sort.counts());
        typename BlockEdges<Word>::Piece piece(static_cast<std::size_t>(std::reduce(incoming.begin(), incoming.end())));
        world.all_to_all_v(outgoing.edges.span(), sort.counts(), piece.edges.span(),
                           std::span<const std::int64_t>(incoming));
        if constexpr (BlockEdges<Word>::kWeighted)
            world.all_to_all_v(outgoing.weights.span(), sort.counts(), piece.weights.span(),
                               std::span<const std::int64_t>(incoming));
        received.add(std::move(piece));
    }
    return received;
}

template BlockEdges<Unweighted> exchange_edges(const comm::ProcessGrid&, const Partition&, const EdgeFeed&,
                                               std::size_t);
template BlockEdges<std::uint32_t> exchange_edges(const comm::ProcessGrid&, const Partition&, const EdgeFeed&,
                                                  std::size_t);
template BlockEdges<std::uint64_t> exchange_edges(const comm::ProcessGrid&, const Partition&, const EdgeFeed&,
                                                  std::size_t);

}  // namespace wayfront
