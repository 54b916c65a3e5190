// Generates Graph500's Kronecker edges in kernels: the tuples of graph/generators/kron.hpp, bit for
// bit, up to scale 32.
//
// A thread generates a run of edges. It skips to the stream of its first edge (a 5 x 5
// matrix-vector product for each set bit of the edge's number), and multiplies by a fixed matrix to
// get from one edge of the run to the next. In runs of 64 edges or more, the skip is cheap. An edge
// costs about 25 instructions per level, and about 200 instructions more.
//
// All levels are drawn without branches. The two off-diagonal squares are distinguished even while
// source and target are equal, which is corrected at the end. An edge with a rejected draw (one
// edge in 20,000) is generated again, level by level.
//
// The functions that generate one edge also run on the host, so that tests without a GPU can
// compare them with KronSource.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/host_device.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "graph/generators/kron.hpp"
#include "graph/generators/mrg.hpp"

namespace wayfront::gpu::kron {

/// The generator as an argument of kernels. It should be passed as `const __grid_constant__
/// KronGenerator`, so that kernels read `step` from the constant bank.
struct KronGenerator
{
    KronParameters parameters;
    std::uint64_t stride;    // distance between two edges of a run
    MrgMatrix step;          // leads from the stream of an edge to that of the edge `stride` later
    const MrgMatrix* power;  // mrg_powers(), in device memory
};

struct KronTablesPlan : MemoryPlan
{
    KronTablesPlan() : power(array<MrgMatrix>("powers of the generator", std::extent_v<decltype(MrgPowers::power)>)) {}

    PlannedArray<MrgMatrix> power;
};

/// Owns the device memory of a KronGenerator: 19,200 bytes.
class KronTables
{
public:
    /// Copies the powers to the device, and waits for the copy.
    explicit KronTables(const Stream& stream) : power_(KronTablesPlan().power)
    {
        copy_async(std::span<const MrgMatrix>(mrg_powers().power), power_.span(), stream);
        stream.synchronize();
    }

    /// With `stride` 1, a thread generates consecutive edges. With `stride` 32, a warp generates 32
    /// consecutive edges at a time if lane k starts at edge first + k. The generator is valid while
    /// the tables exist. Pre: scale <= 32.
    [[nodiscard]] KronGenerator generator(const KronParameters& parameters, std::uint64_t stride = 1) const
    {
        return {parameters, stride, mrg_stream_step(stride), power_.data()};
    }

private:
    DeviceBuffer<MrgMatrix> power_;
};

/// An edge of a graph of at most 2^32 vertices, as the input numbers them.
struct KronPair
{
    std::uint32_t source;
    std::uint32_t target;
};

namespace kron_detail {

WAYFRONT_HD inline std::uint32_t reverse_bits(std::uint32_t v)
{
#ifdef __CUDA_ARCH__
    return __brev(v);
#else
    return static_cast<std::uint32_t>(kron_reverse_bits(v) >> 32);
#endif
}

/// x mod 2^31 - 1. Pre: the sum of the two 31-bit digits of x is less than 2 (2^31 - 1). The upper
/// digit may be 2^31.
WAYFRONT_HD inline std::uint32_t reduce_once(std::uint64_t x)
{
    const std::uint32_t folded = (static_cast<std::uint32_t>(x) & kMrgModulus) + static_cast<std::uint32_t>(x >> 31);
    // If `folded` is smaller than the modulus, the difference wraps to a value larger than
    // `folded`.
    const std::uint32_t less = folded - kMrgModulus;
    return less < folded ? less : folded;
}

/// mrg_next() with cheaper arithmetic: the sum is below 2^58.
WAYFRONT_HD inline std::uint32_t draw(MrgState& stream)
{
    const std::uint32_t value =
        reduce_once(std::uint64_t{kMrgFactor1} * stream.z[0] + std::uint64_t{kMrgFactor5} * stream.z[4]);
    stream.z[4] = stream.z[3];
    stream.z[3] = stream.z[2];
    stream.z[2] = stream.z[1];
    stream.z[1] = stream.z[0];
    stream.z[0] = value;
    return value;
}

/// mrg_apply() with cheaper arithmetic.
WAYFRONT_HD inline MrgState apply(const MrgMatrix& matrix, const MrgState& stream)
{
    MrgState result;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int row = 0; row < 5; ++row) {
        const std::uint32_t* a = matrix.a[row];
        // Let m = 2^31 - 2 be the largest element: 4 m^2 = 2^64 - 2^35 + 16 fits 64 bits. After one
        // folding and the addition of the fifth product, the sum is at most 2^62 + 2^31 - 13, so
        // that the sum of its digits is at most 2^32 - 13.
        const std::uint64_t sum = std::uint64_t{a[0]} * stream.z[0] + std::uint64_t{a[1]} * stream.z[1] +
                                  std::uint64_t{a[2]} * stream.z[2] + std::uint64_t{a[3]} * stream.z[3];
        result.z[row] = reduce_once((sum & kMrgModulus) + (sum >> 31) + std::uint64_t{a[4]} * stream.z[4]);
    }
    return result;
}

/// The quotient t / 10000, multiplied by 2^32.
WAYFRONT_HD constexpr std::uint32_t limit(std::uint64_t t)
{
    return static_cast<std::uint32_t>((t << 32) / 10000);
}

/// The chosen squares, as bits of the unscrambled vertices, and the lowest draw.
struct Squares
{
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    std::uint32_t lowest_draw = kMrgModulus;

