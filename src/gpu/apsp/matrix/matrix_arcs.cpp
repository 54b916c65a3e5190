#include "gpu/apsp/matrix/matrix_arcs.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "graph/block_weights.hpp"

namespace wayfront::gpu::apsp {

std::vector<MatrixArc> matrix_arcs(const DistributedGraph& graph)
{
    const CsrView out = graph.block.out_edges().view();
    const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
    std::vector<MatrixArc> arcs;
    arcs.reserve(out.begin(slots));
    const auto vertex_of = [&](std::uint32_t slot) { return static_cast<std::uint32_t>(graph.vertex_of_column[slot]); };
    std::visit(
        [&](const auto& weights) {
            using Weights = std::decay_t<decltype(weights)>;
            for (std::uint32_t slot = 0; slot < slots; ++slot)
                for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e) {
                    double weight = 1;
                    if constexpr (!std::is_same_v<Weights, std::monostate>) weight = static_cast<double>(weights[e]);
                    arcs.push_back({vertex_of(slot), vertex_of(out.neighbours[e]), weight});
                }
        },
        graph.block.out_weights());
    return arcs;
}

bool has_negative_weight(const DistributedGraph& graph)
{
    return std::visit(
        [](const auto& each) {
            if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::monostate>)
                return false;
            else
                return std::ranges::any_of(each.span(), [](auto weight) { return weight < 0; });
        },
        graph.block.out_weights());
}

}  // namespace wayfront::gpu::apsp
