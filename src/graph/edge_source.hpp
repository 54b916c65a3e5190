// Edges made on demand: any rank can make any range of the edges of a generated graph, without
// communication or state.
#pragma once

#include <span>

#include "graph/edge_list.hpp"

namespace wayfront {

/// A generated graph. Immutable; all member functions may be called from several threads at once.
class EdgeSource
{
public:
    virtual ~EdgeSource() = default;

    [[nodiscard]] virtual Vertex vertex_count() const = 0;
    [[nodiscard]] virtual EdgeCount edge_count() const = 0;
    [[nodiscard]] virtual bool directed() const = 0;

    /// Writes the edges first to first + out.size() - 1. Pre: first + out.size() <= edge_count().
    virtual void edges(EdgeCount first, std::span<PackedEdge> out) const = 0;

    /// Writes the source's own weights of the same edges (Graph500's floats in [0, 1)). Returns
    /// false, and writes nothing, if the source has none.
    virtual bool weights(EdgeCount /*first*/, std::span<float> /*out*/) const { return false; }
};

}  // namespace wayfront