    /// Adds the square that `drawn` picks by t = drawn mod 10000: 1 (target) below 1900, 2 (source)
    /// below 3800, 0 below 9500, otherwise 3 (both).
    WAYFRONT_HD void add(std::uint32_t drawn)
    {
        lowest_draw = drawn < lowest_draw ? drawn : lowest_draw;
        // 2^32 times the fractional part of drawn / 10000. It is too large by less than 1/2, and
        // the values of t and t + 1 differ by 429496. limit(9500) is subtracted, so that square 3
        // starts at 0, and square 1 follows it.
        constexpr std::uint64_t inverse = ~std::uint64_t{0} / 10000 + 1;
        const auto position = static_cast<std::uint32_t>((drawn * inverse - (std::uint64_t{limit(9500)} << 32)) >> 32);
        constexpr std::uint32_t end_of_3 = 0U - limit(9500);
        constexpr std::uint32_t end_of_1 = end_of_3 + limit(1900);
        const bool in_target = position < end_of_1;
        const bool in_source = position < end_of_3 || position - end_of_1 < limit(3800) - limit(1900);
        source = 2 * source + (in_source ? 1U : 0U);
        target = 2 * target + (in_target ? 1U : 0U);
    }
};

WAYFRONT_HD inline std::uint32_t scramble(const KronParameters& parameters, std::uint32_t v)
{
    // Only the lowest `scale` bits of sums and products matter.
    const auto shift = static_cast<std::uint32_t>(32 - parameters.scale);
    v = (v + static_cast<std::uint32_t>(parameters.offset)) * static_cast<std::uint32_t>(parameters.factor0);
    v = (reverse_bits(v) >> shift) * static_cast<std::uint32_t>(parameters.factor1);
    return reverse_bits(v) >> shift;
}

}  // namespace kron_detail

/// An edge of the recursive graph. kron_detail::scramble() maps its numbers to those of the input.
struct RecursivePair
{
    std::uint32_t source;
    std::uint32_t target;
};

/// Draws the edge level by level, as the reference does, for an edge with a rejected draw (one in
/// 20,000). Advances the stream to the draw of the edge's weight.
WAYFRONT_HD inline RecursivePair draw_pair_by_levels(int scale, MrgState& stream)
{
    RecursivePair pair{0, 0};
    for (int level = 0; level < scale; ++level) {
        std::uint32_t drawn = kron_detail::draw(stream);
        while (drawn < kKronRejectBelow) drawn = kron_detail::draw(stream);
        const std::uint32_t t = drawn % 10000;
        const bool off_diagonal = t < 3800;
        const bool both = t >= 9500;
        const bool lower = off_diagonal && t >= 1900 && pair.source != pair.target;
        pair.source = 2 * pair.source + (both || lower ? 1U : 0U);
        pair.target = 2 * pair.target + (both || (off_diagonal && !lower) ? 1U : 0U);
    }
    return pair;
}

