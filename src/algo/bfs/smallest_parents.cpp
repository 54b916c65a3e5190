#include "algo/bfs/smallest_parents.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

constexpr std::int32_t kNoLevel = -1;
constexpr std::int64_t kNoParent = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kChunk = 256;  // vertices that a thread takes at a time

/// The levels of this rank's slots; kNoLevel for slots without a vertex.
HostBuffer<std::int32_t> levels_by_slot(const DistributedGraph& graph, std::span<const std::int32_t> levels)
{
    HostBuffer<std::int32_t> of_slot(graph.block.slot_stride, kNoLevel);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const std::uint32_t slot = graph.slot_of_local[i];
        if (slot != graph.block.slot_stride) of_slot[slot] = levels[i];
    }
    return of_slot;
}

/// For each row of one chunk the smallest parent in this block; kNoParent if the block has none.
void smallest_in_block(const DistributedGraph& graph, std::uint32_t first_row, std::span<const std::int32_t> row_levels,
                       std::span<const std::int32_t> col_levels, std::span<std::int64_t> smallest)
{
    const CsrView edges = graph.block.in_edges.view();
    graph.vertex_of_column.visit([&](auto vertices) {
        const auto choose = [&](std::size_t i) {
            smallest[i] = kNoParent;
            if (row_levels[i] <= 0) return;
            const std::uint32_t row = first_row + static_cast<std::uint32_t>(i);
            for (std::uint64_t e = edges.begin(row); e < edges.end(row); ++e) {
                const std::uint32_t col = edges.neighbours[e];
                if (col_levels[col] == row_levels[i] - 1)
                    smallest[i] = std::min(smallest[i], static_cast<std::int64_t>(vertices[col]));
            }
        };
        parallel_items(smallest.size(), choose, kChunk);
    });
}

}  // namespace

VertexArray smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                             std::span<const std::int32_t> levels, PhaseLog* log)
{
    const CsrBlock& block = graph.block;
    const HostBuffer<std::int32_t> own_levels = levels_by_slot(graph, levels);
    HostBuffer<std::int32_t> col_levels(block.cols());
    {
        const Phase phase(log, "all-gather");
        grid.column().all_gather(own_levels.span(), col_levels.span());
    }

    // The chunks of the grid row in turn: the owner sends the row its levels, and the row sends the
    // owner its smallest parents.
    HostBuffer<std::int32_t> row_levels(block.slot_stride);
    HostBuffer<std::int64_t> smallest(block.slot_stride);
    HostBuffer<std::int64_t> own_smallest(block.slot_stride);
    for (std::uint32_t chunk = 0; chunk < block.row_chunks; ++chunk) {
        const bool own = chunk == block.own_row_chunk;
        if (own) std::ranges::copy(own_levels, row_levels.begin());
        {
            const Phase phase(log, "broadcast");
            grid.row().broadcast(row_levels.span(), static_cast<int>(chunk));
        }
        smallest_in_block(graph, chunk * block.slot_stride, row_levels.span(), col_levels.span(), smallest.span());
        {
            const Phase phase(log, "reduce");
            grid.row().reduce(smallest.span(), comm::Reduction::min, static_cast<int>(chunk));
        }
        if (own) std::swap(smallest, own_smallest);
    }

    VertexArray parents(levels.size(), graph.partition.vertex_count());
    for (std::uint32_t i = 0; i < graph.local_count(); ++i) {
        if (levels[i] > 0)
            parents.set(i, own_smallest[graph.slot_of_local[i]]);
        else
            parents.set(i, levels[i] == 0 ? graph.partition.vertex(graph.rank, i) : kUnreached);
    }
    return parents;
}

}  // namespace wayfront::algo
