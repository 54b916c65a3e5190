// Bounds of the eccentricities in an undirected graph, by which a few searches find its diameter.
//
// The eccentricity of a vertex v is at most d(s, v) + ecc(s) after a search from s. If two vertices
// are farther apart than the largest known distance, one of them is farther from each vertex c of
// their component than half of this distance. So the next search starts from a vertex that passes both tests,
// with c the most central vertex that was searched. Most searches start from the vertex with the
// largest bound, some from the one that is nearest to all sources, to find a more central c.
//
// F. W. Takes, W. A. Kosters: Determining the diameter of small world networks. CIKM 2011, pp.
// 1191-1196, doi:10.1145/2063576.2063748 (the bounds). P. Crescenzi, R. Grossi, M. Habib, L. Lanzi,
// A. Marino: On computing the diameter of real-world undirected graphs. Theoretical Computer Science
// 514, 2013, pp. 84-95, doi:10.1016/j.tcs.2012.09.018 (the half of the distance).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

class DiameterBounds
{
public:
    /// Distances are at most this, so that sums of two do not overflow.
    static constexpr std::int64_t kMostDistance = std::int64_t{1} << 53;

    /// Bounds of a graph with vertices 0 to `vertices` - 1.
    explicit DiameterBounds(std::size_t vertices);

    /// Takes the distances from `source` to all vertices. A search of another component than the last
    /// one begins that component. `unreached` is the distance of a vertex without a path.
    template <typename T>
    void take(Vertex source, std::span<const T> distances, T unreached);

    /// The vertex of the component from which to search next; kUnreached if no distance of the component
    /// exceeds diameter().
    [[nodiscard]] Vertex next() const;
    /// The largest distance that is known. May exceed kMostDistance, and the bounds are of no use then.
    [[nodiscard]] std::int64_t diameter() const { return diameter_; }
    /// Whether a search has reached the vertex.
    [[nodiscard]] bool is_reached(Vertex vertex) const { return most_[static_cast<std::size_t>(vertex)] != kNoBound; }

private:
    static constexpr std::int64_t kNoBound = -1;

    /// Whether a distance from the vertex may exceed diameter(). Only for vertices of the component.
    [[nodiscard]] bool is_candidate(std::size_t vertex) const
    {
        return most_[vertex] > diameter_ && 2 * from_center_[vertex] > diameter_;
    }

    // By vertex:
    HostBuffer<std::int64_t> most_;  // upper bounds of eccentricities; kNoBound if not reached
    // The largest distances from the sources of the component. Sources, and vertices of other components
    // than the last one, have a value that is never the least.
    HostBuffer<std::int64_t> least_;
    HostBuffer<std::int64_t> from_center_;  // distances; 0 in other components than the last one

    std::int64_t diameter_ = 0;
    std::int64_t center_eccentricity_ = 0;
    std::int64_t searches_ = 0;  // the number of searches in the component
};

}  // namespace wayfront::algo
