#include "plan/apsp/elimination.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "algo/apsp/elimination.hpp"
#include "base/phase.hpp"
#include "plan/apsp/obstacles.hpp"

namespace wayfront::plan {

namespace {

/// Each rank eliminates the vertices of the whole graph.
double bytes_for_elimination(const ApspMachine& machine)
{
    constexpr double share = 0.5;
    return share * machine.bytes.value_or(1e300);
}

/// The limits of a trial for work that takes `seconds` by another method: a share of them. No value if
/// the graph has too many arcs a vertex, or if a trial would take longer than the work. Short work is
/// tried only for graphs that are nearly trees, or roads, whose trials are short, too.
std::optional<algo::EliminationLimits> trial_limits(const ApspCase& asked, double seconds)
{
    constexpr double long_work = 0.5;
    constexpr double most = 300;
    const bool is_long = seconds >= long_work;
    const double least = is_long ? long_work : 1e-3;
    const double most_degree = is_long ? 8 : 3;  // planar graphs have less than six arcs a vertex
    const double share = is_long ? 0.3 : 0.1;
    if (seconds < least || asked.arcs() >= most_degree * static_cast<double>(asked.graph.connected_vertices))
        return std::nullopt;
    return algo::EliminationLimits{.work = std::min(share * seconds, most) / algo::kEliminationLinkSeconds,
                                   .bytes = bytes_for_elimination(asked.machine)};
}

algo::EliminationLimits generous_limits(const ApspMachine& machine)
{
    constexpr double seconds = 600;
    return {.pairs_a_vertex = 1e9,
            .height = 1 << 16,
            .work = seconds / algo::kEliminationLinkSeconds,
            .bytes = bytes_for_elimination(machine)};
}

}  // namespace

std::string try_elimination(ApspCase& asked, std::optional<double> seconds)
{
    if (asked.elimination != nullptr) return "";
    const ApspWork& work = asked.work;
    for (std::string obstacle : {negative_weights_obstacle(work), floats_obstacle(asked)})
        if (!obstacle.empty()) return obstacle;
    if (asked.distances.most_distance >= algo::Elimination::kFar)
        return fmt::format("distances of {} may be up to {:.0f}, but must be less than 2^31 - 1", work.name,
                           asked.distances.most_distance);
    const std::optional<algo::EliminationLimits> limits =
        seconds ? trial_limits(asked, *seconds) : generous_limits(asked.machine);
    if (!limits) return "it is not tried: another method is fast, or the graph has too many arcs a vertex";
    const auto begin = Clock::now();
    std::optional<algo::Elimination> tree = algo::eliminate(asked.graph, *limits);
    asked.elimination_seconds = seconds_between(begin, Clock::now());
    if (!tree) return fmt::format("the elimination of the vertices of {} adds too many arcs", work.name);
    asked.elimination = std::make_shared<const algo::Elimination>(std::move(*tree));
    return "";
}

}  // namespace wayfront::plan
