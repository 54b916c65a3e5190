// The edges that construction reads: a rank's share of an edge list in memory, or of a generated
// graph, which is made chunk by chunk while it is read.
#pragma once

#include <span>

#include "graph/edge_list.hpp"
#include "graph/edge_source.hpp"

namespace wayfront {

/// A rank's share of the edges of a graph. It can be read several times, in chunks.
class EdgeFeed
{
public:
    virtual ~EdgeFeed() = default;

    [[nodiscard]] virtual Vertex vertex_count() const = 0;
    [[nodiscard]] virtual bool directed() const = 0;
    /// The number of edges of this rank's share.
    [[nodiscard]] virtual EdgeCount size() const = 0;
    /// Edges first to first + count - 1 of the share, valid until the next call. `scratch` has room
    /// for `count` edges.
    [[nodiscard]] virtual std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count, std::span<PackedEdge> scratch) const = 0;
};

/// A view of edges in memory; the list outlives the feed.
class ListFeed final : public EdgeFeed
{
public:
    explicit ListFeed(const EdgeList& list) : list_(list) {}

    [[nodiscard]] Vertex vertex_count() const override { return list_.vertex_count; }
    [[nodiscard]] bool directed() const override { return list_.directed; }
    [[nodiscard]] EdgeCount size() const override { return static_cast<EdgeCount>(list_.edges.size()); }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count, std::span<PackedEdge> /*scratch*/) const override
    {
        return list_.edges.span().subspan(static_cast<std::size_t>(first), count);
    }

private:
    const EdgeList& list_;
};

/// Part `part` of `parts` of a generated graph; the source outlives the feed.
class SourceFeed final : public EdgeFeed
{
public:
    SourceFeed(const EdgeSource& source, int part, int parts);

    [[nodiscard]] Vertex vertex_count() const override { return source_.vertex_count(); }
    [[nodiscard]] bool directed() const override { return source_.directed(); }
    [[nodiscard]] EdgeCount size() const override { return last_ - first_; }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count, std::span<PackedEdge> scratch) const override;

private:
    const EdgeSource& source_;
    EdgeCount first_ = 0;
    EdgeCount last_ = 0;
};

/// Makes the edges first to first + out.size() - 1 on all threads.
void generate_parallel(const EdgeSource& source, EdgeCount first, std::span<PackedEdge> out);

/// Makes part `part` of `parts` of a generated graph in memory, with the source's own weights if it
/// has any and `with_weights` is true.
EdgeList generate_share(const EdgeSource& source, int part, int parts, bool with_weights);

}  // namespace wayfront
