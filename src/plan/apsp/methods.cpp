#include "plan/apsp/methods.hpp"

#include <array>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/method_name.hpp"

namespace wayfront::plan {

namespace {

using Name = MethodName<ApspMethod>;

constexpr std::array kMethods{
    Name{ApspMethod::automatic, "auto", "chosen by the weights, the size and the ranks; a note names the choice and its reason"},
    Name{ApspMethod::dijkstra, "dijkstra", "a search per source, for sparse graphs with weights"},
    Name{ApspMethod::elimination, "elimination",
         "vertices are eliminated once, then a pass over them gives the distances from a source; for road networks; whole weights"},
    Name{ApspMethod::block, "block", "on a GPU: a search per source, by a thread block with its distances in shared memory"},
    Name{ApspMethod::combined, "combined",
         "a search for each of some rows, from which the other rows follow; one rank holds the whole matrix; whole weights"},
    Name{ApspMethod::bit_parallel, "bit-parallel", "hundreds of breadth-first searches at once, for graphs without weights"},
    Name{ApspMethod::floyd_warshall, "floyd-warshall",
         "the whole matrix, whose tiles the ranks share, for dense graphs and negative weights; on a GPU, the only one with float64 distances"},
    Name{ApspMethod::floyd_warshall_steps, "floyd-warshall-steps", "on a GPU: blocked Floyd-Warshall in tiles of 32, three kernels a step"},
    Name{ApspMethod::floyd_warshall_tasks, "floyd-warshall-tasks", "on a GPU: the same in one kernel, whose blocks take tasks from a counter"},
    Name{ApspMethod::batched, "batched", "on a GPU: Bellman-Ford from --batch-sources at once, arcs read through shared memory"},
    Name{ApspMethod::batched_unshared, "batched-unshared", "on a GPU: the same without shared memory"},
    Name{ApspMethod::iterated, "iterated", "on a GPU: Bellman-Ford from one source after the other"},
};

}  // namespace

void ApspMethodOptions::check() const
{
    const bool on_gpu = engine.engine == Engine::gpu || needs_gpu(method);
    if (needs_gpu(method) && engine.engine == Engine::cpu)
        throw InputError(fmt::format("--engine cpu: --algorithm {} runs on a GPU alone", name_of(method)));
    if (gpu_memory_limit && !on_gpu) throw InputError("--gpu-memory-limit: requires --engine gpu");
    if (engine.transport != Transport::automatic && !on_gpu) throw InputError("--transport: requires --engine gpu");
    if (out_of_core && !on_gpu) throw InputError("--out-of-core: requires --engine gpu");
    if (out_of_core && method != ApspMethod::floyd_warshall && method != ApspMethod::automatic)
        throw InputError(fmt::format("--out-of-core is for --algorithm floyd-warshall, not for {}", name_of(method)));
}

std::string ApspMethodOptions::notes()
{
    return explained(kMethods, 20);
}

ApspMethod method_named(const std::string& text)
{
    return method_in(kMethods, text);
}

std::string_view name_of(ApspMethod method)
{
    return name_in(kMethods, method);
}

bool needs_gpu(ApspMethod method)
{
    return method == ApspMethod::block || method == ApspMethod::floyd_warshall_steps || method == ApspMethod::floyd_warshall_tasks ||
           method == ApspMethod::batched || method == ApspMethod::batched_unshared || method == ApspMethod::iterated;
}

bool is_floyd_warshall(ApspMethod method)
{
    return method == ApspMethod::floyd_warshall || method == ApspMethod::floyd_warshall_steps || method == ApspMethod::floyd_warshall_tasks;
}

}  // namespace wayfront::plan
