// The exchange that sends every edge to the rank whose block contains it, in bounded memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/host_buffer.hpp"
#include "comm/process_grid.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"

namespace wayfront {

/// A directed edge inside a block: the row (target) is in the upper half, the column (source) in
/// the lower half, as Partition numbers them.
struct BlockEdge
{
    std::uint64_t packed = 0;

    [[nodiscard]] static constexpr BlockEdge make(RowLocal row, ColLocal col) { return {(static_cast<std::uint64_t>(row.value) << 32) | col.value}; }
    [[nodiscard]] constexpr std::uint32_t row() const { return static_cast<std::uint32_t>(packed >> 32); }
    [[nodiscard]] constexpr std::uint32_t col() const { return static_cast<std::uint32_t>(packed); }
};

/// The edges of one block in pieces, as they were received. Elements of a piece may be kNoEdge,
/// which is not an edge.
class BlockEdges
{
public:
    static constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};

    void add(HostBuffer<BlockEdge> piece)
    {
        total_ += piece.size();
        pieces_.push_back(std::move(piece));
    }
    /// The number of elements, including kNoEdge.
    [[nodiscard]] std::size_t size() const { return total_; }

    /// Calls f(edge) for each edge of the elements [first, last).
    template <typename F>
    void for_each(std::size_t first, std::size_t last, F&& f) const
    {
        std::size_t before = 0;
        for (const HostBuffer<BlockEdge>& piece : pieces_) {
            const std::size_t from = std::max(first, before);
            const std::size_t to = std::min(last, before + piece.size());
            for (std::size_t i = from; i < to; ++i)
                if (piece[i - before].packed != kNoEdge) f(piece[i - before]);
            before += piece.size();
        }
    }

private:
    std::vector<HostBuffer<BlockEdge>> pieces_;
    std::size_t total_ = 0;
};

/// Sends each edge of all shares, undirected ones both ways, to the rank whose block contains it.
/// Self-loops are dropped. At most `chunk_edges` edges of a share are in flight at a time.
/// Collective over the grid's world.
BlockEdges exchange_edges(const comm::ProcessGrid& grid, const Partition& partition, const EdgeFeed& feed, std::size_t chunk_edges);

}  // namespace wayfront
