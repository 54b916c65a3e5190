// Shortest paths from one source in a precision above that of distances: for rows whose distances
// were added up in another order than along their paths, and for the check of such rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "algo/apsp/rows.hpp"

namespace wayfront::algo {

/// Dijkstra's algorithm, with the potentials of D. B. Johnson (Efficient algorithms for shortest
/// paths in sparse networks, Journal of the ACM 24, 1977) if weights are negative. Each vertex gets
/// its parent once, from a vertex that has its own for good, so that the parents form a tree
/// whatever the roundings.
class LeastSums
{
public:
    using Sum = long double;

    /// for_each_arc(u, f) calls f(v, weight) for the arcs of u. potential(v) is 0 for all vertices
    /// if no weight is negative, otherwise their distance up to roundings; infinite for a vertex
    /// that is to be left out.
    template <typename ForEachArc, typename Potential>
    void search(std::size_t vertices, std::size_t source, const ForEachArc& for_each_arc, const Potential& potential)
    {
        parents_.assign(vertices, kNoParent);
        sums_.assign(vertices, std::numeric_limits<Sum>::infinity());
        magnitudes_.assign(vertices, 0);
        arcs_.assign(vertices, 0);
        is_settled_.assign(vertices, false);
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        parents_[source] = static_cast<std::int32_t>(source);
        sums_[source] = 0;
        queue.push({0, source});
        while (!queue.empty()) {
            const std::size_t u = queue.top().vertex;
            queue.pop();
            if (is_settled_[u]) continue;
            is_settled_[u] = true;
            for_each_arc(u, [&](std::size_t v, auto weight) {
                const Sum sum = sums_[u] + static_cast<Sum>(weight);
                if (is_settled_[v] || !(sum < sums_[v]) || !std::isfinite(potential(v))) return;
                sums_[v] = sum;
                magnitudes_[v] = magnitudes_[u] + std::abs(static_cast<Sum>(weight));
                arcs_[v] = arcs_[u] + 1;
                parents_[v] = static_cast<std::int32_t>(u);
                queue.push({sum - potential(v), v});
            });
        }
    }

    /// The result of the last search, by vertex: the parent, or kNoParent; the sum of the weights of the
    /// path, infinite if there is none; the sum of their magnitudes; and their number.
    [[nodiscard]] std::span<const std::int32_t> parents() const { return parents_; }
    [[nodiscard]] std::span<const Sum> sums() const { return sums_; }
    [[nodiscard]] std::span<const Sum> magnitudes() const { return magnitudes_; }
    [[nodiscard]] std::span<const std::uint32_t> arcs() const { return arcs_; }

private:
    struct Entry
    {
        Sum key;
        std::size_t vertex;

        [[nodiscard]] bool operator>(const Entry& other) const
        {
            return key > other.key || (key == other.key && vertex > other.vertex);
        }
    };

    std::vector<std::int32_t> parents_;
    std::vector<Sum> sums_;
    std::vector<Sum> magnitudes_;
    std::vector<std::uint32_t> arcs_;
    std::vector<bool> is_settled_;
};

}  // namespace wayfront::algo
