#include "plan/sssp_method.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/seconds_in_words.hpp"

namespace wayfront::plan {

namespace {

using algo::SsspMethod;

// A new method is a row of this table, and the function that makes its search.
constexpr std::array kMethods{
    SsspTraits{.method = SsspMethod::automatic,
               .name = "auto",
               .help = "chosen by the weights, the graph and the ranks; the output names the choice and its reason",
               .on_cores = true,
               .on_gpus = true,
               .windows = true},
    SsspTraits{.method = SsspMethod::dijkstra,
               .name = "dijkstra",
               .help = "one rank and thread, for paths, rings and graphs of a few hundred edges",
               .on_cores = true,
               .one_rank = true,
               .seconds = dijkstra_seconds,
               .seconds_by_shape = dijkstra_seconds},
    SsspTraits{.method = SsspMethod::delta_stepping,
               .name = "delta-stepping",
               .help = "windows of distances, --delta wide, for road networks and meshes",
               .on_cores = true,
               .windows = true,
               .seconds = delta_stepping_seconds,
               .seconds_by_shape = delta_stepping_seconds},
    SsspTraits{.method = SsspMethod::bellman_ford,
               .name = "bellman-ford",
               .help = "all changed vertices in every round, for negative weights and small components",
               .on_cores = true,
               .negative_weights = true,
               .seconds_by_shape = bellman_ford_seconds},
    SsspTraits{.method = SsspMethod::push_pull,
               .name = "push-pull",
               .help = "lists by weight, pushed, then pulled, for social and Kronecker graphs",
               .on_cores = true,
               .on_gpus = true,
               .windows = true,
               .list_order = ListOrder::weights,
               .seconds = push_pull_seconds,
               .seconds_by_shape = push_pull_seconds},
    SsspTraits{.method = SsspMethod::near_far,
               .name = "near-far",
               .help = "on a GPU: windows of distances, in which each block of threads searches a part of the graph, "
                       "for road networks",
               .on_gpus = true,
               .one_rank = true,
               .windows = true,
               .list_order = ListOrder::weights},
    SsspTraits{.method = SsspMethod::conventional,
               .name = "conventional",
               .help = "on a GPU: phases over all vertices, in which the updated ones relax their edges",
               .on_gpus = true,
               .one_rank = true,
               .of_paper = true},
    SsspTraits{.method = SsspMethod::selection,
               .name = "selection",
               .help = "on a GPU: phases over the updated vertices, which are listed",
               .on_gpus = true,
               .one_rank = true,
               .of_paper = true},
    SsspTraits{.method = SsspMethod::adaptive,
               .name = "adaptive",
               .help = "on a GPU: changes between these two by the time of a phase (--phase-times), for road networks",
               .on_gpus = true,
               .one_rank = true,
               .phase_times = true,
               .of_paper = true},
    SsspTraits{.method = SsspMethod::fixed_order,
               .name = "fixed-order",
               .help = "on a GPU: Bellman-Ford on a dense matrix, for dense graphs of some 10000 vertices; negative "
                       "weights are allowed",
               .on_gpus = true,
               .one_rank = true,
               .negative_weights = true,
               .whole_64_bits = true,
               .of_paper = true,
               .in_64_bits = SsspMethod::bellman_ford},
};

constexpr bool is_ordered()
{
    for (std::size_t i = 0; i < kMethods.size(); ++i)
        if (static_cast<std::size_t>(kMethods[i].method) != i) return false;
    return true;
}
static_assert(is_ordered(), "each method has the row of its number");

/// The names of the methods that the condition selects.
template <typename Condition>
std::string names_of(std::string_view separator, Condition&& condition)
{
    std::string names;
    for (const SsspTraits& each : kMethods)
        if (condition(each)) names += fmt::format("{}{}", names.empty() ? "" : separator, each.name);
    return names;
}

using MethodTimes = std::vector<std::pair<double, const SsspTraits*>>;

/// The methods that can search the graph, by ascending seconds_of(method), which has no value if a method is left out.
template <typename Seconds>
MethodTimes ascending_times(const SsspCase& graph, Seconds&& seconds_of)
{
    MethodTimes times;
    for (const SsspTraits& method : kMethods) {
        // An option that sets the width of windows leaves only methods with windows.
        const bool is_possible = !(method.one_rank && graph.ranks > 1) && !(graph.windows && !method.windows);
        const std::optional<double> seconds = is_possible ? seconds_of(method) : std::nullopt;
        if (seconds) times.emplace_back(*seconds, &method);
    }
    std::ranges::stable_sort(times, {}, &MethodTimes::value_type::first);
    return times;
}

SsspChoice first_of(const MethodTimes& times)
{
    SsspChoice choice{.method = times.front().second->method, .reason = "it is the fastest on a core"};
    constexpr double far = 100;  // methods that take more than this multiple of the least time are not named
    const char* separator = ": ";
    for (const auto& [seconds, method] : std::span(times).subspan(1)) {
        if (seconds > far * times.front().first) break;
        choice.reason += fmt::format("{}{} would take {}", separator, method->name, seconds_in_words(seconds));
        separator = ", ";
    }
    return choice;
}

}  // namespace

const SsspTraits& traits_of(SsspMethod method)
{
    return kMethods.at(static_cast<std::size_t>(method));
}

SsspChoice fastest_sssp_method(const CoreRates& rates, const SsspCase& graph)
{
    return first_of(ascending_times(graph, [&](const SsspTraits& method) -> std::optional<double> {
        if (method.seconds == nullptr) return std::nullopt;
        return method.seconds(rates, graph);
    }));
}

SsspChoice fastest_sssp_method(const CoreRates& rates, const SsspCase& graph, const SearchShape& shape, ListOrder lists)
{
    constexpr double close = 2.5;  // times the least
    SearchShape searched = shape;
    if (graph.nearest) searched.reached = 1;
    const MethodTimes times = ascending_times(graph, [&](const SsspTraits& method) -> std::optional<double> {
        const bool reads_lists = method.list_order == ListOrder::neighbours || method.list_order == lists;
        if (method.seconds_by_shape == nullptr || !reads_lists) return std::nullopt;
        return method.seconds_by_shape(rates, searched);
    });
    SsspChoice choice = first_of(times);
    for (const auto& [seconds, method] : std::span(times).subspan(1))
        if (seconds < close * times.front().first) choice.rivals.push_back(method->method);
    return choice;
}

std::string weights_obstacle(const SsspTraits& method, const std::string& graph, WeightType type, bool negative)
{
    if (negative && !(method.on_gpus && method.negative_weights)) return fmt::format("{} has negative weights", graph);
    const bool narrow = type == WeightType::uint32 || type == WeightType::float32;
    if (!narrow && !(method.whole_64_bits && type == WeightType::int64))
        return fmt::format("the weights of {} have 64 bits", graph);
    return "";
}

std::string methods_for_negative_weights()
{
    return names_of(" and ", [](const SsspTraits& each) { return each.negative_weights; });
}

std::string SsspMethodOptions::notes()
{
    std::string text = "Algorithms:\n";
    bool of_paper = false;
    for (const SsspTraits& each : kMethods) {
        if (each.of_paper && !of_paper) text += "Algorithms of papers, which auto never chooses:\n";
        of_paper = each.of_paper;
        text += fmt::format("  {:<16} {}\n", each.name, each.help);
    }
    return text;
}

void SsspMethodOptions::check() const
{
    engine.check();
    if (traits().needs_gpu() && engine.engine == Engine::cpu)
        throw InputError(fmt::format("--engine cpu: --algorithm {} runs on a GPU alone", traits().name));
    if (phase_times && !traits().phase_times)
        throw InputError(fmt::format("--phase-times is for --algorithm {}",
                                     names_of(", ", [](const SsspTraits& each) { return each.phase_times; })));
    if (delta && !traits().windows)
        throw InputError(fmt::format("--delta: --algorithm {} has no windows", traits().name));
}

std::vector<std::string> sssp_method_names()
{
    std::vector<std::string> names;
    names.reserve(kMethods.size());
    for (const SsspTraits& each : kMethods) names.emplace_back(each.name);
    return names;
}

SsspMethod sssp_method_named(const std::string& text)
{
    const auto* const found = std::ranges::find(kMethods, text, &SsspTraits::name);
    if (found != kMethods.end()) return found->method;
    const std::string names = names_of(", ", [](const SsspTraits&) { return true; });
    throw InputError(fmt::format("--algorithm: expected one of {}, found '{}'", names, text));
}

}  // namespace wayfront::plan
