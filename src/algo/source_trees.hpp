// The trees of a search from several sources: one from each source.
#pragma once

#include "graph/vertex_array.hpp"

namespace wayfront::algo {

/// The trees of this rank's vertices, by local number.
struct SourceTrees
{
    VertexArray& parents;
    VertexArray& nearest;  // the source whose tree has the vertex
};

}  // namespace wayfront::algo
