// Kronecker edges by the numbers of their vertices before the scrambling (recursive numbers), and
// passes of kernels over all tuples of a graph.
//
// Construction uses recursive numbers as long as it can. This saves the scrambling, and keeps the
// frequently read entries of a table close together if recursive numbers index it: a bit of a
// recursive number is 0 with probability 0.76, so that the use of the table's 32-byte sectors
// differs by powers of 0.76 / 0.24. At scale 26, a fifth of the sectors take 97% of all reads and
// stay in the L2 cache. With scrambled numbers, each sector would mix eight random vertices, and
// about a quarter of the reads would go to memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/kron/kron_device.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::kron {

/// Whether the vertex with the number `recursive` belongs to `rank`.
__device__ inline bool is_dealt_to(const KronParameters& parameters, std::uint32_t recursive, std::uint32_t ranks,
                                   std::uint32_t rank)
{
    return ranks == 1 || kron_detail::scramble(parameters, recursive) % ranks == rank;
}

/// Calls f(number, stream of the tuple, in_range) so that the grid goes over the tuples 0 .. count -
/// 1, and the lanes of a warp have consecutive tuples. All threads of a warp make the same calls,
/// so that f may use collective operations of the warp; `in_range` is false in a call after the
/// last tuple. Pre: generator.stride is the number of threads of the grid; its blocks are
/// one-dimensional and consist of whole warps.
template <typename F>
__device__ void for_each_tuple_stream(const KronGenerator& generator, std::uint64_t count, F&& f)
{
    const std::uint64_t first = first_index();
    MrgState stream = kron_stream(generator.parameters, generator.power, first);
    for (std::uint64_t of_warp = first - lane_id(); of_warp < count; of_warp += generator.stride) {
        const std::uint64_t number = of_warp + lane_id();
        f(number, stream, number < count);
        stream = kron_detail::apply(generator.step, stream);
    }
}

/// Calls f(number, RecursivePair, in_range) as for_each_tuple_stream() does.
template <typename F>
__device__ void for_each_recursive_pair(const KronGenerator& generator, std::uint64_t count, F&& f)
{
    for_each_tuple_stream(generator, count, [&](std::uint64_t number, const MrgState& stream, bool in_range) {
        f(number, recursive_pair(generator.parameters.scale, stream), in_range);
    });
}

/// Calls f(number, RecursivePair, in_range, bits of the weight) as for_each_tuple_stream() does.
template <typename F>
__device__ void for_each_weighted_pair(const KronGenerator& generator, std::uint64_t count, F&& f)
{
    for_each_tuple_stream(generator, count, [&](std::uint64_t number, MrgState stream, bool in_range) {
        const RecursivePair pair = draw_pair(generator.parameters.scale, stream);
        f(number, pair, in_range, draw_weight_bits(stream));
    });
}

/// The tuples of a graph as an argument of kernels (gpu/construction/tuple_kernels.cuh). An end of
/// a tuple is a recursive number. It should be passed as `const __grid_constant__ KronTuples`.
struct KronTuples
{
    KronGenerator generator;
    std::uint64_t count;

    [[nodiscard]] __device__ bool is_dealt_to(std::uint32_t end, std::uint32_t ranks, std::uint32_t rank) const
    {
        return kron::is_dealt_to(generator.parameters, end, ranks, rank);
    }
    template <typename F>
    __device__ void for_each_pair(F&& f) const
    {
        for_each_recursive_pair(generator, count, f);
    }
    template <typename F>
    __device__ void for_each_weighted_pair(F&& f) const
    {
        kron::for_each_weighted_pair(generator, count, f);
    }
};

/// The mapping from recursive numbers to vertices.
struct KronEnds
{
    KronParameters parameters;

    [[nodiscard]] __device__ std::uint32_t vertex_of(std::uint32_t end) const
    {
        return kron_detail::scramble(parameters, end);
    }
};

/// All tuples of a graph, for kernels that go over them.
class TuplePass
{
public:
    using Tuples = KronTuples;
    static constexpr bool kDirected = false;
    static constexpr int kThreads = 256;

    /// Pre: parameters.scale <= 31, tuples >= 0. Waits for a small copy.
    TuplePass(const KronParameters& parameters, EdgeCount tuples, const Stream& stream)
        : parameters_(parameters), tuples_(static_cast<std::uint64_t>(tuples)), tables_(stream)
    {
        int device = 0;
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
    }

    /// Launches kernel(tuples, arguments...).
    template <typename Kernel, typename... Arguments>
    void launch(Kernel kernel, const Stream& stream, Arguments... arguments) const
    {
        if (tuples_ == 0) return;
        int resident = 0;  // number of blocks on each multiprocessor
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kThreads, 0));
        const std::uint64_t most = std::uint64_t{kWaves} * static_cast<std::uint64_t>(std::max(resident, 1)) *
                                   static_cast<std::uint64_t>(multiprocessors_);
        const std::uint64_t blocks = std::min(most, (tuples_ + kThreads - 1) / kThreads);
        kernel<<<static_cast<unsigned>(blocks), kThreads, 0, stream.get()>>>(
            KronTuples{tables_.generator(parameters_, blocks * kThreads), tuples_}, arguments...);
        check_launch();
    }

    [[nodiscard]] const KronParameters& parameters() const { return parameters_; }
    [[nodiscard]] std::uint64_t tuples() const { return tuples_; }
    [[nodiscard]] std::uint64_t vertices() const { return std::uint64_t{1} << parameters_.scale; }
    [[nodiscard]] static bool directed() { return false; }
    [[nodiscard]] KronEnds ends() const { return {parameters_}; }

private:
    // Number of launched blocks per resident block. Several blocks level out different waits for
    // memory.
    static constexpr int kWaves = 4;

    KronParameters parameters_;
    std::uint64_t tuples_;
    KronTables tables_;
    int multiprocessors_ = 1;
};

}  // namespace wayfront::gpu::kron
