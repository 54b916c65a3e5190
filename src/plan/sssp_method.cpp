#include "plan/sssp_method.hpp"

#include <array>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/method_name.hpp"

namespace wayfront::plan {

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

}  // namespace

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

SsspMethod sssp_method_named(const std::string& text)
{
    return method_in(kMethods, text);
}

std::string_view name_of(SsspMethod method)
{
    return name_in(kMethods, method);
}

}  // namespace wayfront::plan
