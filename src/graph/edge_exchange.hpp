// The exchange that sends every edge to the rank whose block contains it, in bounded memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "comm/process_grid.hpp"
#include "graph/block_weights.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"

namespace wayfront {

/// A directed edge inside a block: the row (target) is in the upper half, the column (source) in
/// the lower half, as Partition numbers them.
struct BlockEdge
{
    std::uint64_t packed = 0;

    [[nodiscard]] static constexpr BlockEdge make(RowLocal row, ColLocal col)
    {
        return {(static_cast<std::uint64_t>(row.value) << 32) | col.value};
    }
    [[nodiscard]] constexpr std::uint32_t row() const { return static_cast<std::uint32_t>(packed >> 32); }
    [[nodiscard]] constexpr std::uint32_t col() const { return static_cast<std::uint32_t>(packed); }
};

/// The edges of one block in pieces, as they were received, with their weights as ordered words
/// (Word is Unweighted if there are none). Elements of a piece may be kNoEdge, which is not an
/// edge.
template <typename Word>
class BlockEdges
{
public:
    static constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};
    static constexpr bool kWeighted = !std::is_same_v<Word, Unweighted>;

    struct Piece
    {
        HostBuffer<BlockEdge> edges;
        HostBuffer<Word> weights;  // one per edge; empty without weights

        explicit Piece(std::size_t size) : edges(size), weights(kWeighted ? size : 0) {}
    };

    void add(Piece piece)
    {
        total_ += piece.edges.size();
        pieces_.push_back(std::move(piece));
    }
    /// The number of elements, including kNoEdge.
    [[nodiscard]] std::size_t size() const { return total_; }

    /// Calls f(edge, weight) for each edge of the elements [first, last).
    template <typename F>
    void for_each(std::size_t first, std::size_t last, F&& f) const
    {
        std::size_t before = 0;
        for (const Piece& piece : pieces_) {
            const std::size_t from = std::max(first, before);
            const std::size_t to = std::min(last, before + piece.edges.size());
            for (std::size_t i = from; i < to; ++i) {
                const BlockEdge edge = piece.edges[i - before];
                if (edge.packed == kNoEdge) continue;
                if constexpr (kWeighted)
                    f(edge, piece.weights[i - before]);
                else
                    f(edge, Unweighted{});
            }
            before += piece.edges.size();
        }
    }

private:
    std::vector<Piece> pieces_;
    std::size_t total_ = 0;
};

/// Sends each edge of all shares, undirected edges in both directions, to the rank whose block
/// contains it, with its weight unless Word is Unweighted. Self-loops are dropped. At most
/// `chunk_edges` edges of a share are in flight at a time. Word is Unweighted, std::uint32_t or
/// std::uint64_t. Collective over the grid's world.
template <typename Word>
BlockEdges<Word> exchange_edges(const comm::ProcessGrid& grid, const Partition& partition, const EdgeFeed& feed,
                                std::size_t chunk_edges);

}  // namespace wayfront
