#include "plan/apsp/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/phase.hpp"

namespace wayfront::plan {

namespace {

// Times on one core of a server of 2024.
constexpr double kVertexSeconds = 6e-10;    // per source
constexpr double kArcSeconds = 1.5e-10;     // per source
constexpr double kRowVertexSeconds = 5e-9;  // per source and vertex, to write a row

/// Each rank eliminates the vertices of the whole graph.
double bytes_for_elimination(const ApspMachine& machine)
{
    constexpr double share = 0.5;
    return share * machine.bytes.value_or(1e300);
}

}  // namespace

std::string eliminate_for(ApspPlan& plan, const ApspWork& work, const DistributedGraph& graph, const algo::EliminationLimits& limits)
{
    if (work.negative_weights) return fmt::format("{} has negative weights, which only floyd-warshall allows", work.name);
    if (!plan.whole) return fmt::format("the weights of {} are floats, whose sums would be rounded in another order", work.name);
    if (plan.most_distance >= algo::Elimination::kFar)
        return fmt::format("distances of {} may be up to {:.0f}, but must be less than 2^31 - 1", work.name, plan.most_distance);
    const auto begin = Clock::now();
    std::optional<algo::Elimination> tree = algo::eliminate(graph, limits);
    plan.elimination_seconds = seconds_between(begin, Clock::now());
    if (!tree) return fmt::format("the elimination of the vertices of {} adds too many arcs", work.name);
    plan.elimination = std::make_shared<const algo::Elimination>(std::move(*tree));
    return "";
}

std::optional<algo::EliminationLimits> trial_limits(const ApspMachine& machine, const DistributedGraph& graph, double seconds)
{
    constexpr double most_degree = 8;  // planar graphs have less than six arcs a vertex
    constexpr double least = 0.5;
    constexpr double share = 0.3;
    constexpr double most = 300;
    if (seconds < least || static_cast<double>(graph.directed_edges) > most_degree * static_cast<double>(graph.connected_vertices))
        return std::nullopt;
    return algo::EliminationLimits{.work = std::min(share * seconds, most) / algo::kEliminationLinkSeconds, .bytes = bytes_for_elimination(machine)};
}

algo::EliminationLimits generous_limits(const ApspMachine& machine)
{
    constexpr double seconds = 600;
    return {.pairs_a_vertex = 1e9, .height = 1 << 16, .work = seconds / algo::kEliminationLinkSeconds, .bytes = bytes_for_elimination(machine)};
}

double elimination_seconds(const ApspPlan& plan, const ApspWork& work)
{
    constexpr double lanes = 16;
    const algo::Elimination& tree = *plan.elimination;
    const double of_vertex = kVertexSeconds + (work.rows ? kRowVertexSeconds : 0);
    const double of_source = of_vertex * static_cast<double>(tree.positions.size()) + kArcSeconds * static_cast<double>(tree.down.size());
    const double groups = std::ceil(static_cast<double>(work.sources) / lanes);
    return std::ceil(groups / plan.machine.threads) * lanes * of_source;
}

}  // namespace wayfront::plan