/// Returns the edge of `stream` before the scrambling, and advances the stream to the draw of the
/// edge's weight. Pre: 1 <= scale <= 32.
WAYFRONT_HD inline RecursivePair draw_pair(int scale, MrgState& stream)
{
    const MrgState start = stream;
    kron_detail::Squares squares;
    int levels = scale;
    for (; levels >= 5; levels -= 5) {  // after five draws, the state is in the same registers again
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (int i = 0; i < 5; ++i) squares.add(kron_detail::draw(stream));
    }
    for (; levels > 0; --levels) squares.add(kron_detail::draw(stream));
    if (squares.lowest_draw < kKronRejectBelow) {
        stream = start;
        return draw_pair_by_levels(scale, stream);
    }

    // At the first level at which source and target differ, the upper square must have been chosen:
    // bit 0 in the source, 1 in the target.
    std::uint32_t below = squares.source ^ squares.target;
    for (int shift = 1; shift < 32; shift *= 2) below |= below >> shift;
    const std::uint32_t flip = (below ^ (below >> 1)) & squares.source;
    return {squares.source ^ flip, squares.target ^ flip};
}

/// The edge of `stream` before the scrambling. Pre: 1 <= scale <= 32.
WAYFRONT_HD inline RecursivePair recursive_pair(int scale, MrgState stream)
{
    return draw_pair(scale, stream);
}

/// The edge of `stream`. Pre: 1 <= scale <= 32.
WAYFRONT_HD inline KronPair kron_pair(const KronParameters& parameters, const MrgState& stream)
{
    const RecursivePair pair = recursive_pair(parameters.scale, stream);
    return {kron_detail::scramble(parameters, pair.source), kron_detail::scramble(parameters, pair.target)};
}

/// Draws the next weight of `stream`, and returns its bits. The weight is a float from 0 to 1, so
/// its bits have the order of the weights and are at most those of 1.
WAYFRONT_HD inline std::uint32_t draw_weight_bits(MrgState& stream)
{
    const float weight = kron_weight_of(kron_detail::draw(stream));
#ifdef __CUDA_ARCH__
    return __float_as_uint(weight);
#else
    return std::bit_cast<std::uint32_t>(weight);
#endif
}

/// Number of bits that the bits of a weight use; the largest value is 0x3F800000.
inline constexpr int kWeightBits = 30;

/// Calls f(number, stream of the edge) for the `count` edges first, first + stride, first + 2
/// stride, ..., in this order.
template <typename F>
__device__ void for_each_kron_stream(const KronGenerator& generator, std::uint64_t first, std::uint64_t count, F&& f)
{
    if (count == 0) return;
    MrgState stream = kron_stream(generator.parameters, generator.power, first);
    for (std::uint64_t i = 0;;) {
        f(first + i * generator.stride, stream);
        if (++i == count) return;
        stream = kron_detail::apply(generator.step, stream);
    }
}

/// Calls f(number, KronPair) for the edges of for_each_kron_stream().
template <typename F>
__device__ void for_each_kron_edge(const KronGenerator& generator, std::uint64_t first, std::uint64_t count, F&& f)
{
    for_each_kron_stream(generator, first, count, [&](std::uint64_t number, const MrgState& stream) {
        f(number, kron_pair(generator.parameters, stream));
    });
}

/// Calls f(number, KronPair, bits of the weight) for the edges of for_each_kron_stream().
template <typename F>
__device__ void for_each_weighted_edge(const KronGenerator& generator, std::uint64_t first, std::uint64_t count, F&& f)
{
    for_each_kron_stream(generator, first, count, [&](std::uint64_t number, MrgState stream) {
        const RecursivePair pair = draw_pair(generator.parameters.scale, stream);
        const std::uint32_t weight = draw_weight_bits(stream);
        f(number,
          KronPair{kron_detail::scramble(generator.parameters, pair.source),
                   kron_detail::scramble(generator.parameters, pair.target)},
          weight);
    });
}

}  // namespace wayfront::gpu::kron
