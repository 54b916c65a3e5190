#include "gpu/apsp/matrix/matrix_arcs.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "base/parallel.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Smallest number of arcs that several threads read.
constexpr std::size_t kArcsOfThreads = 1 << 16;

/// Calls f(weights), where weights(e) is the weight of arc e of the block of the matrix.
template <typename F>
void visit_out_weights(const DistributedGraph& graph, F&& f)
{
    std::visit(
        [&f](const auto& weights) {
            if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
                f([](std::uint64_t) { return 1.0; });
            else
                f([&weights](std::uint64_t e) { return static_cast<double>(weights[e]); });
        },
        graph.block.out_weights());
}

}  // namespace

HostBuffer<MatrixArc> matrix_arcs(const DistributedGraph& graph)
{
    const CsrView out = graph.block.out_edges().view();
    const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
    HostBuffer<MatrixArc> arcs(out.begin(slots));
    const auto vertex_of = [&](std::uint32_t slot) { return static_cast<std::uint32_t>(graph.vertex_of_column[slot]); };
    visit_out_weights(graph, [&](const auto& weights) {
        constexpr std::size_t lists_at_once = 64;
        parallel_items(
            slots,
            [&](std::size_t list) {
                const auto slot = static_cast<std::uint32_t>(list);
                for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e)
                    arcs[e] = {vertex_of(slot), vertex_of(out.neighbours[e]), weights(e)};
            },
            lists_at_once, arcs.size() < kArcsOfThreads ? 1 : thread_count());
    });
    return arcs;
}

bool has_negative_weight(const DistributedGraph& graph)
{
    bool found = false;
    visit_out_weights(graph, [&](const auto& weights) {
        const std::uint64_t edges = graph.block.out_edges().edges();
#pragma omp parallel for reduction(|| : found) if (edges >= kArcsOfThreads)
        for (std::uint64_t e = 0; e < edges; ++e) found = found || weights(e) < 0;
    });
    return found;
}

}  // namespace wayfront::gpu::apsp
