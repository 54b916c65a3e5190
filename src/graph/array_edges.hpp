// Edges in arrays that somebody else owns, such as the compressed sparse rows of a caller of the
// library. They are read where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "graph/edge_feed.hpp"
#include "graph/edge_list.hpp"

namespace wayfront {

/// Whole numbers of 32 or 64 bits.
using NumberSpan = std::variant<std::span<const std::int32_t>, std::span<const std::int64_t>>;

/// Throws InputError unless there is one finite weight for each edge, or none at all.
void check_weights(const WeightSpans& weights, std::size_t edges);

/// A rank's share of the edges of a graph.
struct ArrayEdges
{
    Vertex vertex_count = 0;
    bool directed = true;
    bool reversed = false;  // whether an edge is read as one from its target to its source
    /// The source of each edge, or if the edges are compressed rows, the position of the first edge
    /// of each row, and at the end the number of edges.
    NumberSpan sources;
    bool compressed = false;
    Vertex first_row = 0;  // the source of the edges of the first of the compressed rows
    NumberSpan targets;
    WeightSpans weights;

    [[nodiscard]] std::size_t size() const;
    /// Throws InputError if the arrays are no edges of a graph with these vertices.
    void check() const;
    /// Writes the edges from the one at position `first` on.
    void read(EdgeCount first, std::span<PackedEdge> out) const;
    [[nodiscard]] EdgeList copied() const;
};

/// A view of such edges, which outlive the feed, as do their arrays.
class ArrayFeed final : public EdgeFeed
{
public:
    /// `type`: as for ListFeed.
    ArrayFeed(const ArrayEdges& edges, WeightType type) : edges_(edges), type_(type) {}

    [[nodiscard]] Vertex vertex_count() const override { return edges_.vertex_count; }
    [[nodiscard]] bool directed() const override { return edges_.directed; }
    [[nodiscard]] EdgeCount size() const override { return static_cast<EdgeCount>(edges_.size()); }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> scratch) const override
    {
        const std::span<PackedEdge> out = scratch.first(count);
        edges_.read(first, out);
        return out;
    }
    [[nodiscard]] WeightType weight_type() const override { return type_; }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override
    {
        write_weights(edges_.weights, type_, first, out);
    }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override
    {
        write_weights(edges_.weights, type_, first, out);
    }

private:
    const ArrayEdges& edges_;
    WeightType type_;
};

}  // namespace wayfront
