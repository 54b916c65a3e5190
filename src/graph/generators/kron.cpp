#include "graph/generators/kron.hpp"

#include <algorithm>
#include <cstddef>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace wayfront {

namespace {

// Edges are made side by side, as many as a vector register has 32-bit elements: edge first + 2 i +
// h is in element i of the vectors of half h. Elements are 64 bits wide and below 2^31, so that
// products fit.
#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
constexpr int kLanes = kVectorBytes / 4;

using Wide = std::uint64_t __attribute__((vector_size(kVectorBytes)));
using Narrow = std::uint32_t __attribute__((vector_size(kVectorBytes)));

/// The streams of kLanes edges. Value z(i + 1) of a stream is at index (newest + i) mod 5; `newest`
/// is known at compile time.
struct LaneStreams
{
    Wide half[2][5];
};

/// a * b of elements below 2^32: one instruction, if the processor has it, that compilers do not
/// find by themselves.
[[gnu::always_inline]] inline Wide multiply(Wide a, Wide b)
{
#if defined(__AVX512F__)
    // Without a mask, GCC 12 warns of an uninitialised value in its own header.
    constexpr __mmask8 all = 0xFF;
    return reinterpret_cast<Wide>(
        _mm512_maskz_mul_epu32(all, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return reinterpret_cast<Wide>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<Wide>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return a * b;
#endif
}

[[gnu::always_inline]] inline Wide fold(Wide x)
{
    return (x & std::uint64_t{kMrgModulus}) + (x >> 31);
}

/// x mod 2^31 - 1, for elements below 2 (2^31 - 1).
[[gnu::always_inline]] inline Wide reduce_once(Wide x)
{
    const auto value = reinterpret_cast<Narrow>(x);
    const Narrow less = value - reinterpret_cast<Narrow>(Wide{} + std::uint64_t{kMrgModulus});
    // If value is smaller, the difference wraps to a large number.
    return reinterpret_cast<Wide>(less < value ? less : value);
}

/// Draws one value of each stream; element k is that of edge first + k.
template <int newest>
[[gnu::always_inline]] inline Narrow draw(LaneStreams& streams)
{
    constexpr int oldest = (newest + 4) % 5;  // the new value replaces the oldest one
    for (auto& z : streams.half) {
        const Wide sum = multiply(z[newest], Wide{} + std::uint64_t{kMrgFactor1}) +
                         multiply(z[oldest], Wide{} + std::uint64_t{kMrgFactor5});
        z[oldest] = reduce_once(fold(sum));  // the sum is below 2^59
    }
    return reinterpret_cast<Narrow>(streams.half[0][oldest] | (streams.half[1][oldest] << 32));
}

/// Draws one value of each stream. The newest value is at index 0 before and after.
[[gnu::always_inline]] inline Narrow draw_and_rotate(LaneStreams& streams)
{
    const Narrow drawn = draw<0>(streams);
    for (auto& z : streams.half) {
        const Wide newest = z[4];
        for (int i = 4; i > 0; --i) z[i] = z[i - 1];
        z[0] = newest;
    }
    return drawn;
}

[[gnu::always_inline]] inline void apply(const MrgMatrix& matrix, LaneStreams& streams)
{
    for (auto& z : streams.half) {
        Wide result[5];
        for (int row = 0; row < 5; ++row) {
            Wide sum{};
            for (int column = 0; column < 4; ++column)
                sum += multiply(z[column], Wide{} + std::uint64_t{matrix.a[row][column]});
            sum = fold(sum) + multiply(z[4], Wide{} + std::uint64_t{matrix.a[row][4]});
            result[row] = reduce_once(fold(fold(sum)));
        }
        for (int row = 0; row < 5; ++row) z[row] = result[row];
    }
}

/// The squares that the draws of all levels choose, as bits of the vertices before scrambling, and
/// whether a draw was rejected. While levels are drawn, the two off-diagonal squares are
/// distinguished even if source and target are equal so far; keep_upper_triangle() corrects this
/// at the end.
struct LaneBits
{
    Narrow source{};
    Narrow target{};
    Narrow lowest_draw = Narrow{} + kMrgModulus;

    [[gnu::always_inline]] void add(Narrow drawn)
    {
        lowest_draw = drawn < lowest_draw ? drawn : lowest_draw;
        // The fraction part of drawn / 10000, times 2^32, computed from 16-bit halves. It is too
        // large by at most 48340, while t / 10000 and (t + 1) / 10000 differ by 429496. With limits
        // that are low by half a unit, comparisons of t = drawn mod 10000 are therefore exact.
        const Narrow fraction = (drawn & 0xFFFF) * 429497U + (drawn >> 16) * 2377693896U;
        const Narrow past_9500 = fraction - limit(9500);
        const Narrow past_1900 = fraction - limit(1900);
        // T >= 9500 or t < 1900: the difference wraps.
        const auto in_target = past_9500 < limit(1900) - limit(9500);
        const auto in_source = (past_9500 < ~limit(9500) + 1U) | (past_1900 < limit(3800) - limit(1900));
        source = source + source - reinterpret_cast<Narrow>(in_source);  // true is -1
        target = target + target - reinterpret_cast<Narrow>(in_target);
    }

private:
    static constexpr std::uint32_t limit(std::uint64_t t)
    {
        return static_cast<std::uint32_t>((t << 32) / 10000 - 214748);
    }
};

/// Draws `levels` levels. Afterwards the newest values are at index 0 again.
[[gnu::always_inline]] inline void draw_levels(LaneStreams& streams, LaneBits& bits, int levels)
{
    for (; levels >= 5; levels -= 5) {
        bits.add(draw<0>(streams));
        bits.add(draw<4>(streams));
        bits.add(draw<3>(streams));
        bits.add(draw<2>(streams));
        bits.add(draw<1>(streams));
    }
    for (; levels > 0; --levels) bits.add(draw_and_rotate(streams));
}

std::uint32_t reverse_bits(std::uint32_t v)
{
    v = ((v >> 1) & 0x55555555) | ((v & 0x55555555) << 1);
    v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2);
    v = ((v >> 4) & 0x0F0F0F0F) | ((v & 0x0F0F0F0F) << 4);
    return __builtin_bswap32(v);
}
std::uint64_t reverse_bits(std::uint64_t v)
{
    return kron_reverse_bits(v);
}

/// The vertices of kLanes edges, first as drawn and then as the input numbers them. `Word` has 32
/// bits up to scale 32, and 64 bits beyond.
template <typename Word>
struct LaneVertices
{
    alignas(64) Word source[kLanes];
    alignas(64) Word target[kLanes];

    /// At the first level where source and target differ, the upper square must be chosen: bit 0 in
    /// the source, 1 in the target.
    void keep_upper_triangle()
    {
        for (int i = 0; i < kLanes; ++i) {
            Word below = source[i] ^ target[i];  // becomes all ones from its highest bit down
            for (unsigned shift = 1; shift < 8 * sizeof(Word); shift *= 2) below |= below >> shift;
            const Word flip = (below ^ (below >> 1)) & source[i];
            source[i] ^= flip;
            target[i] ^= flip;
        }
    }

    void scramble(const KronParameters& parameters)
    {
        // Only the low `scale` bits matter.
        const auto offset = static_cast<Word>(parameters.offset);
        const auto factor0 = static_cast<Word>(parameters.factor0);
        const auto factor1 = static_cast<Word>(parameters.factor1);
        const unsigned shift = 8 * sizeof(Word) - static_cast<unsigned>(parameters.scale);
        for (Word* vertices : {source, target}) {
            for (int i = 0; i < kLanes; ++i) {
                const Word v = reverse_bits((vertices[i] + offset) * factor0) >> shift;
                vertices[i] = reverse_bits(v * factor1) >> shift;
            }
        }
    }
};

template <typename Word>
void store(const LaneVertices<Word>& vertices, PackedEdge* out)
{
    for (int i = 0; i < kLanes; ++i)
        out[i] = PackedEdge::pack(static_cast<Vertex>(vertices.source[i]), static_cast<Vertex>(vertices.target[i]));
}

void make_vertices(const KronParameters& parameters, LaneStreams& streams, LaneVertices<std::uint32_t>& vertices,
                   Narrow& lowest_draw)
{
    LaneBits bits;
    draw_levels(streams, bits, parameters.scale);
    std::copy_n(reinterpret_cast<const std::uint32_t*>(&bits.source), kLanes, vertices.source);
    std::copy_n(reinterpret_cast<const std::uint32_t*>(&bits.target), kLanes, vertices.target);
    lowest_draw = bits.lowest_draw;
}

void make_vertices(const KronParameters& parameters, LaneStreams& streams, LaneVertices<std::uint64_t>& vertices,
                   Narrow& lowest_draw)
{
    LaneBits high;
    draw_levels(streams, high, parameters.scale - 32);
    LaneBits low;
    low.lowest_draw = high.lowest_draw;
    draw_levels(streams, low, 32);
    for (int i = 0; i < kLanes; ++i) {
        vertices.source[i] = (std::uint64_t{high.source[i]} << 32) | low.source[i];
        vertices.target[i] = (std::uint64_t{high.target[i]} << 32) | low.target[i];
    }
    lowest_draw = low.lowest_draw;
}

}  // namespace

KronParameters kron_parameters(int scale, std::uint64_t seed1, std::uint64_t seed2)
{
    const MrgState seed = mrg_seed(seed1, seed2);
    MrgState stream = mrg_skip(seed, {.low = 0, .middle = 7, .high = 50});
    std::uint64_t value[2];
    for (std::uint64_t& v : value) {
        v = mrg_next(stream) * std::uint64_t{0xFFFFFFFF};
        v += mrg_next(stream);
    }
    return {scale, seed, value[0] + value[1], value[0] | 0x4519840211493211, value[1] | 0x3050852102C843A5};
}

KronSource::KronSource(int scale, EdgeCount edge_factor, std::uint64_t seed1, std::uint64_t seed2)
    : parameters_(kron_parameters(scale, seed1, seed2)), edge_factor_(edge_factor), step_(mrg_stream_step(kLanes))
{
}

template <typename Word>
void KronSource::make_with(EdgeCount first, std::size_t count, PackedEdge* edges, float* weights) const
{
    LaneStreams start{};
    MrgState stream = kron_stream(parameters_, mrg_powers().power, static_cast<std::uint64_t>(first));
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int i = 0; i < 5; ++i) start.half[lane % 2][i][lane / 2] = stream.z[i];
        stream = mrg_apply(mrg_powers().power[64], stream);
    }
    for (std::size_t done = 0; done < count; done += kLanes) {
        LaneStreams streams = start;
        LaneVertices<Word> vertices;
        Narrow lowest_draw;
        make_vertices(parameters_, streams, vertices, lowest_draw);

        PackedEdge made[kLanes];
        if (edges != nullptr) {
            vertices.keep_upper_triangle();
            vertices.scramble(parameters_);
            store(vertices, made);
        }
        float made_weights[kLanes];
        if (weights != nullptr) {
            const Narrow drawn = draw_and_rotate(streams);
            for (int i = 0; i < kLanes; ++i) made_weights[i] = kron_weight_of(drawn[i]);
        }
        for (int lane = 0; lane < kLanes; ++lane) {
            if (lowest_draw[lane] >= kKronRejectBelow) continue;
            MrgState own_stream = kron_stream(parameters_, mrg_powers().power,
                                              static_cast<std::uint64_t>(first) + done + static_cast<unsigned>(lane));
            made[lane] = PackedEdge::pack(kron_edge(parameters_, own_stream));
            made_weights[lane] = kron_weight(own_stream);
        }
        const std::size_t lanes = std::min<std::size_t>(kLanes, count - done);
        if (edges != nullptr) std::copy_n(made, lanes, edges + done);
        if (weights != nullptr) std::copy_n(made_weights, lanes, weights + done);
        apply(step_, start);
    }
}

void KronSource::make(EdgeCount first, std::size_t count, PackedEdge* edges, float* weights) const
{
    if (parameters_.scale <= 32)
        make_with<std::uint32_t>(first, count, edges, weights);
    else
        make_with<std::uint64_t>(first, count, edges, weights);
}

void KronSource::edges(EdgeCount first, std::span<PackedEdge> out) const
{
    make(first, out.size(), out.data(), nullptr);
}

bool KronSource::weights(EdgeCount first, std::span<float> out) const
{
    make(first, out.size(), nullptr, out.data());
    return true;
}

}  // namespace wayfront
