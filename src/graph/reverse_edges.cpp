#include "graph/reverse_edges.hpp"

#include <cstdint>
#include <utility>

#include "graph/block_lists.hpp"

namespace wayfront {

void reverse_edges(DistributedGraph& graph)
{
    CsrBlock& block = graph.block;
    if (block.symmetric) return;
    std::swap(block.in_edges, block.out_edges_stored);
    std::swap(block.in_weights, block.out_weights_stored);
    block.first_in_neighbour = detail::first_neighbours(block.in_edges, block.cols());
    const CsrView out = block.out_edges().view();
    for (std::uint32_t slot = 0; slot < block.slot_stride; ++slot)
        block.out_degrees[slot] = static_cast<std::uint32_t>(out.end(slot) - out.begin(slot));
}

}  // namespace wayfront
