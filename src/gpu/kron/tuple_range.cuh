// A range of tuples, and the loop of validation kernels over it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/host_device.hpp"
#include "base/types.hpp"
#include "gpu/kron/kron_device.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::kron {

/// A range of tuples, and the number of tuples in a thread's run.
struct TupleRange
{
    std::uint64_t first;
    std::uint64_t count;
    std::uint32_t run;

    [[nodiscard]] WAYFRONT_HD std::uint64_t runs() const { return (count + run - 1) / run; }
};

/// The tuples that a rank checks, which its kernels generate.
struct TupleShare
{
    KronGenerator generator;
    TupleRange range;
};

/// The tuples that rank `rank` checks, divided into runs. If there are many tuples, runs are long,
/// so that there are few skips. Otherwise there are enough runs to occupy a GPU.
inline TupleRange share_of(EdgeCount tuples, int ranks, int rank)
{
    constexpr std::uint64_t busy_threads = kMultiprocessors * 2048;
    constexpr std::uint64_t longest_run = 256;  // a skip to the first tuple of a run this long takes 1% of the work
    constexpr std::uint64_t shortest_run = 16;
    const auto total = static_cast<std::uint64_t>(tuples);
    const auto p = static_cast<std::uint64_t>(ranks);
    const auto r = static_cast<std::uint64_t>(rank);
    const std::uint64_t first = total / p * r + std::min(r, total % p);
    const std::uint64_t count = total / p + (r < total % p ? 1 : 0);
    return {first, count, static_cast<std::uint32_t>(std::clamp(count / busy_threads, shortest_run, longest_run))};
}

/// Calls f(first tuple, count) for the thread's runs. Pre: the kernel has at most one thread for
/// each run.
template <typename F>
__device__ void for_each_run(const TupleRange& tuples, F&& f)
{
    for (std::uint64_t run = first_index(); run < tuples.runs(); run += index_stride()) {
        const std::uint64_t begin = run * tuples.run;
        const std::uint64_t rest = tuples.count - begin;
        f(tuples.first + begin, rest < tuples.run ? rest : tuples.run);
    }
}

}  // namespace wayfront::gpu::kron
