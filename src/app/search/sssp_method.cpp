#include "app/search/sssp_method.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/cli/method_name.hpp"
#include "base/error.hpp"

namespace wayfront::app {

namespace {

using algo::SsspMethod;

using Name = MethodName<SsspMethod>;

constexpr std::array kMethods{
    Name{SsspMethod::automatic, "auto", "chosen by the weights, the graph and the ranks; the output names the choice and its reason"},
    Name{SsspMethod::dijkstra, "dijkstra", "one rank and thread, for graphs of a few hundred edges"},
    Name{SsspMethod::delta_stepping, "delta-stepping", "windows of distances, --delta wide, for road networks and meshes"},
    Name{SsspMethod::bellman_ford, "bellman-ford", "all changed vertices in every round, for negative weights"},
    Name{SsspMethod::push_pull, "push-pull", "lists by weight, pushed, then pulled, for social and Kronecker graphs"},
    Name{SsspMethod::near_far, "near-far",
         "on a GPU: windows of distances, in which each block of threads searches a part of the graph, for road networks"},
    Name{SsspMethod::conventional, "conventional", "on a GPU: phases over all vertices, in which the updated ones relax their edges"},
    Name{SsspMethod::selection, "selection", "on a GPU: phases over the updated vertices, which are listed"},
    Name{SsspMethod::adaptive, "adaptive", "on a GPU: changes between these two by the time of a phase (--phase-times), for road networks"},
    Name{SsspMethod::fixed_order, "fixed-order",
         "on a GPU: Bellman-Ford on a dense matrix, for dense graphs of some 10000 vertices; negative weights are allowed"},
};

algo::PhaseTimes parse_phase_times(const std::string& text)
{
    const std::size_t comma = text.find(',');
    if (std::ranges::count(text, ',') != 1)
        throw InputError(fmt::format("--phase-times: expected two times in microseconds as UP,DOWN, found '{}'", text));
    constexpr double microsecond = 1e-6;
    return {parse_real_from_zero("phase-times", text.substr(0, comma)) * microsecond,
            parse_real_from_zero("phase-times", text.substr(comma + 1)) * microsecond};
}

}  // namespace

void SsspMethodOptions::add_to(OptionGroup& group)
{
    group.parsed("algorithm", "NAME", "auto, or another of the algorithms that are explained below [auto]",
                 [this](const std::string& text) { method = method_in(kMethods, text); });
    group.parsed("delta", "D", "width of the windows of delta-stepping, push-pull and near-far, in units of the weights [chosen from the weights]",
                 [this](const std::string& text) { delta = parse_positive_real("delta", text); });
    group.parsed(
        "phase-times", "UP,DOWN",
        "thresholds of adaptive, in microseconds, for the mean time of the last two phases: if it exceeds UP, the next phase goes over all vertices; "
        "if it is below DOWN, over the updated ones [measured at the start]",
        [this](const std::string& text) { phase_times = parse_phase_times(text); });
}

void SsspMethodOptions::add_engine_to(OptionGroup& group)
{
    group.parsed("engine", "auto|cpu|gpu",
                 fmt::format("processors that search; gpu: one GPU per rank; auto: GPUs, if each rank has one of its own on the same host, for "
                             "graphs of {} edges per vertex and (with one rank) {} edges and more, else the CPU [auto]",
                             kGpuFromDegree, kGpuFromEdges),
                 [this](const std::string& text) {
                     engine.engine = parse_engine(text);
                     if (engine.engine == Engine::split) throw InputError("--engine: expected auto, cpu or gpu, found 'split'");
                 });
}

std::string SsspMethodOptions::notes()
{
    return explained(kMethods, 16);
}

void SsspMethodOptions::check() const
{
    if (algo::needs_gpu(method) && engine.engine == Engine::cpu)
        throw InputError(fmt::format("--engine cpu: --algorithm {} runs on a GPU alone", name_of(method)));
    if (phase_times && method != SsspMethod::adaptive) throw InputError("--phase-times is for --algorithm adaptive");
    const bool has_windows =
        method != SsspMethod::dijkstra && method != SsspMethod::bellman_ford && (method == SsspMethod::near_far || !algo::needs_gpu(method));
    if (delta && !has_windows) throw InputError(fmt::format("--delta: --algorithm {} has no windows", name_of(method)));
}

std::string_view name_of(SsspMethod method)
{
    return name_in(kMethods, method);
}

}  // namespace wayfront::app
