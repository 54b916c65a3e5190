#include "graph/reverse_edges.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/parallel.hpp"
#include "graph/block_lists.hpp"

namespace wayfront {

void reverse_edges(DistributedGraph& graph)
{
    CsrBlock& block = graph.block;
    if (block.symmetric) return;
    // All memory is allocated before anything changes.
    HostBuffer<std::uint32_t> first_neighbours = detail::first_neighbours(block.out_edges_stored, block.rows());
    HostBuffer<std::uint32_t> degrees(block.out_degrees.size());
    const CsrView later_out = block.in_edges.view();
    parallel_for(degrees.size(), 1 << 14, [&](std::size_t slot) {
        degrees[slot] = static_cast<std::uint32_t>(later_out.degree(static_cast<std::uint32_t>(slot)));
    });
    std::swap(block.in_edges, block.out_edges_stored);
    std::swap(block.in_weights, block.out_weights_stored);
    block.first_in_neighbour = std::move(first_neighbours);
    block.out_degrees = std::move(degrees);
}

}  // namespace wayfront
