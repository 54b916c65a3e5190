// A Kronecker graph that GPUs construct.
#pragma once

#include "base/types.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::session {

/// Its tuples are never stored: every pass over them makes them anew.
struct KronGraph
{
    KronParameters parameters;
    EdgeCount tuples = 0;

    [[nodiscard]] Vertex vertices() const { return Vertex{1} << parameters.scale; }
};

}  // namespace wayfront::session
