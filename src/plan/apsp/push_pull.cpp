#include "plan/apsp/push_pull.hpp"

#include <fmt/format.h>

#include "graph/end_degree.hpp"
#include "plan/apsp/obstacles.hpp"

namespace wayfront::plan {

double end_degree(const DistributedGraph& graph)
{
    return sum_degrees(graph.block.out_degrees.span()).mean_at_ends();
}

double list_sort_seconds(const ApspCase& asked)
{
    const double arcs = asked.arcs() * (asked.graph.directed ? 2 : 1);
    return asked.rates.core.sort_arc * arcs / asked.machine.threads_of_rank;
}

std::string push_pull_obstacle(const ApspWork& work)
{
    if (work.weights == WeightType::none)
        return fmt::format("{} has no weights; it is for graphs with weights", work.name);
    return negative_weights_obstacle(work);
}

}  // namespace wayfront::plan
