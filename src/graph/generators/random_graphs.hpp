// Formulas of random graphs (formula_source.hpp): R-MAT, uniform and regular ones.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.hpp"
#include "graph/edge_list.hpp"
#include "graph/generators/hash.hpp"
#include "graph/generators/permutation.hpp"

namespace wayfront {

/// Pre: 1 <= scale <= 47, a, b, c >= 0, a + b + c <= 1.
struct RmatParameters
{
    int scale = 0;
    EdgeCount edges = 0;
    double a = 0.57;
    double b = 0.19;
    double c = 0.19;
    bool permuted = true;
    bool directed = false;
};

/// R-MAT: each edge descends through `scale` levels of 2 x 2 squares, chosen with probabilities a,
/// b (bit 1 of the target), c (bit 1 of the source) and d = 1 - a - b - c, which are the same at
/// all levels (no noise). Vertex numbers are then permuted at random unless `permuted` is false.
/// There may be self-loops and duplicates.
///
/// Paper: D. Chakrabarti, Y. Zhan, C. Faloutsos: R-MAT: A recursive model for graph mining. SIAM
/// International Conference on Data Mining (SDM), 2004, pp. 442-446,
/// doi:10.1137/1.9781611972740.43.
class RmatGraph
{
public:
    RmatGraph(const RmatParameters& p, std::uint64_t seed)
        : scale_(p.scale),
          edges_(p.edges),
          directed_(p.directed),
          permuted_(p.permuted),
          limit_a_(threshold(p.a)),
          limit_b_(threshold(p.a + p.b)),
          limit_c_(threshold(p.a + p.b + p.c)),
          key_(random_key(seed, RandomPurpose::rmat_edges)),
          numbers_(std::uint64_t{1} << p.scale, random_key(seed, RandomPurpose::vertex_numbers))
    {
    }

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return Vertex{1} << scale_; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return edges_; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return directed_; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const
    {
        // Words of 64 bits; each serves two levels.
        const auto words = static_cast<std::uint64_t>((scale_ + 1) / 2);
        const std::uint64_t first = static_cast<std::uint64_t>(e) * words;
        std::uint64_t source = 0;
        std::uint64_t target = 0;
        std::uint64_t word = 0;
        for (int level = 0; level < scale_; ++level) {
            word = level % 2 == 0 ? random_word(key_, first + static_cast<std::uint64_t>(level / 2)) : word >> 32;
            const std::uint64_t draw = word & 0xFFFFFFFF;
            source = 2 * source + (draw >= limit_b_ ? 1 : 0);
            target = 2 * target + ((draw >= limit_a_ && draw < limit_b_) || draw >= limit_c_ ? 1 : 0);
        }
        if (permuted_) return {static_cast<Vertex>(numbers_(source)), static_cast<Vertex>(numbers_(target))};
        return {static_cast<Vertex>(source), static_cast<Vertex>(target)};
    }

private:
    static std::uint64_t threshold(double p) { return static_cast<std::uint64_t>(std::llround(p * 0x1p32)); }

    int scale_;
    EdgeCount edges_;
    bool directed_;
    bool permuted_;
    std::uint64_t limit_a_;  // cumulative probabilities, times 2^32
    std::uint64_t limit_b_;
    std::uint64_t limit_c_;
    std::uint64_t key_;
    KeyedPermutation numbers_;
};

/// m edges between vertices that are chosen uniformly, without self-loops. There may be duplicates.
/// Pre: n >= 2 if m > 0.
class RandomGraph
{
public:
    RandomGraph(Vertex vertices, EdgeCount edges, std::uint64_t seed, bool directed)
        : vertices_(vertices), edges_(edges), directed_(directed), key_(random_key(seed, RandomPurpose::random_edges))
    {
    }

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return vertices_; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const { return edges_; }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return directed_; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const
    {
        const auto n = static_cast<std::uint64_t>(vertices_);
        const std::uint64_t first = 2 * static_cast<std::uint64_t>(e);
        const std::uint64_t source = random_below(random_word(key_, first), n);
        std::uint64_t target = random_below(random_word(key_, first + 1), n - 1);
        if (target >= source) ++target;  // skips the source
        return {static_cast<Vertex>(source), static_cast<Vertex>(target)};
    }

private:
    Vertex vertices_;
    EdgeCount edges_;
    bool directed_;
    std::uint64_t key_;
};

/// A d-regular multigraph, undirected: the union of floor(d / 2) random Hamiltonian cycles and, if
/// d is odd, a random perfect matching. There are no self-loops; an edge may be in several cycles.
/// Edges are ordered cycle by cycle, the matching last. Connected for d >= 2. Pre: 0 <= d < n, n d
/// is even.
class RegularGraph
{
public:
    RegularGraph(Vertex vertices, Vertex degree, std::uint64_t seed) : vertices_(vertices), degree_(degree), seed_(seed)
    {
    }

    [[nodiscard]] WAYFRONT_HD Vertex vertex_count() const { return vertices_; }
    [[nodiscard]] WAYFRONT_HD EdgeCount edge_count() const
    {
        return degree_ / 2 * vertices_ + degree_ % 2 * (vertices_ / 2);
    }
    [[nodiscard]] WAYFRONT_HD bool directed() const { return false; }
    [[nodiscard]] WAYFRONT_HD Edge edge(EdgeCount e) const
    {
        const Vertex part = e / vertices_;  // number of the cycle; degree / 2 is the matching
        const Vertex i = e % vertices_;
        const KeyedPermutation vertex(
            static_cast<std::uint64_t>(vertices_),
            random_key(seed_, RandomPurpose::regular_cycles, static_cast<std::uint64_t>(part)));
        const bool matching = part == degree_ / 2;
        const Vertex from = matching ? 2 * i : i;
        const Vertex to = from + 1 < vertices_ ? from + 1 : 0;
        return {static_cast<Vertex>(vertex(static_cast<std::uint64_t>(from))),
                static_cast<Vertex>(vertex(static_cast<std::uint64_t>(to)))};
    }

private:
    Vertex vertices_;
    Vertex degree_;
    std::uint64_t seed_;
};

}  // namespace wayfront
