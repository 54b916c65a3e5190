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

/// Whether it is likely that elimination takes clearly less than `seconds`. It takes longer in meshes that are
/// wider than the sample of their shape.
bool is_promising(const ApspCase& asked, double seconds)
{
    constexpr double seconds_of_width = 0.24e-6;  // for each vertex; from grids of 4 to 100 rows
    constexpr double most_share = 0.6;
    const double expected = seconds_of_width * asked.shape.width * static_cast<double>(asked.graph.connected_vertices);
    return asked.shape.is_deep && expected < most_share * seconds;
}

/// The limits of a trial for work that takes `seconds` by another method: a share of them. No value if the graph has
/// too many arcs a vertex, or if the trial would hardly end within the limits: its cost would be lost.
std::optional<algo::EliminationLimits> trial_limits(const ApspCase& asked, double seconds)
{
    constexpr double long_work = 0.5;
    constexpr double most = 300;
    constexpr double most_degree = 8;  // planar graphs have less than six arcs a vertex
    constexpr double degree_of_roads = 3;
    constexpr double degree_of_trees = 2.1;
    const double degree = asked.arcs() / std::max(1.0, static_cast<double>(asked.graph.connected_vertices));
    const bool promising = is_promising(asked, seconds);
    const bool tree = degree < degree_of_trees;
    if (degree >= (promising || seconds >= long_work ? most_degree : degree_of_roads)) return std::nullopt;
    // A forest, or rings: almost no arcs are added, so that the trial ends soon, and the passes are short.
    constexpr double degree_of_forests = 2;
    if (degree <= degree_of_forests) {
        constexpr double most_work = 2;  // in units of the work of trees, see least_elimination_work()
        constexpr double forest_share = 0.8;
        const double least = algo::least_elimination_work(asked.graph);
        if (least * algo::kEliminationLinkSeconds > forest_share * std::min(seconds, most)) return std::nullopt;
        return algo::EliminationLimits{.work = most_work * least, .bytes = bytes_for_elimination(asked.machine)};
    }
    const double share = promising ? 0.45 : tree || asked.shape.is_deep ? 0.3 : 0.1;
    const double work = std::min(share * seconds, most) / algo::kEliminationLinkSeconds;
    // See least_elimination_work().
    const double expected_at_least = (tree ? 1 : 4) * algo::least_elimination_work(asked.graph);
    if (work < expected_at_least) return std::nullopt;
    return algo::EliminationLimits{.work = work, .bytes = bytes_for_elimination(asked.machine)};
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
