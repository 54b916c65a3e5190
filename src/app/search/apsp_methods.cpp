#include "app/search/apsp_methods.hpp"

#include <array>

#include <fmt/format.h>

#include "app/cli/method_name.hpp"
#include "base/error.hpp"

namespace wayfront::app {

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

void ApspMethodOptions::add_to(OptionGroup& group)
{
    group.parsed("algorithm", "NAME", "auto, or another of the algorithms that are explained below [auto]",
                 [this](const std::string& text) { method = method_named(text); });
    group.parsed(
        "engine", "auto|cpu|gpu",
        "processors that compute; auto: GPUs if the algorithm is for GPUs, or if it is auto, too, and they are expected to be faster than the "
        "CPU; gpu: one for each rank [auto]",
        [this](const std::string& text) {
            engine.engine = parse_engine(text);
            if (engine.engine == Engine::split) throw InputError("--engine: expected auto, cpu or gpu, found 'split'");
        });
    group.parsed("dtype", "TYPE",
                 "type of the distances: auto, uint16, int32, float32 or float64; auto: the smallest of uint16, int32 and float64 that surely holds "
                 "all whole-number distances, float32 if weights are floats [auto]",
                 [this](const std::string& text) {
                     type = algo::distance_type_named(text);
                     if (!type && text != "auto")
                         throw InputError(fmt::format("--dtype: expected auto, uint16, int32, float32 or float64, found '{}'", text));
                 });
}

void ApspMethodOptions::add_advanced_to(OptionGroup& group)
{
    group.parsed("batch-sources", "P", fmt::format("sources that batched methods search at once, a multiple of 32 [{}]", batch_sources),
                 [this](const std::string& text) {
                     constexpr std::int64_t most = 1024;
                     const std::int64_t given = parse_whole("batch-sources", text, 32, most);
                     if (given % 32 != 0) throw InputError(fmt::format("--batch-sources: expected a multiple of 32, found '{}'", text));
                     batch_sources = static_cast<std::uint32_t>(given);
                 });
    group.parsed(
        "transport", "auto|p2p|nccl|mpi",
        "floyd-warshall on the GPUs of several ranks: how parts of the matrix go from rank to rank: p2p: copied from GPU to GPU of one host; "
        "nccl: over NCCL; mpi: through the hosts; auto: the first of these that is possible [auto]",
        [this](const std::string& text) {
            engine.transport = parse_transport(text);
            if (engine.transport == Transport::host) throw InputError("--transport: expected auto, p2p, nccl or mpi, found 'host'");
        });
    group.flag(
        "out-of-core", out_of_core,
        "floyd-warshall with the matrix in host memory, which the GPU reads and writes in every step; the default if GPU memory does not suffice");
    group.parsed("gpu-memory-limit", "GIB", "GPU memory that each rank may use, in GiB [the free memory]", [this](const std::string& text) {
        constexpr double gib = 1 << 30;
        gpu_memory_limit = parse_positive_real("gpu-memory-limit", text) * gib;
    });
}

void ApspMethodOptions::check() const
{
    const bool on_gpu = engine.engine == Engine::gpu || needs_gpu(method);
    if (needs_gpu(method) && engine.engine == Engine::cpu)
        throw InputError(fmt::format("--engine cpu: --algorithm {} runs on a GPU alone", name_of(method)));
    if (gpu_memory_limit && !on_gpu) throw InputError("--gpu-memory-limit: requires --engine gpu");
    if (engine.transport && !on_gpu) throw InputError("--transport: requires --engine gpu");
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

}  // namespace wayfront::app
