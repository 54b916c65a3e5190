#include "plan/apsp/push_pull.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "plan/apsp/obstacles.hpp"

namespace wayfront::plan {

double end_degree(const DistributedGraph& graph)
{
    constexpr std::size_t serial_below = 1 << 14;
    const std::span<const std::uint32_t> degrees = graph.block.out_degrees.span();
    double edges = 1;
    double squares = 0;
#pragma omp parallel for reduction(+ : edges, squares) if (degrees.size() >= serial_below)
    for (std::size_t i = 0; i < degrees.size(); ++i) {
        const auto degree = static_cast<double>(degrees[i]);
        edges += degree;
        squares += degree * degree;
    }
    return std::max(1.0, squares / edges);
}

double list_sort_seconds(const ApspCase& asked)
{
    constexpr double of_search = 6;  // an arc of a list, in arcs of Dijkstra's algorithm
    const double arcs = asked.arcs() * (asked.graph.directed ? 2 : 1);
    return of_search * asked.rates.core.search_arc * arcs / asked.machine.threads_of_rank;
}

std::string push_pull_obstacle(const ApspWork& work)
{
    if (work.weights == WeightType::none)
        return fmt::format("{} has no weights; it is for graphs with weights", work.name);
    return negative_weights_obstacle(work);
}

}  // namespace wayfront::plan
