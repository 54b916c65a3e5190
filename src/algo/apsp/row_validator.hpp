// Checks finished rows against the edges alone.
//
// A row is right if
//   * the source has distance 0;
//   * no edge shortens a distance: d(v) <= d(u) + w for each edge (u, v, w), and v is reached if u
//     is;
//   * each reached vertex can be traced back to the source along edges with d(u) + w = d(v); with
//     parents, along the edges from the parents.
// If floats were rounded in another way, the last condition is that the sum of the weights of a
// shortest path from the source is d(v), but for roundings; with parents, of the path along them.
// d(v) may be larger by the roundings of this path alone. It may be smaller by those of another
// path of nearly the same length, of which nothing is known but that
//   * it has fewer arcs than the graph has vertices;
//   * its parts are shortest paths, too, so that each partial sum is a difference of two distances
//     of the row. Without negative weights none of them exceeds d(v).
// The edges are read from the edge list, not from the graph that was constructed from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "algo/apsp/roundings.hpp"
#include "algo/apsp/rows.hpp"
#include "base/host_buffer.hpp"
#include "graph/edge_list.hpp"
#include "graph/vertex_numbers.hpp"

namespace wayfront::algo {

class RowValidator final : public RowConsumer
{
public:
    /// `list` has all edges of the graph; only the constructor reads it. Messages name vertices by
    /// their `numbers`. `roundings` says how distances were rounded; if along paths, they must
    /// equal sums that are added along a path.
    RowValidator(const EdgeList& list, VertexNumbers numbers, const Roundings& roundings);

    /// Throws ResultError for a row that is wrong.
    void consume(const RowBatch& batch) override;

    [[nodiscard]] std::size_t checked_rows() const { return checked_rows_; }

    /// The bytes that a validator allocates.
    [[nodiscard]] static double bytes(double vertices, double arcs, int threads);

private:
    template <typename W>
    struct Arc
    {
        std::uint32_t target;
        W weight;
    };
    template <typename W>
    using Arcs = HostBuffer<Arc<W>>;

    template <typename W>
    void list_arcs(const EdgeList& list, const W* weights);
    template <typename D>
    struct Row;
    /// The paths of a row, added up in long double.
    struct Paths;

    /// These describe what is wrong with a row; empty if nothing is. Sums along paths are added up
    /// in the type Sum.
    template <typename Sum, typename W, typename D>
    [[nodiscard]] std::string fault_of_exact(const Arcs<W>& arcs, const Row<D>& row) const;
    template <typename W, typename D>
    [[nodiscard]] std::string fault_of_rounded(const Arcs<W>& arcs, const Row<D>& row) const;
    template <typename D>
    [[nodiscard]] std::string fault_of_ends(const Row<D>& row) const;
    template <typename W, typename D, typename Shortens>
    [[nodiscard]] std::string fault_of_edges(const Arcs<W>& arcs, const Row<D>& row, const Shortens& shortens) const;

    template <typename W, typename D>
    [[nodiscard]] Paths paths_of(const Arcs<W>& arcs, const Row<D>& row) const;
    [[nodiscard]] std::string name(std::size_t vertex) const;

    VertexNumbers numbers_;
    Roundings roundings_;
    HostBuffer<std::uint64_t> begins_;  // of each vertex's arcs, and the end of the last
    std::variant<Arcs<std::int32_t>, Arcs<std::int64_t>, Arcs<float>, Arcs<double>> arcs_;
    bool negative_ = false;  // whether a weight is
    std::size_t checked_rows_ = 0;
};

}  // namespace wayfront::algo
