// Graph500's Kronecker graphs, bit for bit: the tuples and weights of the benchmark's reference
// generator, in its order.
//
// Each edge has its own random stream; that of edge e begins 2^64 steps of the generator after that
// of edge e - 1, so that any rank can make any range of edges. Level by level, from the top bit of
// the vertex number down, the draws of the stream choose a square of the 2 x 2 initiator {.57, .19;
// .19, .05}. The vertex numbers are then scrambled by a bijection of [0, 2^scale), and one more
// draw is the edge's weight.
//
// `KronSource::edges` makes several edges side by side in vector registers. The functions before it
// make one edge each; kernels use them, as do tests and the rare edges whose draws are rejected.
//
// Paper: J. Leskovec, D. Chakrabarti, J. Kleinberg, C. Faloutsos, Z. Ghahramani: Kronecker graphs:
// an approach to modeling networks. Journal of Machine Learning Research 11, 2010, pp. 985-1042;
// with the parameters of R. C. Murphy, K. B. Wheeler, B. W. Barrett, J. A. Ang: Introducing the
// Graph 500. Cray User's Group (CUG), 2010.
#pragma once

#include <cstdint>
#include <span>

#include "base/host_device.hpp"
#include "base/types.hpp"
#include "graph/edge_source.hpp"
#include "graph/generators/mrg.hpp"

namespace wayfront {

/// The parameters of a Kronecker graph, except its number of edges. Plain data, so that a kernel
/// can use it.
struct KronParameters
{
    int scale;             // 2^scale vertices, 1 to 47
    MrgState seed;         // the stream of edge 0
    std::uint64_t offset;  // constants of the scrambling
    std::uint64_t factor0;
    std::uint64_t factor1;
};

KronParameters kron_parameters(int scale, std::uint64_t seed1, std::uint64_t seed2);

/// A draw below this limit is rejected and drawn again, so that its remainder mod 10000 is
/// unbiased.
inline constexpr std::uint32_t kKronRejectBelow = kMrgModulus % 10000;

WAYFRONT_HD constexpr std::uint64_t kron_reverse_bits(std::uint64_t v)
{
    v = ((v >> 1) & 0x5555555555555555) | ((v & 0x5555555555555555) << 1);
    v = ((v >> 2) & 0x3333333333333333) | ((v & 0x3333333333333333) << 2);
    v = ((v >> 4) & 0x0F0F0F0F0F0F0F0F) | ((v & 0x0F0F0F0F0F0F0F0F) << 4);
    v = ((v >> 8) & 0x00FF00FF00FF00FF) | ((v & 0x00FF00FF00FF00FF) << 8);
    v = ((v >> 16) & 0x0000FFFF0000FFFF) | ((v & 0x0000FFFF0000FFFF) << 16);
    return (v >> 32) | (v << 32);
}

/// The input's number of vertex v of the recursive graph.
WAYFRONT_HD constexpr std::uint64_t kron_scramble(const KronParameters& parameters, std::uint64_t v)
{
    v = (v + parameters.offset) * parameters.factor0;
    v = kron_reverse_bits(v) >> (64 - parameters.scale);
    v = v * parameters.factor1;
    return kron_reverse_bits(v) >> (64 - parameters.scale);
}

/// The stream of edge e. `power` is mrg_powers().power or a copy of it.
WAYFRONT_HD constexpr MrgState kron_stream(const KronParameters& parameters, const MrgMatrix* power, std::uint64_t e)
{
    return mrg_skip(power, parameters.seed, {.low = 0, .middle = e, .high = 0});
}

/// Makes the edge of `stream`, and advances the stream to the draw of kron_weight.
WAYFRONT_HD constexpr Edge kron_edge(const KronParameters& parameters, MrgState& stream)
{
    std::uint64_t source = 0;
    std::uint64_t target = 0;
    for (int level = 0; level < parameters.scale; ++level) {
        std::uint32_t draw = 0;
        do draw = mrg_next(stream);
        while (draw < kKronRejectBelow);
        const std::uint32_t t = draw % 10000;
        const bool off_diagonal = t < 3800;
        const bool both = t >= 9500;
        // One triangle is enough: while source and target are equal, both off-diagonal squares
        // count as the upper one.
        const bool lower = off_diagonal && t >= 1900 && source != target;
        source = 2 * source + (both || lower ? 1 : 0);
        target = 2 * target + (both || (off_diagonal && !lower) ? 1 : 0);
    }
    return {static_cast<Vertex>(kron_scramble(parameters, source)),
            static_cast<Vertex>(kron_scramble(parameters, target))};
}

/// The weight that belongs to a draw, nominally in [0, 1): the largest 64 of the 2^31 - 1 draws
/// round to 1. The reference multiplies the draw, rounded to float, by 4.65661287524579692e-10 =
/// 2^-31 (1 + 4.7e-10) in double, and rounds the product to float. The factor's excess is too small
/// to change this rounding, so that the product with 2^-31 is the same number.
WAYFRONT_HD constexpr float kron_weight_of(std::uint32_t draw)
{
    return static_cast<float>(draw) * 0x1p-31F;
}

/// The weight of the edge that kron_edge has just made.
WAYFRONT_HD constexpr float kron_weight(MrgState& stream)
{
    return kron_weight_of(mrg_next(stream));
}

/// The graph as a source of edges: undirected, with 2^scale vertices and edge_factor * 2^scale
/// edges, which include self-loops and duplicates, and with weights. Ranges of some thousand edges
/// or more are fast; the overhead of a range is about a microsecond.
class KronSource final : public EdgeSource
{
public:
    /// Pre: 1 <= scale <= 47, 1 <= edge_factor, edge_factor * 2^scale <= kMaxGeneratedEdges.
    KronSource(int scale, EdgeCount edge_factor, std::uint64_t seed1, std::uint64_t seed2);

    [[nodiscard]] Vertex vertex_count() const override { return Vertex{1} << parameters_.scale; }
    [[nodiscard]] EdgeCount edge_count() const override { return edge_factor_ << parameters_.scale; }
    [[nodiscard]] bool directed() const override { return false; }
    void edges(EdgeCount first, std::span<PackedEdge> out) const override;
    bool weights(EdgeCount first, std::span<float> out) const override;

    [[nodiscard]] const KronParameters& parameters() const noexcept { return parameters_; }

private:
    /// Makes `count` edges, or their weights; the other pointer is null.
    void make(EdgeCount first, std::size_t count, PackedEdge* edges, float* weights) const;
    /// Word: an unsigned type for vertices.
    template <typename Word>
    void make_with(EdgeCount first, std::size_t count, PackedEdge* edges, float* weights) const;

    KronParameters parameters_;
    EdgeCount edge_factor_;
    MrgMatrix step_;  // from an edge's stream to that of the next edge in the same vector lane
};

}  // namespace wayfront
