#include "gpu/sssp/copied_graph.hpp"

#include <cstddef>
#include <type_traits>
#include <variant>

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/search_choices.hpp"
#include "graph/large_diameter.hpp"
#include "graph/own_out_edges.hpp"

namespace wayfront::gpu::sssp {

namespace {

double sum_of_weights(const CsrBlock& block)
{
    return std::visit(
        [&block](const auto& list) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) {
                return static_cast<double>(block.in_edges.edges());
            } else {
                double sum = 0;
#pragma omp parallel for reduction(+ : sum)
                for (std::size_t i = 0; i < list.size(); ++i) sum += static_cast<double>(list[i]);
                return sum;
            }
        },
        block.in_weights);
}

/// The type of distances. In a graph without weights, distances are numbers of arcs.
WeightType distance_type(const CsrBlock& block)
{
    const WeightType type = weight_type(block.in_weights);
    return type == WeightType::none ? WeightType::uint32 : type;
}

}  // namespace

CopiedGraph copy_graph(const comm::Communicator& world, const DistributedGraph& graph, const SsspTuning& tuning)
{
    const double weight_sum = world.all_reduce(sum_of_weights(graph.block), comm::Reduction::sum);
    const OwnOutEdges out(world, graph);
    const Vertex vertices = graph.partition.vertex_count();
    const bool pulls = keeps_in_arcs(graph.directed_edges, vertices);
    // Near-far searches all graphs of small mean degree that can be divided, so their diameter is
    // not measured.
    const bool may_be_deep = world.size() == 1 && pulls && !tuning.near_far && !tuning.pull_from &&
                             dividing_pays(graph.directed_edges, tuning.expected_searches, kSavedSecondsOfLongPaths);
    return {ArcLists(graph, out, SearchChoices::directions(pulls, tuning), Stream()),
            {.type = distance_type(graph.block),
             .vertices = vertices,
             .connected_vertices = graph.connected_vertices,
             .weight_sum = weight_sum,
             .large_diameter = may_be_deep && has_large_diameter(graph.block.out_edges().view())}};
}

}  // namespace wayfront::gpu::sssp
